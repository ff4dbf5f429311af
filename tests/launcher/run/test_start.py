"""The start of several processes, with a script in place of QEMU."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from fugu.build import fingerprint

# A script that prints what it was started with. As with QEMU, the hub waits for a line from each of the other
# processes, and those end when the hub ends.
SCRIPT = """\
#!/usr/bin/python3 -S
import json, os, socket, sys

machine = dict(one.partition("=")[::2] for one in sys.argv[sys.argv.index("-M") + 1].split(","))
number, count = int(machine["process"]), int(machine["processes"])
mine = socket.socket(fileno=int(machine["link"].removeprefix("fd:")))
secret = sys.argv[sys.argv.index("-object") + 1].rpartition("=")[2] if "-object" in sys.argv else ""
opened = [f"/proc/self/fd/{{name}}" for name in os.listdir("/proc/self/fd")]
sockets = [path for path in opened if os.path.islink(path) and os.readlink(path).startswith("socket:")]
said = {{"process": number, "pid": os.getpid(), "group": os.getpgid(0), "argv": sys.argv,
         "secret": open(secret).read() if secret else "",
         "stdin": os.fstat(0).st_rdev == os.stat("/dev/null").st_rdev,
         "sockets": len(sockets), "name": str(mine.getsockname())}}
if number:
    mine.sendall(json.dumps(said).encode())
    mine.shutdown(socket.SHUT_WR)
    mine.recv(1)
    sys.exit()
print(json.dumps(said), flush=True)
mine.settimeout(10)
others = [mine.accept()[0] for _ in range({wait_for} - 1 if {wait_for} else count - 1)]
for one in others:
    text = b""
    while more := one.recv(65536):
        text += more
    print(text.decode(), flush=True)
{then}
"""


@pytest.fixture
def machine_of_scripts(fake_qemu):
    """machine_of_scripts(then="...") makes run.sh take SCRIPT for QEMU."""
    return lambda then="sys.exit(7)", wait_for=0: fake_qemu(SCRIPT.format(then=then, wait_for=wait_for))


def said(stdout):
    """What the processes printed, in the order of their numbers."""
    found = {one["process"]: one for one in map(json.loads, stdout.splitlines())}
    return [found[number] for number in sorted(found)]


def is_gone(pid):
    """Whether the process has ended, reaped or not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def all_gone(processes, seconds=10.0):
    deadline = time.monotonic() + seconds
    while not all(is_gone(one["pid"]) for one in processes):
        assert time.monotonic() < deadline, "processes are left behind"
        time.sleep(0.02)


@pytest.mark.parametrize("transport", ["shm", "unix", "tcp"])
@pytest.mark.parametrize("count", [2, 5])
def test_all_processes_are_started_and_connected(machine_of_scripts, launcher, elf, tmp_path, transport, count):
    machine_of_scripts()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = launcher("--processes", count, "--transport", transport, elf, TMPDIR=str(temporary))
    assert done.returncode == 7, done.stderr
    processes = said(done.stdout)
    assert [one["process"] for one in processes] == list(range(count))
    # Each of the others has its own process group, away from the terminal; the hub keeps run.sh's.
    hub, *others = processes
    assert [one["group"] for one in others] == [one["pid"] for one in others]
    assert all(one["stdin"] for one in others)
    # No process holds another's socket, which would hide the other's end.
    assert [one["sockets"] for one in processes] == [1] * count
    # No file is left, and the hub listens on this host alone.
    assert list(temporary.iterdir()) == []
    if transport == "tcp":
        assert hub["name"].startswith("('127.0.0.1', ")
    all_gone(processes)


def test_local_tcp_has_a_secret_for_each_run(machine_of_scripts, launcher, elf):
    """All processes of a run have one secret, each run has another, and it is on no command line."""
    machine_of_scripts()
    runs = [said(launcher("--processes", "3", "--transport", "tcp", elf).stdout) for _ in range(2)]
    secrets = [{one["secret"] for one in processes} for processes in runs]
    assert [len(each) for each in secrets] == [1, 1]
    assert secrets[0] != secrets[1]
    for processes in runs:
        for one in processes:
            assert len(one["secret"]) == 64 and one["secret"] not in " ".join(one["argv"])


def test_no_secret_where_none_is_needed(machine_of_scripts, launcher, elf):
    machine_of_scripts()
    assert {one["secret"] for one in said(launcher("--processes", "2", elf).stdout)} == {""}


def test_hub_replaces_the_launcher(machine_of_scripts, elf):
    """A signal to run.sh's pid reaches the hub, and the others end when it ends."""
    machine_of_scripts(then="import time; time.sleep(60)")
    child = subprocess.Popen([fingerprint.ROOT / "run.sh", "--processes", "3", elf], stdout=subprocess.PIPE, text=True)
    processes = said("".join(child.stdout.readline() for _ in range(3)))
    assert processes[0]["pid"] == child.pid and processes[0]["group"] == os.getpgid(0)
    child.send_signal(signal.SIGTERM)
    assert child.wait(10) == -signal.SIGTERM
    child.stdout.close()
    all_gone(processes)


def test_qemu_that_does_not_start_is_reported(machine_of_scripts, launcher, elf):
    machine_of_scripts().chmod(0o644)
    done = launcher("--processes", "3", elf)
    assert done.returncode == 3
    assert "process 1 does not start" in done.stderr and "Permission denied" in done.stderr


def test_long_temporary_directory(machine_of_scripts, launcher, elf, tmp_path):
    """TMPDIR may be longer than the address of a UNIX socket."""
    machine_of_scripts()
    folder = tmp_path / ("x" * 120)
    folder.mkdir()
    assert launcher("--processes", "2", elf, TMPDIR=str(folder)).returncode == 7
    assert list(folder.iterdir()) == []


# ---- several hosts -----------------------------------------------------------

def test_hub_waits_for_other_hosts(machine_of_scripts, launcher, elf, secret):
    """The launcher prints the command for the other host, listens there, and connects its own processes."""
    machine_of_scripts(wait_for=2)
    done = launcher("--hosts", "here:2,there:2", "--listen", "127.0.0.1:0", "--secret-file", secret, "-n", "6", elf,
                    "x")
    assert done.returncode == 7, done.stderr
    hub, other = said(done.stdout)
    port = hub["name"].rpartition(" ")[2].rstrip(")")
    head, command, note = done.stderr.splitlines()
    assert head == "fugu: processes 2 to 3: start on there, within 60 s:"
    assert shlex.split(command) == ["./run.sh", "--join", f"127.0.0.1:{port}", "--process", "2-3", "--processes", "4",
                                    "--secret-file", str(secret), "-n", "6", str(elf), "x"]
    assert "only through a tunnel" in note
    assert hub["secret"] == other["secret"] == secret.read_text()


def test_hub_listens_at_all_addresses(machine_of_scripts, launcher, elf, secret):
    machine_of_scripts(wait_for=2)
    done = launcher("--hosts", "here:2,there", "--listen", "0.0.0.0:0", "--secret-file", secret, elf)
    assert done.returncode == 7, done.stderr
    assert "--join here:" in done.stderr and "tunnel" not in done.stderr
    assert said(done.stdout)[0]["name"].startswith("('0.0.0.0', ")


def test_taken_address_is_reported(machine_of_scripts, launcher, elf, secret):
    machine_of_scripts()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = launcher("--hosts", "a,b", "--listen", f"127.0.0.1:{port}", "--secret-file", secret, elf)
    assert done.returncode == 3
    assert f"cannot listen at 127.0.0.1:{port}: Address already in use" in done.stderr and "--listen" in done.stderr


def test_address_of_another_host_is_reported(machine_of_scripts, launcher, elf, secret):
    machine_of_scripts()
    done = launcher("--hosts", "a,b", "--listen", "192.0.2.1", "--secret-file", secret, elf)
    assert done.returncode == 3
    assert "cannot listen at 192.0.2.1:3848" in done.stderr

"""--processes, --hosts and --join: which process runs which nodes and where, and the secret."""

from __future__ import annotations

import shlex

import pytest

from fugu.run import partition
from fugu.run.parse import parse


def run_options(words):
    """(settings of -M, words) of a line that --dry-run prints."""
    line = shlex.split(words)
    return dict(one.partition("=")[::2] for one in line[line.index("-M") + 1].split(",")), line


@pytest.mark.parametrize("nodes, processes", [(1, 1), (8, 2), (8, 8), (7, 3), (64, 5), (1024, 64), (13, 12)])
def test_every_node_is_in_one_process(nodes, processes):
    parts = partition.Split(nodes, processes, range(processes), True, "shm")
    all_nodes = [node for process in range(processes) for node in parts.nodes_of(process)]
    assert all_nodes == list(range(nodes))
    for process in range(processes):
        assert len(parts.nodes_of(process)) in (nodes // processes, -(-nodes // processes))
        assert {parts.process_of(node) for node in parts.nodes_of(process)} == {process}


def test_seven_nodes_over_three():
    parts = partition.Split(7, 3, range(3), True, "shm")
    assert [list(parts.nodes_of(process)) for process in range(3)] == [[0, 1], [2, 3], [4, 5, 6]]


# ---- one host --------------------------------------------------------------

def test_one_process_is_the_plain_machine(launcher, elf):
    """With --processes 1, scripts may give any transport."""
    plain = launcher("--dry-run", elf).stdout
    assert launcher("--dry-run", "--processes", "1", elf).stdout == plain
    assert launcher("--dry-run", "--processes", "1", "--transport", "tcp", "--link-timeout", "5", elf).stdout == plain


@pytest.mark.parametrize("transport", ["shm", "unix", "tcp"])
def test_dry_run_shows_all_processes(launcher, elf, transport):
    done = launcher("--dry-run", "--processes", "3", "--transport", transport, "-n", "7", "--digest", elf, "a", "b")
    lines = [run_options(line) for line in done.stdout.splitlines()]
    assert [settings["process"] for settings, _ in lines] == ["0", "1", "2"]
    for number, (settings, line) in enumerate(lines):
        assert settings["processes"] == "3" and settings["nodes"] == "7" and settings["digest"] == "on"
        assert settings["transport"] == transport and settings["link-timeout"] == "10000"
        assert ("link-secret" in settings) == (transport == "tcp") == ("-object" in line)
        assert settings.get("link-quiet") == ("on" if number else None)
        assert line[line.index("-append") + 1] == "a b"
        # Only the hub has the terminal.
        assert line[line.index("-chardev") + 1].partition(",")[0] == ("null" if number else "stdio")


def test_disks_and_traces_go_to_their_process(launcher, elf, tmp_path):
    for number in (0, 4):
        (tmp_path / f"{number}.img").write_bytes(bytes(512))
    done = launcher("--dry-run", "--processes", "3", "-n", "7", "--disk", f"0={tmp_path}/0.img", "--disk",
                    f"4={tmp_path}/4.img", "--trace", "fugu_*", "--trace-file", tmp_path / "t", "--link-timeout",
                    "2.5", elf)
    first, second, third = (line for _, line in map(run_options, done.stdout.splitlines()))
    assert [word for word in first if word.startswith("if=none")] == [f"if=none,id=disk0,format=raw,file={tmp_path}/0.img"]
    assert [word for word in second if word.startswith("if=none")] == []
    assert [word for word in third if word.startswith("if=none")] == [f"if=none,id=disk4,format=raw,file={tmp_path}/4.img"]
    assert [line[line.index("-D") + 1] for line in (first, second, third)] == [f"{tmp_path}/t.{i}" for i in range(3)]
    assert "link-timeout=2500" in done.stdout


def test_trace_into_a_device_is_shared(launcher, elf):
    done = launcher("--dry-run", "--processes", "2", "--trace-file", "/dev/null", elf)
    assert done.stdout.count("-D /dev/null\n") == 2


# ---- several hosts -----------------------------------------------------------

def test_hosts_print_a_command_for_each(launcher, elf, secret):
    done = launcher("--dry-run", "--hosts", "one:2,two,three:2", "--listen", "one:4000", "--secret-file", secret, elf)
    lines = done.stdout.splitlines()
    assert len(lines) == 6, done.stderr
    for number in (0, 1):
        settings, line = run_options(lines[number])
        assert settings["processes"] == "5" and settings["process"] == str(number)
        assert settings["transport"] == "tcp" and settings["link"] == "one:4000"
        assert settings["link-timeout"] == "60000"
        assert f"secret,id=link,file={secret}" in line
    assert lines[2] == "# on two:" and lines[4] == "# on three:"
    assert "--process 2 --processes 5" in lines[3] and "--process 3-4 --processes 5" in lines[5]


@pytest.mark.parametrize("listen, address", [
    (None, "127.0.0.1:3848"), ("10.0.0.1", "10.0.0.1:3848"), ("0.0.0.0:99", "one:99"), ("[::]", "one:3848"),
    ("[fd00::1]:5", "[fd00::1]:5"), ("name.of-it:6", "name.of-it:6")])
def test_address_for_other_hosts(listen, address, secret, elf):
    words = ["--hosts", "one,two", "--secret-file", secret, elf, *(["--listen", listen] if listen else [])]
    run = parse([*map(str, words[4 + 1:]), *map(str, words[:4 + 1])])
    assert partition.reached_at(run, partition.listen_address(run)[1]) == address


OPTIONS = ["--quantum 32 --mesh 2x4 --cache off --digest", "-n 8 --ram 1M --label --timeout 10M --mesh-base 100",
           "--cache-size 4K --trace 'fugu_*' --trace a,b --trace-file 't t.log' --link-timeout 2.5",
           "--qemu-arg -S --qemu-arg=-d --qemu-arg 'a b'"]


@pytest.mark.parametrize("options", OPTIONS)
def test_the_printed_command_starts_the_same_machine(launcher, elf, secret, options):
    """The printed command, run as it is, starts the same machine as on the first host, with another process number."""
    words = shlex.split(options)
    here, _, printed = launcher("--dry-run", "--hosts", "one,two", "--listen", "one", "--secret-file", secret, *words,
                                elf, "it's", "-n", "5").stdout.splitlines()
    command = shlex.split(printed)
    assert command[0] == "./run.sh"
    there = launcher("--dry-run", *command[1:]).stdout
    mine, line = run_options(here)
    other, other_line = run_options(there)
    assert mine.pop("process") == "0" and other.pop("process") == "1"
    mine.setdefault("nodes", "8")           # the printed command always names the nodes
    assert other == mine
    for option in ("-append", "-kernel", "-object"):
        assert other_line[other_line.index(option) + 1] == line[line.index(option) + 1]
    last = {key: value[value.index("-object") + 2:] for key, value in (("here", line), ("there", other_line))}
    assert last["there"] == [word.replace("t t.log.0", "t t.log.1") for word in last["here"]]


def test_disks_are_looked_for_on_their_host(launcher, elf, secret, tmp_path):
    """A disk's file is looked for on the host of its node."""
    disk = tmp_path / "d.img"
    common = ["--secret-file", secret, elf]
    done = launcher("--dry-run", "--hosts", "one,two", "--disk", "5=there.img", *common)
    assert "there.img" not in done.stdout.splitlines()[0]
    assert "--disk 5=there.img" in done.stdout.splitlines()[2]
    assert launcher("--dry-run", "--hosts", "one,two", "--disk", f"3={disk}", *common).returncode == 2
    join = ["--dry-run", "--join", "one:1", "--process", "1-2", "--processes", "4"]
    done = launcher(*join, "--disk", f"5={disk}", *common)
    assert done.returncode == 2 and "no such file" in done.stderr
    done = launcher(*join, "--disk", "6=x", *common)
    assert done.returncode == 2
    assert "node 6 is not in the processes that run here; their nodes are 2 to 5" in done.stderr


def test_join_starts_its_processes(launcher, elf, secret):
    done = launcher("--dry-run", "--join", "[::1]:77", "--process", "1-2", "--processes", "4", "--secret-file", secret,
                    "-n", "9", elf)
    lines = [run_options(line)[0] for line in done.stdout.splitlines()]
    assert [settings["process"] for settings in lines] == ["1", "2"]
    assert [settings.get("link-quiet") for settings in lines] == [None, "on"]
    assert {settings["link"] for settings in lines} == {"[::1]:77"}


# ---- the secret ----------------------------------------------------------------

@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o777])
def test_secret_that_others_can_read_is_refused(launcher, elf, secret, mode):
    secret.chmod(mode)
    done = launcher("--dry-run", "--processes", "2", "--transport", "tcp", "--secret-file", secret, elf)
    assert done.returncode == 2
    assert f"chmod 600 {secret}" in done.stderr


def test_short_secret_is_refused(launcher, elf, secret):
    secret.write_text(15 * "x")
    done = launcher("--dry-run", "--hosts", "a,b", "--secret-file", secret, elf)
    assert done.returncode == 2
    assert "has 15 bytes; at least 16 are needed" in done.stderr
    secret.write_text(16 * "x")
    assert launcher("--dry-run", "--hosts", "a,b", "--secret-file", secret, elf).returncode == 0


def test_the_advice_makes_a_good_secret(launcher, elf, tmp_path):
    """The command in the message makes a file that is accepted."""
    import subprocess

    file = tmp_path / "my secret"
    words = ["--dry-run", "--processes", "2", "--transport", "tcp", "--secret-file", file, elf]
    advice = [line for line in launcher(*words).stderr.splitlines() if "umask" in line]
    subprocess.run(["sh", "-c", advice[0].partition("Make one:")[2]], check=True)
    assert launcher(*words).returncode == 0

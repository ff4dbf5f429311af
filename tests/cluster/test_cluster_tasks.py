"""One machine as tasks of srun and of mpirun, which find each other by themselves."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import time
from pathlib import Path

import pytest
from task_launcher import Launcher

ENDLESS = ("-n", "4", "ring", "laps=100000000")


@pytest.mark.parametrize("tasks, more", [(1, ()), (2, ()), (3, ()), (2, ("--processes", "5"))])
def test_tasks_make_the_same_run(machine, launcher, meet, tasks, more):
    one = machine("crossing", "rounds=1", nodes=7, digest=True).check(0)
    status, out, err = launcher.run(launcher.line(tasks, "--meet", meet, *more, "-n", 7, "--digest", "crossing", "rounds=1"))
    assert (status, out, err) == (0, one.stdout, "")
    assert not meet.exists() or not list(meet.iterdir())


def test_apps_run_as_tasks(machine, launcher, meet):
    one = machine("pingpong", "10", "+", "null", nodes=4, digest=True).check(0)
    line = launcher.line(2, "--meet", meet, "-n", 4, "--digest", "pingpong", "10", "+", "null")
    status, out, err = launcher.run(line)
    assert (status, out, err) == (0, one.stdout, "")


@pytest.mark.parametrize("status, words", [
    (9, ("exitstatus", "status=9", "node=6")), (125, ("deadlock",)), (124, ("--timeout", "20000", "spin"))],
    ids=["status", "deadlock", "timeout"])
def test_status_and_report_are_those_of_the_run(machine, launcher, meet, status, words):
    """mpirun ends the other tasks when one has failed: by then the hub has reported."""
    options = {"timeout": words[1]} if words[0] == "--timeout" else {}
    one = machine(*words[2 * len(options):], **options).check(status)
    found, out, err = launcher.run(launcher.line(3, "--meet", meet, *words))
    assert (found, out.strip()) == (status, one.stdout.strip()), err
    assert one.stderr and one.stderr in err


def test_mpirun_on_two_hosts(machine, namespaces, tmp_path, meet):
    """The hub listens where the other host reaches it. A script takes the place of ssh."""
    if not shutil.which("mpirun") or not namespaces:
        pytest.skip("there is no mpirun (Debian: openmpi-bin), or network namespaces are not allowed here")
    one = machine("crossing", "rounds=1", nodes=7, digest=True).check(0)
    agent = tmp_path / "agent"
    agent.write_text(f'#!/bin/sh\nshift\nexec {shlex.join(namespaces.prefixes[1])} sh -c "$*"\n')
    agent.chmod(0o755)
    settings = {"plm_rsh_agent": agent, "oob_tcp_if_include": f"{namespaces.addresses[0]}/24"}
    mpirun = [*namespaces.prefixes[0], "mpirun", *(["--allow-run-as-root"] if os.geteuid() == 0 else []), "--map-by", "node",
              "--host", ",".join(namespaces.addresses)]
    for name, value in settings.items():
        mpirun += ["--mca", name, str(value)]
    launcher = Launcher("mpi", mpirun, {})
    line = launcher.line(2, "--meet", meet, "-n", 7, "--digest", "crossing", "rounds=1")
    assert launcher.run(line)[:2] == (0, one.stdout)     # mpirun may print warnings of its own


def descendants(process, needle):
    """The processes below one whose command line has this text. They may be started by a daemon: all are searched."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if entry.name.isdigit() and int(entry.name) != process.pid and needle in words:
            found.append(int(entry.name))
    return found


def qemu_of(process, seed, number):
    """QEMU's process of that number, in the run with this seed."""
    deadline = time.monotonic() + 60
    while not (found := [pid for pid in descendants(process, f"seed={seed}")
                         if f"process={number}," in Path(f"/proc/{pid}/cmdline").read_text()]):
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()
        time.sleep(0.05)
    return found[0]


@pytest.mark.parametrize("number", [0, 1])
def test_death_of_a_task_ends_all(launcher, meet, number):
    """A seed that no other run has identifies the processes."""
    seed = os.getpid() * 10 + number
    process = launcher.start(launcher.line(2, "--meet", meet, *ENDLESS, f"seed={seed}"))
    try:
        assert process.stdout.readline().startswith("ring on 4 nodes")      # all have joined
        os.kill(qemu_of(process, seed, number), signal.SIGKILL)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode != 0
    if launcher.kind == "slurm":        # mpirun may end the other task before it can say this
        assert f"fugu: process {number} (nodes {2 * number} to {2 * number + 1}) has gone" in err, err
    deadline = time.monotonic() + 30
    while descendants(process, f"seed={seed}"):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def differing(launcher, tmp_path, meet, first, second):
    """The command line by which two tasks get different words."""
    common = f"./run.sh --hosts {launcher.kind} --meet {meet}"
    if launcher.kind == "mpi":
        one, other = ([*common.split(), *words.split()] for words in (first, second))
        return [*launcher.words, "-n", "1", *one, ":", "-n", "1", *other]
    file = tmp_path / "multi.conf"
    file.write_text(f"0 {common} {first}\n1 {common} {second}\n")
    return [*launcher.words, "-n", "2", "--multi-prog", str(file)]


@pytest.mark.parametrize("first, second, named", [
    ("-n 4 whoami", "-n 5 whoami", "has nodes=5, but the hub has 4"),
    ("-n 4 whoami", "-n 4 ring", "a different program from the hub's"),
    ("-n 4 --processes 2 whoami", "-n 4 --processes 3 whoami", "has processes=3, but the hub has 2")],
    ids=["nodes", "program", "processes"])
def test_different_command_lines_are_refused(launcher, tmp_path, meet, first, second, named):
    status, out, err = launcher.run(differing(launcher, tmp_path, meet, first, second))
    assert (status, out.strip()) == (120, "")
    assert named in err, err


def test_different_builds_are_refused(launcher, tmp_path, meet, qemu):
    """The second task's record of what is built names a copy of QEMU, as another build would be."""
    build = Path(os.environ["FUGU_BUILD"])
    other = tmp_path / "build"
    other.mkdir()
    for path in build.iterdir():
        (other / path.name).symlink_to(path)
    (other / ".fugu").unlink()
    (other / ".fugu").mkdir()
    copied = tmp_path / "another" / "qemu-system-sparc"
    copied.parent.mkdir()
    copied.symlink_to(tmp_path / "there" / "qemu-system-sparc")
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "qemu-system-sparc").write_bytes(Path(qemu).read_bytes())
    (tmp_path / "there" / "qemu-system-sparc").chmod(0o755)
    for record in (build / ".fugu").glob("*.json"):
        (other / ".fugu" / record.name).write_text(record.read_text().replace(qemu, str(copied)))
    script = tmp_path / "task"
    rank = {"slurm": "SLURM_PROCID", "mpi": "OMPI_COMM_WORLD_RANK"}[launcher.kind]
    script.write_text(f'#!/bin/sh\n[ "${rank}" = 1 ] && export FUGU_BUILD={other}\nexec ./run.sh "$@"\n')
    script.chmod(0o755)
    line = [str(script) if word == "./run.sh" else word
            for word in launcher.line(2, "--meet", meet, "--link-timeout", 5, "-n", 4, "whoami")]
    status, out, err = launcher.run(line)
    assert (status, out.strip()) == (120, "")
    assert f"fugu: task 1 has another QEMU than task 0: there, and not {Path(qemu).parent.name}" in err, err


def test_task_0_that_never_starts(launcher, tmp_path, meet):
    """The other tasks wait for a limited time."""
    line = differing(launcher, tmp_path, meet, "-n 4 --nonsense whoami", "-n 4 --link-timeout 1 whoami")
    status, out, err = launcher.run(line)
    assert out.strip() == "" and status in (2, 120)
    assert "there is no option --nonsense" in err
    if launcher.kind == "slurm":        # mpirun ends the other task
        assert f"fugu: task 1 waited 1 s for task 0, which has left no {meet}" in err, err

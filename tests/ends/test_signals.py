"""What signals leave behind: no process, and after the next run no temporary folder, whatever the command did.

Each command runs for ever. The moments are times, but nothing depends on what
the command has done by then.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
import uuid
from pathlib import Path

import pytest
from fugu.observe import session
from fugu.run import peers
from run_sh import COMMAND

ENDLESS = ["null", "1000000000000"]
COMMANDS = {
    "run": ["-n", "2", *ENDLESS],
    "processes": ["-n", "2", "--processes", "2", *ENDLESS],
    "stats": ["-n", "2", "--stats", *ENDLESS],
    "timeline": ["-n", "2", "--processes", "2", "--timeline", "t.pftrace", "--timeline-cycles", "0-1K", *ENDLESS],
    "profile": ["profile", "-n", "2", *ENDLESS],
    "debug": ["debug", "-n", "2", "--gdb-arg=-batch", "--gdb-arg=-ex", "--gdb-arg=continue", *ENDLESS],
    "sweep": ["sweep", "runs.csv", "--output", "out"],
    "anl": ["anl", "make", "endless"],       # make ends what it has started
}
MOMENTS = [0.1, 0.6, 2.0]           # seconds
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]
BOUND = 30.0                        # seconds until all have ended
MADE = {"runs.csv", "Makefile", "tmp", "out", "t.pftrace"}      # what a command may leave in its folder

# One case of each command, and each signal both ways: with --long all of them.
FEW = [("run", signal.SIGTERM, 0.6, False), ("run", signal.SIGINT, 0.6, True), ("processes", signal.SIGKILL, 0.6, False),
       ("stats", signal.SIGINT, 0.6, False), ("stats", signal.SIGKILL, 0.6, False), ("timeline", signal.SIGKILL, 2.0, False),
       ("timeline", signal.SIGHUP, 0.6, True), ("profile", signal.SIGTERM, 0.1, True), ("debug", signal.SIGKILL, 0.6, False),
       ("debug", signal.SIGHUP, 2.0, False), ("sweep", signal.SIGTERM, 2.0, True), ("sweep", signal.SIGKILL, 2.0, False),
       ("anl", signal.SIGTERM, 0.6, False), ("anl", signal.SIGKILL, 0.6, True)]
ALL = [(command, number, moment, ignored) for command in COMMANDS for number in SIGNALS for moment in MOMENTS
       for ignored in (False, True)]


def marked(mark: str) -> list[str]:
    """The command lines of all processes that have this variable in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"FUGU_MARK={mark}".encode() in (entry / "environ").read_bytes():
                if "\nState:\tZ" not in (entry / "status").read_text():
                    found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            continue                # it has ended, or is another user's
    return found


def gone(mark: str) -> list[str]:
    """Waits until no such process is left. Returns those that are left after BOUND."""
    deadline = time.monotonic() + BOUND
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


@pytest.fixture
def begin(tmp_path):
    """begin(words, SIGNAL, ...) -> (process, mark): a command in its own folder, which ignores these signals."""
    started = []
    (tmp_path / "tmp").mkdir()
    (tmp_path / "Makefile").write_text("endless:\n\tsleep 1000\n")
    (tmp_path / "runs.csv").write_text(f"nodes,app,arguments\n2,{','.join(ENDLESS)}\n")

    def make(words, *ignored):
        mark = uuid.uuid4().hex

        def prepare():
            for number in SIGNALS[:-1]:
                signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
        process = subprocess.Popen([COMMAND, *words], cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=environment(tmp_path, mark), process_group=0,
                                   preexec_fn=prepare)
        started.append((process, mark))
        return process, mark
    yield make
    for process, mark in started:
        process.kill()
        process.wait()
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and f"FUGU_MARK={mark}".encode() in (entry / "environ").read_bytes():
                    os.kill(int(entry.name), signal.SIGKILL)
            except OSError:
                continue


def environment(folder, mark):
    return os.environ | {"TMPDIR": str(folder / "tmp"), "FUGU_MARK": mark}


def leaves_nothing(begin, folder, command, number, moment, ignored):
    process, mark = begin(COMMANDS[command], *[signal.SIGINT] * ignored)
    time.sleep(moment)
    assert process.poll() is None, "a command that runs for ever has ended"
    stops = (command, number) == ("debug", signal.SIGINT)       # Control-C stops the machine, and here GDB's work is done
    if stops:
        os.killpg(process.pid, number)      # as a terminal sends it
    else:
        process.send_signal(number)
    if number == signal.SIGINT and ignored and not stops:
        time.sleep(0.3)
        assert process.poll() is None, "an ignored signal has ended it"
        process.terminate()
    assert gone(mark) == []
    assert process.wait(BOUND) != 0 or stops
    # The next run, of whatever kind it is, removes the folders of one that was killed.
    subprocess.run([COMMAND, "-n", "1", "--stats", "null", "1"], cwd=folder, stdin=subprocess.DEVNULL, check=True,
                   stdout=subprocess.DEVNULL, env=environment(folder, ""))
    assert list((folder / "tmp").iterdir()) == []
    assert {path.name for path in folder.iterdir()} <= MADE


@pytest.mark.parametrize(("command", "number", "moment", "ignored"), FEW)
def test_signal_leaves_nothing(begin, tmp_path, command, number, moment, ignored):
    leaves_nothing(begin, tmp_path, command, number, moment, ignored)


@pytest.mark.long
@pytest.mark.parametrize(("command", "number", "moment", "ignored"), ALL)
def test_no_signal_leaves_anything(begin, tmp_path, command, number, moment, ignored):
    leaves_nothing(begin, tmp_path, command, number, moment, ignored)


@pytest.mark.parametrize("command", ["run", "stats", "processes"])
def test_nohup_has_its_effect(begin, command):
    """The run goes on after the SIGHUP that its terminal's end would send to all of it."""
    process, mark = begin(COMMANDS[command], signal.SIGHUP)
    time.sleep(1.0)
    os.killpg(process.pid, signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None and marked(mark)
    process.terminate()
    assert gone(mark) == []


def test_a_signal_that_comes_before_the_machine_ends_it_too(monkeypatch):
    """It comes when its handler is set and the first process does not run yet."""
    start = session._start

    def late(first):
        os.kill(os.getpid(), signal.SIGTERM)
        return start(first)
    monkeypatch.setattr(session, "_start", late)
    before = time.monotonic()
    assert session._wait([peers.Start(0, ["sleep", str(2 * BOUND)])]) == 128 + signal.SIGTERM
    assert time.monotonic() - before < BOUND

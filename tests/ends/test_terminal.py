"""At a terminal: Control-C ends a run soon, with status 130, and leaves nothing
behind; what is typed reaches the guest by lines."""

import contextlib
import fcntl
import os
import pty
import signal
import subprocess
import termios
import time

import pytest
from run_sh import COMMAND

SOON = 2.0              # seconds


@pytest.fixture
def in_terminal():
    """in_terminal(*words) starts ./run.sh in a terminal of its own: (process, terminal)."""
    started = []

    def start(*words):
        try:
            terminal, theirs = pty.openpty()
        except OSError as error:
            pytest.skip(f"there are no terminals here (devpts is not mounted): {error}")

        def become_owner():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        process = subprocess.Popen([COMMAND, *words], stdin=theirs, stdout=theirs, stderr=theirs,
                                   start_new_session=True, preexec_fn=become_owner)
        os.close(theirs)
        started.append((process, terminal))
        return process, terminal
    yield start
    for process, terminal in started:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(terminal)


def runs_guest(process):
    """Waits until the launcher has become QEMU, and QEMU runs code."""
    deadline = time.monotonic() + 60
    while process.poll() is None and "qemu" not in os.readlink(f"/proc/{process.pid}/exe"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.3)
    assert process.poll() is None, f"run.sh ended with status {process.returncode}"


def ends(process):
    start = time.monotonic()
    process.wait(timeout=30)
    assert time.monotonic() - start < SOON
    assert process.returncode == 130
    # The process group of its terminal is empty.
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


# Nodes that run, and one that waits for what is typed.
@pytest.mark.parametrize("words", [("spin",), ("-n", "64", "spin"), ("-n", "1", "echo")], ids=" ".join)
def test_control_c(in_terminal, words):
    process, terminal = in_terminal(*words)
    runs_guest(process)
    os.write(terminal, b"\x03")
    ends(process)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals(in_terminal, number):
    process, _ = in_terminal("spin")
    runs_guest(process)
    process.send_signal(number)
    ends(process)


def test_the_terminal_is_as_it_was(in_terminal):
    """QEMU takes echo and line editing away; it has to give them back."""
    process, terminal = in_terminal("--timeout", "100000", "whoami")
    before = termios.tcgetattr(terminal)
    with contextlib.suppress(OSError):          # the end of a terminal is an error
        while os.read(terminal, 4096):
            pass
    process.wait(timeout=60)
    assert process.returncode == 0
    assert termios.tcgetattr(terminal)[3] == before[3]


def test_typing_at_a_terminal(in_terminal):
    """What is typed is shown, can be corrected, and ends with Enter."""
    process, terminal = in_terminal("-n", "1", "echo")
    runs_guest(process)
    os.write(terminal, b"firts\x7f\x7fst\rend\r")
    process.wait(timeout=30)
    shown = os.read(terminal, 4096).decode()
    assert process.returncode == 0, shown
    assert "polled: first\r\n" in shown
    assert shown.startswith("firts"), "typed text is not shown"

"""At a terminal, Control-C ends a run within seconds with status 130, and typed lines reach the guest."""

import contextlib
import fcntl
import os
import pty
import signal
import subprocess
import termios
import time

import pytest
from guest_programs import built
from run_sh import COMMAND

SOON = 2.0              # seconds


@pytest.fixture
def in_terminal():
    """in_terminal(*words) -> (process, terminal): ./run.sh, started in a terminal of its own."""
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
    """Waits until QEMU has replaced the launcher and runs code."""
    deadline = time.monotonic() + 60
    while process.poll() is None and "qemu" not in os.readlink(f"/proc/{process.pid}/exe"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.3)
    assert process.poll() is None, f"run.sh ended with status {process.returncode}"


def ends(process):
    """Checks that the run ends soon with 130, and leaves no process."""
    start = time.monotonic()
    process.wait(timeout=30)
    assert time.monotonic() - start < SOON
    assert process.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


# Programs that compute, and one that waits for typed lines.
@pytest.mark.parametrize("words", [("spin",), ("-n", "64", "spin"), ("-n", "1", "echo")], ids=" ".join)
def test_control_c_ends_the_run(in_terminal, words):
    process, terminal = in_terminal(*words)
    runs_guest(process)
    os.write(terminal, b"\x03")
    ends(process)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_the_run(in_terminal, number):
    process, _ = in_terminal("spin")
    runs_guest(process)
    process.send_signal(number)
    ends(process)


def test_terminal_settings_are_restored(in_terminal):
    """QEMU switches echo and line editing off, and on again at its end."""
    process, terminal = in_terminal("--timeout", "100000", "whoami")
    before = termios.tcgetattr(terminal)
    with contextlib.suppress(OSError):          # reading a closed terminal is an error
        while os.read(terminal, 4096):
            pass
    process.wait(timeout=60)
    assert process.returncode == 0
    assert termios.tcgetattr(terminal)[3] == before[3]


def test_typed_lines_reach_the_guest(in_terminal):
    """Typed text is echoed, can be corrected, and is sent by Enter."""
    process, terminal = in_terminal("-n", "1", "echo")
    runs_guest(process)
    os.write(terminal, b"firts\x7f\x7fst\rend\r")
    process.wait(timeout=30)
    shown = os.read(terminal, 4096).decode()
    assert process.returncode == 0, shown
    assert "polled: first\r\n" in shown
    assert shown.startswith("firts"), "typed text is not shown"


def shown_until(terminal, text):
    """What the terminal shows, up to and including `text`."""
    shown = ""
    while text not in shown:
        shown += os.read(terminal, 4096).decode()
    return shown


def test_program_asks_and_reads_lines(in_terminal):
    process, terminal = in_terminal("-n", "1", str(built("libos/streams")), "ask")
    shown_until(terminal, "Your name? ")
    os.write(terminal, b"Ado\x7fa\r")
    shown_until(terminal, "Hello Ada\r\n")
    assert process.wait(timeout=30) == 0


def test_end_of_typed_input(in_terminal):
    """Control-D at the start of a line."""
    process, terminal = in_terminal("-n", "1", str(built("libos/streams")), "numbers")
    runs_guest(process)
    os.write(terminal, b"1 2\r3\r\x04")
    shown_until(terminal, "sum 6\r\n")
    assert process.wait(timeout=30) == 0


def test_program_finds_a_terminal(in_terminal):
    process, terminal = in_terminal("-n", "1", str(built("libos/streams")), "terminals")
    shown_until(terminal, "111\r\n")
    assert process.wait(timeout=30) == 0

"""Starts the launcher's child processes: the one place where that is done.

A child ends when the launcher ends, even by SIGKILL. It has the signal
dispositions of the launcher's caller: a signal that the caller ignores (a
script's `&`, nohup) is ignored by the child, and by the launcher too.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

PATIENCE = 10.0         # seconds that a child gets to end
SET_DEATH_SIGNAL = 1    # PR_SET_PDEATHSIG, of linux/prctl.h
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)       # signals that ask a process to end

Word = str | os.PathLike[str]

_prctl = ctypes.CDLL(None).prctl


def start(command: Sequence[Word], *, interruptible: bool = False, death: signal.Signals = signal.SIGTERM,
          **options: Any) -> subprocess.Popen[Any]:
    """Starts a command, as subprocess.Popen does with these options. OSError.

    The thread that calls this must outlive the child: the child gets the signal
    `death` when that thread ends. With `interruptible`, the child heeds SIGINT even if
    the caller ignores it: this process sends it.
    """
    # A signal that comes before the child is known would leave it behind.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
    try:
        return subprocess.Popen(command, preexec_fn=_prepared(os.getpid(), before, interruptible, death), **options)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepared(parent: int, mask: set[signal.Signals], interruptible: bool,
              death: signal.Signals) -> Callable[[], None]:
    """What the child does before it becomes the command."""
    def call() -> None:
        _prctl(SET_DEATH_SIGNAL, death)
        if os.getppid() != parent:          # it has ended meanwhile
            os._exit(128 + death)
        if interruptible:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return call


def run(command: Sequence[Word], **options: Any) -> int:
    """Runs a command to its end. Returns its status as a shell does: 128 and the signal that has ended it. OSError.

    A signal that asks the launcher to end is passed on; then this raises KeyboardInterrupt.
    """
    with interrupts():
        child = start(command, **options)
        try:
            return as_status(child.wait())
        except BaseException:
            end([child])
            raise


def as_status(code: int) -> int:
    """The exit status for a return code of Popen, as a shell has it."""
    return code if code >= 0 else 128 - code


def end(children: Sequence[subprocess.Popen[Any]]) -> None:
    """Ends these processes: by SIGTERM, and those that go on after PATIENCE by SIGKILL."""
    for child in children:
        child.terminate()
    for child in children:
        try:
            child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def run_group(command: Sequence[Word], timeout: float, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Runs a command in a session of its own to its end. OSError, subprocess.TimeoutExpired.

    Nothing that it has started there goes on after so many seconds.
    """
    with start(command, start_new_session=True, **options) as child:
        try:
            output, errors = child.communicate(timeout=timeout)
        except BaseException:
            end_group(child)
            raise
    return subprocess.CompletedProcess(command, child.returncode, output, errors)


def end_group(child: subprocess.Popen[Any]) -> None:
    """Ends a child that was started in a session of its own, and what it has left running there."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGTERM)
        try:
            child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            pass
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


# ---- the launcher's own signals ----------------------------------------------

def handle(handler: Callable[..., Any], numbers: Sequence[signal.Signals] = ENDS) -> dict[signal.Signals, Any]:
    """Sets a handler for those of these signals that the caller does not ignore. Returns the handlers before."""
    return {number: signal.signal(number, handler) for number in numbers
            if signal.getsignal(number) is not signal.SIG_IGN}


def interrupt(*_: object) -> None:
    """A handler by which a signal acts like Control-C."""
    raise KeyboardInterrupt


@contextmanager
def interrupts() -> Iterator[None]:
    """Meanwhile, signals that ask the launcher to end raise KeyboardInterrupt."""
    before = handle(interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

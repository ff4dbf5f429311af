"""Runs the commands of set-up. Output goes to a log, failures become messages."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..errors import SetupError
from . import children

TAIL = 15       # lines of the log in the message of a failure
WIDTH = 160     # characters of each of these lines

# Environment variables that would change the builds, though they are not meant for them.
_CLEARED = ("CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "LIBS", "MAKEFLAGS", "MFLAGS", "MAKELEVEL",
            "CC", "CXX", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "GCC_EXEC_PREFIX", "COMPILER_PATH",
            "C_INCLUDE_PATH", "CPATH", "LIBRARY_PATH", "DESTDIR", "NINJA_STATUS", "CONFIG_SITE")

_running: set[subprocess.Popen[bytes]] = set()
_stopping = threading.Event()


def environment(extra: Mapping[str, str] | None = None, path_first: Sequence[Path] = ()) -> dict[str, str]:
    """The environment for builds: the launcher's without the variables that would change them."""
    env = {k: v for k, v in os.environ.items() if k not in _CLEARED}
    env["LC_ALL"] = "C"
    env["PATH"] = os.pathsep.join([*map(str, path_first), env.get("PATH", os.defpath)])
    return env | dict(extra or {})


def run(command: Sequence[str | Path], log: Path, *, what: str, cwd: Path | None = None,
        env: Mapping[str, str] | None = None, on_line: Callable[[str], None] | None = None,
        hint: str = "") -> None:
    """Runs a command with its output appended to `log`.

    `on_line` gets each line of output. If the command fails, raises SetupError,
    whose text says `what` failed, the end of the log, its path, and `hint`.
    """
    status, tail = attempt(command, log, cwd=cwd, env=env, on_line=on_line)
    if status:
        raise failure(what, log, tail, status, hint)


def failure(what: str, log: Path, tail: Sequence[str], status: int, hint: str = "") -> SetupError:
    """The SetupError for a command that failed."""
    how = f"signal {-status}" if status < 0 else f"status {status}"
    # A compiler's command line would hide its message.
    short = (line if len(line) <= WIDTH else line[:WIDTH] + " ..." for line in tail)
    lines = [f"{what} failed ({how}). The end of {log}:", *("| " + line for line in short)]
    return SetupError("\n".join(lines + ([hint] if hint else [])))


def attempt(command: Sequence[str | Path], log: Path, *, cwd: Path | None = None,
            env: Mapping[str, str] | None = None,
            on_line: Callable[[str], None] | None = None) -> tuple[int, list[str]]:
    """Like run(), but returns the exit status and the last lines of output instead of raising SetupError."""
    words = [str(word) for word in command]
    log.parent.mkdir(parents=True, exist_ok=True)
    tail: list[str] = []
    with log.open("a") as file:
        file.write(f"\n$ {shlex.join(words)}    # in {cwd or os.getcwd()}, {time.strftime('%F %T')}\n")
        file.flush()
        try:
            child = children.start(words, cwd=cwd, env=dict(env) if env is not None else environment(),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except OSError as error:
            return 127, [f"{words[0]}: {error.strerror}"]
        _running.add(child)
        if _stopping.is_set():
            child.terminate()
        try:
            assert child.stdout
            for raw in child.stdout:
                line = raw.decode(errors="replace")
                file.write(line)
                tail = [*tail[-TAIL + 1:], line.rstrip()]
                if on_line:
                    on_line(line)
            status = child.wait()
        except BaseException:
            children.end([child])
            raise
        finally:
            _running.discard(child)
        file.write(f"# status {status}, {time.strftime('%F %T')}\n")
    return status, tail


def stop_all() -> None:
    """Ends all running commands, and those that other threads start from now on."""
    _stopping.set()
    for child in list(_running):
        child.terminate()


def terminate_like_interrupt() -> None:
    """Makes SIGTERM and SIGHUP act like Control-C, so that running commands are ended too."""
    children.handle(children.interrupt, (signal.SIGTERM, signal.SIGHUP))


def output(command: Sequence[str | Path], env: Mapping[str, str] | None = None) -> str | None:
    """Standard output of a quick command, or None if it fails."""
    try:
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              errors="replace", env=dict(env) if env is not None else None)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None

"""Runs a command line: finds its command, and prints errors."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from typing import TextIO

from ..abi import STATUS
from ..errors import STATUS_INTERNAL, FuguError, UnknownProgram, UsageError, lacking
from ..suggest import did_you_mean
from .command_table import ABOUT_WORDS, COMMANDS, RESERVED
from .output import install


WITH_PARTS = ("bench", "paper")         # commands whose first word may name a part, which has a --help of its own
WITH_PROGRAM = ("debug", "profile", "vary")                 # commands that take the words of a run
VALUED = {"--attach", "--history", "--stdin", "--gdb-arg", "--stacks", "--flame", "--runs", "--first", "--ignore"}      # their own options that have a value


def main(words: list[str]) -> int:
    """Runs one command line and returns its exit status (errors.py)."""
    install()
    try:
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        status = _dispatch(words)
        return _said() or status
    except UnknownProgram as error:
        _say(_with_command(error) if words[0] == error.name else error, "Try ./run.sh --help")
        return error.status
    except UsageError as error:
        _say(error, "Try ./run.sh --help")
        return error.status
    except FuguError as error:
        _say(error)
        return error.status
    except KeyboardInterrupt:
        _print_error("fugu: interrupted; the next run continues from here")
        return STATUS["SIGNAL"]
    except BrokenPipeError:
        return _unread()
    except Exception as error:  # noqa: BLE001: a mistake in the launcher
        if isinstance(error, OSError) and (status := _said()):
            return status       # printing has failed
        if host := lacking(error):
            _say(host)
            return host.status
        import traceback

        _print_error(traceback.format_exc() + "fugu: this is a mistake in the launcher (tools/fugu), not yours")
        return STATUS_INTERNAL


def _with_command(error: UnknownProgram) -> FuguError:
    """The error, which suggests a command too if the unknown name is like one."""
    head, _, rest = str(error).partition("\n")
    return FuguError(head + did_you_mean(error.name, COMMANDS).replace("mean", "mean the command") + "\n" + rest)


def _said() -> int:
    """Writes what was printed. Returns 0, or the exit status if it cannot be written."""
    try:
        if failed := getattr(sys.stdout, "failed", None):
            raise failed
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        return _unread()
    except OSError as error:
        _print_error(f"fugu: the output cannot be written: {error.strerror}")
        _drop(sys.stdout)
        return STATUS["FILE"]
    return 0


def _unread() -> int:
    """The status when nothing reads the output any more: the launcher ends without a message, as programs do."""
    _drop(sys.stdout)
    return STATUS["READER"]


def _drop(stream: TextIO) -> None:
    """Drops what is not written yet, so that writing it does not fail again when the interpreter ends."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _say(error: FuguError, *more: str) -> None:
    head, *rest = str(error).splitlines() or [""]
    _print_error("\n".join([f"fugu: {head}", *("  " + line for line in rest), *more]))


def _print_error(text: str) -> None:
    """Prints to standard error. If that cannot be written, the exit status alone says what has happened."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)


def _dispatch(words: list[str]) -> int:
    first = words[0] if words else ""
    of_part = first in WITH_PARTS and len(words) > 1 and not words[1].startswith("-")
    if (_asks(words, "--help", "-h") and not of_part) or first == "help":
        from .help import page, show

        about = words[1] if first == "help" and len(words) > 1 else first
        show(page(about if about in COMMANDS else None))
        return 0
    if first != "cc" and _asks(words, "--version"):     # build systems ask the compiler
        from .. import VERSION

        print(f"fugu {VERSION}")
        return 0
    if first in COMMANDS:
        return _command(first)(words[1:])
    if first in RESERVED:
        raise UsageError(f"there is no command {first} yet. Commands: {', '.join(COMMANDS)}.")
    from ..commands.run import main as launch

    return launch(words)


def _command(name: str) -> Callable[[list[str]], int]:
    import importlib

    package = "cli" if name in ABOUT_WORDS else "commands"
    command: Callable[[list[str]], int] = importlib.import_module(f"fugu.{package}.{name}").main
    return command


def _asks(words: list[str], *names: str) -> bool:
    """Whether one of these options stands before the program, where it is meant for the launcher.

    A word that is the value of an option (`--trace PATTERN`) does not count.
    """
    from ..options.table import BY_NAME

    rest = list(words)
    if rest and rest[0] == "anl":               # the words after the first are those of another command
        return rest[1:2] != [] and rest[1] in names
    if rest and rest[0] in WITH_PROGRAM:        # the program's words follow
        del rest[0]
    elif rest and rest[0] in COMMANDS:
        return any(name in rest[1:] for name in names) and "--" not in rest
    while rest and rest[0].startswith("-") and rest[0] != "--":
        word = rest.pop(0)
        if word in names:
            return True
        if (word in VALUED or (word in BY_NAME and BY_NAME[word].parse)) and rest:
            rest.pop(0)
    return False

"""Runs a command line: finds its command, and prints errors."""

from __future__ import annotations

import sys
from collections.abc import Callable

from ..abi import STATUS
from ..errors import STATUS_INTERNAL, FuguError, UsageError, lacking
from .command_table import COMMANDS, RESERVED


def main(words: list[str]) -> int:
    """Runs one command line and returns its exit status (errors.py)."""
    try:
        status = _dispatch(words)
        return _said() or status
    except UsageError as error:
        _say(error)
        print("Try ./run.sh --help", file=sys.stderr)
        return error.status
    except FuguError as error:
        _say(error)
        return error.status
    except KeyboardInterrupt:
        print("fugu: interrupted; the next run continues from here", file=sys.stderr)
        return STATUS["SIGNAL"]
    except BrokenPipeError:
        return _unread()
    except Exception as error:  # noqa: BLE001: a mistake in the launcher
        if host := lacking(error):
            _say(host)
            return host.status
        import traceback

        traceback.print_exc()
        print("fugu: this is a mistake in the launcher (tools/fugu), not yours", file=sys.stderr)
        return STATUS_INTERNAL


def _said() -> int:
    """Writes what was printed. Returns 0, or the exit status if it cannot be written."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        return _unread()
    except OSError as error:
        print(f"fugu: the output cannot be written: {error.strerror}", file=sys.stderr)
        _drop_output()
        return STATUS["FILE"]
    return 0


def _unread() -> int:
    """The status when nothing reads the output any more: the launcher ends without a message, as programs do."""
    _drop_output()
    return STATUS["READER"]


def _drop_output() -> None:
    """Drops what is not written yet, so that writing it does not fail again when the interpreter ends."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(error: FuguError) -> None:
    head, *rest = str(error).splitlines() or [""]
    print(f"fugu: {head}", *("  " + line for line in rest), sep="\n", file=sys.stderr)


def _dispatch(words: list[str]) -> int:
    first = words[0] if words else ""
    if _asks(words, "--help", "-h") or first == "help":
        from .help import page

        about = words[1] if first == "help" and len(words) > 1 else first
        print(page(about if about in COMMANDS else None))
        return 0
    if _asks(words, "--version"):
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

    command: Callable[[list[str]], int] = importlib.import_module(f"fugu.commands.{name}").main
    return command


def _asks(words: list[str], *names: str) -> bool:
    """Whether one of these options stands before the program, where it is meant for the launcher.

    A word that is the value of an option (`--trace PATTERN`) does not count.
    """
    from ..options.table import BY_NAME

    rest = list(words)
    if rest and rest[0] in COMMANDS:
        return any(name in rest[1:] for name in names) and "--" not in rest
    while rest and rest[0].startswith("-") and rest[0] != "--":
        word = rest.pop(0)
        if word in names:
            return True
        if word in BY_NAME and BY_NAME[word].parse and rest:
            rest.pop(0)
    return False

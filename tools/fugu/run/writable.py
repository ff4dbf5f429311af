"""Files that a run is to write: whether they can be written, and cost nothing that is needed, before the run begins."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from ..abi import STATUS
from ..errors import FuguError, UsageError

OPTIONS = ("stats-json", "timeline", "stacks", "trace-file")     # those that name a file, beside --save
ELF = b"\x7fELF"

Named = tuple[str, str]         # an option and the file that it names


class CannotWrite(FuguError):
    """A file that an option names cannot be written."""

    status = STATUS["FILE"]


def check(outputs: Iterable[Named], inputs: Sequence[Named] = ()) -> None:
    """CannotWrite unless each file can be written. UsageError if a file is a program, an input, or named twice."""
    seen = [(what, file) for what, file in inputs if file]
    for option, file in outputs:
        _check_place(option, file)
        if os.path.exists(file) and not os.path.isfile(file):
            continue                    # a device or a pipe: any number of outputs may go there
        for other, taken in seen:
            if _same(taken, file):
                raise UsageError(f"{option} {file}: {other} names this file too.\nGive each file a name of its own.")
        if _is_program(file):
            raise UsageError(f"{option} {file}: the file is a program, so it is not overwritten.\n"
                             f"Name another one: {option} FILE")
        if _is_input(file):
            raise UsageError(f"{option} {file}: the standard input is this file, so it is not overwritten.\n"
                             f"Name another one: {option} FILE")
        seen.append((option, file))


def _check_place(option: str, file: str) -> None:
    folder = os.path.dirname(file) or "."
    if not os.path.isdir(folder):
        raise CannotWrite(f"{option} {file}: there is no directory {folder}.")
    if os.path.isdir(file):
        raise CannotWrite(f"{option} {file}: this is a directory.")
    if not os.access(file if os.path.exists(file) else folder, os.W_OK):
        raise CannotWrite(f"{option} {file}: the file cannot be written.")


def _same(one: str, other: str) -> bool:
    """Whether these are one file, also by links to it. It may have to be made."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def _is_input(file: str) -> bool:
    """Whether a file is what the launcher's standard input reads."""
    try:
        return os.path.samestat(os.fstat(0), os.stat(file))
    except OSError:
        return False


def _is_program(file: str) -> bool:
    try:
        with open(file, "rb") as opened:
            return opened.read(len(ELF)) == ELF
    except OSError:
        return False

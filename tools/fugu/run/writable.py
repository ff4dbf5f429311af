"""Files that a run is to write: whether they can be written, and cost nothing that is needed, before the run begins."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from ..abi import STATUS
from ..errors import FuguError, UsageError

OPTIONS = ("stats-json", "picture", "timeline", "stacks", "flame", "trace-file")     # those that name a file, beside --save
ELF = b"\x7fELF"

Named = tuple[str, str]         # an option and the file that it names


class CannotWrite(FuguError):
    """A file that an option names cannot be written."""

    status = STATUS["FILE"]


def check(outputs: Iterable[Named], inputs: Sequence[Named] = (), of_programs: str = "") -> None:
    """CannotWrite unless each file can be written. UsageError if something would be lost by it.

    That is a program, an input, a file that is named twice, the output of a
    program that standard output or standard error leads to a file, or a file
    in a directory of `of_programs`, where the programs' own files go (--output).
    """
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
        for number, stream in enumerate(("input", "output", "error")):
            if _leads_to(number, file):
                raise UsageError(f"{option} {file}: the standard {stream} is this file, so it is not overwritten.\n"
                                 f"Name another one: {option} FILE")
        if of_programs and _is_among(of_programs, file):
            raise UsageError(f"{option} {file}: --output {of_programs} puts files of programs there, and one may have this "
                             f"name.\nName a file elsewhere: {option} FILE")
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


def _leads_to(number: int, file: str) -> bool:
    """Whether one of the launcher's standard files is this one."""
    try:
        return os.path.samestat(os.fstat(number), os.stat(file))
    except OSError:
        return False


def _is_among(folder: str, file: str) -> bool:
    """Whether the machine can write a program's file of that name: anywhere below the folder."""
    folder, file = os.path.realpath(folder), os.path.realpath(file)
    return file != folder and os.path.commonpath([folder, file]) == folder


def _is_program(file: str) -> bool:
    try:
        with open(file, "rb") as opened:
            return opened.read(len(ELF)) == ELF
    except OSError:
        return False

"""Certifies the trusted handlers of a program's file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...errors import UsageError
from . import declared
from .declared import Declared
from .walk import Code, Found, Refused, walk

ADVICE = "docs/m-machine.md says what a trusted handler may do."


@dataclass(frozen=True)
class Certified:
    """A handler that keeps the rules. Its HandlerIP is its place in the file's list."""

    name: str
    code: Code
    found: Found


def certify(path: Path | str, data: bytes) -> list[Certified | str]:
    """What becomes of each handler of a file, in the order of HandlerIP: a certificate, or the line that refuses it.

    An empty list if the file has no handlers. `data` is the file's contents. UsageError if the file is damaged.
    """
    file = declared.read(path, data)
    return [_certified(path, file, handler) for handler in file.handlers]


def trusted(path: Path | str, data: bytes) -> list[Certified]:
    """The handlers of a file, by HandlerIP. UsageError if one is refused."""
    found = certify(path, data)
    refused = [one for one in found if isinstance(one, str)]
    if refused:
        raise UsageError("\n".join([*refused, ADVICE]))
    return [one for one in found if isinstance(one, Certified)]


def _certified(path: Path | str, file: declared.File, handler: Declared) -> Certified | str:
    try:
        code = file.code(handler)
        return Certified(handler.name, code, walk(code))
    except Refused as error:
        where = "" if error.address is None else f", 0x{error.address:x} {error.text}"
        return f"{path}: handler {handler.name}{where}: {error}."

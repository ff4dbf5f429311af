"""What a program's file says of its handlers (guest-os/include/mm-handler.h), and where their code is.

Anybody can make such a file, so nothing of it is believed: a handler's code is the file's, in a segment that no program
can write, and no other's; what it may write besides its extent is the program's own data.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ...abi import GLAZE, HANDLERS, REGS
from .. import elf
from ..elf import CAN_EXECUTE, CAN_WRITE, Segment
from .walk import Code, Refused

ENTRY, STORES = HANDLERS.struct("mm_handler"), HANDLERS.struct("mm_stores")
HANDLERS_MAX = REGS["MM_HANDLERS"]
EXTENT_MAX = REGS["MM_EXTENT"]
PAGE = GLAZE["PAGE"]
WORD = struct.Struct(">I")
END = 1 << 32           # of addresses
RAM_END = REGS["RAM_BASE"] + REGS["RAM_MAX"]
NAME = re.compile(rb"[A-Za-z_.$][\w.$]*")      # a symbol, as the assembler has them


class Declared(NamedTuple):
    """A handler as the file describes it."""

    name: str
    entry: int
    bytes: int
    extent: int


class Listed(NamedTuple):
    """Bytes that a handler may write, besides its extent."""

    entry: int          # of the handler
    address: int
    bytes: int


@dataclass(frozen=True)
class File:
    """What a file says, and its segments by their addresses."""

    handlers: list[Declared]
    stores: list[Listed]
    segments: list[Segment]

    def code(self, handler: Declared) -> Code:
        """The handler's code and what it may write. Refused if that cannot be."""
        if handler.entry % 4 or handler.bytes % 4 or not handler.bytes:
            what = f"{handler.bytes} bytes at 0x{handler.entry:x}"
            raise Refused("text", f"its code is {what}, which are no instructions")
        segment = self._text(handler.entry, handler.bytes)
        if handler.extent > EXTENT_MAX:
            raise Refused("extent", f"it has {handler.extent:,} bytes, and at most {EXTENT_MAX:,} are possible")
        self._check_alone(handler)
        listed = tuple(self._listed(one) for one in self.stores if one.entry == handler.entry)

        def word(address: int) -> int:
            found: int = WORD.unpack_from(segment.data, address - segment.address)[0]
            return found
        return Code(handler.entry, word, handler.entry + handler.bytes, handler.extent, listed)

    def _at(self, address: int, size: int) -> Segment | None:
        """The segment that has all these bytes."""
        number = bisect_right(self.segments, address, key=lambda segment: segment.address) - 1
        if number < 0 or address + size > self.segments[number].end:
            return None
        return self.segments[number]

    def _text(self, entry: int, size: int) -> Segment:
        segment = self._at(entry, size)
        if not segment or entry + size > segment.address + len(segment.data):
            raise Refused("text", f"its code, 0x{entry:x} to 0x{entry + size - 1:x}, is not in a segment of the file")
        if segment.flags & CAN_WRITE or not segment.flags & CAN_EXECUTE:
            raise Refused("text", f"its code, at 0x{entry:x}, is in a segment that can be written or not executed")
        first, last = entry // PAGE, (entry + size - 1) // PAGE
        for other in self.segments:
            if other.flags & CAN_WRITE and other.address // PAGE <= last and (other.end - 1) // PAGE >= first:
                raise Refused("text", f"its code, at 0x{entry:x}, shares a page with what can be written")
        return segment

    def _check_alone(self, handler: Declared) -> None:
        for other in self.handlers:
            if other is not handler and other.entry < handler.entry + handler.bytes and \
                    handler.entry < other.entry + other.bytes:
                raise Refused("own code", f"0x{max(handler.entry, other.entry):x} is also of handler {other.name}")

    def _listed(self, one: Listed) -> tuple[int, int]:
        segment = self._at(one.address, one.bytes)
        # A segment beyond RAM is a device, whatever the file says.
        if not segment or not segment.flags & CAN_WRITE or not one.bytes or one.address + one.bytes > RAM_END:
            raise Refused("listed", f"{one.bytes:,} bytes at 0x{one.address:x} are no data of the program")
        return one.address, one.address + one.bytes


def read(path: Path | str, data: bytes) -> File:
    """What a file, with these contents, says of its handlers. UsageError if it is damaged."""
    segments = sorted(elf.loaded(path, data), key=lambda segment: segment.address)
    try:
        handlers = [_handler(fields) for fields in _entries(data, "SECTION", ENTRY, HANDLERS_MAX)]
        stores = [Listed(*fields) for fields in _entries(data, "STORES", STORES, HANDLERS["STORES_MAX"])]
        _check(handlers, stores, segments)
    except elf.Damaged as error:
        raise elf.damaged(path, error) from None
    return File(handlers, stores, segments)


def _entries(data: bytes, which: str, structure: struct.Struct, most: int) -> list[tuple[Any, ...]]:
    name = HANDLERS.text(which)
    section = elf.section(data, name)
    if len(section) % structure.size:
        raise elf.Damaged(f"{name} has {len(section):,} bytes, and each entry {structure.size}")
    if len(section) // structure.size > most:
        raise elf.Damaged(f"{name} has {len(section) // structure.size:,} entries, and a program at most {most}")
    return list(structure.iter_unpack(section))


def _handler(fields: tuple[Any, ...]) -> Declared:
    name, end, rest = fields[0].partition(b"\0")
    if not NAME.fullmatch(name) or not end or rest.strip(b"\0"):
        raise elf.Damaged(f"a handler has no name, but {fields[0][:16]!r}")
    return Declared(name.decode(), *fields[1:])


def _check(handlers: list[Declared], stores: list[Listed], segments: list[Segment]) -> None:
    """Checks what concerns more than one handler. Damaged."""
    names = [handler.name for handler in handlers]
    if len(set(names)) < len(names):
        raise elf.Damaged(f"two handlers have the name {next(name for name in names if names.count(name) > 1)}")
    entries = {handler.entry for handler in handlers}
    for one in stores:
        if one.entry not in entries:
            raise elf.Damaged(f"{HANDLERS.text('STORES')} names a handler at 0x{one.entry:x}, where none is")
    ends = [segment.address for segment in segments[1:]] + [END]
    if handlers and any(segment.end > end for segment, end in zip(segments, ends, strict=False)):
        raise elf.Damaged("two of its segments have the same addresses, or one has none")

"""ELF files for 32-bit SPARC: what a boot image needs of them, and writing one."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from .errors import UsageError

IDENT = b"\x7fELF\x01\x02\x01" + bytes(9)       # 32 bit, big-endian, version 1
EXECUTABLE, SPARC = 2, 2                        # ET_EXEC, EM_SPARC
LOAD = 1                                        # PT_LOAD
CAN_EXECUTE, CAN_WRITE, CAN_READ = 1, 2, 4      # PF_X, PF_W, PF_R
SYMBOL_TABLE, FUNCTION = 2, 2                   # SHT_SYMTAB, STT_FUNC

HEADER = struct.Struct(">16sHHIIIIIHHHHHH")
PROGRAM_HEADER = struct.Struct(">8I")
SECTION_HEADER = struct.Struct(">10I")
SYMBOL = struct.Struct(">IIIBBH")


@dataclass(frozen=True)
class Segment:
    """A PT_LOAD segment that has bytes in memory."""

    address: int                # virtual
    physical: int               # where its bytes are loaded
    data: bytes
    memory: int                 # bytes in memory; zero beyond the data
    flags: int

    @property
    def end(self) -> int:
        """The virtual address behind it."""
        return self.address + self.memory


@dataclass(frozen=True)
class Symbol:
    """An entry of the symbol table that is defined."""

    name: str
    address: int
    size: int
    is_function: bool
    is_global: bool


@dataclass(frozen=True)
class Elf:
    """A file's loaded segments, in its order, and its symbols."""

    path: Path
    entry: int
    segments: list[Segment]
    symbols: list[Symbol]

    def symbol(self, name: str) -> int | None:
        """The value of a symbol, or None."""
        return next((symbol.address for symbol in self.symbols if symbol.name == name), None)


def is_sparc(head: bytes) -> bool:
    """Whether a file that begins so is an ELF file for 32-bit SPARC."""
    return head[4:6] == IDENT[4:6] and head[18:20] == struct.pack(">H", SPARC)


def entry_of(head: bytes) -> int | None:
    """The entry point that a file's first bytes name, or None if they do not reach so far."""
    return HEADER.unpack_from(head)[4] if len(head) >= HEADER.size and is_sparc(head) else None


def read(path: Path, data: bytes) -> Elf:
    """What is in an executable, `data` being its contents. Raises UsageError."""
    if data[:4] != IDENT[:4] or not is_sparc(data):
        raise UsageError(f"{path} is not an ELF file for 32-bit SPARC.\nBuild it with sparc-elf-gcc.")
    try:
        _, kind, _, _, entry, phoff, shoff, _, _, _, phnum, _, shnum, _ = HEADER.unpack_from(data)
        if kind != EXECUTABLE:
            raise UsageError(f"{path} is an ELF file, but no executable: it is not linked.")
        return Elf(path, entry, _segments(data, phoff, phnum), _symbols(data, shoff, shnum))
    except (struct.error, ValueError, IndexError):
        raise UsageError(f"{path} is a damaged or truncated ELF file. Build it again.") from None


def _segments(data: bytes, offset: int, count: int) -> list[Segment]:
    found = []
    for number in range(count):
        kind, start, address, physical, size, memory, flags, _ = \
            PROGRAM_HEADER.unpack_from(data, offset + number * PROGRAM_HEADER.size)
        if kind == LOAD and memory:
            found.append(Segment(address, physical, _slice(data, start, size), memory, flags))
    return found


def _symbols(data: bytes, offset: int, count: int) -> list[Symbol]:
    sections = [SECTION_HEADER.unpack_from(data, offset + number * SECTION_HEADER.size) for number in range(count)]
    found = []
    for _, kind, _, _, start, size, link, *_ in sections:
        if kind != SYMBOL_TABLE:
            continue
        names = _slice(data, sections[link][4], sections[link][5])
        for name, address, length, info, _, section in SYMBOL.iter_unpack(_slice(data, start, size)):
            if section and name:
                text = names[name:names.index(b"\0", name)].decode(errors="replace")
                found.append(Symbol(text, address, length, info & 15 == FUNCTION, info >> 4 > 0))
    return found


def section(data: bytes, name: str) -> bytes:
    """The contents of a section of an executable; none if it has no such section. ValueError."""
    fields = HEADER.unpack_from(data)
    offset, count, names = fields[6], fields[12], fields[13]
    sections = [SECTION_HEADER.unpack_from(data, offset + number * SECTION_HEADER.size) for number in range(count)]
    strings = _slice(data, sections[names][4], sections[names][5])
    for one in sections:
        if strings[one[0]:strings.index(b"\0", one[0])] == name.encode():
            return _slice(data, one[4], one[5])
    return b""


def _slice(data: bytes, start: int, size: int) -> bytes:
    """Part of a file; ValueError if it is not all there."""
    if start + size > len(data):
        raise ValueError("truncated")
    return data[start:start + size]


def image(data: bytes) -> bytes:
    """An ELF file that loads these bytes at address 0, and starts there."""
    headers = HEADER.size + PROGRAM_HEADER.size
    flags = CAN_READ | CAN_WRITE | CAN_EXECUTE
    return (HEADER.pack(IDENT, EXECUTABLE, SPARC, 1, 0, HEADER.size, 0, 0, HEADER.size, PROGRAM_HEADER.size, 1,
                        SECTION_HEADER.size, 0, 0)
            + PROGRAM_HEADER.pack(LOAD, headers, 0, 0, len(data), len(data), flags, 4) + data)

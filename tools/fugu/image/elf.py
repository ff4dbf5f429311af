"""ELF files for 32-bit SPARC: reads what a boot image needs, and writes the file that holds one."""

from __future__ import annotations

import os
import stat
import struct
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .mangled import as_in_source

IDENT = b"\x7fELF\x01\x02\x01" + bytes(9)       # 32 bit, big-endian, version 1
EXECUTABLE, SPARC = 2, 2                        # ET_EXEC, EM_SPARC
LOAD = 1                                        # PT_LOAD
CAN_EXECUTE, CAN_WRITE, CAN_READ = 1, 2, 4      # PF_X, PF_W, PF_R
SYMBOL_TABLE, FUNCTION, SOURCE_FILE = 2, 2, 4   # SHT_SYMTAB, STT_FUNC, STT_FILE
LIBRARYS = "__lib_"                             # how guest-os/link begins names of the libraries

FILE_MAX = 256 << 20        # bytes of a file, most of which are for debuggers: 16 times as much as a boot image has room for
SYMBOLS_MAX = 1 << 19       # of a file: the boot image has room for half as many functions
NAMES_MAX = 4               # times the file's size: the names of all symbols together, of which several may share bytes

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
        """The virtual address after the segment's last byte."""
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
    """A file's loaded segments, in the order of the file, and its symbols."""

    path: Path
    entry: int
    segments: list[Segment]
    symbols: list[Symbol]

    def symbol(self, name: str) -> int | None:
        """The value of a symbol, or None."""
        return next((symbol.address for symbol in self.symbols if symbol.name == name), None)


def contents(path: Path | str) -> bytes:
    """The bytes of a program's file. Raises UsageError if it cannot be read, or is larger than any program is.

    Messages show the path as it is given: "./x.elf" stays what the user has typed.
    """
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            raise UsageError(f"{path} is no regular file, so it cannot be a program.")
        with open(path, "rb") as opened:
            data = opened.read(min(found.st_size, FILE_MAX) + 1)    # read() takes memory for as much as it may return
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}.") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > FILE_MAX:
        raise UsageError(f"{path} has more than {FILE_MAX >> 20} MiB, and a node cannot hold such a program.\n"
                         "If much of it is for debuggers: sparc-elf-strip -g")
    return data


def is_sparc(head: bytes) -> bool:
    """Whether a file with these first bytes is an ELF file for 32-bit SPARC."""
    return head[4:6] == IDENT[4:6] and head[18:20] == struct.pack(">H", SPARC)


def entry_of(head: bytes) -> int | None:
    """The entry point in a file's first bytes. None if there are too few bytes or it is no file for SPARC."""
    return HEADER.unpack_from(head)[4] if len(head) >= HEADER.size and is_sparc(head) else None


class Damaged(ValueError):
    """A file refers to bytes that it does not have, or to an entry that cannot exist."""


def read(path: Path, data: bytes) -> Elf:
    """What is in an executable, `data` being its contents. Raises UsageError."""
    segments = loaded(path, data)
    try:
        return Elf(path, HEADER.unpack_from(data)[4], segments, _symbols(data))
    except Damaged as error:
        raise damaged(path, error) from None


def check_sparc(path: Path | str, data: bytes) -> None:
    """Checks that a file with these contents is an ELF file for 32-bit SPARC. Raises UsageError."""
    if data[:4] != IDENT[:4] or not is_sparc(data):
        raise UsageError(f"{path} is not an ELF file for 32-bit SPARC.\nBuild it with sparc-elf-gcc.")


def loaded(path: Path | str, data: bytes) -> list[Segment]:
    """The segments of an executable that are loaded, without a look at the rest. Raises UsageError."""
    check_sparc(path, data)
    try:
        kind = _unpack(HEADER, data, 0, "its header")[1]
        if kind != EXECUTABLE:
            raise UsageError(f"{path} is an ELF file, but not an executable: it is not linked.")
        return _segments(data)
    except Damaged as error:
        raise damaged(path, error) from None


def damaged(path: Path | str, why: object) -> UsageError:
    """The error for a damaged file; `why` says what is wrong with it."""
    return UsageError(f"{path} is a damaged or truncated ELF file: {why}.\nBuild it again.")


def _segments(data: bytes) -> list[Segment]:
    fields = HEADER.unpack_from(data)
    offset, entry_size, count = fields[5], fields[9], fields[10]
    _check_entries("program headers", count, entry_size, PROGRAM_HEADER)
    found, left = [], len(data)
    for number in range(count):
        kind, start, address, physical, size, memory, flags, _ = \
            _unpack(PROGRAM_HEADER, data, offset + number * PROGRAM_HEADER.size, f"program header {number}")
        if kind != LOAD:
            continue
        if size > memory:
            raise Damaged(f"segment {number} has {size} bytes in the file, and only {memory} in memory")
        left -= size
        if left < 0:
            raise Damaged("its segments have more bytes together than the file")
        if memory:
            found.append(Segment(address, physical, _slice(data, start, size, f"segment {number}"), memory, flags))
    return found


def _sections(data: bytes) -> list[tuple[int, ...]]:
    fields = _unpack(HEADER, data, 0, "its header")
    offset, entry_size, count = fields[6], fields[11], fields[12]
    _check_entries("section headers", count, entry_size, SECTION_HEADER)
    return [_unpack(SECTION_HEADER, data, offset + number * SECTION_HEADER.size, f"section header {number}")
            for number in range(count)]


def _check_entries(what: str, count: int, size: int, wanted: struct.Struct) -> None:
    if count and size != wanted.size:
        raise Damaged(f"its {what} have {size} bytes each, and should have {wanted.size}")


def _symbols(data: bytes) -> list[Symbol]:
    sections = _sections(data)
    if sum(section[1] == SYMBOL_TABLE for section in sections) > 1:
        raise Damaged("it has more than one symbol table")
    found: list[Symbol] = []
    left = NAMES_MAX * len(data)
    for number, (_, kind, _, _, start, size, link, *_) in enumerate(sections):
        if kind != SYMBOL_TABLE:
            continue
        if link >= len(sections):
            raise Damaged(f"its symbols' names are in section {link}, and there are {len(sections)} sections")
        names = _contents(data, sections, link)
        table = _slice(data, start, size, f"section {number}")
        if size % SYMBOL.size:
            raise Damaged(f"its symbol table has {size} bytes, and each symbol {SYMBOL.size}")
        if size // SYMBOL.size > SYMBOLS_MAX:
            raise Damaged(f"it has {size // SYMBOL.size:,} symbols, more than any program: at most {SYMBOLS_MAX:,}")
        for name, address, length, info, _, section in SYMBOL.iter_unpack(table):
            if section and name:
                string = _string(names, name, "a symbol")
                left -= len(string)
                if left < 0:
                    raise Damaged(f"the names of its symbols have more than {NAMES_MAX} times the bytes of the file")
                text = string.decode(errors="replace").removeprefix(LIBRARYS)
                if info & 15 != SOURCE_FILE:         # a name of a file, with an address that means nothing
                    found.append(Symbol(text, address, length, info & 15 == FUNCTION, info >> 4 > 0))
    plain = as_in_source([symbol.name for symbol in found])
    return [replace(symbol, name=name) if name != symbol.name else symbol
            for symbol, name in zip(found, plain, strict=True)]


def _string(strings: bytes, at: int, whose: str) -> bytes:
    """The zero-terminated string there."""
    end = strings.find(b"\0", at)
    if end < 0:
        raise Damaged(f"the name of {whose} is not in its table of names")
    return strings[at:end]


def section(data: bytes, name: str) -> bytes:
    """The contents of a section of an executable, empty if it has no such section. Damaged."""
    sections, names = _sections(data), HEADER.unpack_from(data)[13]
    if not sections:            # a program may have none
        return b""
    strings, wanted = _contents(data, sections, names), name.encode() + b"\0"
    for number, one in enumerate(sections):
        if strings.startswith(wanted, one[0]):
            return _contents(data, sections, number)
    return b""


def _contents(data: bytes, sections: list[tuple[int, ...]], number: int) -> bytes:
    """The bytes of a section. Damaged."""
    if number >= len(sections):
        raise Damaged(f"there is no section {number}: there are {len(sections)}")
    start, size = sections[number][4:6]
    return _slice(data, start, size, f"section {number}")


def _unpack(structure: struct.Struct, data: bytes, start: int, what: str) -> tuple[Any, ...]:
    """The fields of a structure in a file. Damaged if the file ends before the structure does."""
    return structure.unpack(_slice(data, start, structure.size, what))


def _slice(data: bytes, start: int, size: int, what: str) -> bytes:
    """Part of a file. Damaged if the file ends before the part does."""
    if start + size > len(data):
        raise Damaged(f"{what} would be {size} bytes at {start}, and the file has {len(data)}")
    return data[start:start + size]


def image(data: bytes) -> bytes:
    """An ELF file that loads these bytes at address 0 and starts there."""
    headers = HEADER.size + PROGRAM_HEADER.size
    flags = CAN_READ | CAN_WRITE | CAN_EXECUTE
    return (HEADER.pack(IDENT, EXECUTABLE, SPARC, 1, 0, HEADER.size, 0, 0, HEADER.size, PROGRAM_HEADER.size, 1,
                        SECTION_HEADER.size, 0, 0)
            + PROGRAM_HEADER.pack(LOAD, headers, 0, 0, len(data), len(data), flags, 4) + data)

"""Which lines of guest programs ran: from the blocks that the plugin executed.c has written down.

The DWARF of the programs says which line each instruction comes from. A table of lines is made once for each
content of a program, and kept.
"""

from __future__ import annotations

import array
import hashlib
import os
import pickle
import struct
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..host.storage import write_atomically

Lines = dict[str, set[int]]     # of each file, with its path in the checkout
RECORD = struct.Struct("=II")


class Program:
    """A program's code, and the lines that its instructions come from."""

    def __init__(self, path: Path, root: Path, kept: Path) -> None:
        """`root` is the checkout that it was built in; tables are kept in the folder `kept`."""
        data = path.read_bytes()
        file = kept / f"{hashlib.sha256(data).hexdigest()[:20]}.lines"
        if not file.exists():
            kept.mkdir(parents=True, exist_ok=True)
            write_atomically(file, pickle.dumps(_read(path, root)))
        self.segments, self.files, self.addresses, self.where = pickle.loads(file.read_bytes())

    def has(self, address: int, code: bytes) -> bool:
        """Whether the program has this code there."""
        return any(start <= address and data[address - start:address - start + len(code)] == code
                   for start, data in self.segments)

    def add(self, address: int, size: int, lines: Lines) -> None:
        """Adds the lines of `size` bytes of code."""
        at = bisect_right(self.addresses, address) - 1
        while 0 <= at < len(self.addresses) and self.addresses[at] < address + size:
            file, line = self.where[at]
            if file >= 0:
                lines.setdefault(self.files[file], set()).add(line)
            at += 1

    def all(self, lines: Lines) -> None:
        """Adds all lines that have code."""
        for file, line in self.where:
            if file >= 0:
                lines.setdefault(self.files[file], set()).add(line)


def reached(blocks: Path, programs: Iterable[Program], lines: Lines) -> None:
    """Adds the lines of the blocks in a file of the plugin's. A block of none of the programs does not count."""
    known = list(programs)
    for address, code in set(_records(blocks.read_bytes())):
        for program in known:
            if program.has(address, code):
                program.add(address, len(code), lines)
                break


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + RECORD.size <= len(data):
        address, size = RECORD.unpack_from(data, at)
        at += RECORD.size + size
        if at <= len(data):
            yield address, data[at - size:at]


def _read(path: Path, root: Path) -> tuple[Any, ...]:
    from elftools.elf.elffile import ELFFile

    rows: list[tuple[int, int, int]] = []       # address, file, line
    files: dict[str, int] = {}
    with path.open("rb") as opened:
        elf = ELFFile(opened)
        segments = [(one["p_vaddr"], one.data()) for one in elf.iter_segments("PT_LOAD") if one["p_flags"] & 1]
        code = [(start, start + len(data)) for start, data in segments]
        for unit in elf.get_dwarf_info().iter_CUs() if elf.has_dwarf_info() else ():
            _unit(elf.get_dwarf_info(), unit, root, files, rows)
    rows = sorted(row for row in set(rows) if any(start <= row[0] <= end for start, end in code))
    # Of several rows at one address the last one says where the code comes from; -1 ends a sequence.
    found = {address: (file, line) for address, file, line in sorted(rows, key=lambda row: (row[0], row[1] >= 0))}
    return segments, list(files), array.array("Q", found), list(found.values())


def _unit(dwarf: Any, unit: Any, root: Path, files: dict[str, int], rows: list[tuple[int, int, int]]) -> None:
    program = dwarf.line_program_for_CU(unit)
    if program is None:
        return
    base = unit.get_top_DIE().attributes.get("DW_AT_comp_dir")
    folder = os.fsdecode(base.value) if base else ""
    header, first = program.header, 0 if program.header.version >= 5 else 1
    folders = [os.fsdecode(one) for one in header.include_directory]
    names: dict[int, int] = {}

    def number(index: int) -> int:
        """The number in `files` of the file with this number in the table; -1 for a file that is not of the checkout."""
        if index not in names:
            entry = header.file_entry[index - first]
            where = folders[entry.dir_index - first] if entry.dir_index - first >= 0 else folder
            full = os.path.normpath(os.path.join(folder, where, os.fsdecode(entry.name)))
            inside = os.path.relpath(full, root)
            # Damaged names, which tests make, may not even be text.
            outside = inside.startswith("..") or not inside.isprintable()
            names[index] = -1 if outside else files.setdefault(inside, len(files))
        return names[index]

    for entry in program.get_entries():
        state = entry.state
        if state is not None:
            rows.append((state.address, -1 if state.end_sequence else number(state.file), state.line))

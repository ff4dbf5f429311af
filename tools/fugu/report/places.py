"""From an address to a function and line: by an ELF file, or by a program's tables in the boot image."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

from ..abi import IMAGE
from ..errors import UsageError
from ..image import elf
from ..image.boot_image import PROGRAM_ENTRY
from .memory import Memory

ROW = 12                    # bytes of a row of either table
ROWS_MOST = 1 << 18         # of a table; the boot image has no room for more
STRING_MOST = 512


class File:
    """An ELF file: its labels by address, and its constants by name. Empty if the file cannot be read."""

    def __init__(self, path: str) -> None:
        try:
            self.elf = elf.read(Path(path), elf.contents(Path(path)))
        except (OSError, UsageError):
            self.elf = elf.Elf(Path(path), 0, [], [])
        self.labels = sorted((symbol.address, symbol.is_function, symbol.name) for symbol in self.elf.symbols
                             if any(segment.address <= symbol.address < segment.address + len(segment.data)
                                    for segment in self.elf.segments if segment.flags & elf.CAN_EXECUTE))

    def function(self, address: int) -> str:
        """The last label in the code up to an address, or an empty text. Assembly may not say which is a function."""
        at = bisect_right(self.labels, (address, True, "\x7f")) - 1
        return self.labels[at][2] if at >= 0 else ""

    def variable(self, address: int) -> str:
        """NAME, or NAME+OFFSET, of the variable that holds an address; an empty text if there is none."""
        for symbol in self.elf.symbols:
            if symbol.address <= address < symbol.address + symbol.size and not symbol.is_function:
                return f"{symbol.name}+0x{address - symbol.address:x}" if address > symbol.address else symbol.name
        return ""

    def words(self, name: str, count: int) -> tuple[int, ...] | None:
        """The words of a constant, or None if the file has none of that name."""
        address = self.elf.symbol(name)
        for segment in self.elf.segments if address is not None else ():
            start = (address or 0) - segment.address
            data = segment.data[start:start + 4 * count] if start >= 0 else b""
            if len(data) == 4 * count:
                return tuple(int.from_bytes(data[at:at + 4], "big") for at in range(0, len(data), 4))
        return None


class Tables:
    """The functions and lines of a program in the boot image, whose struct image_program is at `address`. Missing."""

    def __init__(self, node: Memory, address: int) -> None:
        fields = PROGRAM_ENTRY.unpack(node.read(address, PROGRAM_ENTRY.size))
        self.node = node
        self.name = fields[0].partition(b"\0")[0].decode(errors="replace")
        functions, function, lines, line, self.strings = fields[-5:]
        self.functions = self._rows(function, functions)
        self.lines = self._rows(line, lines)

    def _rows(self, address: int, count: int) -> list[tuple[int, int, int]]:
        data = self.node.read(address, ROW * min(count, ROWS_MOST))
        words = memoryview(data).cast("B")
        return [tuple(int.from_bytes(words[at + k:at + k + 4], "big") for k in (0, 4, 8))   # type: ignore[misc]
                for at in range(0, len(data), ROW)]

    def _string(self, offset: int) -> str:
        return self.node.string(self.strings + offset, STRING_MOST)

    def function_at(self, address: int) -> tuple[str, int] | None:
        """The function that holds an address, and the offset in it."""
        at = bisect_right(self.functions, (address, 0xffffffff, 0xffffffff)) - 1
        if at < 0 or address - self.functions[at][0] >= max(self.functions[at][1], 4):
            return None
        return self._string(self.functions[at][2]), address - self.functions[at][0]

    def line_at(self, address: int) -> tuple[str, int] | None:
        """The source file, without its folders, and the line of an address."""
        at = bisect_right(self.lines, (address, 0xffffffff, 0xffffffff)) - 1
        if at < 0 or self.lines[at][1] == IMAGE["UNKNOWN"]:
            return None
        return self._string(self.lines[at][1]), self.lines[at][2]

    def function(self, address: int) -> str:
        """The name of the function at an address, or an empty text."""
        found = self.function_at(address)
        return found[0] if found else ""

    def file(self, address: int) -> str:
        """FILE:LINE of an address, or an empty text."""
        found = self.line_at(address)
        return f"{found[0]}:{found[1]}" if found else ""

    def place(self, address: int) -> str:
        """FUNCTION (FILE:LINE), or as much of that as is known."""
        file = self.file(address)
        return (self.function(address) or f"0x{address:08x}") + (f" ({file})" if file else "")

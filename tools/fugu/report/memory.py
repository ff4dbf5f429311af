"""A node's memory, and that of a process."""

from __future__ import annotations

from collections.abc import Callable

from ..abi import GLAZE, PSR

PAGE = GLAZE["PAGE"]
PART = 0x8000               # bytes of one request
LEVELS = ((24, 0xff), (18, 0x3f), (12, 0x3f))       # of the page tables: shift and mask of the index
Reader = Callable[[int, int], bytes | None]


class Missing(Exception):
    """The memory is not there."""


class Memory:
    """Physical memory of a node. `reader` gives bytes of it, or None."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def read(self, address: int, length: int) -> bytes:
        """Bytes at an address. Missing."""
        data = b""
        for at in range(0, length, PART):
            part = self.reader((address + at) & 0xffffffff, min(PART, length - at))
            if part is None:
                raise Missing
            data += part
        return data

    def word(self, address: int) -> int:
        """The word at an address. Missing."""
        return int.from_bytes(self.read(address, 4), "big")

    def string(self, address: int, most: int) -> str:
        """The zero-terminated text at an address, of at most so many bytes. Missing."""
        return self.read(address, most).partition(b"\0")[0].decode(errors="replace")


class Virtual(Memory):
    """The memory of a process, by its page tables, which begin at `regions`."""

    def __init__(self, node: Memory, regions: int) -> None:
        super().__init__(node.reader)
        self.node, self.regions = node, regions

    def read(self, address: int, length: int) -> bytes:
        data = b""
        while len(data) < length:
            at = address + len(data)
            part = min(length - len(data), PAGE - at % PAGE)
            data += self.node.read(self._physical(at), part)
        return data

    def _physical(self, address: int) -> int:
        """The physical address of a virtual one. Missing."""
        table = self.regions
        for shift, mask in LEVELS:
            entry = self.node.word(table + 4 * (address >> shift & mask))
            if entry & PSR["PTE_TYPE"] == PSR["PTE_PAGE"]:
                return ((entry & ~0xff) << 4 & 0xffffffff) + address % (1 << shift)
            if entry & PSR["PTE_TYPE"] != PSR["PTE_POINTER"]:
                raise Missing
            table = (entry & ~3) << 4 & 0xffffffff
        raise Missing

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
            data += self.node.read(self.physical(at), part)
        return data

    def entry(self, address: int) -> tuple[int, int, int]:
        """Where the tables lead for a virtual address: the physical address of an entry, the entry, and the number of
        address bits that it leaves. Missing."""
        at = entry = shift = 0
        table = self.regions
        for shift, mask in LEVELS:
            at = table + 4 * (address >> shift & mask)
            entry = self.node.word(at)
            if entry & PSR["PTE_TYPE"] != PSR["PTE_POINTER"]:
                break
            table = (entry & ~3) << 4 & 0xffffffff
        return at, entry, shift

    def physical(self, address: int) -> int:
        """The physical address of a virtual one. Missing, also if the page is not in memory."""
        _, entry, shift = self.entry(address)
        if entry & PSR["PTE_TYPE"] != PSR["PTE_PAGE"]:
            raise Missing
        return ((entry & ~0xff) << 4 & 0xffffffff) + address % (1 << shift)

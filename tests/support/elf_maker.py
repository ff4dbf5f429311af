"""Makes small ELF files for 32-bit SPARC, for tests of code that reads them."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from fugu.abi import NOTE, REGS

READ, WRITE, EXECUTE = 4, 2, 1
LOCAL_FUNCTION, FUNCTION, OBJECT, LABEL, LOCAL_LABEL = 0x02, 0x12, 0x11, 0x10, 0x00     # binding and type

# Address, bytes, flags; then the size in memory and the load address, if they differ.
SegmentLike = tuple[int, bytes, int] | tuple[int, bytes, int, int] | tuple[int, bytes, int, int, int]


def make(segments: Sequence[SegmentLike], symbols: Sequence[tuple[str, int, int, int]] = (), entry: int | None = None,
         kind: int = 2, named: Sequence[tuple[str, bytes]] = ()) -> bytes:
    """An ELF file with these segments and symbols (name, address, size, info), and with sections by their names.

    The entry point is the first segment's address, unless given.
    """
    names, table = b"\0", bytes(16)
    for name, address, size, info in symbols:
        table += struct.pack(">IIIBBH", len(names), address, size, info, 0, 1)
        names += name.encode() + b"\0"
    places = []
    for name, _ in named:
        places.append(len(names))
        names += name.encode() + b"\0"
    start = 52 + 32 * len(segments)
    headers, content = b"", b""
    for address, data, flags, *more in segments:
        memory = more[0] if more else len(data)
        physical = more[1] if len(more) > 1 else address
        headers += struct.pack(">8I", 1, start + len(content), address, physical, len(data), memory, flags, 0x1000)
        content += data
    symbols_at = start + len(content)
    sections = bytes(40)
    sections += struct.pack(">10I", 0, 2, 0, 0, symbols_at, len(table), 2, 1, 4, 16)
    sections += struct.pack(">10I", 0, 3, 0, 0, symbols_at + len(table), len(names), 0, 0, 1, 0)
    at, rest = symbols_at + len(table) + len(names), b""
    for place, (_, data) in zip(places, named, strict=True):
        sections += struct.pack(">10I", place, 7, 0, 0, at + len(rest), len(data), 0, 0, 4, 0)
        rest += data
    head = struct.pack(">16sHHIIIIIHHHHHH", b"\x7fELF\x01\x02\x01", kind, 2, 1,
                       segments[0][0] if entry is None else entry, 52, at + len(rest), 0,
                       52, 32, len(segments), 40, 3 + len(named), 2 if named else 0)
    return head + headers + content + table + names + rest + sections


def kernel(code: bytes = b"kernel", directory: int = 0x1000) -> bytes:
    """A file that has what boot images need of a kernel."""
    return make([(0, code, READ | EXECUTE)], [("image_directory", directory, 0, LABEL)])


def app(code: bytes = b"code", data: bytes = b"") -> bytes:
    """A program of one function, with some data if given."""
    segments: list[SegmentLike] = [(0x10000000, code, READ | EXECUTE)]
    if data:
        segments.append((0x10010000, data, READ | WRITE))
    return make(segments, [("main", 0x10000000, len(code), FUNCTION)])


def note(kind: int = REGS["NETIF_FUGU"], library: str = "UDM", owner: bytes = b"FUGU\0", of: int = 1,
         size: int | None = None) -> bytes:
    """A note about a kind of network interface, as guest-os/include/note.h describes it."""
    body = struct.pack(">I", kind) + library.encode().ljust(NOTE["LIBRARY"], b"\0")
    return struct.pack(">III", len(owner), len(body) if size is None else size, of) + owner.ljust(8, b"\0") + body


def noted(*notes: bytes) -> bytes:
    """A program of one function with these notes."""
    return make([(0x10000000, b"code", READ | EXECUTE)], named=[(NOTE.text("SECTION"), b"".join(notes))])

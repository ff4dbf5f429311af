"""Notes in a program's file: which kinds of network interface it needs (guest-os/include/note.h)."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import NamedTuple

from ..abi import NOTE
from . import elf

HEAD = struct.Struct(">III")        # bytes of the name, bytes of what follows it, type
WORD = struct.Struct(">I")


class Need(NamedTuple):
    """What a library's code in an executable needs."""

    kinds: tuple[int, ...]      # of network interface, by number: one of them
    library: str


def needs(path: Path, data: bytes) -> list[Need]:
    """The kinds of network interface that an executable needs, each with the library whose code needs them.

    An empty list if it runs with every kind. `data` is the file's contents. UsageError if the file is damaged, or for
    another processor.
    """
    elf.check_sparc(path, data)
    try:
        return sorted(set(_notes(elf.section(data, NOTE.text("SECTION")))))
    except elf.Damaged as error:
        raise elf.damaged(path, error) from None


def _notes(section: bytes) -> list[Need]:
    owner, length = NOTE.text("OWNER").encode() + b"\0", WORD.size + NOTE["LIBRARY"]
    size = HEAD.size + _up(len(owner)) + length
    if len(section) % size:
        raise elf.Damaged(f"its notes have {len(section)} bytes, and each of them {size}")
    found = []
    for at in range(0, len(section), size):
        name = section[at + HEAD.size:][:len(owner)]
        if HEAD.unpack_from(section, at) != (len(owner), length, NOTE["NETIF"]) or name != owner:
            raise elf.Damaged(f"{NOTE.text('SECTION')} has something at {at} that is no note about a network interface")
        words = section[at + size - length:at + size]
        library = words[WORD.size:].partition(b"\0")[0].decode(errors="replace")
        if not library or not library.isprintable():
            raise elf.Damaged(f"{NOTE.text('SECTION')} has a note at {at} that names no library")
        kind = WORD.unpack_from(words)[0]
        found.append(Need(tuple(filter(None, (kind >> shift & 0xff for shift in (0, 8, 16, 24)))), library))
    return found


def _up(size: int) -> int:
    return -(-size // WORD.size) * WORD.size

"""Parts of boot images, as the tests of images make them."""

from __future__ import annotations

import struct
from pathlib import Path

from elf_maker import EXECUTE, READ

from fugu.image import boot_image, elf

CODE = READ | EXECUTE
PAGE = 0x1000
TEXT = (0x10000000, bytes(8), CODE)


def read(data, name="some.elf"):
    """What the launcher reads from an ELF file with these bytes."""
    return elf.read(Path(name), data)


def program(data, name="app", lines=()):
    """A program for an image, from the bytes of its ELF file."""
    return boot_image.Program(name, read(data, f"{name}.elf"), list(lines))


def words(*numbers):
    """The bytes of these 32-bit words."""
    return struct.pack(f">{len(numbers)}I", *numbers)

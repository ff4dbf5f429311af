"""ELF files, programs and kernels that cannot become an image are refused with the reason."""

from __future__ import annotations

import os
import re
import struct

import pytest
from elf_maker import FUNCTION, READ, WRITE, app, kernel, make
from image_parts import CODE, PAGE, TEXT, program, read

from fugu.abi import FRAMES
from fugu.errors import UsageError
from fugu.image import boot_image, elf, line_table

BAD_PROGRAMS = {
    "at 0": (make([(0, b"x", CODE)]), "app.elf: 0x0 to 0x1 is not where programs are, 0x10000000 to 0x3ff00000"),
    "too large": (make([TEXT, (0x3FEFF000, b"x", READ | WRITE, 0x1001)]), "0x3feff000 to 0x3ff00001 is not where"),
    "rights in one page": (make([TEXT, (0x10000800, b"x", READ | WRITE)]),
                           "segments at 0x10000000 and 0x10000800 share the page 0x10000000, and each needs its own "
                           "rights.\nLink it with Glaze's linker script"),
    "bss reaches into text": (make([(0x10000000, b"", READ | WRITE, 0x1001), (0x10001800, bytes(8), CODE)],
                                   entry=0x10001800), "0x10000000 and 0x10001800 share the page 0x10001000"),
    "entry in data": (make([TEXT, (0x10001000, b"x", READ | WRITE)], entry=0x10001000),
                      "its entry point 0x10001000 is not in its code"),
    "too many segments": (make([(0x10000000 + k * PAGE, b"x", CODE) for k in range(9)]), "has 9 segments; at most 8"),
}


@pytest.mark.parametrize("case", BAD_PROGRAMS)
def test_bad_program_is_refused(case):
    data, says = BAD_PROGRAMS[case]
    with pytest.raises(UsageError, match=re.escape(says)):
        boot_image.build(read(kernel()), [program(data)], [])


BAD_KERNELS = {
    "no directory": (make([(0, b"x", CODE)]), "has no symbol image_directory"),
    "another directory": (kernel(bytes(0x1001)),
                          "image_directory is 0x1000, but the kernel's last byte makes it 0x2000"),
    "not at 0": (make([(0x1000, b"x", CODE)]), "nothing at address 0"),
    "overlap": (make([(0, b"xy", CODE), (0x40000000, b"x", READ | WRITE, 1, 1)]), "loaded at 0x1 overlaps"),
    "in the RAM": (make([(0, b"x", CODE), (0x40000000, b"x", READ | WRITE)]), "at 0x40000000 overlaps something, or"),
}


@pytest.mark.parametrize("case", BAD_KERNELS)
def test_bad_kernel_is_refused(case):
    data, says = BAD_KERNELS[case]
    with pytest.raises(UsageError, match=re.escape(says)):
        boot_image.build(read(data), [], [])


def test_too_large_image_is_refused():
    room = boot_image.END - (FRAMES["FRAME_COLOUR_PROGRAM"] + 1) * PAGE     # all before the program, and its symbols
    one, full = program(app()), boot_image.File("board.txt", bytes(room - PAGE))
    assert len(boot_image.build(read(kernel()), [one], [full])) <= boot_image.END
    more = boot_image.File("board.txt", bytes(room + 1))
    message = rf"room for {boot_image.END}.\nThe largest part is board.txt, {room + 1} bytes"
    with pytest.raises(UsageError, match=message):
        boot_image.build(read(kernel()), [one], [more])


@pytest.mark.parametrize("data, says", [
    (b"#!/bin/sh", "is not an ELF file for 32-bit SPARC"),
    (app()[:18] + b"\0\x3e" + app()[20:], "is not an ELF file for 32-bit SPARC"),
    (make([TEXT], kind=1), "not an executable: it is not linked"),
    (app()[:-1], "damaged or truncated ELF file: section header 2 would be 40 bytes at"),
    (app()[:80], "damaged or truncated ELF file: program header 0 would be 32 bytes at 52, and the file has 80"),
    (app()[:24], "damaged or truncated ELF file: its header would be 52 bytes at 0, and the file has 24"),
    (make([TEXT[:2] + (CODE, 4)]), "segment 0 has 8 bytes in the file, and only 4 in memory"),
    (app()[:42] + b"\0\x38" + app()[44:], "its program headers have 56 bytes each, and should have 32"),
])
def test_bad_elf_file_is_refused(data, says):
    with pytest.raises(UsageError, match=says):
        read(data)


# ---- files that would cost more than their size ------------------------------------

def with_headers(data, place, more, size, count_at, offset_at):
    """The file with headers of `size` bytes each in addition to those at its offset `place`."""
    count, = struct.unpack_from(">H", data, count_at)
    old = data[place:place + size * count]
    head = bytearray(data)
    struct.pack_into(">I", head, offset_at, len(data))
    struct.pack_into(">H", head, count_at, count + len(more))
    return bytes(head) + old + b"".join(more)


def many_tables(count):
    """So many more headers of one symbol table."""
    data = app()
    place, = struct.unpack_from(">I", data, 32)
    return with_headers(data, place, [data[place + 40:place + 80]] * count, 40, 48, 32)


def many_segments(count):
    """So many more segments, each of nearly the whole file."""
    data = make([TEXT, (0x10001000, bytes(10_000), READ | WRITE)])
    more = [struct.pack(">8I", 1, 0, 0x20000000 + 0x10000 * k, 0, 10_000, 10_000, 4, 4) for k in range(count)]
    return with_headers(data, 52, more, 32, 44, 28)


def long_names(count):
    """So many symbols, whose names are parts of one long name."""
    data = make([TEXT], [("x" * 10_000, 0x10000000, 4, FUNCTION), *[("", 0x10000000, 4, FUNCTION)] * count])
    one = struct.pack(">IIIBBH", 10_002, 0x10000000, 4, FUNCTION, 0, 1)
    at = data.index(one)
    names = b"".join(struct.pack(">IIIBBH", 1 + k, 0x10000000, 4, FUNCTION, 0, 1) for k in range(count))
    return data[:at] + names + data[at + len(names):]


def many_symbols(count):
    """So many symbols of one letter each, in a table at the file's end."""
    data = bytearray(make([TEXT], [("x", 0x10000000, 4, FUNCTION)]))
    headers, = struct.unpack_from(">I", data, 32)
    place, = struct.unpack_from(">I", data, headers + 40 + 16)
    struct.pack_into(">II", data, headers + 40 + 16, len(data), 16 * count)
    return bytes(data) + bytes(data[place + 16:place + 32]) * count


HOSTILE = {
    "symbols": (lambda: many_symbols(elf.SYMBOLS_MAX + 1), f"{elf.SYMBOLS_MAX + 1:,} symbols, more than any program"),
    "symbol tables": (lambda: many_tables(60_000), "it has more than one symbol table"),
    "segments": (lambda: many_segments(3_000), "its segments have more bytes together than the file"),
    "names": (lambda: long_names(5_000), "the names of its symbols have more than 4 times the bytes of the file"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_file_that_names_its_bytes_again_and_again_is_refused(case):
    """Before anything is copied: 5 MB would become gigabytes."""
    make_data, says = HOSTILE[case]
    data = make_data()
    with pytest.raises(UsageError, match=re.escape(says)):
        read(data)


def test_file_that_no_node_could_hold_is_refused(tmp_path):
    with (tmp_path / "my.elf").open("wb") as file:
        file.truncate(elf.FILE_MAX + 1)
    with pytest.raises(UsageError, match="more than 256 MiB, and a node cannot hold such a program"):
        elf.contents(tmp_path / "my.elf")


def test_limits_of_a_file_are_their_last_values(tmp_path, monkeypatch):
    """As many symbols and bytes as are allowed, and one more."""
    monkeypatch.setattr(elf, "SYMBOLS_MAX", 3)
    read(many_symbols(3))
    with pytest.raises(UsageError, match="4 symbols, more than any program: at most 3"):
        read(many_symbols(4))
    monkeypatch.setattr(elf, "FILE_MAX", 1 << 20)
    (tmp_path / "last.elf").write_bytes(bytes(1 << 20))
    assert elf.contents(tmp_path / "last.elf") == bytes(1 << 20)
    (tmp_path / "more.elf").write_bytes(bytes((1 << 20) + 1))
    with pytest.raises(UsageError, match="more than 1 MiB, and a node cannot hold such a program"):
        elf.contents(tmp_path / "more.elf")


def test_pipe_is_no_program(tmp_path):
    """Its open would wait for a writer."""
    os.mkfifo(tmp_path / "my.elf")
    with pytest.raises(UsageError, match="is no regular file"):
        elf.contents(tmp_path / "my.elf")


def test_more_line_numbers_than_an_image_holds_are_refused(tmp_path, monkeypatch):
    """objdump is ended, and what it would still print is not read."""
    objdump = tmp_path / "objdump"
    objdump.write_text("#!/bin/sh\nwhile :; do echo 'a.c 1 0x10000000'; echo 'a.c 2 0x10000004'; done\n")
    objdump.chmod(0o755)
    monkeypatch.setattr(line_table, "ROWS_MAX", 1000)
    with pytest.raises(UsageError, match="more than 1000 line numbers"):
        line_table.table(tmp_path / "my.elf", [], objdump)

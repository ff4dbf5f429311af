"""Boot images have the right bytes, with the symbols and lines of each program."""

from __future__ import annotations

import struct

from elf_maker import FUNCTION, LABEL, LOCAL_FUNCTION, LOCAL_LABEL, OBJECT, READ, WRITE, app, kernel, make
from image_parts import CODE, PAGE, program, read, words

from fugu.abi import FRAMES, IMAGE
from fugu.image import boot_image, elf
from fugu.image.line_table import Line, merge, ranges


def test_image_has_the_documented_bytes():
    one = make([(0x10000000, b"text", CODE), (0x10001000, b"data", READ | WRITE, 0x2008)],
               [("twice", 0x10000000, 3, FUNCTION), ("main", 0x10000003, 1, LOCAL_FUNCTION)], entry=0x10000003)
    two = make([(0x10000000, b"other", CODE)])
    lines = [Line(0x10000000, "a.c", 7), Line(0x10000003, None, 0)]
    found = boot_image.build(read(kernel()), [program(one, "one", lines), program(two, "two")],
                        [boot_image.File("f.txt", b"file")])

    colours, first = FRAMES["FRAME_COLOURS"], FRAMES["FRAME_COLOUR_PROGRAM"]    # of a program's first page
    pages = {"one text": first, "one data": first + 1, "two text": colours + first, "file": colours + first + 1,
             "one symbols": colours + first + 2, "two symbols": colours + first + 3}
    place = {name: page * PAGE for name, page in pages.items()}
    symbols = place["one symbols"]
    unused = bytes(20)
    secret = found[PAGE + 32:PAGE + 48]
    parts = {
        0: b"kernel",
        PAGE: words(0x474C415A, 4, 2, PAGE + 48, 1, PAGE + 48 + 2 * 260, 0, 0) + secret
        + b"one".ljust(64, b"\0") + words(0x10000003, 2)
        + words(0x10000000, place["one text"], 4, 4, 2)
        + words(0x10001000, place["one data"], 4, 0x2008, 1) + 6 * unused + words(0, 0)
        + words(2, symbols, 2, symbols + 24, symbols + 48)
        + b"two".ljust(64, b"\0") + words(0x10000000, 1)
        + words(0x10000000, place["two text"], 5, 5, 2) + 7 * unused + words(0, 0)
        + words(0, place["two symbols"], 0, place["two symbols"], place["two symbols"])
        + b"f.txt".ljust(64, b"\0") + words(place["file"], 4),
        place["one text"]: b"text", place["one data"]: b"data", place["two text"]: b"other", place["file"]: b"file",
        symbols: words(0x10000000, 3, 0, 0x10000003, 1, 6, 0x10000000, 11, 7, 0x10000003, 0xFFFFFFFF, 0)
        + b"twice\0main\0a.c\0",
        place["two symbols"]: b"",
    }
    wanted = bytearray(place["two symbols"])
    for address, content in parts.items():
        wanted[address:address + len(content)] = content
    assert found == bytes(wanted)
    assert secret != bytes(16)


def test_secret_is_a_hash_of_what_runs():
    """Of kernel, programs and files, and not of symbols."""
    app = make([(0x10000000, b"text", CODE)], [("main", 0x10000000, 4, FUNCTION)])
    other = make([(0x10000000, b"Text", CODE)])
    file = boot_image.File("f.txt", b"file")
    plain = ([program(app, "one")], [file])
    changed = [([program(other, "one")], [file]), ([program(app, "two")], [file]), ([program(app, "one")], []),
               ([program(app, "one")], [boot_image.File("f.txt", b"File")])]
    with_lines = ([program(app, "one", [Line(0x10000000, "/there/a.c", 7)])], [file])
    secrets = [boot_image.build(read(kernel()), *parts)[PAGE + 32:PAGE + 48] for parts in [plain, with_lines, *changed]]
    assert secrets[0] == secrets[1] and len({*secrets}) == 1 + len(changed)



def test_file_loads_the_image_at_0():
    made = elf.image(b"\x12" * 0x2345)
    back = read(made)
    assert back.entry == 0 and back.segments == [elf.Segment(0, 0, b"\x12" * 0x2345, 0x2345, 7)]


def test_kernel_has_its_initial_data():
    """The kernel's data is loaded at an address other than its run-time one; a segment without bytes is not loaded."""
    data = [(0, b"text" * 1024, CODE), (0x40001000, b"data", READ | WRITE, 4, 0x1000),
            (0x40001004, b"", READ | WRITE, 0x8000, 0x1004)]
    found = boot_image.build(read(make(data, [("image_directory", 0x2000, 0, LABEL)])), [], [])
    assert found[:0x1004] == b"text" * 1024 + b"data"
    assert found[0x2000:0x2020] == words(0x474C415A, 4, 0, 0x2030, 0, 0x2030, 0, 0)


def test_directory_may_have_several_pages():
    found = boot_image.build(read(kernel()), [], [boot_image.File(f"f{number}", b"x") for number in range(100)])
    count, table = struct.unpack_from(">2I", found, PAGE + 16)
    assert count == 100
    places = [struct.unpack_from(">64s2I", found, table + number * 72) for number in range(100)]
    assert places == [(f"f{number}".encode().ljust(64, b"\0"), (3 + number) * PAGE, 1) for number in range(100)]


def test_segment_may_begin_within_a_page():
    """The bytes before the segment in its page are zero, and it has the rights that the linker gave it."""
    first = FRAMES["FRAME_COLOUR_PROGRAM"] * PAGE
    found = boot_image.build(read(kernel()), [program(make([(0x10000120, b"text", CODE)]))], [])
    assert struct.unpack_from(">5I", found, PAGE + 48 + 72) == (0x10000000, first, 0x124, 0x124, IMAGE["EXECUTE"])
    assert found[first:first + 0x124] == bytes(0x120) + b"text"


def test_trusted_handlers_come_in_their_order():
    handlers = (boot_image.Handler(0x10000100, 4), boot_image.Handler(0x10000040, 0))
    with_them = boot_image.Program("one", read(app()), [], handlers)
    found = boot_image.build(read(kernel()), [program(app(), "none"), with_them], [])
    first = PAGE + 48 + 72 + 8 * 20
    assert struct.unpack_from(">2I", found, first) == (0, 0)
    count, table = struct.unpack_from(">2I", found, first + 260)
    assert (count, table % PAGE) == (2, 0)
    assert found[table:table + 16] == words(0x10000100, 4, 0x10000040, 0)


def test_server_comes_after_the_programs():
    """The directory's last word leads to it. The command line cannot name it."""
    one, server = program(app(), "one"), program(app(b"other"), "server")
    found = boot_image.build(read(kernel()), [one], [boot_image.File("f", b"x")], server)
    head = struct.unpack_from(">7I", found, PAGE)
    assert head == (0x474C415A, 4, 1, PAGE + 48, 1, PAGE + 48 + 2 * 260, PAGE + 48 + 260)
    assert found[head[6]:head[6] + 64] == b"server".ljust(64, b"\0")
    assert found[PAGE + 48:][:64] == b"one".ljust(64, b"\0")


def test_image_depends_on_order_and_contents_alone():
    one, two = program(app(), "one"), program(app(b"other"), "two")
    first = boot_image.build(read(kernel()), [one, two], [])
    assert boot_image.build(read(kernel()), [one, two], []) == first
    assert boot_image.build(read(kernel()), [two, one], []) != first


# ---- symbols -----------------------------------------------------------------------

def test_function_table_has_one_name_for_each_address():
    symbols = [("late", 0x10000020, 8, LOCAL_FUNCTION), ("object", 0x10000004, 4, OBJECT),
               ("label", 0x10000008, 0, LABEL), ("alias", 0x10000010, 8, LOCAL_FUNCTION),
               ("real", 0x10000010, 8, FUNCTION), ("unsized", 0x10000018, 0, FUNCTION),
               ("last", 0x10000030, 0, FUNCTION), (".umul", 0x10000038, 0, LABEL),
               (".local", 0x1000003c, 0, LOCAL_LABEL), ("left_out", 0, 8, FUNCTION), ("other", 0x10000040, 4, FUNCTION)]
    table = boot_image.function_table(read(make([(0x10000000, bytes(0x40), CODE)], symbols)))
    assert table == [(0x10000010, 8, "real"), (0x10000018, 8, "unsized"), (0x10000020, 8, "late"),
                     (0x10000030, 8, "last"), (0x10000038, 8, ".umul")]


OBJDUMP = """
my.elf:     file format elf32-sparc

Contents of the .debug_line section:

CU: ../apps/my/my.c:
File name                        Line number    Starting address    View    Stmt
../apps/my/my.c                            3          0x10000000               x
../apps/my/my.c                            4          0x10000000       1       x
../apps/my/my.c                            4          0x10000008               x

../apps/my/with blank.h:
../apps/my/with blank.h                    9          0x10000010               x
../apps/my/with blank.h                    -          0x10000018

../apps/my/my.c                            2                   0               x
../apps/my/my.c                            -                 0x8


../libos/x.S                               7          0x10000020[1]            x
../libos/x.S                               -          0x10000024
"""


def test_line_table_is_merged():
    code = elf.Segment(0x10000000, 0, bytes(0x100), 0x100, CODE)
    assert merge(ranges(OBJDUMP.splitlines()), [code]) == [
        Line(0x10000000, "my.c", 4), Line(0x10000010, "with blank.h", 9), Line(0x10000018, None, 0),
        Line(0x10000020, "x.S", 7), Line(0x10000024, None, 0)]
    assert merge([], [code]) == []

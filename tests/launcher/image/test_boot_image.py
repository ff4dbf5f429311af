"""Boot images, byte for byte, and what cannot become one."""

from __future__ import annotations

import json
import os
import re
import struct
from pathlib import Path

import pytest
from elf_maker import EXECUTE, FUNCTION, LABEL, LOCAL_FUNCTION, OBJECT, READ, WRITE, app, kernel, make
from fugu.abi import IMAGE
from fugu.errors import SetupError, UsageError
from fugu.image import boot_image, elf, line_table, store
from fugu.image.line_table import Line, merge, ranges

CODE = READ | EXECUTE
PAGE = 0x1000


def read(data, name="some.elf"):
    return elf.read(Path(name), data)


def program(data, name="app", lines=()):
    return boot_image.Program(name, read(data, f"{name}.elf"), list(lines))


def words(*numbers):
    return struct.pack(f">{len(numbers)}I", *numbers)


# ---- the format ------------------------------------------------------------------

def test_every_byte():
    one = make([(0x10000000, b"text", CODE), (0x10001000, b"data", READ | WRITE, 0x2008)],
               [("twice", 0x10000000, 3, FUNCTION), ("main", 0x10000003, 1, LOCAL_FUNCTION)], entry=0x10000003)
    two = make([(0x10000000, b"other", CODE)])
    lines = [Line(0x10000000, "a.c", 7), Line(0x10000003, None, 0)]
    found = boot_image.build(read(kernel()), [program(one, "one", lines), program(two, "two")],
                        [boot_image.File("f.txt", b"file")])

    place = {name: (2 + number) * PAGE for number, name in enumerate(
        ("one text", "one data", "two text", "file", "one symbols", "two symbols"))}
    symbols = place["one symbols"]
    unused = bytes(20)
    parts = {
        0: b"kernel",
        PAGE: words(0x474C415A, 1, 2, PAGE + 24, 1, PAGE + 24 + 2 * 252)
        + b"one".ljust(64, b"\0") + words(0x10000003, 2)
        + words(0x10000000, place["one text"], 4, 4, 2)
        + words(0x10001000, place["one data"], 4, 0x2008, 1) + 6 * unused
        + words(2, symbols, 2, symbols + 24, symbols + 48)
        + b"two".ljust(64, b"\0") + words(0x10000000, 1)
        + words(0x10000000, place["two text"], 5, 5, 2) + 7 * unused
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


def test_the_file_loads_it_at_0():
    made = elf.image(b"\x12" * 0x2345)
    back = read(made)
    assert back.entry == 0 and back.segments == [elf.Segment(0, 0, b"\x12" * 0x2345, 0x2345, 7)]


def test_initial_data_of_the_kernel():
    """It runs at one address and is loaded at another; what has no bytes is not loaded."""
    data = [(0, b"text" * 1024, CODE), (0x40001000, b"data", READ | WRITE, 4, 0x1000),
            (0x40001004, b"", READ | WRITE, 0x8000, 0x1004)]
    found = boot_image.build(read(make(data, [("image_directory", 0x2000, 0, LABEL)])), [], [])
    assert found[:0x1004] == b"text" * 1024 + b"data"
    assert found[0x2000:] == words(0x474C415A, 1, 0, 0x2018, 0, 0x2018)


def test_directory_of_several_pages():
    found = boot_image.build(read(kernel()), [], [boot_image.File(f"f{number}", b"x") for number in range(100)])
    count, table = struct.unpack_from(">2I", found, PAGE + 16)
    assert count == 100
    places = [struct.unpack_from(">64s2I", found, table + number * 72) for number in range(100)]
    assert places == [(f"f{number}".encode().ljust(64, b"\0"), (3 + number) * PAGE, 1) for number in range(100)]


def test_a_segment_that_begins_within_a_page():
    """What lies before it in its page is zero; the linker's flags are what counts."""
    found = boot_image.build(read(kernel()), [program(make([(0x10000120, b"text", CODE)]))], [])
    assert struct.unpack_from(">5I", found, PAGE + 24 + 72) == (0x10000000, 2 * PAGE, 0x124, 0x124, IMAGE["EXECUTE"])
    assert found[2 * PAGE:2 * PAGE + 0x124] == bytes(0x120) + b"text"


def test_nothing_but_order_and_contents_matters():
    one, two = program(app(), "one"), program(app(b"other"), "two")
    first = boot_image.build(read(kernel()), [one, two], [])
    assert boot_image.build(read(kernel()), [one, two], []) == first
    assert boot_image.build(read(kernel()), [two, one], []) != first


# ---- symbols -----------------------------------------------------------------------

def test_function_table():
    symbols = [("late", 0x10000020, 8, LOCAL_FUNCTION), ("object", 0x10000004, 4, OBJECT),
               ("label", 0x10000008, 0, LABEL), ("alias", 0x10000010, 8, LOCAL_FUNCTION),
               ("real", 0x10000010, 8, FUNCTION), ("unsized", 0x10000018, 0, FUNCTION),
               ("last", 0x10000030, 0, FUNCTION), ("left_out", 0, 8, FUNCTION), ("other", 0x10000040, 4, FUNCTION)]
    table = boot_image.function_table(read(make([(0x10000000, bytes(0x40), CODE)], symbols)))
    assert table == [(0x10000010, 8, "real"), (0x10000018, 8, "unsized"), (0x10000020, 8, "late"),
                     (0x10000030, 0x10, "last")]


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


def test_line_table():
    code = elf.Segment(0x10000000, 0, bytes(0x100), 0x100, CODE)
    assert merge(ranges(OBJDUMP), [code]) == [
        Line(0x10000000, "my.c", 4), Line(0x10000010, "with blank.h", 9), Line(0x10000018, None, 0),
        Line(0x10000020, "x.S", 7), Line(0x10000024, None, 0)]
    assert merge([], [code]) == []


# ---- what is no image ----------------------------------------------------------------

TEXT = (0x10000000, bytes(8), CODE)

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
    "too many segments": (make([(0x10000000 + k * PAGE, b"x", CODE) for k in range(9)]), "has 9 segments; 8 are"),
}


@pytest.mark.parametrize("case", BAD_PROGRAMS)
def test_bad_program(case):
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
def test_bad_kernel(case):
    data, says = BAD_KERNELS[case]
    with pytest.raises(UsageError, match=re.escape(says)):
        boot_image.build(read(data), [], [])


def test_no_room():
    room = boot_image.END - 3 * PAGE                 # kernel, directory, and the symbols' own page
    one, full = program(app()), boot_image.File("board.txt", bytes(room - PAGE))
    assert len(boot_image.build(read(kernel()), [one], [full])) <= boot_image.END
    more = boot_image.File("board.txt", bytes(room + 1))
    message = rf"room for {boot_image.END}.\nThe largest part is board.txt, {room + 1} bytes"
    with pytest.raises(UsageError, match=message):
        boot_image.build(read(kernel()), [one], [more])


@pytest.mark.parametrize("data, says", [
    (b"#!/bin/sh", "is not an ELF file for 32-bit SPARC"),
    (app()[:18] + b"\0\x3e" + app()[20:], "is not an ELF file for 32-bit SPARC"),
    (make([TEXT], kind=1), "no executable: it is not linked"),
    (app()[:-1], "damaged or truncated ELF file: section header 2 would be 40 bytes at"),
    (app()[:80], "damaged or truncated ELF file: program header 0 would be 32 bytes at 52, and the file has 80"),
    (app()[:24], "damaged or truncated ELF file: its header would be 52 bytes at 0, and the file has 24"),
    (make([TEXT[:2] + (CODE, 4)]), "segment 0 has 8 bytes in the file, and only 4 in memory"),
    (app()[:42] + b"\0\x38" + app()[44:], "its program headers have 56 bytes each, and should have 32"),
])
def test_bad_elf(data, says):
    with pytest.raises(UsageError, match=says):
        read(data)


# ---- images in the build directory ------------------------------------------------------

@pytest.fixture
def parts(tmp_path):
    """A kernel, a program and a file, as store.make takes them."""
    for name, data in (("kernel", kernel()), ("app", app()), ("f", b"file")):
        (tmp_path / name).write_bytes(data)
    objdump = tmp_path / "objdump"
    objdump.write_text("#!/bin/sh\nexit 0\n")
    objdump.chmod(0o755)
    return {"kernel": tmp_path / "kernel", "programs": [("app", tmp_path / "app")], "files": [("f", tmp_path / "f")],
            "objdump": objdump, "folder": tmp_path / "images"}


def test_made_once(parts):
    first = store.make(**parts)
    assert re.fullmatch(r"[0-9a-f]{16}\.elf", first.name)
    built = boot_image.build(read(kernel()), [program(app())], [boot_image.File("f", b"file")])
    assert elf.read(first, first.read_bytes()).segments[0].data == built
    os.utime(first, (1, 1))
    before = first.stat().st_ino
    assert store.make(**parts) == first
    assert first.stat().st_ino == before and first.stat().st_mtime > 1
    assert sorted(path.name for path in parts["folder"].iterdir()) == [first.name, f"{first.stem}.json"]


@pytest.mark.parametrize("change", [
    lambda p: p["kernel"].write_bytes(kernel(b"another")),
    lambda p: p["programs"][0][1].write_bytes(app(b"another")),
    lambda p: p["files"][0][1].write_bytes(b"another"),
    lambda p: p.update(files=[("g", p["files"][0][1])]),
    lambda p: p.update(files=[]),
    lambda p: p.update(programs=[("other", p["programs"][0][1])]),
    lambda p: p.update(programs=[*p["programs"], ("other", p["programs"][0][1])]),
])
def test_made_anew(parts, change):
    first = store.make(**parts)
    change(parts)
    assert store.make(**parts) != first


def test_where_parts_come_from_does_not_matter(parts, tmp_path):
    first = store.make(**parts)
    copy = tmp_path / "copy"
    copy.write_bytes(app())
    parts["programs"] = [("app", copy)]
    assert store.make(**parts) == first
    assert store.sources(str(first)) == [str(parts["kernel"]), str(copy)]


def test_sources_of_what_is_no_image(tmp_path):
    assert store.sources("/nowhere/my.elf") == ["/nowhere/my.elf"]
    (tmp_path / "my.json").write_text(json.dumps(["a", "b"]))
    assert store.sources(str(tmp_path / "my.elf")) == [str(tmp_path / "my.elf")]


def test_only_the_last_are_kept(parts):
    folder = parts["folder"]
    made = []
    for number in range(store.KEEP + 3):
        parts["files"][0][1].write_text(str(number))
        made.append(store.make(**parts))
        for path in folder.glob(f"{made[-1].stem}.*"):
            os.utime(path, (1000 + number, 1000 + number))
    (folder / ".left.elf.1").touch()
    os.utime(folder / ".left.elf.1", (5, 5))
    parts["files"][0][1].write_text("new")
    made.append(store.make(**parts))
    left = {path.name for path in folder.iterdir()}
    assert left == {f"{path.stem}.{kind}" for path in made[-store.KEEP:] for kind in ("elf", "json")}


def test_what_was_used_of_late_is_kept(parts):
    """Another run may be about to load it."""
    for number in range(store.KEEP + 3):
        parts["files"][0][1].write_text(str(number))
        store.make(**parts)
    assert len(list(parts["folder"].glob("*.elf"))) == store.KEEP + 3


def test_objdump_that_fails(parts):
    parts["objdump"].write_text("#!/bin/sh\necho no such option >&2; exit 1\n")
    with pytest.raises(SetupError, match=r"the toolchain's objdump does not work: .*no such option"):
        store.make(**parts)
    parts["objdump"].unlink()
    with pytest.raises(SetupError, match="objdump does not start"):
        store.make(**parts)


def test_a_file_that_objdump_cannot_read(parts):
    """Then the file is wrong, and the toolchain is not: the tool's last line says how."""
    app_file = parts["programs"][0][1]
    parts["objdump"].write_text('#!/bin/sh\n[ "$1" = --version ] && exit\n'
                                f'echo "$0: warning: first" >&2; echo "$0: {app_file}: file truncated" >&2; exit 1\n')
    with pytest.raises(UsageError) as error:
        store.make(**parts)
    assert str(error.value) == (f"{app_file} is a damaged or truncated ELF file: objdump cannot read it "
                                "(file truncated).\nBuild it again.")


def test_objdump_that_does_not_end(parts, monkeypatch):
    monkeypatch.setattr(line_table, "PATIENCE", 0.2)
    parts["objdump"].write_text("#!/bin/sh\nexec sleep 60\n")
    with pytest.raises(UsageError, match="objdump is not done with its line numbers in 0.2 seconds"):
        store.make(**parts)


def test_no_place_for_images(parts):
    parts["folder"].write_text("a file")
    with pytest.raises(SetupError, match="cannot be made"):
        store.make(**parts)

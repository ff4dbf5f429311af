"""Functions, lines and stacks in the report on a machine that has ended, from files and memory that are known."""

from __future__ import annotations

import struct

import elf_maker
import pytest

from fugu.abi import GLAZE, IMAGE, PSR
from fugu.image.boot_image import PROGRAM_ENTRY
from fugu.report import stacks
from fugu.report.memory import Memory, Missing, Virtual
from fugu.report.places import File, Tables

CODE, DATA = GLAZE["PROGRAM"], GLAZE["PROGRAM"] + 0x10000
PAGE = GLAZE["PAGE"]
NOWHERE = IMAGE["UNKNOWN"]


class Parts(Memory):
    """Memory that has only these parts: {address: bytes}. Notes how much is read at once."""

    def __init__(self, parts):
        super().__init__(self.part)
        self.parts, self.most = parts, 0

    def part(self, address, length):
        self.most = max(self.most, length)
        for start, data in self.parts.items():
            if start <= address and address + length <= start + len(data):
                return data[address - start:address - start + length]
        return None


def words(*numbers):
    return struct.pack(f">{len(numbers)}I", *numbers)


@pytest.fixture
def file(tmp_path):
    """file(symbols) -> the File of a program with code, a constant of two words and these symbols."""
    def make(symbols):
        path = tmp_path / "my.elf"
        path.write_bytes(elf_maker.make([(CODE, bytes(16), elf_maker.READ | elf_maker.EXECUTE),
                                         (DATA, words(7, 0x80000001), elf_maker.READ)], symbols))
        return File(str(path))
    return make


def test_the_last_label_before_an_address(file):
    """Of those in code. At the same address a function is the name, not a label."""
    found = file([("second", CODE + 8, 4, elf_maker.LABEL), ("main", CODE, 8, elf_maker.FUNCTION),
                  ("label", CODE, 0, elf_maker.LABEL), ("constant", DATA, 8, elf_maker.OBJECT),
                  ("end", CODE + 16, 0, elf_maker.LABEL)])
    assert [found.function(CODE + at) for at in (-1, 0, 7, 8, 15, 16, 0x10000)] == ["", *["main"] * 2, *["second"] * 4]


def test_the_variable_that_holds_an_address(file):
    found = file([("main", CODE, 8, elf_maker.FUNCTION), ("pair", DATA, 8, elf_maker.OBJECT),
                  ("next", DATA + 8, 1, elf_maker.OBJECT), ("none", DATA + 9, 0, elf_maker.LABEL)])
    assert [found.variable(DATA + at) for at in (-1, 0, 1, 7, 8, 9)] == ["", "pair", "pair+0x1", "pair+0x7", "next", ""]
    assert found.variable(CODE) == ""


def test_words_of_a_constant(file):
    """All of them, or none."""
    found = file([("pair", DATA, 8, elf_maker.OBJECT), ("last", DATA + 4, 4, elf_maker.OBJECT),
                  ("outside", DATA + 8, 4, elf_maker.OBJECT)])
    assert found.words("pair", 2) == (7, 0x80000001) and found.words("pair", 1) == (7,)
    assert found.words("last", 1) == (0x80000001,)
    for name, count in (("pair", 3), ("last", 2), ("outside", 1), ("other", 1)):
        assert found.words(name, count) is None


@pytest.mark.parametrize("text", [None, b"no ELF file"])
def test_a_file_that_cannot_be_read(text, tmp_path):
    path = tmp_path / "my.elf"
    if text:
        path.write_bytes(text)
    found = File(str(path))
    assert (found.function(CODE), found.variable(DATA), found.words("pair", 1)) == ("", "", None)


FUNCTIONS = [(CODE, 8, 0), (CODE + 8, 0, 5), (CODE + 0x20, 8, 10)]        # main, stub, last
LINES = [(CODE, 15, 3), (CODE + 8, NOWHERE, 0), (CODE + 0x20, 19, 40)]      # a.c, unknown, upcall.S
STRINGS = b"main\0stub\0last\0a.c\0upcall.S\0" + b"x" * 1024
AT = 0x4000


def tables(functions=len(FUNCTIONS), lines=len(LINES), function=AT + 0x1000, name=b"my"):
    entry = bytearray(PROGRAM_ENTRY.size)
    entry[:len(name)] = name
    entry[-20:] = words(functions, function, lines, AT + 0x2000, AT + 0x3000)
    memory = Parts({AT: bytes(entry), AT + 0x1000: b"".join(words(*row) for row in FUNCTIONS),
                    AT + 0x2000: b"".join(words(*row) for row in LINES), AT + 0x3000: STRINGS})
    return Tables(memory, AT)


def test_functions_of_a_programs_tables():
    """With the offset. A function without a size has one instruction."""
    found = tables()
    assert found.name == "my"
    assert [found.function_at(CODE + at) for at in (-1, 0, 7, 8, 11, 12, 0x1f, 0x20, 0x27, 0x28)] == [
        None, ("main", 0), ("main", 7), ("stub", 0), ("stub", 3), None, None, ("last", 0), ("last", 7), None]
    assert (found.function(CODE + 4), found.function(CODE - 4)) == ("main", "")


def test_lines_of_a_programs_tables():
    found = tables()
    assert [found.line_at(CODE + at) for at in (-1, 0, 7, 8, 0x1f, 0x20, 0x1000)] == [
        None, *[("a.c", 3)] * 2, *[None] * 2, *[("upcall.S", 40)] * 2]
    assert (found.file(CODE), found.file(CODE + 8)) == ("a.c:3", "")
    assert [found.place(CODE + at) for at in (4, 8, 12, 0x28, -4)] == [
        "main (a.c:3)", "stub", f"0x{CODE + 12:08x}", f"0x{CODE + 0x28:08x} (upcall.S:40)", f"0x{CODE - 4:08x}"]


def test_tables_without_rows():
    found = tables(0, 0)
    assert (found.function_at(CODE), found.line_at(CODE), found.place(CODE)) == (None, None, f"0x{CODE:08x}")


def test_rows_are_as_many_as_an_image_may_have():
    """A count that means nothing costs no more memory than that."""
    asked = []

    def reader(address, length):
        asked.append(length)
        return bytes(PROGRAM_ENTRY.size - 20) + words(0xffffffff, 0x100000, 0, 0, 0) if address == AT else bytes(length)
    assert len(Tables(Memory(reader), AT).functions) == 0x40000
    assert sum(asked) == PROGRAM_ENTRY.size + 12 * 0x40000


@pytest.mark.parametrize("count", [4, 0xffffffff])
def test_tables_that_are_not_there(count):
    with pytest.raises(Missing):
        tables(count)


def test_strings_have_an_end():
    assert len(tables()._string(STRINGS.index(b"x"))) == 512


# Page tables: a region, a segment of it, a page of that; the first entry of each level may be a page itself.
POINTER, ENTRY = PSR["PTE_POINTER"], PSR["PTE_PAGE"]


def pointer(address):
    return address >> 4 | POINTER


def page(address):
    return address >> 4 | ENTRY | 0x9c


TABLES = {0x1000: words(0, pointer(0x2000), page(0x3000000)), 0x2000: words(page(0x440000), pointer(0x3000), 0),
          0x3000: words(page(0x7000), page(0x5000), 0)}
REGION, SEGMENT = 1 << 24, 1 << 18


@pytest.mark.parametrize("virtual, physical", [
    (REGION + SEGMENT, 0x7000), (REGION + SEGMENT + PAGE - 1, 0x7fff), (REGION + SEGMENT + PAGE, 0x5000),
    (REGION + 0x12345, 0x440000 + 0x12345), (2 * REGION + 0x654321, 0x3000000 + 0x654321)])
def test_the_physical_address(virtual, physical):
    """Of pages of each size."""
    assert Virtual(Parts(TABLES), 0x1000).physical(virtual) == physical


@pytest.mark.parametrize("virtual", [0, REGION + 2 * SEGMENT, REGION + SEGMENT + 2 * PAGE, 3 * REGION])
def test_pages_that_are_not_in_memory(virtual):
    with pytest.raises(Missing):
        Virtual(Parts(TABLES), 0x1000).physical(virtual)


def test_where_the_tables_lead():
    """The entry's own address, the entry, and the bits that it leaves, also where there is no page."""
    found = Virtual(Parts(TABLES | {0x440000 + 0x12344: bytes(4)}), 0x1000)
    assert found.entry(REGION + SEGMENT + PAGE) == (0x3004, page(0x5000), 12)
    assert found.entry(REGION + 5) == (0x2000, page(0x440000), 18)
    assert found.entry(0) == (0x1000, 0, 24)
    assert found.word(REGION + 0x12344) == 0 and found.string(REGION + 0x12344, 4) == ""


@pytest.mark.parametrize("first, length", [(0, 0), (0, 1), (PAGE - 1, 1), (PAGE - 1, 2), (PAGE - 2, 2), (0, 2 * PAGE), (5, PAGE)])
def test_bytes_of_two_pages(first, length):
    """That follow each other in the process's memory, and not in the node's."""
    parts = Parts(TABLES | {0x7000: bytes([1]) * PAGE, 0x5000: bytes([2]) * PAGE})
    expected = (bytes([1]) * PAGE + bytes([2]) * PAGE)[first:first + length]
    assert Virtual(parts, 0x1000).read(REGION + SEGMENT + first, length) == expected


def test_bytes_behind_the_last_page():
    parts = Parts(TABLES | {0x5000: bytes(PAGE)})
    with pytest.raises(Missing):
        Virtual(parts, 0x1000).read(REGION + SEGMENT + 2 * PAGE - 1, 2)


def window(sp, in7, local1=0):
    data = bytearray(stacks.WINDOW)
    data[stacks.LOCAL1:stacks.LOCAL1 + 4], data[stacks.FP:stacks.FP + 4] = words(local1), words(sp)
    data[stacks.IN7:stacks.IN7 + 4] = words(in7)
    return bytes(data)


def test_frames_of_registers_and_stack():
    """Windows that the processor has come first, then those on the stack; a stub's locals have the pc."""
    stack = Parts({0x8000: window(0x9000, CODE + 0x24), 0x9000: window(0xa000, CODE + 8, CODE + 4), 0xa000: window(0, CODE)})
    found = tables()
    assert list(stacks.frames(stack, found, CODE, 0x8000)) == [CODE, CODE + 0x24, CODE + 4]
    registers = [window(0x8000, CODE + 2), window(0x9000, CODE + 3)]
    assert list(stacks.frames(stack, found, CODE, 0, registers)) == [CODE, CODE + 2, CODE + 3, CODE + 8]


@pytest.mark.parametrize("sp, pc, more", [(0, CODE, 0), (0x8000, CODE, 1), (0x8000, CODE - 4, 0), (0x8000, GLAZE["PROGRAM_END"], 0),
                                          (0x8000, GLAZE["PROGRAM_END"] - 4, 1)])
def test_the_last_frame(sp, pc, more):
    """A stack pointer that is 0, or a pc that is in no program."""
    assert list(stacks.frames(Parts({}), tables(), CODE, 0, [window(sp, pc)])) == [CODE, *[pc] * more]


def test_a_chain_of_frames_without_end():
    stack = Parts({0x8000: window(0x8000, CODE)})
    assert len(list(stacks.frames(stack, tables(), CODE, 0x8000))) == stacks.FRAMES_MOST


@pytest.mark.parametrize("at, stub", [(0, False), (8, False), (0x20, True), (-4, False)])
def test_stubs_are_in_files_of_their_names(at, stub):
    assert stacks.is_stub(tables(), CODE + at) is stub

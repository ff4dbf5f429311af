"""Forged files: the launcher refuses each with one line, or it is what it says."""

from __future__ import annotations

import random
import struct

import pytest
from elf_maker import EXECUTE, READ, WRITE, make

from fugu.abi import HANDLERS, REGS
from fugu.errors import UsageError
from fugu.image.elf import contents
from fugu.image.handlers import walk
from fugu.image.handlers.certify import Certified, certify

NOP, JUMP = 0x01000000, 0x81C18000
TEXT, DATA = 0x10000000, 0x10010000
CODE = struct.pack(">4I", NOP, NOP, JUMP, NOP)
ENTRY = struct.Struct(">52s3I")


def entry(name=b"h", at=TEXT, size=16, extent=8):
    return ENTRY.pack(name, at, size, extent)


def stores(at=TEXT, address=DATA, size=8):
    return struct.pack(">3I", at, address, size)


def file(handlers=(entry(),), listed=(), text=CODE, flags=READ | EXECUTE, segments=()):
    """A program with these entries of the two sections."""
    return make([(TEXT, text, flags), (DATA, bytes(16), READ | WRITE, 0x2000), *segments],
                named=[(HANDLERS.text("SECTION"), b"".join(handlers)), (HANDLERS.text("STORES"), b"".join(listed))])


def said(data):
    """The lines that refuse a file."""
    try:
        return [one for one in certify("my.elf", data) if isinstance(one, str)]
    except UsageError as error:
        return [str(error).partition("\n")[0]]


DAMAGED = "my.elf is a damaged or truncated ELF file: {}."
REFUSED = "my.elf: handler h: {}."
SECTION, STORES = HANDLERS.text("SECTION"), HANDLERS.text("STORES")
MOST = REGS["MM_HANDLERS"]
MANY = [entry(b"h%d" % number, TEXT + 16 * number) for number in range(MOST + 1)]

CASES = {
    "part of an entry": (file([entry()[:-4]]), DAMAGED.format(f"{SECTION} has 60 bytes, and each entry 64")),
    "one more than there may be": (
        file(MANY, text=CODE * (MOST + 1)),
        DAMAGED.format(f"{SECTION} has {MOST + 1} entries, and a program at most {MOST}")),
    "a million": (
        file([entry() * 1_000_000]),
        DAMAGED.format(f"{SECTION} has 1,000,000 entries, and a program at most {MOST}")),
    "no name": (file([entry(b"")]), DAMAGED.format("a handler has no name, but " + repr(bytes(16)))),
    "a name without an end": (
        file([entry(b"x" * 52)]),
        DAMAGED.format("a handler has no name, but " + repr(b"x" * 16))),
    "a name with more behind it": (
        file([entry(b"x\0y")]),
        DAMAGED.format("a handler has no name, but " + repr(b"x\0y".ljust(16, b"\0")))),
    "a name for a terminal": (
        file([entry(b"\x1b[31m")]),
        DAMAGED.format("a handler has no name, but " + repr(b"\x1b[31m".ljust(16, b"\0")))),
    "a name that is no text": (
        file([entry(b"\xff")]),
        DAMAGED.format("a handler has no name, but " + repr(b"\xff".ljust(16, b"\0")))),
    "a name for a column": (
        file([entry(b"h  8 bytes")]),
        DAMAGED.format("a handler has no name, but " + repr(b"h  8 bytes".ljust(16, b"\0")))),
    "a name of other letters": (
        file([entry("\u4e2d".encode())]),
        DAMAGED.format("a handler has no name, but " + repr("\u4e2d".encode().ljust(16, b"\0")))),
    "a name twice": (file([entry(), entry(at=TEXT + 8, size=8)]), DAMAGED.format("two handlers have the name h")),
    "odd entry": (
        file([entry(at=TEXT + 2)]),
        REFUSED.format("text: its code is 16 bytes at 0x10000002, which are no instructions")),
    "odd size": (
        file([entry(size=15)]),
        REFUSED.format("text: its code is 15 bytes at 0x10000000, which are no instructions")),
    "no code": (
        file([entry(size=0)]),
        REFUSED.format("text: its code is 0 bytes at 0x10000000, which are no instructions")),
    "beyond the text": (
        file([entry(size=20)]),
        REFUSED.format("text: its code, 0x10000000 to 0x10000013, is not in a segment of the file")),
    "before the text": (
        file([entry(at=TEXT - 4)]),
        REFUSED.format("text: its code, 0xffffffc to 0x1000000b, is not in a segment of the file")),
    "around all addresses": (
        file([entry(at=0xfffffff0, size=0x20000000)]),
        REFUSED.format("text: its code, 0xfffffff0 to 0x11fffffef, is not in a segment of the file")),
    "beyond what the file has": (
        file([entry(at=DATA + 32)]),
        REFUSED.format("text: its code, 0x10010020 to 0x1001002f, is not in a segment of the file")),
    "in data": (
        file([entry(at=DATA)]),
        REFUSED.format("text: its code, at 0x10010000, is in a segment that can be written or not executed")),
    "in text that can be written": (
        file(flags=READ | WRITE | EXECUTE),
        REFUSED.format("text: its code, at 0x10000000, is in a segment that can be written or not executed")),
    "in constants": (
        file(flags=READ),
        REFUSED.format("text: its code, at 0x10000000, is in a segment that can be written or not executed")),
    "in a page with data": (
        file(segments=[(TEXT + 0x800, b"x", READ | WRITE)]),
        REFUSED.format("text: its code, at 0x10000000, shares a page with what can be written")),
    "in a page behind data": (file(segments=[(TEXT - 0x800, b"", READ | WRITE, 0x800)]), None),
    "code of another": (
        file([entry(), entry(b"i", TEXT + 8, 8)]),
        REFUSED.format("own code: 0x10000008 is also of handler i")),
    "the same code": (file([entry(), entry(b"i")]), REFUSED.format("own code: 0x10000000 is also of handler i")),
    "code of one that has too much": (
        file([entry(), entry(b"i", TEXT - 8, 12)]),
        REFUSED.format("own code: 0x10000000 is also of handler i")),
    "a large extent": (
        file([entry(extent=1 << 24)]),
        REFUSED.format("extent: it has 16,777,216 bytes, and at most 16,777,215 are possible")),
    "stores of nobody": (
        file(listed=[stores(TEXT + 4)]),
        DAMAGED.format(f"{STORES} names a handler at 0x10000004, where none is")),
    "stores without handlers": (
        file([], [stores()]),
        DAMAGED.format(f"{STORES} names a handler at 0x10000000, where none is")),
    "part of stores": (file(listed=[stores()[:-1]]), DAMAGED.format(f"{STORES} has 11 bytes, and each entry 12")),
    "many stores": (
        file(listed=[stores()] * 257),
        DAMAGED.format(f"{STORES} has 257 entries, and a program at most 256")),
    "stores nowhere": (
        file(listed=[stores(address=DATA - 4)]),
        REFUSED.format("listed: 8 bytes at 0x1000fffc are no data of the program")),
    "stores to text": (
        file(listed=[stores(address=TEXT)]),
        REFUSED.format("listed: 8 bytes at 0x10000000 are no data of the program")),
    "stores to a device": (
        file(listed=[stores(address=0xffffe110)]),
        REFUSED.format("listed: 8 bytes at 0xffffe110 are no data of the program")),
    "stores to a segment on a device": (
        file(listed=[stores(address=0xfffff110)], segments=[(0xfffff000, b"", READ | WRITE, 0x1000)]),
        REFUSED.format("listed: 8 bytes at 0xfffff110 are no data of the program")),
    "stores across the end of RAM": (
        file(listed=[stores(address=0x7ffffffc)], segments=[(0x7ffff000, b"", READ | WRITE, 0x2000)]),
        REFUSED.format("listed: 8 bytes at 0x7ffffffc are no data of the program")),
    "stores up to the end of RAM": (
        file(listed=[stores(address=0x7ffffff8)], segments=[(0x7ffff000, b"", READ | WRITE, 0x2000)]), None),
    "stores beyond the data": (
        file(listed=[stores(size=0x2001)]),
        REFUSED.format("listed: 8,193 bytes at 0x10010000 are no data of the program")),
    "stores around all addresses": (
        file(listed=[stores(size=0xffffffff)]),
        REFUSED.format("listed: 4,294,967,295 bytes at 0x10010000 are no data of the program")),
    "stores of no bytes": (
        file(listed=[stores(size=0)]),
        REFUSED.format("listed: 0 bytes at 0x10010000 are no data of the program")),
    "two segments in one place": (
        file(segments=[(TEXT + 8, b"x" * 16, READ | EXECUTE)]),
        DAMAGED.format("two of its segments have the same addresses, or one has none")),
    "a segment in a segment": (
        file(segments=[(DATA + 8, b"x", READ | EXECUTE)]),
        DAMAGED.format("two of its segments have the same addresses, or one has none")),
    "a segment beyond all addresses": (
        file(segments=[(0xfffffff0, b"", READ, 0x20)]),
        DAMAGED.format("two of its segments have the same addresses, or one has none")),
    "all of the data": (file(listed=[stores(size=0x2000)]), None),
}


@pytest.mark.parametrize("case", CASES)
def test_a_file_that_cannot_be(case):
    data, line = CASES[case]
    lines = said(data)
    assert lines[:1] == ([line] if line else lines[:0])


# The header's fields: offset and format.
FIELDS = {"e_phoff": (28, ">I"), "e_shoff": (32, ">I"), "e_phentsize": (42, ">H"), "e_phnum": (44, ">H"),
          "e_shentsize": (46, ">H"), "e_shnum": (48, ">H"), "e_shstrndx": (50, ">H")}


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", [0, 1, 7, 0x7fff, 0xffff])
def test_forged_headers(field, value):
    at, how = FIELDS[field]
    data = bytearray(file())
    struct.pack_into(how, data, at, value)
    assert len(said(bytes(data))) <= 1


@pytest.mark.parametrize("word", range(10))
@pytest.mark.parametrize("value", [0, 1, 8, 0x7fffffff, 0xfffffff0, 0xffffffff])
def test_forged_sections(word, value):
    """All of the headers of both sections, and of the symbols' too: a symbol table that is its own table of names."""
    data = bytearray(file())
    offset, = struct.unpack_from(">I", data, 32)
    for number in range(1, 5):
        forged = data[:]
        struct.pack_into(">I", forged, offset + 40 * number + 4 * word, value)
        assert len(said(bytes(forged))) <= 1


def test_symbols_are_not_looked_at():
    data = bytearray(file())
    offset, = struct.unpack_from(">I", data, 32)
    struct.pack_into(">I", data, offset + 40 + 4 * 6, 1)        # the names of the symbol table are in itself
    assert said(bytes(data)) == []


def test_random_changes_of_a_file(stock):
    """Whatever a file says, the code that is certified is the file's, and nobody can write it."""
    data, random_one = contents(stock), random.Random(1)
    names = [one.name for one in certify(stock, data)]
    table = struct.unpack_from(">I", data, 32)[0]
    places = [range(52), range(52, 116), range(table, len(data))]
    section = data.index(b"null\0")
    places.append(range(section, section + 64 * len(names)))
    certified = 0
    for _ in range(1000):
        forged = bytearray(data)
        for _ in range(random_one.choice((1, 1, 2, 4))):
            at = random_one.choice(random_one.choice(places))
            forged[at] = random_one.choice((0, 1, 0xff, forged[at] ^ 1 << random_one.randrange(8)))
        try:
            certified += sum(isinstance(one, Certified) for one in certify("my.elf", bytes(forged)))
        except UsageError:
            pass
    assert certified > 300


def test_the_most_work_that_a_file_can_ask_for(monkeypatch):
    """Each handler ends after so many steps, however many paths it has."""
    steps = []
    real = walk._Walk._at
    monkeypatch.setattr(walk._Walk, "_at", lambda self, address: steps.append(1) or real(self, address))
    # The case "wide" of refusals.py.
    loop = [0xA0100007, 0xA2102040, 0xE40C0000, 0x80900012, 0x02800005, 0xA2A46001, 0x12BFFFFC, NOP]
    wide = [*loop, *[NOP] * 201, JUMP, NOP]
    text = struct.pack(f">{len(wide)}I", *wide)
    handlers = [entry(b"h%d" % number, TEXT + len(text) * number, len(text)) for number in range(MOST)]
    lines = said(file(handlers, text=text * MOST))
    assert len(lines) == MOST and all("path: all paths have more than" in line for line in lines)
    assert len(steps) < 2 * MOST * (walk.WALK_MAX + 1)

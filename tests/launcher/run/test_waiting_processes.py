"""The report on a node's processes: places of addresses, sections, threads and calls, from memory that is known."""

from __future__ import annotations

import struct

import pytest

from fugu.abi import GLAZE, IMAGE, LIBRARY, PROCESS
from fugu.image.boot_image import PROGRAM_ENTRY
from fugu.report import stacks
from fugu.report.memory import PART, Memory, Missing
from fugu.report.places import Tables
from fugu.report.processes import STATES, UNITS, WAITS, Process, Section

INFO, ADDRESS, TAIL = 0x10000, 0x20000, 0x40
TEXTS = {"": 0, "main": 8, "helper": 16, "main.c": 24, "upcall.S": 32}
CODE = GLAZE["PROGRAM"]


class Words(Memory):
    """Memory that has these words and texts alone."""

    def __init__(self, words, texts=None):
        super().__init__(self._bytes)
        self.words, self.texts = words, texts or {}

    def _bytes(self, address, length):
        if address in self.texts:
            return self.texts[address].encode().ljust(length, b"\0")[:length]
        try:
            data = b"".join(self.words[at].to_bytes(4, "big") for at in range(address & ~3, address + length, 4))
        except KeyError:
            return None
        return data[address & 3:][:length]


class Members:
    """A view whose members are these."""

    def __init__(self, **members):
        self.__dict__.update(members)


def rows(*found):
    return b"".join(struct.pack(">3I", *row) for row in found)


def tables(functions, lines):
    """The tables of a program in the boot image, as the report reads them."""
    entry = [b"prog\0rest", *PROGRAM_ENTRY.unpack(bytes(PROGRAM_ENTRY.size))[1:-5],
             len(functions), 0x1000, len(lines), 0x2000, 0x3000]
    parts = {0: PROGRAM_ENTRY.pack(*entry), 0x1000: rows(*functions), 0x2000: rows(*lines)}
    parts |= {0x3000 + at: text.encode() + bytes(600) for text, at in TEXTS.items()}
    return Tables(Memory(lambda address, length: parts[address][:length] if length else b""), 0)


@pytest.fixture
def program():
    """main() of 16 bytes, a gap of 16, a label without a size, helper() of 32 bytes; the last has no line."""
    return tables([(CODE, 16, TEXTS["main"]), (CODE + 32, 0, TEXTS["upcall.S"]), (CODE + 64, 32, TEXTS["helper"])],
                  [(CODE, TEXTS["main.c"], 10), (CODE + 8, TEXTS["main.c"], 11), (CODE + 32, TEXTS["upcall.S"], 1),
                   (CODE + 64, IMAGE["UNKNOWN"], 7)])


# ---- places ------------------------------------------------------------------

@pytest.mark.parametrize("offset, expected", [
    (-4, None), (0, ("main", 0)), (12, ("main", 12)), (15, ("main", 15)), (16, None), (28, None), (32, ("upcall.S", 0)),
    (35, ("upcall.S", 3)), (36, None), (64, ("helper", 0)), (95, ("helper", 31)), (96, None)])
def test_function_at_an_address(program, offset, expected):
    assert program.function_at(CODE + offset) == expected
    assert program.function(CODE + offset) == (expected[0] if expected else "")


@pytest.mark.parametrize("offset, expected", [
    (-4, None), (0, ("main.c", 10)), (7, ("main.c", 10)), (8, ("main.c", 11)), (31, ("main.c", 11)),
    (32, ("upcall.S", 1)), (63, ("upcall.S", 1)), (64, None), (100, None)])
def test_line_at_an_address(program, offset, expected):
    assert program.line_at(CODE + offset) == expected
    assert program.file(CODE + offset) == (f"{expected[0]}:{expected[1]}" if expected else "")


def test_as_much_of_a_place_as_is_known(program):
    assert program.name == "prog"
    assert program.place(CODE + 12) == "main (main.c:11)"
    assert program.place(CODE + 20) == f"0x{CODE + 20:08x} (main.c:11)"
    assert program.place(CODE + 68) == "helper"
    assert program.place(CODE - 4) == f"0x{CODE - 4:08x}"


def test_program_without_tables():
    empty = tables([], [])
    assert (empty.function_at(CODE), empty.line_at(CODE), empty.place(CODE)) == (None, None, f"0x{CODE:08x}")


# ---- memory ------------------------------------------------------------------

@pytest.mark.parametrize("length, parts", [
    (0, []), (1, [(16, 1)]), (PART, [(16, PART)]), (PART + 1, [(16, PART), (16 + PART, 1)])])
def test_memory_is_read_in_parts(length, parts):
    asked = []

    def reader(address, count):
        asked.append((address, count))
        return bytes([len(asked)]) * count
    assert Memory(reader).read(16, length) == b"".join(bytes([k]) * count for k, (_, count) in enumerate(parts, 1))
    assert asked == parts


def test_words_and_texts_of_memory():
    memory = Words({0: 0x12345678, 4: 0x61620000, 8: 0x61626364})
    assert (memory.word(0), memory.string(4, 4), memory.string(8, 4), memory.string(8, 2)) == (0x12345678, "ab", "abcd", "ab")
    with pytest.raises(Missing):
        memory.read(8, 5)


# ---- a process ---------------------------------------------------------------

@pytest.fixture
def process(program):
    """process(NODE'S WORDS, THE PROCESS'S WORDS, TEXTS) -> a process without views, which runs."""
    def make(node=None, memory=None, texts=None, state=None, **views):
        made = object.__new__(Process)
        made.node, made.memory = Words(node or {}), Words(memory or {}, texts)
        made.address, made.info, made.tail, made.tables = ADDRESS, INFO, TAIL, program
        made.library, made.crl, made.shm = (views.get(name) for name in ("library", "crl", "shm"))
        made.state = state
        return made
    return make


@pytest.mark.parametrize("since", [None, 0, 1234])
@pytest.mark.parametrize("queued, waiting", [(0, "no messages wait"), (1, "1 message waits"), (2, "2 messages wait")])
def test_section_in_fast_mode(process, since, queued, waiting):
    one = process({INFO + GLAZE["I_MODE"]: 0})
    what = "an atomic section or a handler" if since is None else f"an atomic section since cycle {since}"
    assert one.section(Section(0, queued, since)) == f"is in {what}, in fast mode: {waiting}"


def test_section_without_messages(process):
    one = process({INFO + GLAZE["I_MODE"]: GLAZE["MESSAGELESS"]})
    assert one.section(Section(0, 3, 5)) == "is in an atomic section since cycle 5"
    assert one.section(Section(0, 3, None)) == "is in an atomic section"


SIZE, PAGE, FIRST, END = PROCESS["RECORD_SIZE"], GLAZE["PAGE"], GLAZE["BUFFER"], GLAZE["BUFFER_END"]
LAST = END - PAGE + (PAGE // SIZE - 1) * SIZE       # the last record
ALL = (END - FIRST) // PAGE * (PAGE // SIZE)


@pytest.mark.parametrize("head, tail, expected", [
    (FIRST, FIRST, 0), (FIRST, FIRST + SIZE, 1), (FIRST, FIRST + 3 * SIZE, 3), (FIRST + SIZE, FIRST + 3 * SIZE, 2),
    (FIRST, FIRST + PAGE, PAGE // SIZE), (FIRST + PAGE - PAGE % SIZE - SIZE, FIRST + PAGE, 1),
    (LAST, FIRST, 1), (FIRST, LAST, ALL - 1), (LAST, LAST, 0), (FIRST + SIZE, FIRST, ALL - 1),
    (FIRST - 4, FIRST + SIZE, 0), (FIRST, FIRST - 4, 0), (END, FIRST, 0), (FIRST, END, 0)])
def test_messages_in_the_buffer(process, head, tail, expected):
    one = process({INFO + GLAZE["I_MODE"]: GLAZE["BUFFERED"], INFO + GLAZE["I_HEAD"]: head, ADDRESS + TAIL: tail})
    assert one.buffered() == expected
    assert one.section(Section(0, 77, 9)).startswith("is in an atomic section since cycle 9, in buffered mode: "
                                                     f"{expected or 'no'} message")


CALLS = {0x500: 0x900, 0x504: 0x940}            # names of two calls
NAMES = {0x900: "first", 0x940: "second"}


def call_view():
    return Members(now=0x600, call=0, rid=4, address=4, caller=8, calls=2, names=0x500)


@pytest.mark.parametrize("kind, of", [("crl", " of region 0x30"), ("shm", " of 0x00000030")])
@pytest.mark.parametrize("call, name", [(0, ""), (1, "first"), (2, "second"), (3, "")])
def test_call_of_a_library(process, kind, of, call, name):
    def line(thing, caller=CODE):
        one = process(memory=CALLS | {0x600: call, 0x604: thing, 0x608: caller}, texts=NAMES, **{kind: call_view()})
        return one.region_call() if kind == "crl" else one.shm_call()
    assert line(0x30) == (f"is in {name}{of} in main (main.c:10)" if name else "")
    assert line(0) == (f"is in {name} in main (main.c:10)" if name else "")
    if kind == "shm":
        assert line(0, 0) == (f"is in {name}" if name else "")


def test_process_without_these_libraries(process):
    assert (process().region_call(), process().shm_call(), process().current()) == ("", "", 0)


@pytest.mark.parametrize("mode, expected", [("MESSAGELESS", "an alarm or a page"), ("BUFFERED", "a message")])
def test_what_ends_a_wait(process, mode, expected):
    assert process({INFO + GLAZE["I_MODE"]: GLAZE[mode]}).awaited() == expected


def library(**members):
    return Members(**{"first_thread": 0x700, "start": 0x10, "ready": 0x14, "done": 0x15, "next": 0x18,
                      "free_units": 0x680, "unused": 0x684, **members})


@pytest.mark.parametrize("thread, start, expected", [
    (0, 0, "first thread"), (0x700, CODE, "first thread"), (0x800, CODE + 64, "thread of helper"),
    (0x800, CODE + 20, f"thread of 0x{CODE + 20:08x}"), (0x800, 0, "thread of a handler"),
    (0x800, None, "thread 0x00000800")])
def test_name_of_a_thread(process, thread, start, expected):
    one = process(memory={} if start is None else {0x810: start}, library=library())
    assert one.name(thread) == expected
    assert process(memory={0x810: CODE}).name(0x800) == "first thread"


def test_free_units_even_of_a_damaged_chain(process):
    assert list(process(memory={0x680: 0}, library=library()).free_units()) == []
    assert list(process(memory={0x680: 0x800, 0x818: 0x900, 0x918: 0}, library=library()).free_units()) == [0x800, 0x900]
    assert list(process(memory={0x680: 0x800, 0x818: 0x800}, library=library()).free_units()) == [0x800] * UNITS


def test_threads_that_are_in_use(process):
    size, first, upcall = GLAZE["STACK_SIZE"], GLAZE["STACKS"], GLAZE["UPCALL"]
    units = [first + k * size + size - LIBRARY["THREAD_SIZE"] for k in range(7)]
    memory = {unit + 0x14: 0 for unit in units}
    memory[units[2] + 0x14] = 0x00010000                # done
    memory |= {upcall: units[0], upcall + LIBRARY["U_SPARE"]: units[1], 0x684: first + 6 * size,
               0x680: units[4], units[4] + 0x18: 0}
    one = process(memory=memory, library=library())
    assert list(one.threads()) == [0x700, units[3], units[5]]       # the last stack is not used yet


def test_line_of_the_running_thread_and_of_one_that_is_ready(process):
    upcall = GLAZE["UPCALL"] + LIBRARY["U_CURRENT"]
    memory = {upcall: 0x700, 0x814: 0x01000000, 0x810: CODE}
    one = process(memory=memory, library=library(), state=STATES["READY"] if "READY" in STATES else None)
    assert one.current() == 0x700
    assert one.line(0x700) == ""
    assert one.line(0x800) == "thread of main is ready"


# ---- what a thread waits for -------------------------------------------------

class Names:
    """Tables in which pc N is in the function number N; functions of upcall.S begin with an underline."""

    def __init__(self, *names):
        self.names = names

    def function(self, pc):
        return self.names[pc]

    def place(self, pc):
        return f"{self.names[pc]}:{pc}"

    def line_at(self, pc):
        return ("upcall.S" if self.names[pc].startswith("_") else "x.c", 1)


def waits(process, *names, otherwise=""):
    one = process()
    one.tables = Names(*names)
    return one.waits("T", list(range(len(names))), otherwise)


@pytest.mark.parametrize("function", sorted(set(WAITS)))
def test_what_a_thread_waits_for_and_where(process, function):
    assert waits(process, "inner", function, "mine", "main") == f"T waits for {WAITS[function]} in mine:2"
    assert waits(process, f"{function}.part.0", "mine") == f"T waits for {WAITS[function]} in mine:1"
    assert waits(process, function) == f"T waits for {WAITS[function]} in ?"


def test_thread_that_waits_for_nothing_known(process):
    assert waits(process, "mine", "main") == "T waits in mine:0"
    assert waits(process, "mine", otherwise="a message") == "T waits for a message in mine:0"
    assert waits(process) == "T waits in ?"


def test_a_page_is_waited_for_by_the_interrupted_code(process):
    assert waits(process, "page_wait", "fault", "_stub", "mine", "main") == "T waits for a page in mine:3"
    assert waits(process, "udm_mutex_lock", "fault", "_stub", "mine") == "T waits for a mutex in fault:1"


def test_operation_of_all_nodes(process):
    assert waits(process, "udm_thread_block", "wait", "udm_barrier", "mine") == \
        "T waits for other nodes in udm_barrier() in mine:3"
    assert waits(process, "udm_thread_block", "udm_barrier", "mine") == "T waits for other nodes in udm_barrier() in mine:2"
    # A handler has interrupted the operation.
    assert waits(process, "udm_thread_block", "handler", "_stub", "udm_barrier", "mine") == \
        f"T waits for {WAITS['udm_thread_block']} in handler:1"
    # The stack does not show its caller.
    assert waits(process, "udm_thread_block", "wait", "udm_barrier") == f"T waits for {WAITS['udm_thread_block']} in wait:1"


# ---- stacks ------------------------------------------------------------------

def window(local1=0, fp=0, in7=0):
    data = bytearray(stacks.WINDOW)
    for at, value in ((4, local1), (56, fp), (60, in7)):
        data[at:at + 4] = value.to_bytes(4, "big")
    return bytes(data)


def test_frames_go_from_registers_to_the_stack(program):
    saved = {0x8000: window(fp=0x9000, in7=CODE + 8), 0x9000: window(local1=CODE + 4, fp=0xa000, in7=CODE + 12)}
    memory = Memory(lambda address, length: saved.get(address))
    begun = [window(fp=0x8000, in7=CODE + 64)]
    assert list(stacks.frames(memory, program, CODE, 0x7000, begun)) == [CODE, CODE + 64, CODE + 8, CODE + 12]
    # A frame of a stub leads to what it has interrupted.
    stub = [window(fp=0x9000, in7=CODE + 32)]
    assert list(stacks.frames(memory, program, CODE, 0x7000, stub)) == [CODE, CODE + 32, CODE + 4]


@pytest.mark.parametrize("pc, goes_on", [(CODE, True), (CODE - 4, False), (GLAZE["PROGRAM_END"] - 4, True),
                                         (GLAZE["PROGRAM_END"], False)])
def test_a_chain_of_frames_ends_outside_the_program(program, pc, goes_on):
    found = list(stacks.frames(Memory(lambda address, length: None), program, CODE + 4, 0, [window(fp=8, in7=pc)]))
    assert found == [CODE + 4, pc][:1 + goes_on]
    assert list(stacks.frames(Memory(lambda address, length: None), program, CODE, 0, [window(fp=0, in7=pc)])) == [CODE]


def test_a_damaged_chain_ends(program):
    memory = Memory(lambda address, length: window(fp=8, in7=CODE))
    assert sum(1 for _ in stacks.frames(memory, program, CODE, 8)) == stacks.FRAMES_MOST

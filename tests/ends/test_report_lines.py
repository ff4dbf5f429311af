"""Lines of the report on a machine that has ended, about one process whose memory is known (fugu.report.processes)."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from fugu.abi import GLAZE, PROCESS
from fugu.report import processes
from fugu.report.memory import PART, Memory, Missing
from fugu.report.processes import STATES, Process, Section

FIRST, PAGE, SIZE = GLAZE["BUFFER"], GLAZE["PAGE"], PROCESS["RECORD_SIZE"]
ROOM = PAGE // SIZE                 # records of a page
PAGES = (GLAZE["BUFFER_END"] - FIRST) // PAGE
INFO, ADDRESS, TAIL = 0x1000, 0x2000, 0x40


class Node:
    """Memory of a node: the words that it has."""

    def __init__(self, words):
        self.words = words

    def word(self, address):
        if address not in self.words:
            raise Missing
        return self.words[address]


def process(mode=GLAZE["BUFFERED"], head=FIRST, tail=FIRST, state=STATES["RUNNABLE"], suspended=False):
    """A process without threads and calls."""
    made = object.__new__(Process)
    made.node = Node({INFO + GLAZE["I_MODE"]: mode, INFO + GLAZE["I_HEAD"]: head, ADDRESS + TAIL: tail})
    made.info, made.address, made.tail = INFO, ADDRESS, TAIL
    made.state, made.wanted, made.suspended, made.crl, made.shm = state, 0x12345000, suspended, None, None
    made.threads = lambda: iter(())
    return made


AT = SimpleNamespace(current=0x10, state=0x04, wanted=0x08, suspended=0x0e, program=0x10, regions=0x14, info=0x18, tail=TAIL)


@pytest.mark.parametrize("suspended", [False, True])
@pytest.mark.parametrize("current", [False, True])
def test_what_the_kernel_knows_of_a_process(current, suspended, monkeypatch):
    """Each member is where the kernel's view says."""
    monkeypatch.setattr(processes, "Virtual", lambda node, regions: regions)
    words = {AT.current: ADDRESS if current else ADDRESS + 4, ADDRESS + AT.state: STATES["PAGING"], ADDRESS + AT.wanted: 0x7000,
             ADDRESS + AT.program: 0x300, ADDRESS + AT.regions: 0x400, ADDRESS + AT.info: INFO}
    node = Node(words)
    node.read = lambda address, size: {ADDRESS + AT.suspended: bytes([suspended])}[address][:size]
    kernel = SimpleNamespace(view=AT, tables_at=lambda where, address: SimpleNamespace(name={0x300: "lu"}[address]),
                             view_of=lambda program, name: f"{program}'s {name}", file_of=lambda program: None)
    one = Process(kernel, node, 3, ADDRESS)
    assert (one.is_current, one.state, one.wanted, one.suspended) == (current, STATES["PAGING"], 0x7000, suspended)
    assert (one.title, one.info, one.tail) == ("lu (job 3): ", INFO, TAIL) and one.memory == 0x400
    assert (one.library, one.crl, one.shm) == ("lu's library_view", "lu's crl_view", "lu's shm_view")


@pytest.mark.parametrize("length", [0, 1, PART - 1, PART, PART + 1, 2 * PART, 2 * PART + 3])
@pytest.mark.parametrize("address", [0x10, 0xffffff00])
def test_memory_is_read_in_parts(address, length):
    """Each byte once and in order, also around the end of the addresses."""
    asked = []

    def reader(at, size):
        asked.append(size)
        return bytes((at + k & 0xffffffff) % 251 for k in range(size))
    assert Memory(reader).read(address, length) == bytes((address + k & 0xffffffff) % 251 for k in range(length))
    assert len(asked) == -(-length // PART) and max(asked, default=1) <= PART


def test_a_part_of_memory_that_is_not_there():
    with pytest.raises(Missing):
        Memory(lambda at, size: None if at >= PART else bytes(size)).read(0, PART + 1)


def test_words_and_texts():
    memory = Memory(lambda at, size: b"\x01\x02\x03\x04name\0rest"[at:at + size])
    assert memory.word(0) == 0x01020304
    assert memory.string(4, 32) == "name" and memory.string(4, 4) == "name" and memory.string(4, 3) == "nam"


def record(number):
    """The address of a record of the buffer, by its number."""
    return FIRST + number // ROOM * PAGE + number % ROOM * SIZE


@pytest.mark.parametrize("head, tail, count", [
    (0, 0, 0), (0, 1, 1), (5, 7, 2), (0, ROOM - 1, ROOM - 1), (0, ROOM, ROOM), (ROOM - 1, ROOM, 1), (ROOM, 3 * ROOM + 1, 2 * ROOM + 1),
    (PAGES * ROOM - 1, 0, 1), (PAGES * ROOM - 2, 3, 5), (1, 0, PAGES * ROOM - 1)])
def test_messages_in_the_buffer(head, tail, count):
    """From one page to the next, and from its end to its beginning."""
    assert process(head=record(head), tail=record(tail)).buffered() == count


@pytest.mark.parametrize("head, tail", [
    (FIRST - 4, record(3)), (GLAZE["BUFFER_END"], record(3)), (record(3), FIRST - 4), (record(3), GLAZE["BUFFER_END"]), (0, 0)])
def test_a_buffer_that_a_program_has_overwritten(head, tail):
    assert process(head=head, tail=tail).buffered() == 0


def test_memory_that_is_not_there():
    one = process()
    one.node = Node({})
    with pytest.raises(Missing):
        one.buffered()


@pytest.mark.parametrize("buffered, queued, since, text", [
    (0, 9, 100, "is in an atomic section since cycle 100, in buffered mode: no messages wait"),
    (1, 9, 0, "is in an atomic section since cycle 0, in buffered mode: 1 message waits"),
    (2, 9, None, "is in an atomic section or a handler, in buffered mode: 2 messages wait"),
    (None, 0, None, "is in an atomic section or a handler, in fast mode: no messages wait"),
    (None, 1, 7, "is in an atomic section since cycle 7, in fast mode: 1 message waits"),
    (None, 2, 7, "is in an atomic section since cycle 7, in fast mode: 2 messages wait")])
def test_an_atomic_section(buffered, queued, since, text):
    """The messages are those of the buffer, or of the network interface."""
    mode = GLAZE["FAST"] if buffered is None else GLAZE["BUFFERED"]
    assert process(mode, tail=record(buffered or 0)).section(Section(0, queued, since)) == text


@pytest.mark.parametrize("since, text", [(None, "is in an atomic section"), (5, "is in an atomic section since cycle 5")])
def test_an_atomic_section_without_messages(since, text):
    assert process(GLAZE["MESSAGELESS"]).section(Section(0, 3, since)) == text


@pytest.mark.parametrize("suspended", [False, True])
@pytest.mark.parametrize("state, line", [
    (STATES["PAGING"], ["waits for the page 0x12345000"]), (STATES["RUNNABLE"], []), (STATES["WAITING"], [])])
def test_what_a_whole_process_waits_for(suspended, state, line):
    assert list(process(state=state, suspended=suspended).lines()) == ["suspended by overflow control"] * suspended + line

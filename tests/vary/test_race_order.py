"""What orders two accesses, for records that are known; and what is said of accesses that nothing orders."""

from __future__ import annotations

import struct
from types import SimpleNamespace

import pytest

from fugu.abi import PROCESS, SEEN
from fugu.errors import SetupError, UsageError
from fugu.observe.races import accesses, order, places, report
from fugu.observe.races.accesses import Access
from fugu.observe.races.order import Actor, Job, Race, Use

THREAD = -1
READ, WRITE, BOTH = Use(4, True, False, True, "a.c:1"), Use(4, False, True, True, "a.c:1"), Use(4, True, True, True, "a.c:1")
WORD = 0x1000


class Told:
    """A job on two nodes, told step by step. A pc is the number of its step."""

    def __init__(self):
        self.job, self.time = Job(), 0

    def access(self, use, address=WORD, node=0, handler=False, section=False, pc=None):
        self.time += 1
        self.job.access(self.time, node, handler, section, self.time if pc is None else pc, address, use)
        return self

    def handler(self, use, address=WORD, node=0, message=(1, 0), pc=None):
        """A handler of a message that begins, accesses, and ends."""
        self.time += 1
        self.job.begin(self.time, node, message)
        self.access(use, address, node, True, pc=pc)
        self.job.dispose(node, True, message)
        return self

    def launch(self, node, message, handler=False):
        self.time += 1
        self.job.launch(self.time, node, handler, message)
        return self

    def poll(self, node, message):
        """The thread takes a message by itself."""
        self.time += 1
        self.job.begin(self.time, node, message)
        self.job.dispose(node, False, message)
        return self

    @property
    def found(self):
        """What was found of which steps, and how often."""
        return {(race.what, race.handler, race.thread): times for race, times in self.job.races().items()}


def test_a_thread_reads_what_a_handler_has_written():
    """Once: then it has seen it. Another handler's write is another race."""
    told = Told().handler(WRITE, pc=7).access(READ, pc=8).access(READ, pc=9)
    assert told.found == {("reads", 7, 8): 1}
    told.handler(WRITE, pc=7).access(READ, pc=8)
    assert told.found == {("reads", 7, 8): 2, ("overwrites", 7, 9): 1}
    assert list(told.job.races()) == [Race(0, WORD, 7, 8, "reads"), Race(0, WORD, 7, 9, "overwrites")]


@pytest.mark.parametrize("use, what", [(WRITE, "writes"), (READ, "reads"), (BOTH, "reads")])
def test_what_a_thread_does_with_it(use, what):
    assert Told().handler(WRITE, pc=7).access(use, pc=8).found == {(what, 7, 8): 1}


def test_handlers_of_several_senders():
    """Each write is named that the thread has not seen."""
    told = Told().handler(WRITE, message=(1, 0), pc=6).handler(WRITE, message=(2, 0), pc=7).access(READ, pc=8)
    assert told.found == {("reads", 6, 8): 1, ("reads", 7, 8): 1}
    told = Told().handler(WRITE, message=(1, 0), pc=6).handler(WRITE, message=(1, 1), pc=7).access(READ, pc=8)
    assert told.found == {("reads", 7, 8): 1}
    # The second handler has read what the first one wrote.
    told = Told().handler(WRITE, message=(1, 0), pc=6).handler(BOTH, message=(2, 0), pc=7).access(READ, pc=8)
    assert told.found == {("reads", 7, 8): 1}


def test_what_is_no_race():
    for told in (Told().access(WRITE).access(READ), Told().handler(READ).access(READ), Told().handler(WRITE).handler(READ, message=(2, 0)),
                 Told().handler(WRITE).access(READ, WORD + 4), Told().handler(WRITE).access(READ, node=1),
                 Told().access(READ).handler(READ), Told().handler(WRITE).access(READ, section=True),
                 Told().handler(WRITE).access(Use(4, True, False, False))):
        assert told.found == {}


def test_a_section_and_a_library_order_what_comes_behind():
    for told in (Told().handler(WRITE, pc=7).access(READ, section=True).access(READ, pc=8),
                 Told().handler(WRITE, pc=7).access(Use(4, True, False, False)).access(READ, pc=8)):
        assert told.found == {}
    # A write learns nothing.
    assert Told().handler(WRITE, pc=7).access(WRITE, section=True).access(READ, pc=8).found == {}
    assert Told().handler(WRITE, pc=7).access(WRITE, WORD + 4, section=True).access(READ, pc=8).found == {("reads", 7, 8): 1}


def test_a_handler_changes_what_a_thread_has_read():
    """Each read counts once."""
    told = Told().access(READ, pc=7).handler(WRITE, pc=8).handler(WRITE, message=(1, 1), pc=9)
    assert told.found == {("overwrites", 8, 7): 1}
    told = Told().access(READ, section=True).handler(WRITE)
    assert told.found == {}


def test_both_change_it():
    told = Told().access(WRITE, pc=7).handler(WRITE, pc=8).handler(WRITE, message=(1, 1), pc=9)
    assert told.found == {("both", 8, 7): 1}
    told = Told().access(BOTH, pc=7).handler(BOTH, pc=8)
    assert told.found == {("both", 8, 7): 1, ("overwrites", 8, 7): 1}
    assert Told().access(WRITE, section=True).handler(WRITE).found == {}
    assert Told().access(WRITE).handler(Use(4, False, True, False)).found == {}          # the library's handler
    # It has read the thread's value, and then changes it: still no order, in the same handler.
    told = Told().access(WRITE, pc=7)
    told.job.begin(5, 0, (1, 0))
    told.access(READ, handler=True).access(WRITE, handler=True, pc=9)
    assert told.found == {("both", 9, 7): 1}
    told = Told().access(WRITE, pc=7).handler(READ).handler(WRITE, message=(1, 1), pc=9)
    assert told.found == {}


def test_a_message_orders_the_senders_past():
    """What a thread did before a message left is before its handler, and before the handlers that this one starts."""
    ordered = Told().access(READ, pc=7).launch(0, (0, 5)).handler(READ, node=1, message=(0, 5))
    ordered.job.begin(9, 1, (0, 5))
    ordered = Told().access(WRITE, pc=7).access(READ, pc=7).launch(0, (0, 5))
    ordered.job.begin(20, 1, (0, 5))
    ordered.launch(1, (1, 3), handler=True)
    assert ordered.handler(WRITE, message=(1, 3)).found == {}
    after = Told().launch(0, (0, 5)).access(READ, pc=7)
    after.job.begin(20, 1, (0, 5))
    after.launch(1, (1, 3), handler=True)
    assert after.handler(WRITE, message=(1, 3), pc=8).found == {("overwrites", 8, 7): 1}


def test_a_message_that_the_thread_takes_orders():
    """Another handler's write at the sender's node says nothing; one that the sender knew of does."""
    told = Told().handler(WRITE, message=(1, 0), pc=7)
    told.job.begin(5, 0, (1, 1))
    told.launch(0, (0, 1), handler=True).poll(1, (0, 1)).launch(1, (1, 2)).poll(0, (1, 2))
    assert told.access(READ).found == {}
    told = Told().handler(WRITE, message=(1, 0), pc=7).launch(1, (1, 2)).poll(0, (1, 2))
    assert told.access(READ, pc=8).found == {("reads", 7, 8): 1}


def test_a_message_is_taken_once():
    told = Told().launch(1, (1, 2)).poll(0, (1, 2))
    assert not told.job.sent
    told.poll(0, (1, 2)).handler(READ, message=(1, 9))         # messages from before the log


WAITING, BESIDE = Use(4, True, False, True, "a.c:5", True), Use(4, True, False, True, "a.c:5", False, 50)


def test_a_thread_that_waits():
    """For this word: it may change meanwhile, and what it reads is ordered."""
    assert Told().handler(WRITE).access(WAITING).access(READ).found == {}
    assert Told().access(READ, pc=7).access(WAITING).handler(WRITE).found == {}            # the flag that it waits for
    assert Told().access(WAITING, WORD + 4).access(READ, pc=7).handler(WRITE, pc=8).found == {("overwrites", 8, 7): 1}
    assert Told().access(WRITE, pc=7).access(WAITING).handler(WRITE, pc=8).found == {}
    # In a section, or in the library, a load waits for nothing.
    assert Told().access(READ, pc=7).access(WAITING, section=True).handler(WRITE, pc=8).found == {("overwrites", 8, 7): 1}


def test_a_change_that_loses_a_handlers():
    """A thread loads and stores in one line: that is a race also where another line waits for the word."""
    update = Use(4, False, True, True, "a.c:3")
    told = Told().access(WAITING, pc=50).access(Use(4, True, False, True, "a.c:3"), pc=6).access(update, pc=7).handler(WRITE, pc=8)
    assert told.found == {("both", 8, 7): 1}
    told = Told().access(WAITING, pc=50).access(Use(4, True, False, True, "a.c:2"), pc=6).access(update, pc=7).handler(WRITE, pc=8)
    assert told.found == {}


def test_a_load_beside_one_that_waits():
    """The loop of its line may have gone round not once."""
    assert Told().handler(WRITE).access(BESIDE).found == {}
    told = Told().handler(WRITE, pc=7).access(BESIDE, pc=8).access(WAITING, WORD + 4, pc=50)
    assert told.found == {("reads", 7, 8): 1}                  # its line waits for another word
    assert Told().handler(WRITE).access(BESIDE).access(WAITING, pc=50).found == {}
    assert Told().access(BESIDE).access(READ, pc=7).handler(WRITE, pc=8).found == {}       # its word is waited for


def use(size, loads=True):
    return Use(size, loads, not loads, True, "a.c:1")


@pytest.mark.parametrize("handler, thread, races", [
    ((4, 0), (4, 0), 1), ((8, 0), (4, 4), 1), ((8, 0), (8, 0), 1), ((8, 0), (4, 8), 0), ((4, 4), (8, 0), 1),
    ((1, 0), (1, 0), 1), ((1, 0), (1, 1), 0), ((1, 3), (2, 2), 1), ((1, 1), (2, 2), 0), ((4, 0), (1, 3), 1),
    ((2, 2), (4, 0), 1), ((1, 3), (8, 0), 1), ((2, 0), (1, 2), 0), ((1, 4), (4, 0), 0)])
def test_parts_of_words(handler, thread, races):
    """Bytes are told apart where one of them was accessed alone. Who has seen one write of a handler has seen all of it."""
    (size, at), (other, first) = handler, thread
    told = Told().handler(use(size, False), WORD + at).access(use(other), WORD + first)
    assert len(told.job.races()) == races


def test_bytes_know_what_their_word_was():
    told = Told().handler(WRITE, pc=7).access(use(1, False), WORD + 2, pc=8).access(READ, pc=9)
    assert {(race.address - WORD, race.thread): times for race, times in told.job.races().items()} == {(2, 8): 1, (0, 9): 1}
    told = Told().access(READ, pc=7).handler(use(1, False), WORD + 3, pc=8)
    assert {(race.address - WORD, race.thread): times for race, times in told.job.races().items()} == {(3, 7): 1}


# ---- clocks ---------------------------------------------------------------------------------

def test_what_an_actor_knows():
    one = Actor((0, THREAD), {1: {2: 5}})
    assert one.knows((0, THREAD), 10**9) and one.knows((1, 2), 5) and not one.knows((1, 2), 6)
    assert not one.knows((1, 3), 0) and not one.knows((2, 2), 0)


def test_what_an_actor_learns():
    """The other's time, and what it knew. Times do not go back, and clocks of others stay as they are."""
    one, theirs = Actor((0, THREAD), {1: {2: 5}}), {1: {3: 7, 2: 4}, 4: {1: 1}}
    mine = one.clock
    one.learns((5, 1), 9, theirs)
    assert one.clock == {1: {2: 5, 3: 7}, 4: {1: 1}, 5: {1: 9}} and mine == {1: {2: 5}} and theirs == {1: {3: 7, 2: 4}, 4: {1: 1}}
    one.learns((5, 1), 9, {8: {8: 8}})          # known already
    assert 8 not in one.clock
    one.learns((1, 3), 8, {1: {3: 9}})
    assert one.clock[1] == {2: 5, 3: 9}


def test_clocks_that_know_nothing_new_are_the_same():
    old = {1: 5, 2: 6}
    assert order.joined(old, {1: 5}) is old and order.joined(old, {1: 4}) is old and order.joined(old, {}) is old
    assert order.joined({}, old) is old and order.joined({3: 1}, old) == {1: 5, 2: 6, 3: 1}


# ---- records ----------------------------------------------------------------------------------

KINDS = {name: SEEN[f"RACE_{name}"] for name in ("ACCESS", "GATHER", "STOREBACK", "LAUNCH", "BEGIN", "DISPOSE")}
FLAGS = {name: SEEN[f"RACE_IN_{name}"] for name in ("HANDLER", "SECTION")}


def records(*rows):
    return [(KINDS[kind], sum(FLAGS[flag] for flag in flags.split()), *numbers) for kind, flags, *numbers in rows]


def jobs(*rows, own=lambda gid, pc: True):
    found = order.jobs(records(*rows), {1: {0x40: READ, 0x44: WRITE}, 2: {0x40: READ}}, own, KINDS, FLAGS)
    return {gid: {(race.what, race.node, race.address, race.handler, race.thread): times for race, times in job.races().items()}
            for gid, job in found.items()}


HANDLES = [("BEGIN", "HANDLER", 3, 1, 2, 9), ("ACCESS", "HANDLER", 3, 1, 0x44, WORD), ("DISPOSE", "HANDLER", 3, 1, 2, 9)]


def test_records_of_accesses():
    race = ("reads", 3, WORD, 0x44, 0x40)
    assert jobs(*HANDLES, ("ACCESS", "", 3, 1, 0x40, WORD)) == {1: {race: 1}}
    assert jobs(*HANDLES, ("ACCESS", "SECTION", 3, 1, 0x40, WORD)) == {1: {}}
    assert jobs(*HANDLES, ("ACCESS", "HANDLER", 3, 1, 0x40, WORD)) == {1: {}}
    assert jobs(*HANDLES, ("ACCESS", "", 2, 1, 0x40, WORD)) == {1: {}}
    assert jobs(*HANDLES, ("ACCESS", "", 3, 1, 0x48, WORD)) == {1: {}}         # no instruction that counts
    assert jobs(*HANDLES, ("ACCESS", "", 3, 2, 0x40, WORD), ("ACCESS", "", 3, 5, 0x40, WORD)) == {1: {}, 2: {}, 5: {}}


def test_records_of_messages():
    """The sender's past is ordered by the message: its source's number is what names it."""
    past = [("ACCESS", "", 3, 1, 0x40, WORD), ("LAUNCH", "", 3, 1, 3, 7), ("BEGIN", "HANDLER", 2, 1, 3, 7), ("LAUNCH", "HANDLER", 2, 1, 2, 9),
            ("DISPOSE", "HANDLER", 2, 1, 3, 7)]
    assert jobs(*past, *HANDLES) == {1: {}}
    other = [*past[:1], ("LAUNCH", "", 3, 1, 3, 8), *past[2:]]
    assert jobs(*other, *HANDLES) == {1: {("overwrites", 3, WORD, 0x44, 0x40): 1}}
    assert jobs(*past[:1], ("LAUNCH", "", 3, 2, 3, 7), *past[2:], *HANDLES) == {1: {("overwrites", 3, WORD, 0x44, 0x40): 1}, 2: {}}


@pytest.mark.parametrize("own", [False, True])
def test_records_of_bodies(own):
    """The interface loads a body's words, or stores them: for the program's code, or for a library's."""
    asked = []

    def is_own(gid, pc):
        asked.append((gid, pc))
        return own
    assert jobs(*HANDLES, ("GATHER", "", 3, 1, 0x50, WORD), own=is_own) == {1: {("reads", 3, WORD, 0x44, 0x50): 1} if own else {}}
    assert asked == [(1, 0x50)]
    assert jobs(("ACCESS", "", 3, 1, 0x40, WORD), *HANDLES[:1], ("STOREBACK", "HANDLER", 3, 1, 0x50, WORD), own=is_own) == {
        1: {("overwrites", 3, WORD, 0x50, 0x40): 1} if own else {}}


# ---- what is said --------------------------------------------------------------------------------

def program(name="my"):
    return SimpleNamespace(name=name, file=None, path=f"{name}.elf", function=lambda pc: f"f{pc:x}", variable=lambda address: f"v{address:x}")


def told(races, lines=()):
    job = SimpleNamespace(races=lambda: races)
    return report._pairs(job, program(), places.Places([(pc, pc + 4, f"a.c:{pc}") for pc in lines]))


@pytest.mark.parametrize("what", ["reads", "writes", "overwrites", "both"])
@pytest.mark.parametrize("times, often", [(1, "once"), (2, "2 times")])
def test_the_lines_of_a_race(what, times, often):
    assert told({Race(2, 0x40, 16, 32, what): times}, [16, 32]) == [
        f"my: {report.WHAT[what]} ({often})", "  handler: a.c:16 in f10", "  thread:  a.c:32 in f20", "  node 2: v40"]


def test_the_lines_of_a_race_without_places():
    assert told({Race(2, 0x40, 16, 32, "reads"): 1})[1:3] == ["  handler: f10 in f10", "  thread:  f20 in f20"]


@pytest.mark.parametrize("count, more", [(1, ""), (3, ""), (4, ", 1 more word"), (5, ", 2 more words")])
def test_words_of_the_same_lines(count, more):
    """They are told together."""
    found = told({Race(node, 0x40, 16, 32, "reads"): 1 + (node == 0) for node in range(count)}, [16, 32])
    assert len(found) == 4 and found[0].endswith(f"({count + 1} times)")
    assert found[3] == "  " + ", ".join(f"node {node}: v40" for node in range(min(count, 3))) + more


@pytest.mark.parametrize("count, said", [(0, []), (20, []), (21, ["... and 1 more pairs of lines"]), (25, ["... and 5 more pairs of lines"])])
def test_pairs_of_lines(count, said):
    found = told({Race(0, 0x40, 16, 4 * k, "reads"): 1 for k in range(count)})
    assert len(found) == 4 * min(count, 20) + len(said) and found[4 * min(count, 20):] == said


def test_races_of_the_same_lines_and_of_other_kinds():
    assert [line for line in told({Race(0, 0x40, 16, 32, what): 1 for what in ("reads", "writes")}, [16, 32]) if line[0] != " "] == [
        f"my: {report.WHAT[what]} (once)" for what in ("reads", "writes")]


def test_the_log_of_a_run(tmp_path, monkeypatch):
    """It is read in parts. What jobs have without lines of their own is left out."""
    monkeypatch.setattr(report, "CHUNK", 2 * report.RECORD.size)
    log = tmp_path / "log"
    rows = records(*HANDLES, ("ACCESS", "", 3, 1, 0x40, WORD), *[(kind, flags, node, 2, *rest) for kind, flags, node, _, *rest in HANDLES])
    log.write_bytes(b"".join(struct.pack("=BBHIII", *row) for row in rows))
    assert list(report._records(log)) == rows
    known = {1: places.Places([(0x40, 0x44, "a.c:1"), (0x44, 0x48, "a.c:2")])}
    monkeypatch.setattr(accesses, "of", lambda file: [Access(0x40, 8, 0, 0, 4, True, False), Access(0x44, 8, 0, 0, 4, False, True)])
    monkeypatch.setattr(accesses, "waits", lambda file, own: set())
    programs = SimpleNamespace(by_gid={1: program(), 2: program("other")})
    assert report.lines(log, programs, known)[1:3] == ["  handler: a.c:2 in f44", "  thread:  a.c:1 in f40"]
    log.write_bytes(log.read_bytes()[:-1])
    with pytest.raises(SetupError, match="the log of accesses cannot be read: "):
        report.lines(log, programs, known)
    with pytest.raises(SetupError, match="cannot be read: .*No such file"):
        report.lines(tmp_path / "none", programs, known)


def test_what_each_instruction_does(monkeypatch):
    """Of the loads of a line that waits, each is beside the nearest that does."""
    code = {0x40: (True, False), 0x44: (True, False), 0x48: (False, True), 0x4c: (True, True), 0x60: (True, False), 0x64: (True, False), 0x80: (True, False)}
    asked = []
    monkeypatch.setattr(accesses, "of", lambda file: [Access(at, 8, 0, 0, 4, *does) for at, does in code.items()])
    monkeypatch.setattr(accesses, "waits", lambda file, own: asked.extend(map(own, (0x40, 0x80))) or {0x44, 0x60})
    known = places.Places([(0x40, 0x68, "a.c:1")])
    found = report._uses(program(), known)
    assert asked == [True, False]
    assert {at: (one.waits, one.by) for at, one in found.items()} == {
        0x40: (False, 0x44), 0x44: (True, 0), 0x48: (False, 0), 0x4c: (False, 0), 0x60: (True, 0), 0x64: (False, 0x60), 0x80: (False, 0)}
    assert found[0x48] == Use(4, False, True, True, "a.c:1") and found[0x80] == Use(4, True, False, False)


def test_the_plan_of_a_run(monkeypatch):
    """Accesses of jobs, by GID; the kernel has none."""
    monkeypatch.setattr(accesses, "of", lambda file: [Access(0x40, 8, 9, -4, 4, True, False)] if file == "code" else [])
    one, kernel = program(), program("kernel")
    one.file = kernel.file = "code"
    assert list(report.access_lines(SimpleNamespace(by_gid={0: kernel, 3: one}, jobs={3: "my"}))) == ["races", "access 3 64 8 9 -4"]


@pytest.mark.parametrize("gid, refused", [(1, True), (PROCESS["GID_SERVER"], False)])
def test_programs_without_lines(gid, refused, monkeypatch):
    monkeypatch.setattr(report, "up_to_date", lambda parts: {part: {"toolchain": "/tools"} for part in parts})
    read = []
    monkeypatch.setattr(places, "read", lambda path, objdump: read.append((str(path), str(objdump))) or places.Places([]))
    programs = SimpleNamespace(by_gid={0: program("kernel"), gid: program()}, jobs={gid: "lu"})
    if refused:
        with pytest.raises(UsageError, match="finds no lines of lu: it has no debugging"):
            report.places_of(programs)
    else:
        assert list(report.places_of(programs)) == [gid]
    assert read == [("my.elf", "/tools/bin/sparc-elf-objdump")]

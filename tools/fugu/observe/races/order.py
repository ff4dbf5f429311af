"""What orders the accesses of handlers and threads of a job, and which accesses nothing orders.

Each node has a thread (all of a process's threads: they take turns where they want) and handlers. An access is before
another one if

- the same thread makes both in this order, or one handler does, or handlers of messages from one sender;
- it is before a message leaves, and the other one is in that message's handler, or after the thread has taken it;
- it is before a word is written which a handler, a thread that waits for it, a thread in an atomic section or a
  library reads before the other access.

Time is the number of a record. A clock says for each thread and each sequence of handlers up to which record it is
known to be over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

Block = dict[int, int]          # of a node, by source of the messages; THREAD: of the thread
Clock = dict[int, Block]        # by node. Clocks share blocks, so none is changed
THREAD = -1
WORD = 4
NOTHING: Block = {}


@dataclass
class Actor:
    """Who makes accesses: a thread, or the handlers of messages from one source."""

    key: tuple[int, int]
    clock: Clock = field(default_factory=dict)

    def knows(self, other: tuple[int, int], time: int) -> bool:
        """Whether what `other` did at that time is before what this one does now."""
        return other == self.key or self.clock.get(other[0], NOTHING).get(other[1], -1) >= time

    def learns(self, other: tuple[int, int], time: int, clock: Clock) -> None:
        """What `other` has done until then, and what it knew, is before all that this one does from now on."""
        if not self.knows(other, time):
            new = dict(self.clock)
            for node, block in clock.items():
                new[node] = joined(new.get(node, block), block)
            node, source = other
            block = new.get(node, NOTHING)
            if time > block.get(source, -1):
                new[node] = {**block, source: time}
            self.clock = new


def joined(one: Block, other: Block) -> Block:
    """What is known if both are: one of them if that is enough, since many clocks know the same."""
    if one is other or one == other:
        return one
    newer = {source: until for source, until in other.items() if until > one.get(source, -1)}
    if not newer:
        return one
    if len(newer) == len(other) and one.keys() <= other.keys():
        return other
    found = {**one, **newer}
    return other if found == other else found


@dataclass(frozen=True, slots=True)
class Write:
    """The last write to a word."""

    by: tuple[int, int]
    time: int
    clock: Clock
    pc: int
    updates: bool = False       # by a thread, of a value that its line has loaded before


@dataclass(frozen=True, slots=True)
class Read:
    """A read by a thread."""

    time: int
    pc: int
    place: str


@dataclass(slots=True)
class Word:
    """What has become of a word of a node's memory."""

    write: Write | None = None
    older: tuple[Write, ...] = ()               # by handlers that nothing orders before the last write
    mine: Write | None = None                   # the thread's last one that must have an order
    read: Read | None = None    # the thread's last one that must have an order
    unseen: tuple[tuple[int, int], int, Write] | None = None    # a handler and its start: it has read this write, which
                                                # nothing else orders
    parts: list[Word] | None = None             # its bytes, once one of them has been accessed alone


@dataclass(frozen=True)
class Race:
    """Two accesses to a word that nothing orders."""

    node: int
    address: int
    handler: int                # pc
    thread: int                 # pc
    what: str                   # a key of report.WHAT


@dataclass(frozen=True, slots=True)
class Use:
    """What an instruction does."""

    bytes: int
    loads: bool
    stores: bool
    own: bool                   # the program's own code, and not a library's
    place: str = ""             # its line
    waits: bool = False
    by: int = 0                 # in a line that waits: the instruction that does, next to this one


class Job:
    """The accesses of a job on all nodes."""

    def __init__(self) -> None:
        self.actors: dict[tuple[int, int], Actor] = {}
        self.words: dict[tuple[int, int], Word] = {}
        self.sent: dict[tuple[int, int], tuple[tuple[int, int], int, Clock]] = {}
        self.handler: dict[int, tuple[int, int]] = {}           # by node: actor, and when it began
        self.waited: set[tuple[int, int]] = set()               # words for which a thread waits
        self.waited_by: dict[int, set[int]] = {}                # addresses, by the instruction that waits
        self.beside: dict[tuple[int, int], set[tuple[int, int]]] = {}   # words, by an instruction beside one that waits
        self.updates: set[tuple[int, int]] = set()              # words of which a thread's change may lose a handler's
        self.found: dict[Race, int] = {}                        # and how often

    def _actor(self, node: int, source: int) -> Actor:
        return self.actors.setdefault((node, source), Actor((node, source)))

    def _now(self, node: int, in_handler: bool) -> Actor:
        return self._actor(node, self.handler.get(node, (node, 0))[0]) if in_handler else self._actor(node, THREAD)

    # ---- Messages -------------------------------------------------------------

    def launch(self, time: int, node: int, in_handler: bool, message: tuple[int, int]) -> None:
        actor = self._now(node, in_handler)
        self.sent[message] = actor.key, time, actor.clock

    def begin(self, time: int, node: int, message: tuple[int, int]) -> None:
        """A handler begins. It knows what its message's sender knew, and no more of its own thread."""
        self.handler[node] = message[0], time
        if message in self.sent:
            self._actor(node, message[0]).learns(*self.sent[message])

    def dispose(self, node: int, in_handler: bool, message: tuple[int, int]) -> None:
        if message in self.sent:
            self._now(node, in_handler).learns(*self.sent.pop(message))

    # ---- Accesses -------------------------------------------------------------

    def access(self, time: int, node: int, in_handler: bool, in_section: bool, pc: int, address: int, use: Use) -> None:
        actor = self._now(node, in_handler)
        for at, word in self._parts(node, address, use.bytes):
            if in_handler:
                self._handles(time, actor, word, at, pc, use)
            else:
                self._thread(time, actor, word, at, pc, use, use.own and not in_section)

    def _parts(self, node: int, address: int, count: int) -> Iterator[tuple[int, Word]]:
        """The words at an address, or their bytes if they have been accessed apart."""
        for at in range(address & -WORD, address + count, WORD):
            word = self.words.get((node, at))
            if word is None:
                word = self.words[node, at] = Word()
            if count < WORD and not word.parts:
                word.parts = [Word(word.write, word.older, word.mine, word.read, word.unseen) for _ in range(WORD)]
            if word.parts:
                for byte in range(max(at, address), min(at + WORD, address + count)):
                    yield byte, word.parts[byte - at]
            else:
                yield at, word

    def _note(self, node: int, address: int, handler: int, thread: int, what: str) -> None:
        race = Race(node, address, handler, thread, what)
        self.found[race] = self.found.get(race, 0) + 1

    def _thread(self, time: int, actor: Actor, word: Word, address: int, pc: int, use: Use, free: bool) -> None:
        node = actor.key[0]
        new = [write for write in (*word.older, word.write)
               if write and write.by[1] != THREAD and not actor.knows(write.by, write.time)]
        if free and use.waits:
            self.waited.add((node, address))
            self.waited_by.setdefault(pc, set()).add(address)
        elif free and use.by:
            self.beside.setdefault((pc, use.by), set()).add((node, address))
        if free and not use.waits:
            for write in new:
                self._note(node, address, write.pc, pc, "reads" if use.loads else "writes")
        if use.loads:
            for write in new:
                actor.learns(write.by, write.time, write.clock)
            if free and not use.waits:
                word.read = Read(time, pc, use.place)
        if use.stores:
            updates = word.read is not None and word.read.place == use.place and not use.loads
            word.write, word.older = Write(actor.key, time, actor.clock, pc), ()
            word.mine = Write(actor.key, time, actor.clock, pc, updates) if free else None

    def _handles(self, time: int, actor: Actor, word: Word, address: int, pc: int, use: Use) -> None:
        node, write = actor.key[0], word.write
        began = self.handler.get(node, (0, 0))[1]
        if use.stores and use.own:
            seen = word.unseen[2] if word.unseen and word.unseen[:2] == (actor.key, began) else None
            last = seen or word.mine
            if last and (seen or not actor.knows(last.by, last.time)):
                self._note(node, address, pc, last.pc, "both")
                if last.updates:
                    self.updates.add((node, address))
                word.mine = None
            if word.read and not actor.knows((node, THREAD), word.read.time):
                self._note(node, address, pc, word.read.pc, "overwrites")
                word.read = None
        if use.loads and write:
            mine = word.mine
            word.unseen = None
            if not actor.knows(write.by, write.time):
                if mine and mine.time == write.time:
                    word.unseen = actor.key, began, mine
                actor.learns(write.by, write.time, write.clock)
            for one in word.older:
                actor.learns(one.by, one.time, one.clock)
        if use.stores:
            # No thread of the node runs before the handler has ended: who knows of its beginning knows of all of it.
            if write:
                word.older = tuple(one for one in (*word.older, write)
                                   if one.by[1] != THREAD and not actor.knows(one.by, one.time))
            word.write, word.unseen = Write(actor.key, began, actor.clock, pc), None

    # ---- What is left ---------------------------------------------------------

    def races(self) -> dict[Race, int]:
        """The races, and how often each was seen. A word for which a thread waits may change meanwhile."""
        waits = {}
        for (pc, by), words in self.beside.items():
            # The loop need not go round: then any word is that for which its line waits.
            waits[pc] = {word for word in words if word[1] in self.waited_by.get(by, {word[1]})}
            self.waited |= waits[pc]
        return {race: times for race, times in self.found.items()
                if (race.node, race.address) not in waits.get(race.thread, ())
                and (race.what in ("reads", "writes") or (race.node, race.address) not in self.waited
                     or (race.what == "both" and (race.node, race.address) in self.updates))}


def jobs(records: Iterable[tuple[int, int, int, int, int, int]], uses: dict[int, dict[int, Use]],
         is_own: Callable[[int, int], bool], kinds: dict[str, int], flags: dict[str, int]) -> dict[int, Job]:
    """The jobs by GID, from the records of the log (hw/observe/races.h), and from what each instruction does.

    is_own(gid, pc): whether an instruction that copies a body is the program's own code.
    """
    found: dict[int, Job] = {}
    handler, section = flags["HANDLER"], flags["SECTION"]
    access, load, store = kinds["ACCESS"], kinds["GATHER"], kinds["STOREBACK"]
    bodies = {(kind, own): Use(WORD, kind == load, kind == store, own) for kind in (load, store) for own in (False, True)}
    launch, begin = kinds["LAUNCH"], kinds["BEGIN"]
    for time, (kind, where, node, gid, at, what) in enumerate(records):
        job = found.get(gid)
        if job is None:
            job = found[gid] = Job()
        if kind in (access, load, store):
            use = uses.get(gid, {}).get(at) if kind == access else bodies[kind, is_own(gid, at)]
            if use:
                job.access(time, node, bool(where & handler), bool(where & section), at, what, use)
        elif kind == launch:
            job.launch(time, node, bool(where & handler), (at, what))
        elif kind == begin:
            job.begin(time, node, (at, what))
        else:
            job.dispose(node, bool(where & handler), (at, what))
    return found

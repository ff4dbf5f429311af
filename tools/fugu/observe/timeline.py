"""The file of a timeline, for Perfetto: its head, then the events of each process of the machine. A page has it inside.

QEMU writes the events (hw/observe/timeline.c). They refer to clocks, tracks and names by number; the head has those.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from ..abi import PERFETTO, REGS, ROUNDS, SEEN
from ..run.writable import CannotWrite
from . import names, page, proto
from .figures import Figures
from .programs import Programs
from .request import PAGE

COMPRESSION = 6                 # of gzip
HEAD_SEQUENCE = 1               # the head's own

TRACKS = {"RUNS": "runs", "NI": "network interface", "SECTION": "atomic sections"}


@dataclass(frozen=True)
class Part:
    """The tracks of a message part, by kind of network interface: more of them, one for each job, counters."""

    tracks: dict[str, str]
    of_job: str
    counters: dict[str, tuple[str, str]]


PARTS = {REGS["NETIF_FUGU"]: Part({}, "mode of", {"QUEUE": ("input queue", "words"), "SPACE": ("source space", "words"),
                                                  "PAGES": ("message buffers", "pages")}),
         REGS["NETIF_SHRIMP"]: Part({"ENGINE": "engine"}, "waits of", {
             "OUTGOING": ("Outgoing FIFO", "words"), "QUEUE": ("Incoming FIFO", "words"), "SPACE": ("credits", "words")}),
         REGS["NETIF_M_MACHINE"]: Part({"SLOT": "message slot 0", "SLOT_1": "message slot 1"}, "", {
             "QUEUE": ("input queue, priority 0", "words"), "URGENT_QUEUE": ("input queue, priority 1", "words"),
             "SPACE": ("source space, priority 0", "words"), "URGENT_SPACE": ("source space, priority 1", "words")})}


def write(file: str, folder: Path, found: Figures, known: Programs, nodes: Sequence[int], facts: dict[str, Any]) -> None:
    """Writes the timeline of these nodes, or of all. `facts` are what a page needs. CannotWrite."""
    try:
        with _opened(file, facts) as out:
            for process, codes in found.codes.items():
                for packet in _head(process, codes, found, known, nodes or found.nodes):
                    out.write(_message("TRACE", PACKET=packet))
                with open(folder / f"timeline.{process}", "rb") as events:
                    shutil.copyfileobj(events, out, 1 << 20)
    except OSError as error:
        raise CannotWrite(f"--timeline {file}: the file cannot be written: {error.strerror}.") from None


def _opened(file: str, facts: dict[str, Any]) -> page.Page | IO[bytes]:
    if file.lower().endswith(PAGE):
        return page.Page(file, facts)
    if file.endswith(".gz"):
        return cast(IO[bytes], gzip.open(file, "wb", COMPRESSION))
    return open(file, "wb")


def counters(netif: int) -> dict[str, tuple[str, str]]:
    """The counters of a message part, by their tracks: name and unit."""
    part = PARTS.get(netif)
    return part.counters if part else {}


# ---- the head ------------------------------------------------------------------------

def _head(process: int, codes: dict[int, tuple[int, int]], found: Figures, known: Programs,
          nodes: Sequence[int]) -> Iterator[bytes]:
    """The packets before the events of a process."""
    here = [node for node in found.process_nodes[process] if node in nodes]
    interned = _interned(codes, known)
    for node in here:
        yield _clock(SEEN["SEQUENCE_NODE"] + node)
        yield _names(SEEN["SEQUENCE_NODE"] + node, interned)
        yield from _tracks(node, known, found.netif)
    yield _clock(SEEN["SEQUENCE_PROCESS"] + process)
    yield _names(SEEN["SEQUENCE_PROCESS"] + process, b"")
    where = f" to nodes {here[0]} to {here[-1]}" if len(found.codes) > 1 and here else ""
    yield _track(SEEN["TRACK_FLIGHT"] + process, f"messages in flight{where}", counter="messages")


def _message(name: str, **fields: proto.Value) -> bytes:
    """A message of Perfetto's format, with these fields."""
    return proto.message((PERFETTO[f"{name}_{field}"], value) for field, value in fields.items())


def _clock(sequence: int) -> bytes:
    """Relates the clocks of a sequence to the trace's clock: one counts cycles from its last packet on, the other one
    from the machine's start."""
    trace = PERFETTO["BOOT_TIME"]
    boot = _message("CLOCKS", CLOCK=_message("CLOCK", ID=trace, TIME=0))
    cycles = _message("CLOCK", ID=SEEN["CLOCK_CYCLES"], TIME=0, INCREMENTAL=1, NS=ROUNDS["CYCLE_NS"])
    late = _message("CLOCK", ID=SEEN["CLOCK_LATE"], TIME=0, NS=ROUNDS["CYCLE_NS"])
    clocks = _message("CLOCKS", CLOCK=cycles) + _message("CLOCKS", CLOCK=late, PRIMARY=trace)
    return _message("PACKET", CLOCKS=boot + clocks, SEQUENCE=sequence)


def _names(sequence: int, interned: bytes) -> bytes:
    """Begins a sequence: all its names, and its clock."""
    return _message("PACKET", INTERNED=interned, SEQUENCE=sequence, FLAGS=PERFETTO["FLAGS_FIRST"],
                    DEFAULTS=_message("DEFAULTS", CLOCK=SEEN["CLOCK_CYCLES"]))


def event_names(codes: dict[int, tuple[int, int]], known: Programs) -> dict[int, str]:
    """The names of events by number; `codes` has GID and address of each handler."""
    types = SEEN["NAME_WAIT"] - SEEN["NAME_TRAP"]       # all that there are: a program may use any `ta`
    found = {SEEN["NAME_TRAP"] + tt: f"kernel: {names.trap(tt)}" for tt in range(types)}
    found |= {SEEN["NAME_WAIT"] + why: name for why, name in enumerate(names.waits())}
    found |= {SEEN["NAME_MODE"] + number: f"buffered: {cause}" for number, cause in enumerate(names.causes())}
    found |= {SEEN["NAME_JOB"] + gid: known.job(gid) for gid in range(SEEN["SEEN_GIDS"])}
    found |= {SEEN["NAME_UPDATE"] + REGS[f"NIPT_{mode}"]: text for mode, text in UPDATES.items()}
    found |= {SEEN[f"NAME_{name}"]: text for name, text in EVENTS.items()}
    return found | {number: known.event(gid, address) for number, (gid, address) in codes.items()}


EVENTS = {"START": "kernel: start", "LAUNCH": "launch", "ARRIVAL": "arrival", "BLOCKED": "blocked",
          "ACCEPTED": "accepted", "INSERTED": "into the buffer", "DISPOSED": "disposed", "DROPPED": "dropped",
          "SECTION": "atomic section", "MERGED": "store", "STORED": "in memory", "ENGINE": "deliberate update",
          "SLOT": "message slot 0", "SLOT_1": "message slot 1", "HELD": "held: another context runs", "FAULT": "at fault",
          "UPCALL": "upcall", "BUFFERED": "buffered"}
UPDATES = {"SINGLE": "update: single", "BLOCKED": "update: blocked", "DELIBERATE": "update: deliberate"}
ARGUMENTS = {"TO": "to", "WORDS": "words", "BYTES": "body bytes", "HANDLER": "handler", "SOURCE": "from address",
             "ADDRESS": "to address", "DATA": "bytes", "NETWORK": "network"}
PATHS = {"FAST": "fast", "BUFFERED": "buffered"}


def _interned(codes: dict[int, tuple[int, int]], known: Programs) -> bytes:
    def texts(field: str, found: dict[int, str]) -> bytes:
        return b"".join(_message("INTERNED", **{field: _message("NAME", NUMBER=number, TEXT=text)})
                        for number, text in found.items())

    all_names = event_names(codes, known)
    return texts("CATEGORY", {SEEN[f"PATH_{name}"]: text for name, text in PATHS.items()}) + \
        texts("NAME", all_names) + \
        texts("ARGUMENT", {SEEN[f"ARGUMENT_{name}"]: text for name, text in ARGUMENTS.items()}) + \
        texts("TEXT", {number: all_names[number] for number in codes} |
              {SEEN["NAME_NETWORK"] + number: name for number, name in enumerate(names.networks())})


# ---- tracks --------------------------------------------------------------------------

def uuid(node: int, track: str, more: int = 0) -> int:
    """The number of a node's track."""
    return SEEN["TRACK_NODE"] * (node + 1) + SEEN[f"TRACK_{track}"] + more


def _tracks(node: int, known: Programs, netif: int) -> Iterator[bytes]:
    """A node's tracks. `netif`: the kind of its network interface."""
    part = PARTS.get(netif, Part({}, "", {}))
    group = uuid(node, "GROUP")
    yield _track(group, f"node {node}", rank=node, ordered=True)
    rank = 0
    for name, text in (TRACKS | part.tracks).items():
        yield _track(uuid(node, name), text, parent=group, rank=(rank := rank + 1))
    for gid, job in known.jobs.items() if part.of_job else ():
        yield _track(uuid(node, "MODE", gid), f"{part.of_job} job {gid} {job}", parent=group, rank=(rank := rank + 1))
    for name, (text, unit) in part.counters.items():
        yield _track(uuid(node, name), text, parent=group, rank=(rank := rank + 1), counter=unit)


def _track(number: int, name: str, parent: int = 0, rank: int = 0, counter: str = "", ordered: bool = False) -> bytes:
    fields: dict[str, proto.Value] = {"UUID": number, "NAME": name}
    if parent:
        fields["PARENT"] = parent
    if counter:
        fields["COUNTER"] = _message("COUNTER", UNIT=counter)
    if ordered:
        fields["ORDER"] = PERFETTO["ORDER_EXPLICIT"]
    if rank:
        fields["RANK"] = rank
    return _message("PACKET", TRACK=_message("TRACK", **fields), SEQUENCE=HEAD_SEQUENCE)

"""What the log of a run shows, in lines: each pair of lines of the program that race, with the words."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from ...abi import PROCESS, SEEN
from ...build.everything import up_to_date
from ...errors import SetupError, UsageError
from ..programs import Program, Programs
from . import accesses, order, places

RECORD = struct.Struct("=BBHIII")
CHUNK = RECORD.size << 16
PAIRS_MOST = 20             # pairs of lines that are printed
WORDS_MOST = 3              # words of a pair

# What a thread does with a word that a handler writes.
WHAT = {"reads": "a thread reads what a handler has written, and nothing says that it was there",
        "writes": "a thread overwrites what a handler has written, and has not seen it",
        "overwrites": "a handler overwrites what a thread reads, and nothing says that the thread has read it",
        "both": "a handler and a thread both change it"}


def access_lines(programs: Programs) -> Iterator[str]:
    """Lines of the plan (hw/observe/plan.h)."""
    yield "races"
    for gid, program in programs.by_gid.items():
        if gid in programs.jobs:
            for one in accesses.of(program.file):
                yield f"access {gid} {one.address} {one.rs1} {one.rs2} {one.offset}"


def places_of(programs: Programs) -> dict[int, places.Places]:
    """The lines of each job's program. UsageError if a program has none of its own, SetupError."""
    objdump = Path(up_to_date(["guest"])["guest"]["toolchain"], "bin", "sparc-elf-objdump")
    known = {gid: places.read(Path(program.path), objdump) for gid, program in programs.by_gid.items() if gid in programs.jobs}
    for gid, found in known.items():
        if gid != PROCESS["GID_SERVER"] and not found.starts:
            raise UsageError(f"--check races finds no lines of {programs.jobs[gid]}: it has no debugging information.\n"
                             "Build it with -g, and do not strip it.")
    return known


def lines(log: Path, programs: Programs, known: dict[int, places.Places]) -> list[str]:
    """What was found; empty if no races were. SetupError."""
    uses = {gid: _uses(programs.by_gid[gid], known[gid]) for gid in known}

    def own(gid: int, pc: int) -> bool:
        return gid in known and bool(known[gid].of(pc))

    kinds = {name: SEEN[f"RACE_{name}"] for name in ("ACCESS", "GATHER", "STOREBACK", "LAUNCH", "BEGIN", "DISPOSE")}
    flags = {name: SEEN[f"RACE_IN_{name}"] for name in ("HANDLER", "SECTION")}
    found: list[str] = []
    for gid, job in sorted(order.jobs(_records(log), uses, own, kinds, flags).items()):
        if gid in known:
            found += _pairs(job, programs.by_gid[gid], known[gid])
    return found


def _uses(program: Program, known: places.Places) -> dict[int, order.Use]:
    """What each instruction does. A compiler tests a loop's condition before the loop too: other loads of its line may wait."""
    waits = accesses.waits(program.file, lambda address: bool(known.of(address)))
    beside: dict[str, list[int]] = defaultdict(list)
    for address in waits:
        beside[known.of(address)].append(address)
    found = {}
    for one in accesses.of(program.file):
        place = known.of(one.address)
        loads_alone = one.loads and not one.stores
        by = min(beside.get(place, [0]), key=lambda address: abs(address - one.address)) if loads_alone else 0
        found[one.address] = order.Use(one.bytes, one.loads, one.stores, bool(place), place, one.address in waits,
                                       by * (by != one.address))
    return found


def _records(log: Path) -> Iterator[tuple[int, int, int, int, int, int]]:
    try:
        with log.open("rb") as file:
            while data := file.read(CHUNK):
                yield from RECORD.iter_unpack(data)
    except (OSError, struct.error) as error:
        raise SetupError(f"the log of accesses cannot be read: {error}") from None


def _often(times: int) -> str:
    return "once" if times == 1 else f"{times} times"


def _pairs(job: order.Job, program: Program, known: places.Places) -> list[str]:
    """One entry of lines for each pair of lines of the program and what they do."""
    pairs: dict[tuple[str, str, str], list[order.Race]] = defaultdict(list)
    times: dict[tuple[str, str, str], int] = defaultdict(int)
    for race, often in job.races().items():
        pair = race.what, known.of(race.handler) or program.function(race.handler), \
            known.of(race.thread) or program.function(race.thread)
        pairs[pair].append(race)
        times[pair] += often
    found = []
    for (what, handler, thread), races in list(pairs.items())[:PAIRS_MOST]:
        words = [f"node {race.node}: {program.variable(race.address)}" for race in races[:WORDS_MOST]]
        left = len(races) - WORDS_MOST
        more = [f"{left} more word{'s' * (left > 1)}"] if left > 0 else []
        found += [f"{program.name}: {WHAT[what]} ({_often(times[what, handler, thread])})",
                  f"  handler: {handler} in {program.function(races[0].handler)}",
                  f"  thread:  {thread} in {program.function(races[0].thread)}",
                  f"  {', '.join([*words, *more])}"]
    if len(pairs) > PAIRS_MOST:
        found.append(f"... and {len(pairs) - PAIRS_MOST} more pairs of lines")
    return found

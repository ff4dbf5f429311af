"""SHRIMP: instructions of message-passing primitives, latency and bandwidth of updates and of typed messages.

    primitives      instructions of the primitives of its table 1, step by step
    bursts          stores one after the other: the Outgoing FIFO and its threshold

The paper's numbers are in paper.json.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from ...errors import SetupError
from ...paths import build_dir
from .._command import run_programs
from .._table import Compared, Number
from ..runs.extent import FULL, Extent
from ..runs.sweep import Job, outputs
from . import bursts, primitives

SHRIMP_PAPER = json.loads(Path(__file__).with_name("paper.json").read_text())
OVERHEAD = SHRIMP_PAPER["software_overhead_instructions"]
NODES = SHRIMP_PAPER["latency_nodes"]
SIDE = 4                # of its mesh
MHZ = 25                # cycles of a microsecond
BYTES = 1 << 20         # of a large transfer
STORES = 10_000         # of a burst

# The machines: the default one, and one at the pace of the paper's hardware, whose bottleneck is the receiver's bus.
MACHINES: dict[str, dict[str, int]] = {
    "default": {"mesh-base": 64, "mesh-hop": 2, "mesh-word": 4, "incoming-word": 1},
    "paper's pace": {"quantum": 32, "mesh-base": 32, "mesh-hop": 1, "mesh-word": 1, "incoming-word": 3},
}
DEFAULT, PACE = MACHINES
CASES = ("bandwidth", "compute", "compute-single", "single", "blocked")
SINGLE_WORDS = 4        # of a packet with one word: docs/machine.md, "Packets and FIFOs"

# Limits of this project.
MORE = 1.25             # of the paper's instructions: a check here is a load, a test and a branch
EXACT = "double buffering (case 1)"
NX = "csend and crecv"
LATENCY = 45            # cycles at most, at the paper's pace
BANDWIDTH = {DEFAULT: (22.7, 25.0), PACE: (33.0, 33.34)}    # MB/s, least and most
LINK = 1.02             # of the link's time that a burst may take
WORK = 10_000_000       # cycles of all nodes, about
LIMIT = "100M"
# Rows whose code lies in the cache by chance, or is the kernel's. All others are the same whatever the compiler does.
LENGTHS = (0, 4, 64, 248, 1024, 4096, 16384)        # bytes of messages by csend()
INEXACT = (*(f"{length:,} bytes" for length in LENGTHS), "stream of 1 MiB, MB/s", "alone", "while 100,000 words arrive", "single-write", "blocked-write", "interrupts of the threshold",
           "most words in the Outgoing FIFO")
LATENCY_LINE = re.compile(r"^latency (\d+) (\d+) (\d+)$", re.MULTILINE)


def main(words: list[str]) -> int:
    """Measures and shows the table."""
    return run_programs("shrimp", measure, words)


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the table needs."""
    del extent
    return [*(_latency_job(machine) for machine in MACHINES),
            *(_job(machine, case) for machine in MACHINES for case in CASES), *(_typed_job(machine) for machine in MACHINES)]


def measure(extent: Extent = FULL) -> Compared:
    """Measures all rows. SetupError."""
    found = outputs(list(jobs(extent)), extent.fresh)
    result = Compared("SHRIMP: instructions of primitives; latency and bandwidth of updates", list(MACHINES),
                      source="SHRIMP paper", publication=SHRIMP_PAPER["source"], paper=SHRIMP_PAPER["name"])
    _instructions(result)
    for machine in MACHINES:
        _judge_latency(result, machine, _latencies(found[_latency_job(machine)]))
    _latency_rows(result, {machine: _latencies(found[_latency_job(machine)]) for machine in MACHINES})
    _typed_rows(result, {machine: found[_typed_job(machine)] for machine in MACHINES})
    _transfers(result, {(machine, case): found[_job(machine, case)] for machine in MACHINES for case in CASES})
    result.notes = [
        "Instructions: executed step by step, with addresses in registers and without waiting; copying itself does not "
        "count, but for that of csend and crecv, whose message is a word. They are the same on both machines.",
        f"{PACE}: {' '.join(_options(PACE))}.",
        "A store to a page that is mapped out takes as long as one that hits the cache (--write-through 0).",
        f"Latency: from the end of a single-write store to memory, all {NODES * (NODES - 1)} pairs of {NODES} nodes.",
    ]
    return result


# ---- table 1 ---------------------------------------------------------------------

def _instructions(result: Compared) -> None:
    for name, (source, destination) in primitives.counted().items():
        paper = OVERHEAD[name]
        for side, rows in (("source", source), ("destination", destination)):
            for row, count in rows.items():
                result.row(name, f"{side}: {row}", {DEFAULT: count}, {})
        sums = {"source": sum(source.values()), "destination": sum(destination.values())}
        for side, count in (*sums.items(), ("total", sum(sums.values()))):
            result.row(name, side, {DEFAULT: count}, {DEFAULT: paper[side]})
        total = sum(sums.values())
        ours = f"{total} ({sums['source']}+{sums['destination']})"
        if name == EXACT:
            result.claim("", f"{name.capitalize()}: at most {paper['total']} instructions, one on each side.", ours,
                         sums == {"source": 1, "destination": 1})
        else:
            result.aim("", f"{name.capitalize()}: at most {MORE} times the paper's {paper['total']} instructions "
                       f"({paper['source']}+{paper['destination']}).", ours, total <= MORE * paper["total"])
    most = SHRIMP_PAPER["without_csend_and_crecv_at_most"]
    totals = {row["group"]: row["ours"][DEFAULT] for row in result.rows if row["row"] == "total"}
    others = max(total for group, total in totals.items() if group != NX)
    result.claim("", f"Each of these primitives but csend and crecv takes at most {most} instructions.", f"{others} at most",
                 others <= most)
    limit = SHRIMP_PAPER["csend_and_crecv_each_below"]
    both = [row["ours"][DEFAULT] for row in result.rows if row["group"] == NX and row["row"] in ("source", "destination")]
    result.claim("", f"csend and crecv take less than {limit} instructions each.", " and ".join(map(str, both)),
                 max(both) < limit)


# ---- latency -----------------------------------------------------------------------

Latencies = Mapping[tuple[int, int], int]


def _latencies(text: str) -> Latencies:
    found = {(int(source), int(target)): int(cycles) for source, target, cycles in LATENCY_LINE.findall(text)}
    if len(found) != NODES * (NODES - 1):
        raise SetupError(f"the latency of {len(found)} pairs was measured, not of {NODES * (NODES - 1)}:\n{text}")
    return found


def formula(machine: str, source: int, target: int) -> int:
    """The cycles of a store of a word, as docs/machine.md has them ("Times of an update")."""
    hops = abs(source % SIDE - target % SIDE) + abs(source // SIDE - target // SIDE)
    costs = MACHINES[machine]
    return costs["mesh-base"] + hops * costs["mesh-hop"] + SINGLE_WORDS * costs["mesh-word"] + costs["incoming-word"]


def _latency_rows(result: Compared, found: Mapping[str, Latencies]) -> None:
    for name, pick in (("least", min), ("most", max)):
        result.row("latency of a store, cycles", name, {machine: pick(one.values()) for machine, one in found.items()}, {})
    result.row("latency of a store, microseconds", "most",
               {machine: round(max(one.values()) / MHZ, 2) for machine, one in found.items()},
               {PACE: SHRIMP_PAPER["latency_us"]})


def _judge_latency(result: Compared, machine: str, found: Latencies) -> None:
    same = sum(cycles == formula(machine, *pair) for pair, cycles in found.items())
    result.aim(machine, "The latency between two nodes is that of the formula in machine.md (within 0 cycles).",
               f"for {same} of {len(found)} pairs", same == len(found))
    if machine == PACE:
        most = max(found.values())
        limit = SHRIMP_PAPER["latency_us"]
        result.claim(machine, f"The latency on {NODES} nodes is less than {limit} microseconds.",
                     f"{most / MHZ:.2f} at most", most / MHZ < limit)
        result.aim(machine, f"The latency on {NODES} nodes is at most {LATENCY} cycles.", f"{most}", most <= LATENCY)


# ---- typed messages ----------------------------------------------------------------

def _typed_rows(result: Compared, texts: Mapping[str, str]) -> None:
    def number(machine: str, what: str) -> int:
        match = re.search(f"^typed {what}: (\\d+)$", texts[machine], re.MULTILINE)
        if not match:
            raise SetupError(f"{_typed_job(machine)} did not print {what}:\n{texts[machine]}")
        return int(match[1])
    for length in LENGTHS:
        result.row("csend to crecv, cycles", f"{length:,} bytes",
                   {machine: number(machine, str(length)) for machine in MACHINES}, {})
    result.row("csend to crecv", "stream of 1 MiB, MB/s",
               {machine: round(BYTES / number(machine, "stream of 1 MiB") * MHZ, 2) for machine in MACHINES}, {})


# ---- many updates ------------------------------------------------------------------

def _transfers(result: Compared, texts: Mapping[tuple[str, str], str]) -> None:
    def number(machine: str, case: str, what: str) -> int:
        match = re.search(f"^transfers {re.escape(what)}: (\\d+)$", texts[machine, case], re.MULTILINE)
        if not match:
            raise SetupError(f"{_job(machine, case)} did not print {what}:\n{texts[machine, case]}")
        return int(match[1])
    rates = {machine: BYTES / number(machine, "bandwidth", "cycles of 1 MiB") * MHZ for machine in MACHINES}
    peak = SHRIMP_PAPER["peak_bandwidth_MB_s"]
    result.row("deliberate update of 1 MiB", "MB/s", {machine: round(rate, 2) for machine, rate in rates.items()},
               {PACE: peak})
    for machine, (least, most) in BANDWIDTH.items():
        judge = result.claim if machine == PACE else result.aim
        judge(machine, f"The peak bandwidth is at least {least} MB/s, and at most {most}.", f"{rates[machine]:.2f}",
              least <= rates[machine] <= most)
    for case, what in (("compute", "by deliberate update"), ("compute-single", "by single-write")):
        both = {machine: (number(machine, case, "cycles of computing alone"),
                          number(machine, case, "cycles at most while words arrive")) for machine in MACHINES}
        for k, row in enumerate(("alone", "while 100,000 words arrive")):
            result.row(f"computing, cycles: words {what}", row, {machine: one[k] for machine, one in both.items()}, {})
        for machine, (alone, beside) in both.items():
            result.claim(machine, f"Words that arrive {what} cost a receiver that computes at most 0 cycles more.",
                         f"{beside - alone} more", beside == alone)
    _bursts(result, {(machine, case): number(machine, case, "cycles of 10,000 stores")
                     for machine in MACHINES for case in ("single", "blocked")})


def _bursts(result: Compared, took: Mapping[tuple[str, str], int]) -> None:
    group = f"{STORES:,} stores, cycles"
    for case, row in (("single", "single-write"), ("blocked", "blocked-write")):
        ours: dict[str, Number] = {machine: took[machine, case] for machine in MACHINES}
        result.row(group, row, ours, {})
    seen = bursts.burst()
    result.row(group, "interrupts of the threshold", {DEFAULT: seen.interrupts}, {})
    result.row(group, "most words in the Outgoing FIFO", {DEFAULT: seen.words}, {})
    link = STORES * SINGLE_WORDS * MACHINES[DEFAULT]["mesh-word"]
    single, blocked = took[DEFAULT, "single"], took[DEFAULT, "blocked"]
    result.aim(DEFAULT, f"A burst of single writes takes the link's time (within {LINK - 1:.0%}).",
               f"{single:,} for {link:,}", link <= single <= LINK * link)
    result.aim(DEFAULT, f"A burst of single writes interrupts at least once, with at most {bursts.FIFO:,} words in the FIFO.",
               f"{seen.interrupts} times, {seen.words} words", 0 < seen.interrupts and seen.words <= bursts.FIFO)
    result.aim(DEFAULT, "With blocked-write a burst takes less than half of that time.", f"{blocked / single:.2f} of it",
               2 * blocked < single)


# ---- runs --------------------------------------------------------------------------

def _options(machine: str) -> tuple[str, ...]:
    """The options that differ from the default machine's."""
    if machine == DEFAULT:
        return ()
    return tuple(word for name, value in MACHINES[machine].items() for word in (f"--{name}", str(value)))


def _program(name: str) -> str:
    return str(build_dir() / "tests" / "paper" / f"shrimp-{name}.elf")


def _latency_job(machine: str) -> Job:
    return Job(_program("latency"), (), (*primitives.OPTIONS, "--nodes", str(NODES), "--timeout", LIMIT, *_options(machine)),
               NODES * WORK)


def _typed_job(machine: str) -> Job:
    return Job(_program("typed"), (), (*primitives.OPTIONS, "--nodes", "2", "--timeout", LIMIT, *_options(machine)), WORK)


def _job(machine: str, case: str) -> Job:
    return Job(_program("transfers"), (case,),
               (*primitives.OPTIONS, "--nodes", "2", "--timeout", LIMIT, *_options(machine)), WORK)

"""What the M-Machine's paper claims of interfaces and ways of dispatch, and whether it holds here.

Ratios and shares are of the machine at the paper's pace, whose network takes no more time than the processors do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .._table import Compared
from . import glaze
from .designs import BENCHMARKS, BLOCKWRITE, DISTRIBUTE, IDLE, PING, RPC, SOFT, THREAD, Design, Seen

MM_PAPER = json.loads(Path(__file__).with_name("paper.json").read_text())
MACHINES: dict[str, dict[str, int]] = {
    "default": {},
    "paper's pace": {"mesh-base": 2, "mesh-hop": 2, "mesh-word": 1, "quantum": 2},
}
DEFAULT, PACE = MACHINES
LATENCIES = {DEFAULT: (64, 2, 4), PACE: (2, 2, 1)}      # base, hop, word
PINS = (0, 1, 2, 4, 8, 16, 32)          # values of --pin-cycles
MEMORY = ("memory-buffered", "memory-streaming")
M_MACHINE, BUFFERED, STREAMING = "m-machine", "register-buffered", "register-streaming"
ABOUT = 0.25            # a number that is "about" another one is within this share of it
POINTS = 0.1            # and a share within this
SIMILAR = 0.1
ALIKE = 0.02            # under Glaze, and on the bare machine
SHUT_OUT, GOES_ON = 0.01, 0.25      # the share of cycles of a program that gets none, and of one that gets on
LOOP = 5                # cycles of a turn of nullmsg's loop
# Cycles of instructions (docs/machine.md), for the sum of blockwrite's handlers.
JUMP, MOVE, STORE = 3, 1, 3


@dataclass(frozen=True)
class Measured:
    """All that was measured."""

    null: Mapping[str, Mapping[str, tuple[int, int]]]       # by machine, "waiting" or "busy": least and most
    designs: Mapping[str, Mapping[str, Design]]             # by machine and interface
    pins: Mapping[int, Mapping[str, Design]]                # by --pin-cycles and interface, at the paper's pace
    glaze: Mapping[str, Mapping[str, tuple[int, int]]]      # by machine and benchmark, or NULL: least and most

    def at_pace(self, interface: str, dispatch: str, benchmark: str) -> Seen:
        """A benchmark at the paper's pace."""
        return self.designs[PACE][interface][dispatch, benchmark]


def null_rows(machine: str) -> dict[str, int]:
    """The rows of a null round trip between neighbours whose main contexts wait; their sum is in the last one."""
    base, hop, word = LATENCIES[machine]
    dispatch = MM_PAPER["dispatch_cycles"]
    flight = base + hop + 2 * word
    dest = max(dispatch + MOVE, word)
    rows = {"SEND": 1, "header and handler to the other node": flight, "dispatch, until DestAddr is taken": dest,
            "reply's address, and SEND": max(dest + 1, 2 * word) - dest + 1, "header and handler back": flight, "dispatch": dispatch}
    return rows | {"together": sum(rows.values())}


def judge(result: Compared, measured: Measured) -> None:
    """Adds all claims."""
    _null(result, measured)
    _dispatch(result, measured)
    _mapping(result, measured)
    _streaming(result, measured)
    _walk(result, measured)
    _blockwrite(result, measured)
    _glaze(result, measured)


def _null(result: Compared, measured: Measured) -> None:
    least, most = measured.null[PACE]["waiting"]
    limit = MM_PAPER["null_round_trip_cycles"]
    result.claim("", f"A complete round-trip null message takes {limit} cycles, or less.", f"{least}", most <= limit)
    for machine in MACHINES:
        least, most = measured.null[machine]["waiting"]
        result.aim(machine, "Its rows add up, and each of 1,000 round trips takes as long (within 0 cycles).",
                   f"{null_rows(machine)['together']}; {least} to {most}", least == most == null_rows(machine)["together"])
    waiting, busy = (measured.null[PACE][what][1] for what in ("waiting", "busy"))
    result.claim("", f"A handler is dispatched {MM_PAPER['dispatch_cycles']} cycles after its word has come, and at most a turn of "
                 f"the loop of the program later ({LOOP} cycles).", f"{MM_PAPER['dispatch_cycles']}; {busy - waiting} later",
                 measured.null[PACE]["waiting"][0] == null_rows(PACE)["together"] and 0 <= busy - waiting <= LOOP)


def _dispatch(result: Compared, measured: Measured) -> None:
    service = measured.at_pace(M_MACHINE, THREAD, PING).receiver[0]
    swapped, window, polled = (measured.at_pace(M_MACHINE, way, PING).receiver[0]
                               for way in ("interrupt-hit", "window-hit", "poll-hit"))
    wanted = MM_PAPER["context_swap_of_ping_service"]
    ours = (swapped - window) / service
    result.claim("", f"To swap the 32 registers of a context upon an interrupt takes about {wanted} times the service of a ping "
                 f"(within {ABOUT:.0%}).", f"{swapped - window} cycles of 16 std and 16 ldd, {service} of service: {ours:.1f} times",
                 abs(ours - wanted) <= ABOUT * wanted)
    wanted = MM_PAPER["polling_of_ping_service_more_than"]
    result.claim("", f"With polling the receiver needs more than {wanted} times the service of a ping.",
                 f"{polled} cycles: {polled / service:.1f} times", polled > wanted * service)
    same = [benchmark for benchmark in BENCHMARKS
            if all(found["interrupt-hit", benchmark].latency == found["interrupt-miss", benchmark].latency
                   for found in measured.designs[PACE].values())]
    result.claim("", "Best and worst interrupts differ in blockwrite alone.", f"alike in {', '.join(same)}",
                 same == [one for one in BENCHMARKS if one != BLOCKWRITE])


def ratios(measured: Measured, pins: int) -> tuple[float, float]:
    """By how many times at most memory mapping takes more latency and occupancy than the M-Machine, with threads."""
    def most(what: str) -> float:
        return max(getattr(measured.pins[pins][one][THREAD, benchmark], what)[0]
                   / getattr(measured.pins[pins][M_MACHINE][THREAD, benchmark], what)[0] for one in MEMORY for benchmark in BENCHMARKS)
    return most("latency"), most("occupancy")


def walk(measured: Measured, pins: int) -> list[int]:
    """Latencies of ping from a memory-mapped, buffered, interrupt-driven interface to the M-Machine's, in figure 5's steps."""
    found = measured.pins[pins]
    return [found["memory-buffered"]["interrupt-hit", SOFT].latency[0], found["memory-buffered"][THREAD, SOFT].latency[0],
            found[M_MACHINE][THREAD, SOFT].latency[0], found[M_MACHINE][THREAD, PING].latency[0]]


def _meets(measured: Measured) -> dict[str, list[int]]:
    """For each number of the paper about memory mapping the values of --pin-cycles that meet it."""
    def near(ours: float, wanted: float) -> bool:
        return abs(ours - wanted) <= ABOUT * wanted
    found: dict[str, list[int]] = {"latency": [], "occupancy": [], "registers": [], "walk": []}
    for pins in PINS:
        latency, occupancy = ratios(measured, pins)
        steps = walk(measured, pins)
        for name, holds in (("latency", near(latency, MM_PAPER["memory_mapping_latency"])),
                            ("occupancy", near(occupancy, MM_PAPER["memory_mapping_occupancy"])),
                            ("registers", abs((steps[1] - steps[2]) / steps[0] - MM_PAPER["walk_registers_share"]) <= POINTS),
                            ("walk", near(steps[0] / steps[3], MM_PAPER["walk_factor"]))):
            found[name] += [pins] * holds
    return found


def pin_rows(result: Compared, measured: Measured) -> None:
    """Adds how the memory-mapped interfaces compare for each value of --pin-cycles."""
    for pins in PINS:
        latency, occupancy = ratios(measured, pins)
        result.row("memory mapping, times the M-Machine, at most", f"--pin-cycles {pins}",
                   {f"{PACE}: latency": round(latency, 2), f"{PACE}: occupancy": round(occupancy, 2)},
                   {} if pins else {f"{PACE}: latency": MM_PAPER["memory_mapping_latency"],
                                    f"{PACE}: occupancy": MM_PAPER["memory_mapping_occupancy"]})
    for pins in PINS:
        for name, cycles in zip(("memory-mapped, buffered, interrupts", "with a message thread", "mapped to registers",
                                 "with the GTLB"), walk(measured, pins), strict=True):
            result.row("ping, from a traditional interface to the M-Machine", f"--pin-cycles {pins}: {name}",
                       {f"{PACE}: latency": cycles}, {})


def _mapping(result: Compared, measured: Measured) -> None:
    latency, occupancy = ratios(measured, 0)
    meets = _meets(measured)
    whys = {"latency": "A word is at the interface in the three cycles of a load or store, and no address has to be made for it.",
            "occupancy": "SEND takes a cycle however many words it sends, and a word that is an operand takes none; a load or store of "
            "the interface takes two or three."}
    for what, ours, wanted in (("latency", latency, MM_PAPER["memory_mapping_latency"]),
                               ("occupancy", occupancy, MM_PAPER["memory_mapping_occupancy"])):
        met = f"Met with --pin-cycles {' and '.join(map(str, meets[what]))}." if meets[what] else "No --pin-cycles meets it."
        result.claim("", f"Memory mapping takes up to {wanted} times the M-Machine's {what} (within {ABOUT:.0%}).", f"{ours:.2f} times",
                     abs(ours - wanted) <= ABOUT * wanted, f"{whys[what]} {met}")
    every = sorted(set(PINS).intersection(*meets.values()))
    each = "; ".join(f"{name}: {', '.join(map(str, found)) or 'none'}" for name, found in meets.items())
    result.aim("", "One value of --pin-cycles meets all four of the paper's numbers on memory mapping: latency, occupancy, the share "
               f"that registers save of ping ({MM_PAPER['walk_registers_share']:.0%}), and {MM_PAPER['walk_factor']} times in all.",
               each, bool(every), "Occupancy is above the paper's with no pins at all.")


def _streaming(result: Compared, measured: Measured) -> None:
    def of(benchmark: str) -> dict[str, int]:
        return {one: measured.at_pace(one, THREAD, benchmark).latency[0] for one in (STREAMING, M_MACHINE, BUFFERED)}

    def text(found: Mapping[str, int]) -> str:
        return ", ".join(f"{name} {cycles:,}" for name, cycles in found.items())
    rpc, all_of, block = of(RPC), of(DISTRIBUTE), of(BLOCKWRITE)
    result.claim("", "In RPC register streaming is faster than the M-Machine, and that faster than register buffering.", text(rpc),
                 rpc[STREAMING] < rpc[M_MACHINE] < rpc[BUFFERED],
                 "Copying ten words costs a stream more than it gains by leaving early: the M-Machine's message is made where it is "
                 "sent from, and its words leave one a cycle.")
    result.claim("", "In distribute register streaming is slower than both, since a stream cannot reuse a message.", text(all_of),
                 all_of[STREAMING] > max(all_of[M_MACHINE], all_of[BUFFERED]),
                 "A buffer of one message is written again only when the last one has left, word by word, while a stream goes on.")
    spread = max(block.values()) / min(block.values()) - 1
    result.claim("", f"In blockwrite the three are similar (within {SIMILAR:.0%}).", text(block), spread <= SIMILAR,
                 "The handler is the limit: to copy a word out of the interface costs an instruction for each of its words, which "
                 "operands of a store do not need.")
    short = {one: measured.at_pace(one, THREAD, PING).latency[0] for one in MEMORY}
    result.claim("", "For very short messages, memory streaming is slower than memory buffering.", text(short),
                 short["memory-streaming"] > short["memory-buffered"],
                 "A channel is set up by the stores of DestAddr and handler, which a buffered message has too.")


def _walk(result: Compared, measured: Measured) -> None:
    steps = walk(measured, 0)
    dispatch, registers, rest = ((a - b) / steps[0] for a, b in zip(steps, steps[1:], strict=False))
    wanted = MM_PAPER["walk_dispatch_share"]
    result.claim("", f"Of a ping over a memory-mapped, buffered, interrupt-driven interface, a message thread saves {wanted:.0%} "
                 f"(within {POINTS:.0%}).", f"{dispatch:.0%}: {steps[0]} to {steps[1]} cycles", abs(dispatch - wanted) <= POINTS)
    wanted = MM_PAPER["walk_registers_share"]
    result.claim("", f"Mapping to registers saves another {wanted:.0%} of it (within {POINTS:.0%}).",
                 f"{registers:.0%}: {steps[1]} to {steps[2]} cycles", abs(registers - wanted) <= POINTS,
                 "Loads and stores of the interface take three cycles, not the way to the pins (--pin-cycles).")
    result.claim("", "Translation in hardware saves the rest: less than registers do.",
                 f"{rest:.0%}: {steps[2]} to {steps[3]} cycles", 0 < rest < registers,
                 "Translation by software takes 19 instructions at each end, more cycles than loads and stores of the interface.")
    wanted = MM_PAPER["walk_factor"]
    result.claim("", f"In all ping gets about {wanted} times faster (within {ABOUT:.0%}).", f"{steps[0] / steps[3]:.1f} times",
                 abs(steps[0] / steps[3] - wanted) <= ABOUT * wanted)


def _blockwrite(result: Compared, measured: Measured) -> None:
    words, messages = MM_PAPER["blockwrite_words"], MM_PAPER["blockwrite_messages"]
    wanted = MM_PAPER["blockwrite_share_of_bandwidth"]
    for machine in MACHINES:
        idle = measured.designs[machine][M_MACHINE][IDLE, BLOCKWRITE]
        busy = measured.designs[machine][M_MACHINE][THREAD, BLOCKWRITE]
        link = words * LATENCIES[machine][2]
        share = link / idle.latency[0]
        result.claim(machine, f"Blockwrite uses about {wanted:.0%} of the network's bandwidth (within {ABOUT:.0%}).",
                     f"{share:.0%}; {link / busy.latency[0]:.0%} beside a program", abs(share - wanted) <= ABOUT * wanted,
                     "With slow links the header's words and the credits' way are the limit, with fast ones the handler, whose store "
                     "of a word takes three cycles.")
    body = 10
    handlers = (messages - 1) * (JUMP + MOVE + body * STORE) + JUMP + MOVE + (words % body) * STORE
    idle = measured.at_pace(M_MACHINE, IDLE, BLOCKWRITE)
    formula = idle.first + handlers
    result.aim(PACE, "Blockwrite takes the time to its first handler and the cycles of its handlers' instructions (within 1%).",
               f"{idle.latency[0]:,} for {formula:,}", abs(idle.latency[0] - formula) <= 0.01 * formula)
    left = {way: _left(measured.at_pace(M_MACHINE, way, BLOCKWRITE)) for way in (THREAD, "interrupt-hit")}
    result.claim(PACE, f"Interrupts that find each next message shut the program out until all {messages} messages are there (under "
                 f"{SHUT_OUT:.0%} of the cycles are its own); with a message thread it goes on (over {GOES_ON:.0%}).",
                 f"it has {left['interrupt-hit']:.0%} of the cycles; with a thread {left[THREAD]:.0%}",
                 left["interrupt-hit"] < SHUT_OUT and left[THREAD] > GOES_ON)


def _glaze(result: Compared, measured: Measured) -> None:
    for machine in MACHINES:
        bare = {name: measured.designs[machine][M_MACHINE][THREAD, name].latency[0] for name in (RPC, DISTRIBUTE, BLOCKWRITE)}
        bare[glaze.NULL] = measured.null[machine]["busy"][0]
        pairs = {name: (measured.glaze[machine][name][0], bare[name]) for name in (glaze.NULL, RPC, DISTRIBUTE, BLOCKWRITE)}
        result.aim(machine, "Under Glaze a null round trip, RPC, distribute and blockwrite take as long as on the bare machine "
                   f"(within {ALIKE:.0%}).", "; ".join(f"{ours:,} for {theirs:,}" for ours, theirs in pairs.values()),
                   all(abs(ours - theirs) <= ALIKE * theirs for ours, theirs in pairs.values()))


def _left(seen: Seen) -> float:
    """The share of the receiver's cycles that a program has from the first handler on to the last."""
    return max(0.0, 1 - seen.receiver[0] / (seen.latency[0] - seen.first))

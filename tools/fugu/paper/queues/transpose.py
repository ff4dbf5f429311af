"""Transpose: active messages, a tight loop, matched bandwidth, and one message between two injections.

Each time is the mean over places of the code in the cache (places.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .._table import Compared
from ..runs.extent import FULL, Extent
from ..runs.sweep import Job, outputs
from .output import found
from .paper import PAPER
from .places import Times, between, gain, note, places, program

NODES, SMALL = 64, 8
BYTES = 4096
WAYS = {"messages": "", "loop": "tight_dequeue_loop_gain", "matched": "bandwidth_matching_gain",
        "alternating": "one_packet_between_injections_gain"}
LIMITED = "limited"     # one message between two injections, without matching
OURS = PAPER["transpose_cm5_64_nodes_4k_blocks"]
FEWER = 4               # places of the code: a run takes five seconds of the host
SLACK = 0.05            # by so much may a gain be below the paper's
LIMIT = "1G"


@dataclass(frozen=True)
class Machine:
    """A machine, and the cycles between two injections with which `matched` is fastest there: its bottleneck's rate."""

    options: tuple[str, ...]
    pace: int


# With --mesh-word 1 the network takes no part: receivers are the limit, as on the CM-5.
MACHINES = {"usual network": Machine((), 130), "fast network": Machine(("--mesh-word", "1"), 130)}
WHY = {
    "matched": "Fewer messages wait in the network here: a node may have no more than eight under way.",
    "alternating": "A poll that finds nothing is one load and a branch here, so it saves less to leave them out.",
}


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the table needs."""
    return _jobs(extent).values()


def measure(extent: Extent = FULL) -> Compared:
    """Runs the app in each way on each machine. SetupError."""
    planned = _jobs(extent)
    output = outputs(list(planned.values()), extent.fresh)
    times = {(name, way): Times([found(r"(\d+) cycles, right", output[planned[name, way, place]])
                                 for place in places(extent, FEWER)]) for name in MACHINES for way in (*WAYS, LIMITED)}
    result = Compared(f"Transpose on {SMALL if extent.small else NODES} nodes, blocks of {BYTES} bytes", ["cycles", "gain"],
                      publication=PAPER["source"], paper=PAPER["name"])
    for name in MACHINES:
        _machine(result, name, {way: times[name, way] for way in (*WAYS, LIMITED)})
    result.notes = ["Messages of four words. Matched and alternating wait after each injection for so many cycles: " + ", ".join(
        f"{machine.pace} ({name}{''.join(f', {one}' for one in machine.options[:1])})" for name, machine in MACHINES.items())
        + ".", note([len(places(extent, FEWER))])]
    return result


def _machine(result: Compared, name: str, times: dict[str, Times]) -> None:
    before: Times | None = None
    for way, paper in WAYS.items():
        now = times[way]
        faster = gain(before, now) if before else None
        result.row(name, way, {"cycles": round(now.mean), "gain": None if faster is None else round(faster, 3)},
                   {"gain": OURS[paper]} if paper else {}, {"cycles": now.spread})
        if before and faster is not None:
            result.claim(name, f"{way.capitalize()}: {100 * OURS[paper]:.0f} % faster than the way before (at least "
                         f"{100 * (OURS[paper] - SLACK):.0f}).", between(before, now), faster >= OURS[paper] - SLACK,
                         WHY.get(way, ""))
        before = now
    result.row(name, LIMITED, {"cycles": round(times[LIMITED].mean), "gain": None}, {}, {"cycles": times[LIMITED].spread})
    first, last = times["messages"], times["alternating"]
    most = OURS["total_gain_over_active_messages"]
    result.claim(name, f"All together: {100 * most:.0f} % faster than active messages (at least "
                 f"{100 * (most - SLACK):.0f}).", between(first, last), gain(first, last) >= most - SLACK,
                 WHY["alternating"])
    slower = times[LIMITED].mean / last.mean
    result.claim(name, "One message between two injections without matching takes twice as long as with it (at least "
                 "1.5 times).", f"{slower:.2f} times", slower >= 1.5,
                 "Credits hold a sender back here while its messages wait, which is a match of its own.")


def _jobs(extent: Extent) -> dict[tuple[str, str, int], Job]:
    nodes = SMALL if extent.small else NODES
    return {(name, way, place): Job(program("transpose", place), (way, str(BYTES), str(machine.pace)),
                                    ("--nodes", str(nodes), "--ram", "2M", "--timeout", LIMIT, *machine.options),
                                    nodes * 5_000_000)
            for name, machine in MACHINES.items() for way in (*WAYS, LIMITED) for place in places(extent, FEWER)}

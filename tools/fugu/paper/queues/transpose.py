"""Transpose: active messages, a tight loop, matched bandwidth, and one message between two injections."""

from __future__ import annotations

from collections.abc import Iterable

from .._table import Compared
from ..runs.extent import FULL, Extent
from ..runs.sweep import Job, outputs
from .output import found
from .paper import PAPER

NODES, SMALL = 64, 8
BYTES = 4096
PACE = 250              # cycles between two injections: on 64 nodes, about what the mesh takes for a message
WAYS = {"messages": "", "loop": "tight_dequeue_loop_gain", "matched": "bandwidth_matching_gain",
        "alternating": "one_packet_between_injections_gain"}
OURS = PAPER["transpose_cm5_64_nodes_4k_blocks"]
SLACK = 0.05            # by so much may a gain be below the paper's
WHY = {"matched": "A node takes a message faster than the network brings the next one here, so few messages wait for their "
                  "receivers when nodes inject as fast as they can.",
       "alternating": "The receiver is faster than the network here: nearly every poll finds no message, or one."}
LIMIT = "1G"


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the table needs."""
    return _jobs(extent).values()


def measure(extent: Extent = FULL) -> Compared:
    """Runs the app in each way. SetupError."""
    planned = _jobs(extent)
    output = outputs(list(planned.values()), extent.fresh)
    nodes = SMALL if extent.small else NODES
    result = Compared(f"Transpose on {nodes} nodes, blocks of {BYTES} bytes", ["gain", "cycles"],
                      publication=PAPER["source"], paper=PAPER["name"])
    cycles = {way: found(r"(\d+) cycles, right", output[planned[way]]) for way in WAYS}
    before = 0.0
    for way, paper in WAYS.items():
        gain = before / cycles[way] - 1 if before else None
        result.row("", way, {"cycles": int(cycles[way]), "gain": None if gain is None else round(gain, 3)},
                   {"gain": OURS[paper]} if paper else {})
        if gain is not None:
            result.claim("", f"{way.capitalize()}: {100 * OURS[paper]:.0f} % faster than the way before (at least {100 * (OURS[paper] - SLACK):.0f}).",
                         f"{100 * gain:.1f} %", gain >= OURS[paper] - SLACK, WHY.get(way, ""))
        before = cycles[way]
    total = cycles["messages"] / cycles["alternating"] - 1
    most = OURS["total_gain_over_active_messages"]
    result.claim("", f"All together: {100 * most:.0f} % faster than active messages (at least {100 * (most - SLACK):.0f}).", f"{100 * total:.1f} %",
                 total >= most - SLACK, "One message between two injections gains nothing here, as above.")
    result.notes = [f"Messages of four words. Matched and alternating inject every {PACE} cycles at most."]
    return result


def _jobs(extent: Extent) -> dict[str, Job]:
    nodes = SMALL if extent.small else NODES
    return {way: Job("transpose", (way, str(BYTES), str(PACE)),
                     ("--nodes", str(nodes), "--ram", "2M", "--timeout", LIMIT), nodes * 5_000_000) for way in WAYS}

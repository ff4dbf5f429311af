"""Sparse triangular solve: interrupts, polling, an inlined handler, and queues in memory of the other back ends.

Each time is the mean over places of the code in the cache (places.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...errors import SetupError
from ...measured import sections
from .._table import Compared
from ..runs.extent import FULL, Extent
from ..runs.sweep import Job, outputs
from .output import found as found_in
from .paper import PAPER
from .places import PLACES, Times, between, gain, note, places, program

NODES = (1, 2, 4, 8, 16, 32)
WAYS = ("interrupts", "polling", "inlined", "memory", "fetch")
# Places of the code for each way: the first three differ by some tens of cycles for a message, the others by hundreds.
MOST = {"interrupts": PLACES, "polling": PLACES, "inlined": PLACES, "memory": 2, "fetch": 2}
CONSISTENT = 0.5        # of polling's speed-up: what fetch-and-increment reaches at least if the two are consistent
OURS = PAPER["sparse_triangular_solve"]
SLACK = 0.05            # by so much may the best gain differ from the paper's "as much as"
LIMIT = "2G"
WORK = 10_000_000       # cycles of all nodes, about


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the table needs."""
    return _jobs(extent).values()


def measure(extent: Extent = FULL) -> Compared:
    """Runs the app on generated factors with the sizes of the paper's matrices. SetupError."""
    planned = _jobs(extent)
    output = outputs(list(planned.values()), extent.fresh)
    names = [str(nodes) for nodes in _nodes(extent)]
    result = Compared("Sparse triangular solve: speed-up over one node without messages", names,
                      publication=PAPER["source"], paper=PAPER["name"])
    gains: dict[str, dict[str, tuple[Times, Times]]] = {}
    reached: dict[str, float] = {}      # the share of polling's speed-up that fetch-and-increment reaches
    for matrix in _matrices(extent):
        times: dict[str, dict[str, Times]] = {}
        for way in WAYS:
            jobs_of = {nodes: [planned[matrix, way, nodes, place] for place in places(extent, MOST[way])] for nodes in names}
            times[way] = {nodes: Times([_cycles(job, output[job]) for job in found]) for nodes, found in jobs_of.items()}
            speed = {nodes: Times([found_in(r"speed-up ([\d.]+)", output[job]) for job in found])
                     for nodes, found in jobs_of.items()}
            result.row(matrix, f"{way}_cycles", {nodes: round(one.mean) for nodes, one in times[way].items()}, {},
                       {nodes: one.spread for nodes, one in times[way].items()})
            result.row(matrix, way, {nodes: round(one.mean, 2) for nodes, one in speed.items()}, {},
                       {nodes: one.spread for nodes, one in speed.items()})
        for nodes in names[1:]:
            where = f"{matrix} on {nodes} nodes"
            gains.setdefault("polling", {})[where] = times["interrupts"][nodes], times["polling"][nodes]
            gains.setdefault("inlined", {})[where] = times["polling"][nodes], times["inlined"][nodes]
            reached[where] = times["polling"][nodes].mean / times["fetch"][nodes].mean
    _claims(result, gains, reached)
    result.notes = ["The matrices are made up, with as many rows and entries as the paper's. Row i belongs to node "
                    "i modulo the number of nodes; there is a message for each entry between two nodes.",
                    "All runs have found the bits that one node finds alone.", note([len(places(extent, most)) for most in MOST.values()])]
    return result


def _claims(result: Compared, gains: dict[str, dict[str, tuple[Times, Times]]], reached: dict[str, float]) -> None:
    def one(way: str, pick: Callable[..., tuple[str, tuple[Times, Times]]]) -> tuple[float, str, str]:
        """(gain, its text, where) of the largest or the least gain."""
        where, both = pick(gains[way].items(), key=lambda item: gain(*item[1]))
        return gain(*both), between(*both), where
    worst, text, where = one("polling", min)
    result.claim("", "Both ways to poll outperform interrupts.", f"polling at least {text} faster, for {where}", worst > 0,
                 "On that machine few messages wait for each other, and the code's place in the cache decides.")
    most = OURS["polling_over_interrupts_max_gain"]
    best, text, where = one("polling", max)
    result.claim("", f"Polling is faster than interrupts by as much as {100 * most:.0f} % (within {100 * SLACK:.0f} points).",
                 f"{text}, for {where}", abs(best - most) <= SLACK,
                 "An interrupt costs less here, and the matrices are not the paper's.")
    most = OURS["inlined_handler_max_gain"]
    best, text, where = one("inlined", max)
    result.claim("", f"An inlined handler is faster by as much as {100 * most:.0f} % (within {100 * SLACK:.0f} points).",
                 f"{text}, for {where}", abs(best - most) <= SLACK,
                 "An inlined handler saves a call and its registers here, and the matrices are not the paper's.")
    least, highest = (pick(reached.items(), key=lambda item: item[1]) for pick in (min, max))
    result.claim("", "With queues by fetch-and-increment, speed-ups are consistent with those of polling "
                 f"(at least {CONSISTENT:g} of them).",
                 f"{least[1]:.2f} of them for {least[0]}, {highest[1]:.2f} for {highest[0]}", least[1] >= CONSISTENT,
                 "Kernels do here what the T3D's hardware does: the reservation and the item are a command of MBCF each, and "
                 "the sender waits for the first one's reply.")


def _nodes(extent: Extent) -> Sequence[int]:
    """All, unless the report is a small one: the claims are about the largest gain of all."""
    return extent.points(NODES) if extent.small else NODES


def _matrices(extent: Extent) -> list[str]:
    names = list(OURS["matrices"])
    return names[:1] if extent.small else names


def _cycles(job: Job, text: str) -> float:
    measured = sections(text).get("solve")
    if not measured or ": right\n" not in text:
        raise SetupError(f"{job} did not print what it measured:\n{text}")
    return float(measured[-1]["cycles"])


def _jobs(extent: Extent) -> dict[tuple[str, str, str, int], Job]:
    return {(matrix, way, str(nodes), place): Job(
        program("solve", place), (way, str(OURS["matrices"][matrix]["rows"]), str(OURS["matrices"][matrix]["nonzeros"])),
        ("--nodes", str(nodes), "--timeout", LIMIT), WORK)
        for matrix in _matrices(extent) for way in WAYS for nodes in _nodes(extent) for place in places(extent, MOST[way])}

"""Sparse triangular solve: interrupts, polling, an inlined handler, and queues in memory of the other back ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...errors import SetupError
from ...measured import sections
from .._table import Compared, Number
from ..runs.extent import FULL, Extent
from ..runs.sweep import Job, outputs
from .output import found
from .paper import PAPER

NODES = (1, 2, 4, 8, 16, 32)
WAYS = ("interrupts", "polling", "inlined", "memory", "fetch")
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
    gains: dict[str, dict[str, float]] = {}
    reached: dict[str, float] = {}      # the share of polling's speed-up that fetch-and-increment reaches
    for matrix in _matrices(extent):
        cycles: dict[str, dict[str, Number]] = {}
        for way in WAYS:
            runs = {nodes: output[planned[matrix, way, nodes]] for nodes in names}
            cycles[way] = {nodes: _cycles(planned[matrix, way, nodes], text) for nodes, text in runs.items()}
            result.row(matrix, f"{way}_cycles", cycles[way], {})
            result.row(matrix, way, {nodes: found(r"speed-up ([\d.]+)", text) for nodes, text in runs.items()}, {})
        for nodes in names[1:]:
            def cost(way: str, nodes: str = nodes) -> float:
                return cycles[way][nodes] or 0
            gains.setdefault("polling", {})[f"{matrix} on {nodes} nodes"] = cost("interrupts") / cost("polling") - 1
            gains.setdefault("inlined", {})[f"{matrix} on {nodes} nodes"] = cost("polling") / cost("inlined") - 1
            reached[f"{matrix} on {nodes} nodes"] = cost("polling") / cost("fetch")
    _claims(result, gains, reached)
    result.notes = ["The matrices are made up, with as many rows and entries as the paper's. Row i belongs to node "
                    "i modulo the number of nodes; there is a message for each entry between two nodes.",
                    "All runs have found the bits that one node finds alone."]
    return result


def _claims(result: Compared, gains: dict[str, dict[str, float]], reached: dict[str, float]) -> None:
    worst, best = (pick(gains["polling"].items(), key=lambda item: item[1]) for pick in (min, max))
    result.claim("", "Both ways to poll outperform interrupts.",
                 f"polling {100 * worst[1]:.1f} to {100 * best[1]:.1f} % faster, least for {worst[0]}", worst[1] > 0)
    most = OURS["polling_over_interrupts_max_gain"]
    result.claim("", f"Polling is faster than interrupts by as much as {100 * most:.0f} % (within {100 * SLACK:.0f} points).",
                 f"{100 * best[1]:.1f} %, for {best[0]}", abs(best[1] - most) <= SLACK,
                 "An interrupt costs less here, and the matrices are not the paper's.")
    most = OURS["inlined_handler_max_gain"]
    best = max(gains["inlined"].items(), key=lambda item: item[1])
    result.claim("", f"An inlined handler is faster by as much as {100 * most:.0f} % (within {100 * SLACK:.0f} points).",
                 f"{100 * best[1]:.1f} %, for {best[0]}", abs(best[1] - most) <= SLACK,
                 "The largest gain of all runs is one where code and data happen to share few places of the cache.")
    least, most = (pick(reached.items(), key=lambda item: item[1]) for pick in (min, max))
    result.claim("", "With queues by fetch-and-increment, speed-ups are consistent with those of polling "
                 f"(at least {CONSISTENT:g} of them).",
                 f"{least[1]:.2f} of them for {least[0]}, {most[1]:.2f} for {most[0]}", least[1] >= CONSISTENT,
                 "Kernels do here what the T3D's hardware does: the reservation and the item are a command of MBCF each, and "
                 "the sender waits for the first one's reply.")


def _nodes(extent: Extent) -> Sequence[int]:
    """All, unless the report is a small one: the claims are about the largest gain of all."""
    return extent.points(NODES) if extent.small else NODES


def _matrices(extent: Extent) -> list[str]:
    names = list(OURS["matrices"])
    return names[:1] if extent.small else names


def _cycles(job: Job, text: str) -> Number:
    measured = sections(text).get("solve")
    if not measured or ": right\n" not in text:
        raise SetupError(f"{job} did not print what it measured:\n{text}")
    return measured[-1]["cycles"]


def _jobs(extent: Extent) -> dict[tuple[str, str, str], Job]:
    return {(matrix, way, str(nodes)): Job(
        "solve", (way, str(OURS["matrices"][matrix]["rows"]), str(OURS["matrices"][matrix]["nonzeros"])),
        ("--nodes", str(nodes), "--timeout", LIMIT), WORK)
        for matrix in _matrices(extent) for way in WAYS for nodes in _nodes(extent)}

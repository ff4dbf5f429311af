"""The figures of a run by job and node: what --stats-json writes and --stats shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ..abi import GLAZE, REGS, TALLY
from . import names, sharing
from .figures import Figures
from .programs import Programs

FORMAT = 1              # of the JSON file; a field that changes its meaning changes this number
SLOTS = "message slots"


def of(figures: Figures, programs: Programs, word: Sequence[int]) -> dict[str, Any]:
    """All figures. `word` has the cycles for which a word occupies a link, by network."""
    return {
        "format": FORMAT,
        "start": figures.start,
        "end": figures.end,
        "nodes": [_node(figures, programs, node) for node in figures.nodes],
        "jobs": [{**_identity(programs, gid), "nodes": len(where), **_job(figures, gid, where),
                  "sharing": sharing.of(figures, programs, gid)}
                 for gid in figures.gids()
                 for where in [[node for node in figures.nodes if gid in figures.gids(node)]]],
        "links": [{"network": names.networks()[network], "node": node, "link": names.links()[link],
                   "words": words, "busy": words * word[network]}
                  for (network, node, link), words in sorted(figures.links.items())],
    }


def _identity(programs: Programs, gid: int) -> dict[str, Any]:
    return {"gid": gid, "name": programs.jobs.get(gid, "")}


def _node(figures: Figures, programs: Programs, node: int) -> dict[str, Any]:
    return {
        "node": node,
        "cycles": figures.get(node, 0, "time"),
        "cache_misses": {"data": figures.get(node, 0, "miss", 0), "fetch": figures.get(node, 0, "miss", 1)},
        "longest_masked": _masked(figures, programs, node),
        "jobs": [{**_identity(programs, gid), **_job(figures, gid, [node])} for gid in figures.gids(node)],
    }


def _masked(figures: Figures, programs: Programs, node: int) -> dict[str, Any] | None:
    """The longest time without network and clock. None: interrupts were never masked, or always."""
    longest = figures.masked.get(node)
    if not longest:
        return None
    seen = Counter(_function(programs, pc) for pc in longest.pcs)
    return {"cycles": longest.cycles, "began": longest.began,
            "works_for": names.trap(longest.trap) if longest.trap >= 0 else "start",
            "functions": {name: round(count / len(longest.pcs), 3)
                          for name, count in sorted(seen.items(), key=lambda item: (-item[1], item[0]))}}


def _function(programs: Programs, pc: int) -> str:
    """The kernel's function at a pc. A program's code runs beside the kernel in message slots alone."""
    return SLOTS if programs.jobs and pc >= GLAZE["PROGRAM"] else programs.function(0, pc)


def _job(figures: Figures, gid: int, nodes: Iterable[int]) -> dict[str, Any]:
    """The figures of a GID, summed over these nodes."""
    nodes = list(nodes)

    def total(name: str, index: int = 0) -> int:
        return sum(figures.get(node, gid, name, index) for node in nodes)

    def by(name: str) -> dict[int, int]:
        indices = sorted({index for node in nodes for index in figures.all(node, gid, name)})
        return {index: total(name, index) for index in indices}

    def meter(name: str) -> int:
        return total("meter", REGS[f"METER_{name}"])

    def mark(name: str, cause: int = 0) -> int:
        return total("mark", names.marks()[name] * TALLY["CAUSES"] + cause)

    buffered, dropped = mark("taken"), mark("dropped")
    received, handled = meter("RECEIVED"), meter("HANDLED")
    kernel, traps = by("trap"), by("traps")
    waits, times = by("wait"), by("waits")
    entered = {cause: mark("buffered", number) for number, cause in enumerate(names.causes())}
    cycles = {"user": total("user"), "handlers": total("handler"),
              "kernel": {**({"start": total("start")} if total("start") else {}),
                         **{names.trap(tt): value for tt, value in kernel.items()}},
              "waits": {names.waits()[why]: value for why, value in waits.items()}, "ended": total("ended")}
    return {
        "messages": {"sent": meter("SENT"), "with_body": meter("BODIES"), "body_bytes": meter("BYTES"),
                     "received": received, "fast": received - buffered, "buffered": buffered,
                     "handled": handled, "polled": received - handled,
                     "inserted": meter("INSERTED") - dropped, "dropped": dropped},
        "kernel_messages": {names.networks()[network]: value for network, value in by("launched").items()},
        "buffered_mode": {"at_start": total("buffered_at_start"), "entered": sum(entered.values()), "left": mark("fast"),
                          "causes": {cause: count for cause, count in entered.items() if count}},
        "t_hand": _ratio(meter("HANDLING"), handled),
        "cycles_per_message": _ratio(meter("CYCLES"), received),
        "cycles": cycles,
        "cycles_charged": meter("CYCLES"),
        "cycles_of_handlers": meter("HANDLING"),
        "traps": {names.trap(tt): value for tt, value in traps.items()},
        "waits": {names.waits()[why]: value for why, value in times.items()},
        "pages": {"out": mark("page_out"), "in": mark("page_in")},
        "shoot_downs": {"asked": mark("shoot"), "answered": mark("shot"), "remapped": mark("remapped")},
        "suspensions": mark("suspended"),
    }


def _ratio(cycles: int, count: int) -> float | None:
    return round(cycles / count, 1) if count else None


def all_cycles(cycles: dict[str, Any]) -> int:
    """The sum of a job's cycles, whatever it did."""
    return sum(sum(value.values()) if isinstance(value, dict) else value for value in cycles.values())

"""Where the cycles of a run go: a table by function and node, and stacks for flame graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..abi import FRAME
from . import names
from .figures import Figures, Frame
from .programs import Programs

MOST = 30               # functions in the table
NODES_MOST = 8          # nodes with columns of their own


def stacks(found: Figures, known: Programs) -> Iterator[str]:
    """Folded stacks: a line NODE;JOB;FUNCTION;...;FUNCTION CYCLES for each chain of callers."""
    for node, frames in found.frames.items():
        paths: dict[int, str] = {0: f"node {node}"}
        cycles = Counter[str]()
        for number, frame in frames.items():        # callers come first
            paths[number] = f"{paths[frame.parent]};{name(frame, known)}"
            cycles[paths[number]] += frame.cycles   # static functions may share a name
        yield from (f"{path} {count}" for path, count in cycles.items() if count)


def name(frame: Frame, known: Programs) -> str:
    """A frame in words. Semicolons and blanks separate, so names have no semicolons."""
    if frame.kind == FRAME["JOB"]:
        return known.job(frame.code)
    if frame.kind == FRAME["TRAP"]:
        return f"[{names.trap(frame.code)}]"
    if frame.kind == FRAME["WAIT"]:
        return f"({names.waits()[frame.code]})"
    return known.function(frame.gid, frame.code)


def owner(frame: Frame, known: Programs) -> str:
    """The program that a frame's code belongs to."""
    if frame.kind == FRAME["WAIT"]:
        return ""
    gid = frame.gid if frame.kind == FRAME["FUNCTION"] else 0
    program = known.by_gid.get(gid)
    return program.name if program else f"GID {gid}"


def table(found: Figures, known: Programs) -> Iterator[str]:
    """The functions that have taken most cycles, with their share on all nodes and on each."""
    by_function, total = _by_function(found, known), Counter[int]()
    for (_, _, node), cycles in by_function.items():
        total[node] += cycles
    whole = sum(total.values())
    sums = Counter[tuple[str, str]]()
    for (program, function, _), cycles in by_function.items():
        sums[program, function] += cycles
    nodes = list(total)[:NODES_MOST]
    yield f"{'cycles':>16} {'share':>7}  {'program':10} {'function':32}" + \
        "".join(f" {f'node {node}':>8}" for node in nodes)
    ranked = sorted(sums.items(), key=lambda item: (-item[1], item[0]))
    for (program, function), cycles in ranked[:MOST]:
        yield _row(cycles, whole, program, function,
                   [(by_function[program, function, node], total[node]) for node in nodes])
    if len(ranked) > MOST:
        rest = sum(cycles for _, cycles in ranked[MOST:])
        shown = {key for key, _ in ranked[:MOST]}
        yield _row(rest, whole, "", f"{len(ranked) - MOST} others",
                   [(sum(cycles for (program, function, other), cycles in by_function.items()
                         if other == node and (program, function) not in shown), total[node]) for node in nodes])
    yield _row(whole, whole, "", "all", [(total[node], total[node]) for node in nodes])


def _by_function(found: Figures, known: Programs) -> Counter[tuple[str, str, int]]:
    """Cycles by program, function and node. A process or trap without a function has its own name."""
    cycles = Counter[tuple[str, str, int]]()
    for node, frames in found.frames.items():
        for frame in frames.values():
            if frame.cycles:
                cycles[owner(frame, known), name(frame, known), node] += frame.cycles
    return cycles


def _row(cycles: int, whole: int, program: str, function: str, nodes: list[tuple[int, int]]) -> str:
    shares = "".join(f" {100 * part / max(all_cycles, 1):>6.1f} %" for part, all_cycles in nodes)
    return f"{cycles:>16,} {100 * cycles / max(whole, 1):>5.1f} %  {program[:10]:10} {function[:32]:32}{shares}"

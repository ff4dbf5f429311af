"""What QEMU is to observe: the file `plan`, which hw/observe/plan.h describes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..abi import GLAZE, SEEN
from . import names
from .programs import Mark, Programs
from .request import Request


def write(path: Path, request: Request, programs: Programs) -> None:
    """Writes the plan of a run."""
    path.write_text("".join(f"{line}\n" for line in _lines(request, programs)))


def _lines(request: Request, programs: Programs) -> Iterator[str]:
    for gid, program in programs.by_gid.items():
        for mark in program.marks():
            yield _mark(gid, mark)
    if at := programs.by_gid[0].modes():
        yield f"modes {' '.join(map(str, at))}"
    if request.races:
        from .races import report

        yield from report.access_lines(programs)
    if request.timeline:
        first, last = request.range
        yield f"timeline {request.kinds} {first} {last}"
        for node in request.nodes:
            yield f"node {node}"
    if request.profile:
        yield "profile"
        if not programs.jobs:
            yield "alone"
        yield f"stacks {GLAZE['STACKS']} {GLAZE['STACKS_END']} {GLAZE['STACK_SIZE']}"
        for gid, program in programs.by_gid.items():
            for address in program.labels:
                yield f"function {gid} {address}"


def _mark(gid: int, mark: Mark) -> str:
    fields = [gid, mark.address, names.marks()[mark.name], len(mark.operands)]
    for k in range(SEEN["MARK_OPERANDS"]):
        operand = mark.operands[k] if k < len(mark.operands) else None
        fields += [int(bool(operand and operand.offset is not None)), operand.register if operand else 0,
                   (operand.offset or 0) if operand else 0]
    return " ".join(["mark", *map(str, fields)])

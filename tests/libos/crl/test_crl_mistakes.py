"""Mistakes with CRL end the job with status 118, and one line: call, region, what is wrong, and place.

A bystander runs on the same nodes, and must print what it prints beside a program that does nothing.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from guest_programs import built

STATUS = 118
OPTIONS = {"nodes": 2, "timeslice": 20_000, "timeout": "60M"}
SOURCE = (Path(__file__).parent / "regionmistakes.c").read_text().splitlines()
NOT_MAPPED = "the address is not that of a mapped region"
NO_REGION = "there is no such region"
ATOMIC = "called in an atomic section"
HANDLER = "called in a handler"
BEFORE = "called before crl_init()"
WRITES = "a write operation is open"

# Case: call, region, what is wrong, function.
CASES = {
    "init-create": ("rgn_create()", None, BEFORE, "before_init"),
    "init-map": ("rgn_map()", 1, BEFORE, "before_init"),
    "init-barrier": ("rgn_barrier()", None, BEFORE, "before_init"),
    "init-delete": ("rgn_delete()", 1, BEFORE, "before_init"),
    "write-in-read": ("rgn_start_write()", "rid", "a read operation is open", "operations"),
    "read-in-write": ("rgn_start_read()", "rid", WRITES, "operations"),
    "write-in-write": ("rgn_start_write()", "rid", WRITES, "operations"),
    "end-read": ("rgn_end_read()", "rid", "no read operation is open", "operations"),
    "end-read-twice": ("rgn_end_read()", "rid", "no read operation is open", "operations"),
    "end-write": ("rgn_end_write()", "rid", "no write operation is open", "operations"),
    "end-other": ("rgn_end_write()", "rid", "no write operation is open", "operations"),
    "end-other-write": ("rgn_end_read()", "rid", "no read operation is open", "operations"),
    "too-many": ("rgn_start_read()", "rid", "too many read operations are open", "operations"),
    "flush-open": ("rgn_flush()", "rid", "an operation is open", "operations"),
    "unmap-open": ("rgn_unmap()", "rid", "an operation is open", "operations"),
    "start-unmapped": ("rgn_start_read()", None, NOT_MAPPED, "unmapped"),
    "start-elsewhere": ("rgn_start_write()", None, NOT_MAPPED, "unmapped"),
    "start-inside": ("rgn_start_read()", None, NOT_MAPPED, "unmapped"),
    "flush-unmapped": ("rgn_flush()", None, NOT_MAPPED, "unmapped"),
    "unmap-twice": ("rgn_unmap()", None, NOT_MAPPED, "unmapped"),
    "rid-unmapped": ("CRL", None, NOT_MAPPED, "unmapped"),
    "size-unmapped": ("CRL", None, NOT_MAPPED, "unmapped"),
    "map-unknown": ("rgn_map()", 0x800, NO_REGION, "names"),
    "map-zero": ("rgn_map()", None, NO_REGION, "names"),
    "map-no-node": ("rgn_map()", 0x402, NO_REGION, "names"),
    "map-deleted": ("rgn_map()", "rid", NO_REGION, "names"),
    "delete-twice": ("rgn_delete()", "rid", NO_REGION, "names"),
    "delete-zero": ("rgn_delete()", None, NO_REGION, "names"),
    "delete-mapped": ("rgn_delete()", "rid", "this node has it mapped", "names"),
    "size-zero": ("rgn_create()", None, "the size is 0", "names"),
    "size-most": ("rgn_create()", None, "no memory is left for the region", "names"),
    "handler": ("rgn_start_read()", None, HANDLER, "handler"),
    "handler-endatom": ("rgn_map()", "rid", HANDLER, "handler_endatom"),
    "atomic-start": ("rgn_start_read()", None, ATOMIC, "places"),
    "atomic-map": ("rgn_map()", "rid", ATOMIC, "places"),
    "atomic-barrier": ("rgn_barrier()", None, ATOMIC, "places"),
    "threads": ("rgn_map()", "rid", "another thread is in a call", "other_thread"),
    "init-twice": ("CRL", None, "crl_init() is called twice", "places"),
    "bcast-negative": ("rgn_bcast_*()", None, "the number of bytes is negative", "places"),
}
RID = 0x400                 # of the program's region
BOTH = {"bcast-none": "no node sends", "bcast-two": "two nodes send"}


def bystanders(result):
    return sorted(line for line in result.stdout.splitlines() if line.startswith("bystander:"))


def run(machine, node, case):
    return machine(built("libos/regionmistakes"), node, case, "+", built("hostile/bystander"), **OPTIONS)


@pytest.fixture(scope="module")
def peace(machine):
    """What the bystander prints beside a program that makes no mistake."""
    lines = bystanders(run(machine, 0, "none").check(0))
    assert len(lines) == 2 and all(", 0 wrong, " in line for line in lines)
    return lines


def check_line(result, peace, node, call, region, what, function, line):
    said = [text for text in result.check(STATUS).stdout.splitlines() if text.startswith("glaze:")]
    where = "" if region is None else f"region {region:#x}: "
    begin = f"glaze: regionmistakes (job 1) on node {node} is ended: {call}: {where}{what}"
    assert len(said) == 1, result.report()
    assert re.fullmatch(rf"{re.escape(begin)}; pc 0x1000[0-9a-f]{{4}} in {function} \(regionmistakes\.c:{line}\)",
                        said[0]), result.report()
    assert bystanders(result) == peace, result.report()


@pytest.mark.parametrize("node", [0, 1], ids=["home", "remote"])
@pytest.mark.parametrize("case", CASES)
def test_mistake(machine, peace, case, node):
    call, region, what, function = CASES[case]
    line = next(number for number, text in enumerate(SOURCE, 1) if text.endswith(f"/* ends: {case} */"))
    check_line(run(machine, node, case), peace, node, call, RID if region == "rid" else region, what, function, line)

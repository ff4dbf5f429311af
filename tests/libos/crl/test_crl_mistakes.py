"""Mistakes with CRL end the job with status 118, and one line: call, region, what is wrong, and place.

A bystander runs on the same nodes, and must print what it prints beside a program that does nothing.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from guest_programs import built, settled

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
    "size-most": ("rgn_create()", "new", "no memory is left for the region", "names"),
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
NEW = {0: 0x800, 1: 0x401}  # what a node would create next
BOTH = {"bcast-none": "no node sends", "bcast-two": "two nodes send"}


def bystanders(result):
    return sorted(line for line in result.stdout.splitlines() if line.startswith("bystander:"))


def run(machine, node, case, peace=()):
    return machine(built("libos/regionmistakes"), node, case, "+", built("hostile/bystander"), *settled(peace),
                   **OPTIONS)


@pytest.fixture(scope="module")
def peace(machine):
    """What the bystander prints beside a program that makes no mistake."""
    lines = bystanders(run(machine, 0, "none").check(0))
    assert len(lines) == 2 and all(", 0 wrong, " in line for line in lines)
    return lines


def check_line(result, peace, node, text, place):
    """Checks that one line is all that the job leaves; `node` and `place` are patterns."""
    said = [text for text in result.check(STATUS).stdout.splitlines() if text.startswith("glaze:")]
    assert len(said) == 1, result.report()
    assert re.fullmatch(rf"glaze: regionmistakes \(job 1\) on node {node} is ended: {re.escape(text)}{place}",
                        said[0]), result.report()
    assert bystanders(result) == peace, result.report()


def place(case, function):
    line = next(number for number, text in enumerate(SOURCE, 1) if text.endswith(f"/* ends: {case} */"))
    return rf"; pc 0x1000[0-9a-f]{{4}} in {function} \(regionmistakes\.c:{line}\)"


@pytest.mark.parametrize("node", [0, 1], ids=["home", "remote"])
@pytest.mark.parametrize("case", CASES)
def test_mistake(machine, peace, case, node):
    call, region, what, function = CASES[case]
    number = {"rid": RID, "new": NEW[node]}.get(region, region)
    text = f"{call}: {what}" if number is None else f"{call}: region {number:#x}: {what}"
    check_line(run(machine, node, case, peace), peace, node, text, place(case, function))


@pytest.mark.parametrize("node", [0, 1], ids=["home", "remote"])
def test_region_deleted_that_another_node_has_mapped(machine, peace, node):
    """The line is of the node that has the region mapped; the call was made elsewhere."""
    check_line(run(machine, node, "delete-elsewhere", peace), peace, 1 - node,
               f"rgn_delete(): region {RID:#x}: deleted while this node has it mapped", "")


@pytest.mark.parametrize("case", BOTH)
def test_broadcast_without_one_sender(machine, peace, case):
    """Both nodes notice at about the same time: a node whose job the other one's end reaches first says nothing."""
    result = run(machine, 0, case, peace).check(STATUS)
    said = sorted(text for text in result.stdout.splitlines() if text.startswith("glaze:"))
    line = rf"glaze: regionmistakes \(job 1\) on node ([01]) is ended: rgn_bcast_\*\(\): {BOTH[case]}" + place(case, "main")
    nodes = [found[1] for text in said if (found := re.fullmatch(line, text))]
    assert len(nodes) == len(said) and nodes in (["0"], ["1"], ["0", "1"]), result.report()
    assert bystanders(result) == peace, result.report()


# ---- messages that the library has not sent ---------------------------------------

HANDLERS = ["read", "write", "acknowledge", "back", "back_part", "data", "data_part", "grant"]
ENDS = {0, 101, STATUS}     # statuses: nothing noticed, a fault, a mistake


def forge(machine, peace, *words):
    return machine(built("libos/forged"), *words, "+", built("hostile/bystander"), *settled(peace), **OPTIONS)


@pytest.mark.parametrize("handler", range(len(HANDLERS)), ids=HANDLERS)
def test_forged_address_of_kernel(machine, peace, handler):
    """The handler runs with the rights of its program: the kernel's memory is not its own."""
    result = forge(machine, peace, "kernel", handler).check(101)
    said = [text for text in result.stdout.splitlines() if text.startswith("glaze:")]
    assert len(said) == 1 and said[0].startswith("glaze: forged (job 1) on node 0 is ended: "), result.report()
    assert " memory that is not its own, address 0x40" in said[0], result.report()
    assert bystanders(result) == peace, result.report()


@pytest.mark.parametrize("offset, size, right", [
    (96, 4, True), (0, 100, True),                                  # parts that are not the last
    (96, 12, False), (100, 8, False), (104, 4, False), (0, 108, False), (4, 104, False),
    (-64, 64, False), (-4, 4, False), (-64, 68, False), (-100, 128, False)])   # offset and size wrap around
def test_forged_part_of_a_region(machine, peace, offset, size, right):
    """A part of data may lie in its region alone: before it is the library's own memory."""
    result = forge(machine, peace, offset, size)
    said = [text for text in result.stdout.splitlines() if text.startswith("glaze:")]
    if right:
        assert (result.check(0).status, said) == (0, []), result.report()
    else:
        result.check(STATUS)
        assert len(said) == 1 and re.match(r"glaze: forged \(job 1\) on node 0 is ended: CRL.*: a message came that the "
                                           "library does not send", said[0]), result.report()
    assert bystanders(result) == peace, result.report()


@pytest.mark.parametrize("seed", range(1, 9))
def test_forged_messages_hurt_their_own_job_alone(machine, peace, seed):
    result = forge(machine, peace, "random", seed)
    said = [text for text in result.stdout.splitlines() if text.startswith("glaze:")]
    assert result.status in ENDS, result.report()
    assert all(re.match(r"glaze: forged \(job 1\) on node [01] is ended: ", text) for text in said), result.report()
    assert bystanders(result) == peace, result.report()

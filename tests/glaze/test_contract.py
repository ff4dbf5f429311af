"""What a program may rely on. README.md lists the rules and the case that tests each.

The program `contract` checks itself and prints a line for each check. The
tables here have the number of lines, so that a check cannot disappear
unnoticed.
"""

from __future__ import annotations

import os
import re
import struct
from pathlib import Path

import pytest
from guest_programs import built

from fugu.image import elf

PROGRAM = built("glaze/contract")


CASES = {"start": 9, "record": 25, "enter": 52, "during": 51, "out": 20, "hold": 61, "pages": 41, "bodies": 50,
         "parts": 1, "uac": 19}
TWO_JOBS = {"jobs-state": (1, 14), "jobs-mismatch": (2, 11), "jobs-dropped": (2, 4)}

# Cases that exist with hard atomicity alone: timer-force without a message, a
# timer that each dispose presets, and messages that wait until the quantum ends.
HARD_CASES = {"force": 5}
HARD_TWO_JOBS = {"jobs-quantum": (1, 20)}

# And with soft atomicity alone: sections by a store.
SOFT_CASES = {"quick": 27}

BOTH = ("hard", "soft")


@pytest.mark.parametrize(("case", "atomicity"), [*((case, one) for case in CASES for one in BOTH),
                                                 *((case, "hard") for case in HARD_CASES),
                                                 *((case, "soft") for case in SOFT_CASES)])
def test_rule_holds(machine, case, atomicity):
    machine(PROGRAM, case, nodes=1, timeout="100M", atomicity=atomicity).passed((CASES | HARD_CASES | SOFT_CASES)[case])


@pytest.mark.parametrize(("case", "atomicity"), [*((case, one) for case in TWO_JOBS for one in BOTH),
                                                 *((case, "hard") for case in HARD_TWO_JOBS)])
def test_rule_holds_with_two_jobs(machine, case, atomicity):
    nodes, checks = (TWO_JOBS | HARD_TWO_JOBS)[case]
    machine(PROGRAM, case, "+", PROGRAM, case, nodes=nodes, timeout="100M", atomicity=atomicity).passed(checks)


def test_store_that_waits_keeps_the_descriptor(machine):
    machine(PROGRAM, "nodes-store", nodes=3, timeout="100M", atomicity_timeout=1_000_000).passed(4)


# A mistake of a program in buffered mode, and a pattern of the line that ends its job.
MISUSES = {
    "no-dispose": "dispose-failure: a handler has ended without",
    "no-dispose-endatom": "dispose-failure: interrupts enabled by a handler",
    "second-no-dispose": r"dispose-failure: a handler has ended without .*; the message: handler 0x1\w+ in \w+, "
                         r"from node 0, ",
    "moved-no-dispose": r"dispose-failure: a handler has ended without .*; the message: handler 0x1\w+ in \w+, "
                        r"from node 0, ",
    "resume-no-dispose": "dispose-failure: .* leaves the processor",
    "no-message": "bad-dispose: there is no message",
    "no-message-storeback": "bad-dispose: storeback without a message",
    "beyond-storeback": "protection-violation: storeback of what is not there",
    "neighbour-count": "protection-violation: storeback of what is not there",
    "neighbour-offset": "protection-violation: storeback of what is not there",
    "neighbour-before": "protection-violation: storeback of what is not there",
    "neighbour-wrap": "protection-violation: storeback of what is not there",
    "not-its-turn": "bad-dispose: there is no message",
    "write-record": "store to memory that is not its own, address 0xc0000000",
    "write-behind": "store to memory that is not its own, address 0xc0000050",
    "write-empty": "store to memory that is not its own, address 0xf0000080",
    "write-head": "store to memory that is not its own, address 0xf0000000",
    "storeback-to-record": "storeback to memory that cannot be written, address 0xc0000000",
    "read-body": "access to memory that is not its own, address 0xd0000000",
    "read-process": "access to memory that is not its own, address 0xf0002000",
}


@pytest.mark.parametrize("atomicity", BOTH)
@pytest.mark.parametrize("what", MISUSES)
def test_misuse_ends_the_job(machine, what, atomicity):
    result = machine(PROGRAM, what, nodes=1, timeout="10M", atomicity=atomicity).check(101)

    assert re.search(rf"^glaze: contract \(job 1\) on node 0 is ended: {MISUSES[what]}", result.stdout, re.MULTILINE), \
        result.report()
    assert result.stdout.count("\n") == 1, result.report()


def test_right_use_ends_well(machine):
    assert machine(PROGRAM, "none", nodes=1, timeout="10M").check(0).stdout == "nothing has happened\n"


def test_status_is_the_first_other_than_0(machine):
    """A job ends with its last process. The machine ends with its last job, and with the first status other than 0."""
    result = machine(PROGRAM, "nodes-status", "+", PROGRAM, "nodes-late", nodes=4, timeout="100M").check(7)

    assert result.stdout == "the last process\n"


# ---- %g6 in the code of programs -----------------------------------------------

G6 = 6
LOADS = {0x00, 0x01, 0x02, 0x03, 0x09, 0x0A}    # op3 of ld, ldub, lduh, ldd, ldsb, ldsh


def uses_g6(word):
    """How an instruction uses %g6: None, "read" for a load through it, "other" for any other use."""
    op, rd, op3, rs1 = word >> 30, word >> 25 & 31, word >> 19 & 63, word >> 14 & 31
    rs2 = None if word >> 13 & 1 else word & 31
    if op == 0:
        return "other" if word >> 22 & 7 == 4 and rd == G6 else None           # sethi
    if op == 1 or op == 2 and op3 in (0x34, 0x35):
        return None                                                             # call; floating point
    if op == 2 and op3 in (0x36, 0x37):
        return "other" if rs1 == G6 else None                                   # operations of the network interface
    if op == 2 and op3 == 0x3A:
        rd = 0                                                                  # a condition, as in ta
    if op == 3 and op3 & 0x20:
        rd = 0                                                                  # rd is a register of the FPU
    if op == 3 and op3 in LOADS and rs1 == G6 and G6 not in (rd, rd + (op3 == 3), rs2):
        return "read"
    return "other" if G6 in (rd, rs1, rs2) or op == 3 and op3 == 3 and rd | 1 == G6 | 1 else None


def uses(path):
    """(kinds of uses of %g6, addresses of the uses other than reads, symbols) of a program's code."""
    data = path.read_bytes()
    program = elf.read(path, data)
    symbols = {symbol.name: symbol.address for symbol in program.symbols}
    text = next(segment for segment in program.segments
                if segment.address <= symbols["message_stub"] < segment.address + len(segment.data))
    code = elf.section(data, ".text")
    start = text.data.index(code) + text.address
    kinds = {start + 4 * i: uses_g6(word) for i, (word,) in enumerate(struct.iter_unpack(">I", code))}
    return set(kinds.values()), [at for at, kind in kinds.items() if kind == "other"], symbols


@pytest.mark.parametrize("name", ["tests/libos/messages", "tests/libos/threads", "tests/libos/contexts",
                                  "tests/libos/clib", "apps/pingpong", "apps/hello"])
def test_programs_leave_g6_alone(name):
    """Code loads through %g6 and neither writes nor copies it. The stub for buffered messages alone reads its value."""
    kinds, others, symbols = uses(Path(os.environ["FUGU_BUILD"]) / f"{name}.elf")
    begin = symbols["buffered_stub"]

    assert "read" in kinds
    assert len(others) == 2 and all(begin <= at < begin + 0x80 for at in others), [hex(at) for at in others]


def test_copies_of_g6_are_found():
    """The program `contract` copies %g6 for its checks, and uses() finds that."""
    assert len(uses(PROGRAM)[1]) > 100

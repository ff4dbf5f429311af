"""Shared memory for programs that were written for it: docs/shm.md.

cases.c says what each case does; its processes check what they read.
"""

from __future__ import annotations

import pytest
from guest_programs import built

CASES = ("locks", "barriers", "bytes", "flags", "getsub", "busy", "forks", "memory", "some")
PROGRAM = built("shm/shm-cases")


def check(result, case):
    assert f"{case}: 0 wrong\n" in result.check(0).stdout, result.report()


@pytest.mark.parametrize("nodes", [1, 2, 3, 8, 16])
@pytest.mark.parametrize("case", CASES)
def test_case(machine, case, nodes):
    check(machine(PROGRAM, case, nodes=nodes, timeout="1G"), case)


@pytest.mark.parametrize("case", CASES)
def test_case_with_soft_atomicity(machine, case):
    check(machine(PROGRAM, case, nodes=4, timeout="1G", atomicity="soft"), case)


@pytest.mark.parametrize("case", CASES)
def test_case_beside_another_job(machine, case):
    """Messages are buffered while the other job has its slots."""
    check(machine(PROGRAM, case, "+", "null", nodes=4, timeout="4G", timeslice=100_000), case)


@pytest.mark.parametrize("case", CASES)
def test_case_with_short_sections(machine, case):
    check(machine(PROGRAM, case, nodes=4, timeout="1G", atomicity_timeout=500), case)


def test_split_makes_the_same_run(machine):
    one, two = (machine(PROGRAM, "locks", nodes=4, timeout="1G", processes=p, digest=True) for p in (1, 2))
    check(one, "locks")
    assert one.digest == two.digest


# A mistake, the status, and what the line says.
MISTAKES = {
    "twice": (118, "shm_lock() of 0x", "this process has locked it already"),
    "not-locked": (118, "shm_unlock() of 0x", "this process has not locked it"),
    "beyond": (118, "an access of 0xb7fff000", "access to shared memory that shm_malloc() has not returned"),
    "beyond-read": (118, "an access of 0xb7fff000", "access to shared memory that shm_malloc() has not returned"),
    "bad-free": (118, "shm_free() of 0x", "shm_malloc() has not returned this address"),
    "double-free": (118, "shm_free() of 0x", "shm_malloc() has not returned this address"),
    "too-many": (118, "shm_barrier() of 0x", "the number of processes is not one from 1 to the number of nodes (-n)"),
    "none": (118, "shm_barrier() of 0x", "the number of processes is not one from 1 to the number of nodes (-n)"),
    "bad-child": (3, "a process has called exit(3)", ""),
    "crowd": (118, "shm_create()", "give the machine more nodes (-n)"),
    "generations": (118, "shm_create()", "only the first process may create others"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistake(machine, case):
    status, call, words = MISTAKES[case]
    lines = machine(PROGRAM, case, nodes=3, timeout="1G").check(status).stdout
    assert call in lines and words in lines

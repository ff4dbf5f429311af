"""Shared memory for programs that were written for it: docs/shm.md.

The files in cases/ say what each case does; its processes check what they read.
"""

from __future__ import annotations

import re

import pytest
from guest_programs import built

CASES = ("locks", "barriers", "bytes", "first-touch", "first-read", "weave", "flags", "getsub", "busy", "busy-exchange",
         "busy-locks", "forks", "memory", "reuse", "lock-init",
         "some", "lots", "chain", "first-writers", "fpu")
OF_TWO = ("blocked-home", "blocked-writer", "busy-thread", "kept-wake")     # cases that need two nodes or more
OF_THREE = ("open-page", "late-alarm")         # cases that need three nodes or more
PROGRAM, FORGOTTEN = built("shm/shm-cases"), built("shm/shm-forgotten")


def check(result, case):
    assert f"{case}: 0 wrong\n" in result.check(0).stdout, result.report()


@pytest.mark.parametrize("nodes", [1, 2, 3, 8, 16])
@pytest.mark.parametrize("case", CASES)
def test_case(machine, case, nodes):
    check(machine(PROGRAM, case, nodes=nodes, timeout="1G"), case)


@pytest.mark.parametrize("nodes, processes", [(5, 3), (5, 4), (16, 11)])
@pytest.mark.parametrize("case", CASES)
def test_case_with_fewer_processes_than_nodes(machine, case, nodes, processes):
    check(machine(PROGRAM, case, processes, nodes=nodes, timeout="1G"), case)


def test_a_barrier_tells_whom_it_did_not_let_go_before(machine):
    """The times in this case are those of hard atomicity."""
    check(machine(PROGRAM, "stranger", nodes=3, timeout="1G"), "stranger")


@pytest.mark.parametrize("cache_miss", range(6, 22, 2))
@pytest.mark.parametrize("nodes", [12, 13, 14, 15])
def test_more_processes_come_at_once_than_a_barrier_needs(machine, nodes, cache_miss):
    """At some of these timings, a node passes on several arrivals, of which the barrier needs a part."""
    check(machine(PROGRAM, "lots", nodes=nodes, cache_miss=cache_miss, timeout="1G"), "lots")


@pytest.mark.parametrize("options", [{}, {"nodes": 5}, {"atomicity": "soft"}, {"atomicity_timeout": 500},
                                     {"timeslice": 100_000, "beside": ("+", "null")}],
                         ids=["two", "five", "soft", "short", "beside"])
@pytest.mark.parametrize("case", OF_TWO)
def test_process_that_waits_elsewhere(machine, case, options):
    """It waits for the program's own messages; other nodes get what it has written nevertheless, and no wake is
    lost."""
    words, options = options.get("beside", ()), {k: v for k, v in options.items() if k != "beside"}
    check(machine(PROGRAM, case, *words, **{"nodes": 2, "timeout": "1G"} | options), case)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("case", OF_THREE)
def test_case_of_three_nodes(machine, case, atomicity):
    check(machine(PROGRAM, case, nodes=3, timeout="1G", atomicity=atomicity), case)


@pytest.mark.parametrize("case", CASES)
def test_case_with_soft_atomicity(machine, case):
    check(machine(PROGRAM, case, nodes=4, timeout="1G", atomicity="soft"), case)


@pytest.mark.parametrize("case", CASES)
def test_case_beside_another_job(machine, case):
    """Messages are buffered while the other job has its slots."""
    check(machine(PROGRAM, case, "+", "null", nodes=4, timeout="4G", timeslice=100_000), case)


@pytest.mark.parametrize("nodes", [3, 8])
@pytest.mark.parametrize("case", [case for case in CASES if not case.startswith("busy")])
def test_case_without_the_order(machine, case, nodes):
    check(machine(PROGRAM, case, nodes=nodes, timeout="1G", shm_order="drop"), case)


@pytest.mark.parametrize("case", CASES)
def test_case_with_short_sections(machine, case):
    check(machine(PROGRAM, case, nodes=4, timeout="1G", atomicity_timeout=500), case)


@pytest.mark.parametrize("ram", ["3600K", "4M", "8M"])
def test_little_memory(machine, ram):
    """Copies go when memory is short, also while a page is fetched to be written."""
    check(machine(PROGRAM, "pressure", nodes=2, timeout="1G", ram=ram), "pressure")


def test_too_little_memory(machine):
    """The line names the node, the bytes that it holds, and the option."""
    lines = machine(PROGRAM, "pressure", nodes=2, timeout="1G", ram="2M").check(118).stdout
    held = re.search(r"node 0 has no memory left for shared pages: it holds (\d+) bytes of them; "
                     r"give the nodes more \(--ram\)", lines)
    assert held and int(held[1]) % 4096 == 0 and 0 < int(held[1]) < 2 << 20


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_a_home_tells_of_writes_that_its_log_has_forgotten(machine, atomicity):
    check(machine(PROGRAM, "log-flag", nodes=4, timeout="1G", atomicity=atomicity), "log-flag")


@pytest.mark.parametrize("nodes, processes", [(2, 2), (5, 5), (5, 4)])
@pytest.mark.parametrize("case", ["log", "log-barrier"])
def test_a_log_gets_full_without_barriers(machine, case, nodes, processes):
    """The log of intervals is emptied at 64 KiB. Processes that would need it forget all their copies, when they lock
    next or leave a barrier."""
    result = machine(PROGRAM, case, processes, nodes=nodes, timeout="1G")
    check(result, case)
    assert re.search(r"^log: 0 barriers, [1-9]\d* collections$", result.stdout, re.MULTILINE), result.report()


@pytest.mark.parametrize("order", ["keep", "drop"])
@pytest.mark.parametrize("nodes", [2, 4])
@pytest.mark.parametrize("words", [(61,), (62,), (80,), (62, 1)], ids=["last", "first beyond", "beyond", "with another"])
@pytest.mark.parametrize("how", ["lock", "barrier"])
def test_an_interval_that_the_log_has_no_room_for(machine, how, words, nodes, order):
    """The others have seen all intervals but this one, or but one more."""
    result = machine(FORGOTTEN, how, *words, nodes=nodes, shm_visits="off", shm_order=order, timeout="1G").check(0)
    assert result.stdout == "forgotten: 0 wrong\n"


@pytest.mark.parametrize("nodes", [4, 17])
def test_a_flag_is_seen_while_page_faults_take_long(machine, nodes):
    """Within SHM_VISIBLE + 2 * SHM_VISIBLE_LATER cycles. (It took 195 million cycles, and longer with more pages.)"""
    check(machine(PROGRAM, "readers", nodes=nodes, ram="32M", timeout="1G"), "readers")


def test_free_neighbours_are_one_block(machine):
    check(machine(PROGRAM, "merge", nodes=2, timeout="4G"), "merge")


def test_operands_of_calls(machine):
    """System calls and the C library get pages that are not there."""
    result = machine(PROGRAM, "operands", nodes=3, timeout="1G")
    check(result, "operands")
    assert result.stdout.startswith("33 pages\nplain\n")


@pytest.mark.parametrize("case, calls", [
    ("deadlock", ["shm_wait_for_end()", "shm_barrier() of 0x"]),
    ("lock-deadlock", ["shm_lock() of 0xa", "shm_lock() of 0xa"]),
])
def test_deadlock_report(machine, case, calls):
    """It names call and variable of each process, and the variables of different locks differ."""
    report = machine(PROGRAM, case, nodes=2, timeout="1G").check(125).stderr
    found = re.findall(r"shm-cases \(job 1\): is in (.*) in \w+ \(\w+\.c:\d+\)", report)
    assert [call.startswith(want) for call, want in zip(found, calls, strict=True)] == [True, True], report
    assert found[0] != found[1]


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
    "next-page": (118, "the last page\n", "access to shared memory that shm_malloc() has not returned"),
    "next-page-away": (118, "the last page\n", "access to shared memory that shm_malloc() has not returned"),
    "bad-free": (118, "shm_free() of 0x", "shm_malloc() has not returned this address"),
    "double-free": (118, "shm_free() of 0x", "shm_malloc() has not returned this address"),
    "too-many": (118, "shm_barrier() of 0x", "the number of processes is not one from 1 to the number of nodes (-n)"),
    "none": (118, "shm_barrier() of 0x", "the number of processes is not one from 1 to the number of nodes (-n)"),
    "numbers": (118, "shm_barrier() of 0x", "processes wait at one barrier for different numbers of processes"),
    "numbers-late": (118, "shm_barrier() of 0x", "processes wait at one barrier for different numbers of processes"),
    "two-barriers": (118, "shm_barrier() of 0x", "other processes wait for all processes at another barrier"),
    "handler-calls": (118, "shm_lock() of 0x", "called in a handler"),
    "section-calls": (118, "shm_barrier() of 0x", "called in an atomic section"),
    "two-threads": (118, "shm_lock() of 0x", "another thread is in a call"),
    "bad-child": (3, "a process has called exit(3)", ""),
    "crowd": (118, "shm_create()", "give the machine more nodes (-n)"),
    "generations": (118, "shm_create()", "only the first process may create others"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistake(machine, case):
    status, call, words = MISTAKES[case]
    lines = machine(PROGRAM, case, nodes=3, timeout="1G").check(status).stdout
    assert call in lines and words in lines


@pytest.mark.parametrize("case, function, what", [
    ("in-section", "in_section_work", "a handler or an atomic section touches shared memory, address"),
    ("handler-touches", "on_touch", "a handler or an atomic section touches shared memory, address"),
    ("handler-opens", "on_touch_open", "a handler or an atomic section touches shared memory, the page at"),
    ("launches", "launch_work", "a launch takes a body from shared memory, the page at"),
])
def test_refused_access(machine, case, function, what):
    """The line names the address that was touched, and the place. The case prints the address first."""
    lines = machine(PROGRAM, case, nodes=3, timeout="1G").check(118).stdout
    address = int(re.search(r"^touches (0x\w+)$", lines, re.MULTILINE)[1], 16)
    named = address & -4096 if what.endswith("page at") else address
    assert re.search(rf"is ended: shared memory: {re.escape(what)} 0x{named:x}; "
                     rf"pc 0x\w+ in {function} \(mistakes\.c:\d+\)", lines), lines

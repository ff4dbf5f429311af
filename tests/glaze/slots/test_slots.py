"""Which process runs on a node: docs/glaze.md, "Scheduling".

slots.c says what the program does. A run is the same each time; the tests
assert what the rules promise, not numbers of one run.
"""

from __future__ import annotations

import re

import pytest
from guest_programs import built, joined

TIMESLICE = 500_000


def program():
    return built("glaze/slots/slots")


# ---- progress -------------------------------------------------------------------

# Jobs and options with slots that are shorter than a process switch, or than one access to memory.
TIGHT = {
    "hard": (2, {"timeslice": 1000}),
    "soft": (4, {"timeslice": 1200, "atomicity": "soft"}),
    "small cache": (2, {"timeslice": 3000, "cache_size": "4K", "cache_miss": 100}),
    "small cache, soft": (3, {"timeslice": 1000, "cache_size": "4K", "cache_miss": 100, "atomicity": "soft"}),
    "an access is longer than a slot": (2, {"timeslice": 1000, "cache_size": "4K", "cache_miss": 5000}),
    "15 jobs": (15, {"timeslice": 1000}),
}


@pytest.mark.parametrize("case", TIGHT)
def test_every_process_advances_in_the_shortest_slots(machine, case):
    """Every process makes progress before the next switch."""
    jobs, options = TIGHT[case]
    result = machine(*joined([["hello"]] * jobs), nodes=2, timeout="10G", **options).check(0)
    assert sorted(result.stdout.splitlines()) == sorted(f"hello from node {n} of 2: hello"
                                                        for n in range(2) for _ in range(jobs))


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("timeslice", [1000, 1200, 1700, 2500, 3400, 5000, 20_000])
def test_no_process_is_passed_over(machine, timeslice, atomicity):
    """A process that missed its slot, because a switch took as long as the slot, runs in the next one."""
    words = joined([(program(), "share", 4_000_000)] * 4)
    result = machine(*words, nodes=1, timeout="10M", timeslice=timeslice, atomicity=atomicity).check(0)
    shares = [int(share) for share in re.findall(r"^share: job \d: (\d+)$", result.stdout, re.MULTILINE)]
    assert len(shares) == 4 and 4 * min(shares) > max(shares), result.report()


# ---- waiting --------------------------------------------------------------------

def trips(machine, count, *others, **options):
    result = machine(program(), "trips", TIMESLICE, count, *others, nodes=2, timeout="100M", **options).check(0)
    cycles, first, last = map(int, re.search(rf"^trips: {count} in (\d+) cycles, slots (\d+) to (\d+)$",
                                             result.stdout, re.MULTILINE).groups())
    return result, cycles, first, last


def test_process_that_waits_keeps_its_slot(machine):
    """A process that is woken in its slot runs at once: twenty round trips between two of them fit into one slot."""
    _, alone, _, _ = trips(machine, 20)
    _, cycles, first, last = trips(machine, 20, "+", "null", 3_000_000)
    assert first == last
    assert alone < cycles < TIMESLICE


@pytest.mark.parametrize(("options", "start"), [({"scheduler": "none"}, 0), ({}, 80_000)], ids=["kernel", "server"])
def test_woken_process_takes_nothing_of_other_slots(machine, options, start):
    """Beside the round trips, a process counts the cycles of its slots that went to others. The scheduler's server
    takes some of them when it starts, which takes 80,000 cycles in all, and none later. What messages between kernels
    take is less than a hundredth. If 400 wakes each took the processor, that would be a million: a seventh."""
    result, _, first, last = trips(machine, 400, "+", program(), "keep", TIMESLICE, 30, **options)
    kept = [tuple(map(int, pair)) for pair in
            re.findall(r"^keep: node \d: (\d+) cycles, (\d+) of them for others$", result.stdout, re.MULTILINE)]
    assert last > first
    assert len(kept) == 2 and all(others < cycles / 100 + start for cycles, others in kept), result.report()


def least(machine, senders, others, until, nodes, **options):
    """How far jobs come on node 0 until a cycle, beside others: the fewest turns of a loop."""
    result = machine(*joined([[built("glaze/slots/ended"), "counts", until], senders, *others]), nodes=nodes, timeout="200M",
                     **options).check(0)
    return min(map(int, re.findall(r"^ended: (\d+) turns$", result.stdout, re.MULTILINE)))


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize(("part", "others"), [(86, 0), (100, 0), (86, 1)])
def test_insertions_take_nothing_of_other_slots(machine, part, others, atomicity):
    """Three nodes send to a process that does not run. The time that the kernel needs for these messages comes off that
    process's slots, and the one that computes comes almost as far as beside a process that gets no message."""
    until = 12_000_000
    alone, beside = (least(machine, [program(), "flood", TIMESLICE, until, each], [["null", until]] * others, until, 4,
                           atomicity=atomicity) for each in (0, part))
    assert beside > 0.95 * alone


@pytest.mark.parametrize("options", [{}, {"scheduler": "none"}, {"atomicity": "soft"}], ids=["server", "kernel", "soft"])
@pytest.mark.parametrize(("nodes", "part"), [(2, 30), (3, 30), (3, 100)])
def test_a_flood_that_one_slot_of_eight_cannot_pay(machine, nodes, part, options):
    """The job of the messages is suspended until its slots have paid for them."""
    until = 32_000_000
    others = [[built("glaze/slots/ended"), "counts", until]] * 6
    alone, beside = (least(machine, [program(), "pour", until, each], others, until, nodes, **options) for each in (0, part))
    assert beside > 0.9 * alone


def test_debts_expire_where_no_slot_passes(machine):
    """Seven jobs compute, and then wait for ever: no slot passes in which the job of the messages could pay. After as long
    as eight jobs would have taken, what it owes is forgotten, and it goes on to its end. Otherwise it is suspended again
    each time, before it runs."""
    waits = [[program(), "wait", 2_000_000]] * 7
    result = machine(*joined([[program(), "pour", 6_000_000, 100], *waits]), nodes=4, timeout="60M").check(125)
    assert "slots (job 1)" not in result.stdout + result.stderr, result.report()


def test_debts_of_short_slots_are_paid(machine):
    """Each is too small for a longer slot. Together they are not: the loop has 0.79 of its turns, and would have 0.57 if
    what is too small were forgotten."""
    until = 6_000_000
    alone, beside = (least(machine, [program(), "pour", until, part], [], until, 3, timeslice=10_000, scheduler="none")
                     for part in (0, 40))
    assert beside > 0.7 * alone


def test_a_job_that_begins_is_no_guest(machine):
    """It waits for its first pages in its own slots. With guests that may owe time though the node never idled, the one
    that computes would come 0.67 times as far as here, and the jobs would end in debt."""
    until = 10_000_000
    beside = least(machine, [program(), "pour", until, 0], [[f"hello@{start}"] for start in range(1_000_000, 9_000_000, TIMESLICE)],
                   until, 2)
    assert beside > 1.2 * least(machine, [program(), "pour", until, 0], [], until, 2)


def test_all_jobs_waiting_is_a_deadlock(machine):
    """A deadlock is found with several jobs too, as no slot ends on a node where no process can run."""
    machine(program(), "wait", "+", program(), "wait", nodes=2, timeout="100M").check(125)


# ---- the nodes' slots ------------------------------------------------------------

def slots_of(result):
    """{(job, node): the slots in whose middle the job ran there}."""
    return {(int(job), int(node)): {k for k, mark in enumerate(marks) if mark == "x"}
            for job, node, marks in re.findall(r"^when: job (\d) node (\d): ([x-]+)$", result.stdout, re.MULTILINE)}


def test_nodes_agree_on_slots(machine):
    """The slots are the same on all nodes while a job has ended on one of them, and after it has ended on all."""
    begin, ends, until = 18, 36, 66         # slots: all jobs have started; job 1 ends on node 1; the others end
    slot = 30_000                           # the scheduler's server runs for less than the middle half of one
    result = machine(program(), "when", slot, ends, 0, 4, "+", program(), "when", slot, until,
                     "+", program(), "when", slot, until, nodes=2, timeslice=slot, timeout="10M").check(0)
    seen = slots_of(result)

    def of(job, node, slots):
        return seen[job, node] & set(slots)
    middle = range(begin, ends)
    last = range(ends + 8, until)       # without those in which job 1 prints and ends, and the next plan comes
    assert of(1, 1, middle) == {k for k in middle if k % 3 == 0}
    for node in (0, 1):
        assert of(3, node, middle) == {k for k in middle if k % 3 == 2}
        assert of(2, node, last) == {k for k in last if k % 2 == 0}
        assert of(3, node, last) == {k for k in last if k % 2 == 1}
    assert of(2, 1, middle) == {k for k in middle if k % 3 == 1}
    # Job 2 also has the slots of job 1, which has ended there.
    assert of(2, 0, middle) == {k for k in middle if k % 3 != 2}

"""A machine without messages for users, --ni none: what runs there is what runs with FUGU's interface.

messageless.c says what it checks.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from guest_programs import built, joined

from fugu.abi import PROCESS
from fugu.errors import UsageError

PROGRAM, TURNS = built("kinds/messageless"), built("kinds/turns")
GIDS = PROCESS["JOBS_MAX"]


@pytest.fixture
def none(machine):
    """none(word..., option=...) -> the result of a run with --ni none."""
    def run(*words, **options):
        return machine(*words, **{"ni": "none", "nodes": 2, "timeout": "400M"} | options)
    return run


# ---- the kernel -------------------------------------------------------------------

def test_the_smallest_program(none):
    result = none("hello", "some", "words", nodes=3).check(0)
    assert sorted(result.stdout.splitlines()) == [f"hello from node {node} of 3: hello some words" for node in range(3)]


def test_each_rule_holds(none):
    none(PROGRAM).finished(2)


@pytest.mark.parametrize("disks", [(0,), (1,)])
def test_threads_whose_pages_come_and_go(none, disk, disks):
    """A disk of either node serves both: pages travel by the second network."""
    result = none(PROGRAM, ram="640K", disk=[f"{node}={disk(4096)}" for node in disks], check="mmu").finished(2)
    assert result.stdout


MISTAKES = {
    "launch": "the machine has no messages for users",
    "dispose": "the machine has no messages for users",
    "store": "protection-violation: the network interface refuses this",
    "storeback": "protection-violation: the network interface refuses this",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_ends_the_job(none, mistake):
    result = none(PROGRAM, mistake).check(101)
    assert re.search(rf"^glaze: messageless \(job 1\) on node \d is ended: {MISTAKES[mistake]}; pc 0x\w+ in main "
                     r"\(messageless\.c:\d+\)$", result.stdout, re.MULTILINE), result.report()


@pytest.mark.parametrize("words", [["system"], ["numbers"], ["formats", 1, 100]])
def test_the_c_library_works(none, words):
    program, *words = words
    found = [none(built(f"clib/{program}"), *words, nodes=1, ni=kind).check(0).stdout for kind in ("none", "fugu")]
    assert found[0] == found[1]


def test_system_calls_with_bad_arguments_are_refused(none):
    result = none(built("hostile/calls")).check(0)
    assert [line for line in sorted(result.stdout.splitlines()) if line.startswith(("FAIL", "calls:"))] == [
        f"calls: node {node}: 0 failed" for node in range(2)]


@pytest.mark.parametrize("seed", range(3))
def test_random_calls_harm_no_kernel(none, seed):
    none(built("hostile/calls"), seed, 2000).check(0)


# ---- several jobs -----------------------------------------------------------------

def lines(result):
    """The lines of a run with --label, by job: (node, cycle, text)."""
    found = re.findall(r"^\[(\d+) job (\d+) @(\d+)\] (.*)$", result.stdout, re.MULTILINE)
    return {job: [(int(node), int(cycle), text) for node, of, cycle, text in found if int(of) == job]
            for job in sorted({int(of) for _, of, _, _ in found})}


def test_jobs_take_turns(none):
    """Each has its slots on all nodes, and a third one that comes later, as with messages (test_sched.py)."""
    slot = 50_000
    job = [TURNS, "when", slot]
    result = none(*job, 120, "+", *job, 120, "+", f"{TURNS}@2M", *job[1:], 100, nodes=4, timeslice=slot, skew=20).check(0)
    seen = re.findall(r"^when: job (\d) node \d: ([x-]+)$", result.stdout, re.MULTILINE)
    assert len(seen) == 12
    for number, marks in seen:
        def of(begin, end, marks=marks):
            return {k for k in range(begin, end) if marks[k] == "x"}
        if number != "3":
            assert of(10, 38) == {k for k in range(10, 38) if k % 2 == int(number) - 1}
        assert of(46, 98) == {k for k in range(46, 98) if k % 3 == int(number) - 1}


def test_a_job_starts_at_its_time(none):
    """Also after all others have ended, and without a server where none is needed."""
    result = none("hello", "one", "+", "hello@3M", "late", nodes=3, label=True).check(0)
    found = lines(result)
    assert {node for node, _, _ in found[1]} == {node for node, _, _ in found[2]} == {0, 1, 2}
    assert all(3_000_000 < cycle < 3_150_000 for _, cycle, _ in found[2])
    none("hello", "+", "null", 500_000, scheduler="none").check(0)


def test_jobs_use_gids_again(none):
    """No message can be left in the network, so no flush comes before."""
    jobs = 2 * GIDS + 3
    result = none(*joined(["hello", number] for number in range(jobs)), timeout="2G").check(0)
    assert Counter(result.stdout.splitlines()) == Counter(
        f"hello from node {node} of 2: hello {number}" for node in range(2) for number in range(jobs))


def test_jobs_whose_pages_come_and_go(none, disk):
    """Two of them, one of which begins later: each computes what it computes alone."""
    none(PROGRAM, "+", f"{PROGRAM}@2M", ram="1M", disk=[f"0={disk(8192)}"], timeslice=100_000, timeout="4G").finished(4)


# ---- programs for another kind ----------------------------------------------------

def test_a_program_with_messages_is_refused(none):
    for words, needs in ((["pingpong"], "pingpong needs --ni fugu, as it uses UDM,"),
                         (["lu"], "lu needs --ni fugu, as it uses CRL and collectives,"),
                         (["fifos"], "fifos needs --ni fugu, as it uses MBCF and collectives,"),
                         (["hello", "+", "solve"], "solve needs --ni fugu, as it uses MBCF, UDM and collectives,")):
        with pytest.raises(UsageError, match=rf"^{needs} but the machine has --ni none\.$"):
            none(*words)

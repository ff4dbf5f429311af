"""A machine without messages for users, --ni none: what runs there is what runs with FUGU's interface.

messageless.c says what it checks.
"""

from __future__ import annotations

import re

import pytest
from guest_programs import built

from fugu.errors import UsageError

PROGRAM = built("kinds/messageless")


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


# ---- programs for another kind ----------------------------------------------------

def test_a_program_with_messages_is_refused(none):
    for words, needs in ((["pingpong"], "pingpong needs --ni fugu, as it uses UDM,"),
                         (["lu"], "lu needs --ni fugu, as it uses CRL and collectives,"),
                         (["fifos"], "fifos needs --ni fugu, as it uses MBCF and collectives,"),
                         (["hello", "+", "solve"], "solve needs --ni fugu, as it uses MBCF, UDM and collectives,")):
        with pytest.raises(UsageError, match=rf"^{needs} but the machine has --ni none\.$"):
            none(*words)

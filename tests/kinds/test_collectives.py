"""Collective operations on --ni shrimp and m-machine: docs/udm.md, "On a machine without messages".

collective.c and mistakes.c are those of tests/libos/collective, without messages of their own.
"""

from __future__ import annotations

import re

import pytest
from guest_programs import built

from fugu.paths import ROOT

COLLECTIVE, MISTAKES = built("kinds/collective"), built("kinds/mistakes")
TOGETHER, ALONGSIDE = built("kinds/together"), built("kinds/alongside")
WAITS = ("spin", "block", "mixed")


@pytest.fixture
def shrimp(machine):
    """shrimp(word..., option=...) -> the result of a run with --ni shrimp."""
    def run(*words, **options):
        return machine(*words, **{"ni": "shrimp", "timeout": "400M"} | options)
    return run


@pytest.fixture
def slots(machine):
    """slots(word..., option=...) -> the result of a run with --ni m-machine."""
    def run(*words, **options):
        return machine(*words, **{"ni": "m-machine", "timeout": "400M"} | options)
    return run


@pytest.mark.parametrize("nodes", [*range(1, 10), 17, 64])
def test_any_number_of_nodes(shrimp, nodes):
    """Random operations, roots, sizes and delays."""
    shrimp(COLLECTIVE, 8 if nodes == 64 else 30, nodes, WAITS[nodes % 3], nodes=nodes).finished(nodes)


@pytest.mark.parametrize("nodes", [1, 2, 3, 5, 6, 8, 17, 64])
def test_any_number_of_nodes_by_slots(slots, nodes):
    slots(COLLECTIVE, 8 if nodes == 64 else 30, nodes, WAITS[nodes % 3], nodes=nodes).finished(nodes)


@pytest.mark.parametrize("options", [{"timeslice": 20_000}, {"processes": 3}, {"incoming_word": 100}],
                         ids=lambda options: next(iter(options)))
def test_by_another_machine(shrimp, options):
    shrimp(COLLECTIVE, 30, 7, "mixed", nodes=6, **options).finished(6)


@pytest.mark.parametrize("options", [{"timeslice": 20_000}, {"processes": 3}, {"input_queue": 52}],
                         ids=lambda options: next(iter(options)))
def test_by_another_machine_with_slots(slots, options):
    slots(COLLECTIVE, 30, 7, "mixed", nodes=6, **options).finished(6)


@pytest.mark.parametrize("ni", ["shrimp", "m-machine"])
def test_beside_another_job(machine, ni):
    result = machine(COLLECTIVE, 20, 3, "spin", "+", COLLECTIVE, 20, 4, "block", nodes=5, timeslice=20_000, ni=ni,
                     timeout="400M")
    assert re.findall(r"^\d+ checks, (\d+) failed", result.check(0).stdout, re.MULTILINE) == ["0"] * 10, result.report()


@pytest.mark.parametrize("mode", ["single", "blocked", "deliberate"])
def test_what_was_sent_before_a_barrier_is_there_after_it(shrimp, mode):
    """The engine is slow: it still reads memory when the barrier begins."""
    shrimp(TOGETHER, 12, mode, nodes=3, dma_word=20).finished(3)


def test_a_program_may_have_all_mappings_for_itself(shrimp):
    """A call says so. A process that only ends does not need one."""
    result = shrimp(TOGETHER, "taken", "call", nodes=2).check(118)
    assert re.search(r"a collective operation cannot map to node \d: error 28", result.stdout), result.report()
    shrimp(TOGETHER, "taken", "exit", nodes=2).check(0)


def test_a_deadlock_names_the_call(shrimp):
    """And the word of which an update is awaited."""
    done = shrimp(TOGETHER, "missing", nodes=3).check(125)
    waits = re.findall(r"^ +together \(job 1\): first thread waits for (.*) in main \(together.c:\d+\)$", done.stderr,
                       re.MULTILINE)
    assert re.sub("0x[0-9a-f]{8}", "ADDRESS", "\n".join(waits)).splitlines() == [
        "other nodes in udm_reduce_int()", *["an update of ADDRESS (in+0x1c)"] * 2], done.report()


def test_a_deadlock_names_the_call_and_the_word_that_no_handler_stores(slots):
    done = slots(ALONGSIDE, "missing", nodes=3).check(125)
    waits = re.findall(r"^ +alongside \(job 1\): first thread waits for (.*) in main \(\S+:\d+\)$", done.stderr, re.MULTILINE)
    assert re.sub("0x[0-9a-f]{8}", "ADDRESS", "\n".join(waits)).splitlines() == [
        "other nodes in udm_reduce_int()", *["a store to ADDRESS (memory+0x8)"] * 2], done.report()


def test_other_threads_run_while_one_waits(shrimp, slots):
    shrimp(TOGETHER, "others", nodes=4).finished(4)
    slots(ALONGSIDE, "others", nodes=4).finished(4)


@pytest.mark.parametrize("nodes", [2, 5, 16])
def test_beside_messages_of_its_own(slots, nodes):
    """All nodes send to all, between calls and while others are in them. The least queues hold two messages."""
    slots(ALONGSIDE, "flood", 10, nodes=nodes, input_queue=52, source_space=52).finished(nodes)


def test_a_program_has_one_range_less(slots):
    slots(ALONGSIDE, "ranges", nodes=3).finished(3)


SAID = {
    "atomic": r"udm_quiesce\(\): called in an atomic section",
    "root": r"udm_broadcast\(\): the root does not exist",
    "address": r"udm_broadcast\(\): the data are not aligned to 4 bytes",
    "operation": r"udm_reduce_double\(\): there is no such operation",
    "threads": r"udm_barrier\(\): another thread is in a call",
    "other-call": r"(udm_barrier\(\): node 1 calls udm_broadcast\(\)|udm_broadcast\(\): node 0 calls udm_barrier\(\))",
    "other-call-late": r"udm_barrier\(\): node 1 calls udm_reduce_int\(\)",
    "other-root": r"udm_reduce_int\(\): node . calls udm_reduce_int\(\) with another operation or root",
    "other-operation": r"udm_reduce_all_int\(\): node . calls udm_reduce_all_int\(\) with another operation or root",
    "other-bytes": r"udm_broadcast\(\): the nodes pass different numbers of bytes",
    "left-before": r"udm_barrier\(\): node 1 has ended after 0 such calls",
    "left-while": r"udm_barrier\(\): node 1 has ended after 3 such calls",
}


@pytest.mark.parametrize("ni", ["shrimp", "m-machine"])
@pytest.mark.parametrize("what", SAID)
def test_a_mistake_ends_the_job(machine, what, ni):
    result = machine(MISTAKES, what, nodes=2, ni=ni, timeout="10M").check(118)
    assert re.search(rf"mistakes \(job 1\) on node . is ended: {SAID[what]}", result.stdout), result.report()


def test_one_file_runs_on_all_three_kinds(machine):
    """barrier and this program use no messages of their own."""
    for ni in ("fugu", "shrimp", "m-machine"):
        machine(COLLECTIVE, 10, 1, "spin", nodes=4, ni=ni, timeout="100M").finished(4)
        assert "nodes were ahead 0 times" in machine("barrier", 20, nodes=4, ni=ni, timeout="100M").check(0).stdout


def test_documented_cycles_of_a_barrier(slots):
    """As docs/m-machine.md says, within 2 %."""
    said = " ".join((ROOT / "docs" / "m-machine.md").read_text().split())
    eight, two = re.search(r"-n 8 barrier` takes ([\d,]+) cycles a barrier, and (\d+) with two nodes", said).groups()
    for nodes, cycles in ((8, float(eight.replace(",", ""))), (2, float(two))):
        found = re.search(r", ([\d.]+) cycles each", slots("barrier", 1000, nodes=nodes).check(0).stdout)[1]
        assert abs(float(found) - cycles) <= 0.02 * cycles


def test_a_machine_without_any_of_them_is_refused(machine):
    from fugu.errors import UsageError
    with pytest.raises(UsageError, match=r"needs --ni fugu, shrimp or m-machine, as it uses collectives, but the machine "
                                         r"has --ni none\.$"):
        machine("barrier", ni="none")

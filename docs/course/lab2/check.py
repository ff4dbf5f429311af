"""The checks of lab 2."""

from __future__ import annotations

import re

import pytest

NODES = 4
SHORT = 1_000               # cycles that a section may delay a message
LEAST = 108                 # transfers that the accounts have money for, on 4 nodes
MACHINES = {"4 nodes": ((), {"nodes": NODES}), "8 nodes": ((), {"nodes": 8}),
            "soft atomicity": ((), {"nodes": NODES, "atomicity": "soft"}),
            "another job": (("+", "barrier", "100"), {"nodes": NODES, "timeslice": 20_000, "skew": 20})}
# For bank.c: after each section, handlers come.
SLOWLY = """
#include "udm.h"
static void lab_messages_come(void)
{
    for (volatile int k = 0; k < 100; k++) {
    }
}
#define udm_endatom() do { udm_endatom(); lab_messages_come(); } while (0)
"""
RACE = re.compile(r"^fugu: bank: (.*) \(.*\)\nfugu:   handler: (.*)\nfugu:   thread:  (.*)\n", re.MULTILINE)


@pytest.fixture(scope="module")
def program(lab):
    return lab.build("-g", "bank.c")


def test_the_program_ends(lab, program):
    """"Sections" and "A section in a handler" in the text."""
    lab.run(program, nodes=NODES)


TOTAL = re.compile(r"^total (-?\d+) of (\d+)$", re.MULTILINE)


def has_all(output, nodes):
    """That no money is lost."""
    total, wanted = TOTAL.search(output), 4 * 300 * nodes
    assert total, f"no line says the total; the last line is \"{output.splitlines()[-1:]}\""
    assert total.groups() == (str(wanted), str(wanted)), f"\"{total[0]}\", and it must be {wanted}"


@pytest.mark.parametrize("machine", MACHINES)
def test_no_money_is_lost(lab, program, machine):
    """"What is lost" in the text, and step 1 of the task."""
    jobs, options = MACHINES[machine]
    has_all(lab.run(program, *jobs, **options).output, options["nodes"])


def test_no_money_is_lost_between_sections(lab, tmp_path):
    """"Sections" in the text: a section protects what is in it."""
    header = tmp_path / "slowly.h"
    header.write_text(SLOWLY)
    program = lab.build("-include", header, "bank.c", name="bank")
    has_all(lab.run(program, nodes=NODES).output, NODES)


def test_transfers_are_made(lab, program):
    """step 1 of the task: a transfer is refused only if there is too little money."""
    output = lab.run(program, nodes=NODES).output
    made = sum(map(int, re.findall(r"^node \d+: (\d+) transfers", output, re.MULTILINE)))
    assert made >= LEAST, f"the nodes have made {made} transfers of {NODES * 40}, and at least {LEAST} are possible"


def test_the_journal_has_each_change(lab, program):
    """step 1 of the task."""
    output = lab.run(program, nodes=NODES).output
    lines = re.findall(r"^node (\d+): (\d+) transfers, (\d+) deposits, (\d+) entries, "
                       r"right for (\d+) accounts$", output, re.MULTILINE)
    assert len(lines) == NODES, f"{len(lines)} of {NODES} nodes say how many transfers they have made"
    total = TOTAL.search(output)
    is_all = total and total[1] == total[2]         # otherwise balances are wrong, and not the journal
    for node, *numbers in lines:
        transfers, deposits, entries, right = map(int, numbers)
        assert entries == transfers + deposits, \
            f"node {node} has made {transfers} transfers and {deposits} deposits, and has {entries} entries"
        assert right == 4 or not is_all, \
            f"by the journal of node {node}, the balances of {right} accounts of 4 are right: other changes are in it"


def test_no_race_is_left(lab, program):
    """step 2 of the task, and docs/races.md#races-in-one-run."""
    result = lab.run(program, nodes=NODES, check="races", status=None)
    found = [f"{what}: {handler}, and {thread}" for what, handler, thread in RACE.findall(result.errors)]
    assert result.status == 0 and not found, \
        f"--check races finds {len(found)}, of which the first is that {(found or [result.errors])[0]}"


def test_sections_are_short(lab, program):
    """"How long a section may be" in the text, and step 3 of the task."""
    jobs = lab.run(program, nodes=NODES, atomicity_timeout=SHORT, statistics=True).statistics["jobs"]
    revoked = sum(job["buffered_mode"]["causes"].get("timeout", 0) for job in jobs if job["name"] == "bank")
    assert revoked == 0, f"the kernel has revoked {revoked} sections, which have held up a message for {SHORT:,} cycles"

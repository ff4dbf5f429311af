"""The checks of lab 2."""

from __future__ import annotations

import re

import pytest

NODES = 4
SHORT = 1_000               # cycles that a section may delay a message
SLOW = 2_000                # cycles that the clerk takes at least
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
# Calls transfer() of bank.c: for pairs of numbers once each, with so much in account 2, and this amount; without them,
# twenty times, while money comes in.
CALLS = """
#define main bank_main
#include "bank.c"
#undef main
#include <stdlib.h>

static void begin(int32_t in_account_2)
{
    for (int32_t k = 0; k < ACCOUNTS; k++) {
        balance[k] = 1000 * (k + 1);
    }
    if (udm_node() == 0) {
        balance[2] = in_account_2;
    }
    entries = transfers = fees = 0;
    udm_barrier();
}

static void end(uint32_t cycles)
{
    udm_barrier();
    printf("lab: node %lu has %ld, %ld, %ld, %ld; %lu made, fees %ld, %lu cycles\\n",
           (unsigned long)udm_node(), (long)balance[0], (long)balance[1],
           (long)balance[2], (long)balance[3], (unsigned long)transfers, (long)fees,
           (unsigned long)cycles);
    udm_barrier();
}

static void pay_in(void)
{
    for (uint32_t k = 0; k < 300; k++) {
        udm_inject(0, deposit, k % ACCOUNTS, 1);
        for (volatile uint32_t wait = 0; wait < 20; wait++) {
        }
    }
}

int main(int words, char **word)
{
    for (int k = 2; k < words; k += 2) {
        uint64_t since;

        begin(atoi(word[k - 1]));
        since = udm_cycles();
        if (udm_node() == 0) {
            transfer(2, atoi(word[k]), 1);
        }
        end(udm_cycles() - since);
    }
    if (words == 1) {
        begin(1000);
        if (udm_node() == 1) {
            pay_in();
        }
        for (uint32_t k = 0; udm_node() == 0 && k < 20; k++) {
            transfer(k % ACCOUNTS, 10, 1);
        }
        end(0);
    }
    return 0;
}
"""
# In account 2, amount, fee: of transfers that are made, and of those that are not.
POSSIBLE = [(300, 100, 2), (150, 100, 1), (51, 50, 1), (300, 298, 2)]
REFUSED = [(50, 50, 1), (300, 299, 2), (10, 200, 1)]
CALLED = re.compile(r"^lab: node (\d) has (.*); (\d+) made, fees (-?\d+), (\d+) cycles$", re.MULTILINE)
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


class Called:
    """What two nodes have after a call of transfer() on node 0: accounts as text; how many were made, fees and cycles."""

    def __init__(self, here, there):
        self.here, self.made, self.fees, self.cycles, self.there = here[0], *map(int, here[1:]), there[0]


@pytest.fixture(scope="module")
def called(lab, tmp_path_factory):
    """called() -> a Called for each of POSSIBLE and REFUSED; called(beside=True) -> one for twenty transfers, while money
    comes in."""
    calls = tmp_path_factory.mktemp("calls") / "calls.c"
    calls.write_text(CALLS)
    program = lab.build(f"-I{lab.folder}", calls, name="bank")

    def call(beside=False):
        cases = [()] if beside else [case[:2] for case in POSSIBLE + REFUSED]
        lines = CALLED.findall(lab.run(program, *(word for case in cases for word in case), nodes=2).output)
        nodes = [[rest for node, *rest in lines if node == number] for number in "01"]
        assert [len(each) for each in nodes] == [len(cases)] * 2, "a call of transfer() does not come back"
        each = [Called(*both) for both in zip(*nodes)]
        return each[0] if beside else dict(zip(POSSIBLE + REFUSED, each))
    return call


def test_a_transfer_moves_the_amount(called):
    """step 1 of the task, and transfer() in the file that you begin with."""
    for (balance, amount, fee), seen in called().items():
        if seen.made:
            case = f"a transfer of {amount} from account 2, which has {balance}"
            assert seen.fees == fee, f"{case}, adds {seen.fees} to the fees, and not {fee}"
            wanted = f"1000, 2000, {balance - amount - fee}, 4000"
            assert seen.here == wanted, f"{case}, leaves {seen.here} in accounts 0 to 3, and not {wanted}"
            wanted = f"1000, 2000, {3000 + amount}, 4000"
            assert seen.there == wanted, \
                f"{case}, gives the other node {seen.there} in accounts 0 to 3, and not {wanted}"


def test_transfers_are_made(called):
    """step 1 of the task: a transfer is refused only if there is too little money."""
    for balance, amount, fee in POSSIBLE:
        made = called()[balance, amount, fee].made
        assert made == 1, f"an account has {balance}, and a transfer of {amount} with a fee of {fee} is refused"
    made = called(beside=True).made
    assert made == 20, f"while money comes in, {made} of 20 transfers are made, and there is money for all of them"


def test_transfers_without_money_are_refused(called):
    """step 1 of the task: a transfer is refused if there is too little money."""
    for balance, amount, fee in REFUSED:
        made = called()[balance, amount, fee].made
        assert not made, f"an account has {balance}, and a transfer of {amount} with a fee of {fee} is made"


def test_the_clerk_is_slow(called):
    """step 3 of the task: the clerk stays as he is."""
    cycles = called()[POSSIBLE[0]].cycles
    assert cycles >= SLOW, f"transfer() takes {cycles:,} cycles, and the clerk alone takes some 3,000"


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

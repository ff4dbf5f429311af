"""The checks of lab 1."""

from __future__ import annotations

import re

import pytest

NODES = 4
FAR = 500_000               # cycles to the other node: no program waits so long by chance
HOP = 2_000                 # cycles from a node to the next, in a row: greetings come one after the other
MACHINES = {"slow network": ((), {"mesh_base": FAR}),
            "another job": (("+", "barrier", "100"), {"timeslice": 100_000, "skew": 50})}
# For greet.c: shows the word that other nodes than 0 send by udm_inject().
SHOWS = """
#include <stdio.h>
#include "udm.h"
static inline void lab_inject(uint32_t node, void (*handler)(void), const uint32_t *word,
                              uint32_t words)
{
    if (udm_node() && words) {
        fprintf(stderr, "lab: node %lu sends %lu\\n", (unsigned long)udm_node(),
                (unsigned long)word[0]);
    }
    udm_inject_words(node, handler, word, words);
}
#undef udm_inject
#define LAB_WORDS(...) (uint32_t []) { 0, ##__VA_ARGS__ }
#define udm_inject(node, handler, ...) \\
    lab_inject(node, handler, LAB_WORDS(__VA_ARGS__) + 1, sizeof(LAB_WORDS(__VA_ARGS__)) / 4 - 1)
"""


@pytest.fixture(scope="module")
def program(lab):
    return lab.build("greet.c")


@pytest.fixture(scope="module")
def result(lab, program):
    """The run on four nodes, however it ends."""
    return lab.run(program, nodes=NODES, status=None)


def line(output, start):
    """The first line that starts so."""
    return next((each for each in output.splitlines() if each.startswith(start)), "nothing")


def test_the_program_ends(lab, program):
    """"A message", "Who has sent it" and "What goes wrong" in the text."""
    lab.run(program, nodes=NODES)


def test_node_0_has_the_sum(result):
    """step 1 of the task, and docs/udm.md#receiving."""
    seen, wanted = line(result.output, "node 0:"), "node 0: 3 greetings, sum 14"
    assert seen == wanted, f"on 4 nodes, node 0 prints \"{seen}\" and not \"{wanted}\""


def test_each_node_gets_an_answer_of_its_own(result):
    """step 2 of the task."""
    ranks = {node: line(result.output, f"node {node} was").rpartition(" ")[2] for node in range(1, NODES)}
    assert sorted(ranks.values()) == ["1", "2", "3"], \
        f"nodes 1 to 3 were told {', '.join(ranks.values())}, and not 1, 2 and 3 in some order"


def test_an_answer_says_who_was_first(lab, program):
    """step 2 of the task: beside another job, node 1 is not always the first."""
    jobs, options = MACHINES["another job"]
    launches = lab.launches(program, *jobs, nodes=NODES, status=None, **options)
    order = [each.receiver for each in launches if each.gid == 1 and each.sender == 0]
    output = lab.run(program, *jobs, nodes=NODES, status=None, **options).output
    seen = [line(output, f"node {node} was") for node in order]
    wanted = [f"node {node} was number {rank}" for rank, node in enumerate(order, 1)]
    assert order and seen == wanted, \
        f"node 0 answers nodes {', '.join(map(str, order)) or 'none'}, in this order, and they print {', '.join(seen)}"


def test_a_greeting_is_answered_at_once(lab, program):
    """step 2 of the task: the handler of a greeting answers it."""
    launches = lab.launches(program, nodes=NODES, mesh=f"1x{NODES}", mesh_hop=HOP)
    last = max((each.cycle + each.sender * HOP for each in launches if each.receiver == 0), default=0)
    early = sum(each.sender == 0 and each.cycle < last for each in launches)
    assert early >= NODES - 2, \
        f"before the last greeting has come, node 0 has sent {early} answers to the {NODES - 2} before it"


def test_as_many_messages_as_it_takes(lab, program):
    """step 2 of the task: a node's answer is for that node alone."""
    launches = lab.launches(program, nodes=NODES)
    sent = [sum(each.sender == node for each in launches) for node in range(NODES)]
    assert sent == [3, 1, 1, 1], f"nodes 0 to 3 have sent {', '.join(map(str, sent))} messages, and not 3, 1, 1, 1"


def test_each_message_has_one_word(lab, program):
    """"Who has sent it" in the text, and steps 1 and 2 of the task."""
    for what, to_0 in (("greetings", True), ("answers", False)):
        lengths = {each.words for each in lab.launches(program, nodes=NODES) if (each.receiver == 0) == to_0}
        assert lengths == {3}, f"{what} have {max(lengths, default=0)} words, and not 3: header, handler, one argument"


def test_a_greeting_brings_the_square(lab, tmp_path):
    """step 1 of the task."""
    header = tmp_path / "shows.h"
    header.write_text(SHOWS)
    program = lab.build("-include", header, "greet.c", name="greet")
    sent = re.findall(r"^lab: node (\d+) sends (\d+)$", lab.run(program, nodes=NODES).errors, re.MULTILINE)
    assert sent, "no node but node 0 calls udm_inject()"
    for node, word in sent:
        assert int(word) == int(node) ** 2, f"node {node} sends the word {word}, and not {int(node) ** 2}"


@pytest.mark.parametrize("nodes", [1, 2, 16])
def test_other_numbers_of_nodes(lab, program, nodes):
    """step 3 of the task."""
    seen = line(lab.run(program, nodes=nodes).output, "node 0:")
    wanted = f"node 0: {nodes - 1} greetings, sum {sum(node ** 2 for node in range(nodes))}"
    assert seen == wanted, f"with -n {nodes}, node 0 prints \"{seen}\" and not \"{wanted}\""


@pytest.mark.parametrize("machine", MACHINES)
def test_it_waits_for_messages_and_not_for_a_time(lab, program, machine):
    """"When it comes" in the text."""
    jobs, options = MACHINES[machine]
    seen = line(lab.run(program, *jobs, nodes=NODES, status=None, **options).output, "node 0: ")
    assert seen.startswith("node 0: 3 greetings"), f"node 0 prints \"{seen}\", before all greetings have come"

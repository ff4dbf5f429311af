"""The checks of lab 7."""

from __future__ import annotations

import re

import pytest

DEVICE = ("word-ni.c", "ni/none/none-ni.c")
SENT = 8                    # words that are sent to a node which takes none: SPACE and QUEUE, 2 words of a packet each
STORES = ["st at 0x08", "st at 0x0c", "st at 0x10", "std at 0x10"]       # by the number for use.c
LATE = 200_000              # cycle at which that receiver begins
# Before word-ni.c: counts packets.
COUNTS = """
#include "qemu/osdep.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/ni/system/channel.h"

static int64_t lab_new, lab_gone;

static void __attribute__((destructor)) lab_ends(void)
{
    if (lab_new > lab_gone) {
        fprintf(stderr, "lab: packets lost: %" PRId64 "\\n", lab_new - lab_gone);
    }
}

#define fugu_packet_new(hub) (lab_new++, fugu_packet_new(hub))
#define fugu_packet_free(hub, packet) (lab_gone++, fugu_packet_free(hub, packet))
#define fugu_channel_send(...) (lab_gone++, fugu_channel_send(__VA_ARGS__))
#line 1
"""
LOST = re.compile(r"^lab: packets lost: (\d+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def use(lab):
    """The program of the lab, after which runs are on the simulator with the student's device."""
    program = lab.build("-Wall", lab.given / "use.c")
    lab.simulator(*DEVICE, before=COUNTS)
    return program


def run(lab, program, *words, **options):
    return lab.run(program, *words, **{"ni": "none", "nodes": 4} | options)


def test_words_arrive(lab, use):
    """steps 1 and 2 of the task."""
    seen = sorted(re.findall(r"^(\d+) from", run(lab, use, "hello").output, re.MULTILINE))
    assert seen == ["100", "101", "102", "103"], f"nodes 0 to 3 send 100 to 103, and node 0 gets {', '.join(seen)}"


def test_the_network_says_who_has_sent(lab, use):
    """step 2 of the task."""
    output = run(lab, use, "hello").output.splitlines()
    wrong = [line for line in output if not re.fullmatch(r"10(\d) from node \1", line)]
    assert not wrong, f"node 0 prints \"{wrong[0]}\""


def test_the_registers_show_the_first_word(lab, use):
    """"The registers" in the text."""
    seen = lab.printed(r"THERE .*", run(lab, use, "shows").output)
    first, _, others = seen.partition("; elsewhere ")
    assert first == "THERE 1, WORD 77, FROM 1", f"node 1 has sent node 0 the words 77 and 78, and node 0 finds {first}"
    assert others == "0 0 0", f"SEND, 0x04 and NEXT are no registers to load from, and show {others}, not 0 0 0"


def test_a_full_network_makes_senders_wait(lab, use):
    """step 3 of the task, and "Flow control" in the text."""
    result = run(lab, use, "late", 50, status=None)
    said = " ".join(re.findall(r"^glaze: .*", result.errors + result.output, re.MULTILINE)[:1])
    assert result.status == 0, \
        f"node 0 takes 50 words late, and the run ends with status {result.status}: {said}"
    assert result.output == "50 of 50\n", \
        f"of 50 words that node 0 takes late, the right ones are {result.output.strip()}"


def test_the_network_holds_as_many_words_as_it_should(lab, use):
    """"Flow control" in the text: 8 words of packets in the network, and 8 in the queue."""
    launches = lab.launches(use, "late", 50, ni="none", nodes=4)
    early = sum(each.sender == 1 and each.cycle < LATE for each in launches)
    assert early == SENT, f"node 0 takes nothing, and node 1 sends {early} words until it waits, and not {SENT}: " \
                          "4 packets fit into the network, and 4 into the queue"


def test_a_node_that_does_not_exist_is_refused(lab, use):
    """step 3 of the task."""
    for node in (4, 2**32 - 1):
        result = run(lab, use, "nowhere", node, status=None)
        assert "protection-violation" in result.output and result.status == 101, \
            f"a word for node {node} of 4 nodes, 0 to 3, is no protection-violation: " \
            f"the run ends with status {result.status}"


def test_next_without_a_word_is_refused(lab, use):
    """step 3 of the task, and "The registers" in the text."""
    result = run(lab, use, "next", status=None)
    assert "protection-violation" in result.output and result.status == 101, \
        f"NEXT without a word is no protection-violation: the run ends with status {result.status}"


def test_a_store_of_four_bytes_at_send_is_refused(lab, use):
    """step 3 of the task, and "The registers" in the text."""
    result = run(lab, use, "half", status=None)
    assert "protection-violation" in result.output and result.status == 101, \
        f"an st at SEND is no protection-violation: the run ends with status {result.status}"


@pytest.mark.parametrize("number", range(len(STORES)), ids=STORES)
def test_stores_elsewhere_are_refused(lab, use, number):
    """step 3 of the task, and "The registers" in the text."""
    result = run(lab, use, "stores", number, status=None)
    assert "protection-violation" in result.output and result.status == 101, \
        f"{STORES[number]} is no protection-violation: the run ends with status {result.status}"


def test_no_packet_is_lost(lab, use):
    """"How the device fits in" in the text: look for refusals and space first."""
    found = LOST.search(run(lab, use, "late", 50, status=None).errors)
    assert not found, \
        f"when a sender waits for space, {found and found[1]} packets of fugu_packet_new() are neither sent nor freed"


def test_each_job_gets_its_own_words(lab, use):
    """step 4 of the task, and "Whose word it is" in the text."""
    jobs = run(lab, use, "jobs", 40, "+", use, "jobs", 40, nodes=2, timeslice=20_000, skew=20)
    wrong = [line for line in jobs.output.splitlines() if not line.endswith(": 0 foreign")]
    assert not wrong, f"two jobs send at once, and \"{wrong[0]}\" is printed"


def test_no_job_sees_or_takes_a_word_of_another(lab, use):
    """step 4 of the task, and "Whose word it is" in the text."""
    late, two = ("late", 1, 1_000_000, "+"), {"nodes": 2, "timeslice": 20_000}
    looks = run(lab, use, *late, use, "looks", 600_000, **two).output
    seen = re.findall(r"^THERE.*", looks, re.MULTILINE)
    # What FROM shows while there is no word is not said, but it must not be the sender of the word, node 1.
    assert seen and re.fullmatch(r"THERE 0, WORD 0, FROM (?!1$)-?\d+", seen[0]), \
        f"node 1 has sent 77 to another job, and a job without a word finds {', '.join(seen)}"
    taken = run(lab, use, *late, use, "next", 600_000, status=None, **two)
    assert "1 of 1\n" in taken.output and "protection-violation" in taken.output, \
        f"a job without a word stores at NEXT: that is no protection-violation, or takes the word of another job: " \
        f"{taken.output.strip() or 'nothing'} is printed"


def test_a_snapshot_has_words_that_wait(lab, use, tmp_path):
    """step 5 of the task."""
    file = tmp_path / "words.snap"
    whole = run(lab, use, "late", 3, save=[f"{file}@150K"])
    rest = lab.run(None, load=str(file), called="the rest of a run, by --load,")
    assert rest.output == whole.output, \
        f"after a snapshot the rest of the run prints \"{rest.output.strip()}\", and not \"{whole.output.strip()}\""
    assert rest.digest == whole.digest, "the rest of a run has another digest than the whole one"

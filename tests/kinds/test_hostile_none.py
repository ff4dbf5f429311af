"""Programs that misbehave on a machine without messages, --ni none, end alone.

tests/hostile/bad.c is for another kind, as its note says. A hostile user leaves the note out: the launcher cannot know
then, and machine and kernel have to refuse what the program does. messageless.c runs beside it on the same nodes, and
checks its memory and its answers.
"""

from __future__ import annotations

import re

import pytest
from guest_programs import built

from fugu.abi import NOTE

REFUSED = "protection-violation: the network interface refuses this"
NO_DISPOSE = "unknown network operation"
PENDING = "dispose-failure: a handler has ended without extracting a message"

# The words of bad.c, and why its process on node 1 ends.
CASES = {
    "kernel-message": REFUSED, "no-such-node": REFUSED, "too-long": REFUSED, "no-words": REFUSED, "odd-body": REFUSED,
    "forged": REFUSED, "send-body 0x40000000": REFUSED, "store-back 0x40000000 0": REFUSED,
    "store-back 0x40000000 1": REFUSED, "store-record": REFUSED, "handler-never 0": REFUSED,
    "load 0xfffff100": REFUSED, "store 0xfffff04c": REFUSED, "store 0xfffff100": REFUSED,
    "dispose-nothing": NO_DISPOSE, "dispose-nothing-buffered": NO_DISPOSE,
    "next-end": "dispose-failure: interrupts enabled by a handler that has extracted no message",
    "return-pending 1": PENDING, "return-pending 6": PENDING,
    "return-psr 0xe0": "privileged instruction", "return-extended 6": "privileged instruction",
    "store 0x40000000": "store to memory that is not its own, address 0x40000000",
    "jump 0x40000000": "execution of what is not its program's text, address 0x40000000",
    "main-overflows": "stack overflow: store to memory that is not its own, address",
    "touch-all": "the node has no memory left for it",
}


@pytest.fixture(scope="module")
def bad(tmp_path_factory):
    """bad.c's program with a section of another name in place of its notes."""
    section, other = (name.encode() + b"\0" for name in (NOTE.text("SECTION"), NOTE.text("SECTION")[:-1] + "x"))
    with open(built("hostile/bad"), "rb") as file:
        data = file.read()
    assert data.count(section) == 1
    path = tmp_path_factory.mktemp("hostile") / "bad.elf"
    path.write_bytes(data.replace(section, other))
    return str(path)


def run(machine, bad, words):
    """A run of bad beside messageless, which has to find everything right on both nodes."""
    result = machine(bad, *words.split(), "+", built("kinds/messageless"), ni="none", nodes=2, timeslice=20_000, timeout="60M")
    found = re.findall(r"^\d+ checks, (\d+) failed", result.stdout, re.MULTILINE)
    assert found == ["0", "0"], result.report()
    return result


@pytest.mark.parametrize("words", CASES)
def test_a_program_that_misbehaves_ends_alone(machine, bad, words):
    result = run(machine, bad, words)
    [said] = re.findall(r"^glaze: (.*)$", result.stdout, re.MULTILINE)
    assert said.startswith(f"bad (job 1) on node 1 is ended: {CASES[words]}"), result.report()


def test_the_lack_of_memory_is_not_explained_by_messages(machine, bad):
    """Where the node has no memory left, the pages are told, and no message buffer, which no process has here."""
    said = re.findall(r"^glaze: .*$", run(machine, bad, "touch-all").stdout, re.MULTILINE)
    assert len(said) == 1 and re.search(r": \d{4} pages \(--ram gives each node more memory\)$", said[0]), said


@pytest.mark.parametrize("words", ["loop", "map-all", "word-stays", "hoard"])
def test_a_program_without_an_end_holds_up_no_one(machine, bad, words):
    """The other one has ended long before the timeout."""
    run(machine, bad, words).check(124)


@pytest.mark.parametrize("seed", range(4))
def test_random_code_harms_no_one(machine, bad, seed):
    run(machine, bad, f"random-code {seed}")

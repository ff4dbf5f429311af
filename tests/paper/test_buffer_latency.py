"""--buffer-latency: each insertion into a buffer takes so many cycles more, and nothing else does."""

from __future__ import annotations

import pytest

from fugu.abi import LATENCY
from fugu.paper.steps.interrupts import own_clock

MESSAGES = 40
LEAST, TURN = LATENCY["LATENCY_LEAST"], LATENCY["LATENCY_TURN"]


def usual(*options: str) -> int:
    """Cycles of an insertion, by the clock of the program whose loop it interrupts."""
    gaps = own_clock("buffered", ["0", str(MESSAGES)], MESSAGES, options)
    return max(set(gaps), key=gaps.count)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_insertions_take_so_much_more(atomicity):
    without = usual("--atomicity", atomicity)
    for latency in (LEAST, 100, 102, 1000, 5_000):
        more = usual("--atomicity", atomicity, "--buffer-latency", str(latency)) - without
        assert latency - TURN < more <= latency


def test_messages_of_the_fast_path_do_not(machine):
    runs = [machine("barrier", 50, nodes=4, cache=False, timeout="100M", **options).check(0).stdout
            for options in ({}, {"buffer_latency": 1000})]
    assert runs[0] == runs[1]

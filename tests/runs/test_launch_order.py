"""The mesh sees messages in the order of their launches, in all nodes' straight code.

A trace shows each message when it gets its links. So no message may have taken
them before one that was launched at an earlier cycle.
"""

import re

import pytest

# Program and arguments, nodes, and how many messages are routed at least.
RUNS = [(("ahead",), 3, 100), (("alltoall", "messages=30"), 8, 1900), (("water", "64", "1"), 8, 2000)]


@pytest.mark.parametrize("words, nodes, least", RUNS, ids=lambda value: "-".join(value) if isinstance(value, tuple) else "")
def test_no_message_is_routed_behind_a_later_one(machine, tmp_path, words, nodes, least):
    log = tmp_path / "log"
    machine(*words, nodes=nodes, trace="fugu_hub_deliver", trace_file=log).check()
    sent = [int(found[1]) for found in re.finditer(r"kind 0, \d+ words, sent @(\d+),", log.read_text())]
    assert len(sent) >= least
    behind = [(before, after) for before, after in zip(sent, sent[1:], strict=False) if after < before]
    assert not behind, f"{len(behind)} of {len(sent)} messages: {behind[:10]}"

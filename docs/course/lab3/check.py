"""The checks of lab 3."""

from __future__ import annotations

import re

import pytest

NODES, ITEMS, WINDOW = 4, 300, 16
FAR = 20_000                # cycles to the other node, where the window is what counts
BESIDE = {"timeslice": 100_000, "skew": 30}
RACE = re.compile(r"^fugu: stream: (.*) \(.*\)\nfugu:   handler: (.*)\nfugu:   thread:  (.*)\n", re.MULTILINE)


@pytest.fixture(scope="module")
def program(lab):
    return lab.build("-g", "stream.c")


def figures(output):
    """Items, sum, messages buffered and pages, as node 0 prints them."""
    found = re.search(r"^node 0: (\d+) items, sum (\d+), (\d+) messages buffered in (\d+) pages$", output, re.MULTILINE)
    assert found, f"node 0 does not print its line; the output is \"{output.strip()[:100]}\""
    return list(map(int, found.groups()))


def test_all_items_come(lab, program):
    """step 1 of the task."""
    items, total, *_ = figures(lab.run(program, ITEMS, WINDOW, nodes=NODES, mesh="1x4", mesh_hop=1_000).output)
    wanted = (NODES - 1) * ITEMS, (NODES - 1) * ITEMS * (ITEMS - 1) // 2
    assert (items, total) == wanted, \
        f"node 0 has {items} items with the sum {total}, and not {wanted[0]} with {wanted[1]}"


def test_the_buffer_stays_small(lab, program):
    """"What a buffer costs" in the text, and step 1 of the task."""
    *_, pages = figures(lab.run(program, ITEMS, WINDOW, "+", "barrier", "100", nodes=NODES, **BESIDE).output)
    assert pages <= 2, \
        f"beside another job, a node needs {pages} pages for its buffer, and 3 windows of {WINDOW} items fit into 2"


def items_of(lab, program, window):
    """When node 1 has sent its items, on a network where a credit takes long."""
    launches = lab.launches(program, ITEMS, window, nodes=2, mesh_base=FAR)
    sent = [each.cycle for each in launches if each.sender == 1]
    items = [cycle for cycle in sent if cycle > sent[0] + FAR]        # the first message says that node 1 is ready
    assert len(items) >= ITEMS, f"node 1 sends {len(items)} of {ITEMS} items"
    return items[:ITEMS]


def first_items(lab, program):
    """How many items node 1 sends before a credit can be there."""
    items = items_of(lab, program, WINDOW)
    return sum(cycle < items[0] + 2 * FAR for cycle in items)


def test_the_window_is_kept(lab, program):
    """"Windows" in the text."""
    early = first_items(lab, program)
    assert early <= WINDOW, f"node 1 sends {early} items before a credit can be there, and the window is {WINDOW}"
    for window in (WINDOW, 3):
        items = items_of(lab, program, window)
        late = [k for k in range(window, ITEMS) if items[k] < items[k - window] + 2 * FAR]
        assert not late, f"the window is {window}, and node 1 sends item {late[0]} before a credit for item " \
                         f"{late[0] - window} can be there"


def test_the_window_is_used(lab, program):
    """"Windows" in the text."""
    early = first_items(lab, program)
    assert early >= WINDOW, f"node 1 sends {early} items before a credit is there, and the window is {WINDOW}"


def test_credits_go_in_batches(lab, program):
    """step 2 of the task."""
    sent = [sum(each.sender == 0 for each in lab.launches(program, items, WINDOW, nodes=NODES)) for items in (60, ITEMS)]
    items = (NODES - 1) * (ITEMS - 60)
    credits, wanted = sent[1] - sent[0], items * 2 // WINDOW
    assert wanted * 9 // 10 <= credits <= wanted * 11 // 10, \
        f"node 0 sends {credits} messages for {items} more items; one for each half window makes {wanted}"


@pytest.mark.parametrize(("window", "items", "nodes"), [
    (1, 50, NODES), (3, 50, 16), (1000, 50, NODES), (600, 700, NODES)], ids=["1", "3", "1000", "600"])
def test_any_window_works(lab, program, window, items, nodes):
    """step 3 of the task."""
    came, wanted = figures(lab.run(program, items, window, nodes=nodes).output)[0], (nodes - 1) * items
    assert came == wanted, f"with a window of {window}, {nodes} nodes and {items} items of each, " \
                           f"node 0 has {came} items, and not {wanted}"


def test_no_race_is_left(lab, program):
    """step 3 of the task, and lab 2."""
    result = lab.run(program, 100, WINDOW, nodes=NODES, check="races", status=None)
    found = [f"{what}: {handler}, and {thread}" for what, handler, thread in RACE.findall(result.errors)]
    assert result.status == 0, \
        f"--check races finds {len(found)}, of which the first is that {(found or [result.errors])[0]}"

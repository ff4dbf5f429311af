"""The checks of lab 5."""

from __future__ import annotations

import pytest

NODES = 6


@pytest.fixture(scope="module")
def use(lab):
    """The lab's program, with the student's protocol."""
    return lab.build("-Wall", "region.c", lab.given / "use.c", name="use")


def sent(lab, program, *words):
    """How many messages all nodes have sent in a run."""
    statistics = lab.run(program, *words, nodes=NODES, statistics=True).statistics
    return sum(job["messages"]["sent"] for job in statistics["jobs"] if job["name"] == "use")


@pytest.fixture(scope="module")
def steps(lab, use):
    """What each of the six operations of `steps` sends."""
    all_of_them = [sent(lab, use, "steps", number) for number in range(7)]
    return [after - before for before, after in zip(all_of_them, all_of_them[1:])]


def test_a_hit_sends_nothing(lab, use, steps):
    """step 1 of the task."""
    none, one, two = (sent(lab, use, "reads", number) for number in range(3))
    assert one - none == 2, f"the first read operation sends {one - none} messages, and not 2: the request and the data"
    assert two == one, f"the second read operation sends {two - one} messages, though the node has a copy"
    assert steps[1] == 0, f"the second write operation sends {steps[1]} messages, though the node's copy is EXCLUSIVE"


def test_a_write_invalidates_all_copies(lab, use):
    """step 2 of the task, and "States" in the text."""
    for region in (0, 1):               # the home is a node with a copy, and the node that writes
        seen = lab.lines(r"node \d+: \d+", lab.run(use, "stale", region, nodes=NODES).output)
        wrong = [line for line in seen if not line.endswith(": 7")]
        assert not wrong, f"all nodes but node 1 have read region {region}, node 1 has written 7, " \
                          f"but then \"{wrong[0]}\" is printed"


def test_a_write_asks_no_node_that_has_no_copy(lab, use, steps):
    """step 2 of the task, and "What it costs" in the text."""
    costs = [sent(lab, use, "copies", number) - 2 * number for number in range(4)]
    seen = [cost - costs[0] for cost in costs]
    assert seen == [0, 2, 4, 6], \
        f"1, 2 and 3 copies cost a write {seen[1]}, {seen[2]} and {seen[3]} messages, and not 2 for each copy"
    other = sent(lab, use, "apart", 3) - 2 * 3 - costs[0]
    assert other == 0, f"3 copies of region 1 cost a write of region 7 {other} messages, and not 0"
    assert steps[4] == 4, f"two nodes share, and one of them writes: that takes {steps[4]} messages, and not 4"
    assert steps[5] == 4, f"after that write the other node writes: that takes {steps[5]} messages, and not 4"


BESIDE = ["+", "barrier", "50"]


@pytest.mark.parametrize(("case", "others", "options"), [
    ("count", [], {}), ("both", [], {}), ("both", [], {"atomicity": "soft"}), ("both", [], {"buffer_latency": 2000}),
    ("both", BESIDE, {"timeslice": 5000, "skew": 40})], ids=["writes", "hard", "soft", "slow", "beside"])
def test_one_writer_at_a_time(lab, use, case, others, options):
    """steps 2 and 3 of the task, and "Messages" in the text."""
    seen = lab.printed(r"\d+", lab.run(use, case, 20, *others, nodes=NODES, **options).output)
    do = "read a word and then add 1 to it," if case == "both" else "add 1"
    assert seen == str(20 * NODES), f"{NODES} nodes {do} twenty times each, and the sum is {seen}"


def test_what_a_node_has_written_is_seen(lab, use, steps):
    """step 3 of the task: the owner keeps a SHARED copy if another node reads, and is a sharer."""
    output = lab.lines(r"node \d+: \d+", lab.run(use, "again", nodes=NODES).output)
    assert output == ["node 2: 7", "node 3: 8"], \
        f"node 1 writes 7 for node 2 and 8 for node 3, and \"{', '.join(output)}\" is printed"
    seen = lab.printed(r"node 1: \d+", lab.run(use, "former", nodes=NODES).output)
    assert seen == "node 1: 8", f"node 1 writes 7, node 2 reads, node 3 writes 8, and for node 1 \"{seen}\" is printed"
    assert steps[3] == 0, f"an owner whose data another node has read reads them, and sends {steps[3]} messages"


def test_an_open_operation_is_left_alone(lab, use):
    """step 4 of the task."""
    output = lab.lines(r"(?:un)?changed|written \w+", lab.run(use, "held", nodes=NODES).output)
    assert "unchanged" in output, "the data change while a node has a read operation open"
    assert "written late" in output, "node 2 writes while node 1 has a read operation open"
    output = lab.lines(r"(?:un)?changed|written \w+", lab.run(use, "held", 3, nodes=NODES).output)
    assert "written late" in output, "node 1 has a read operation open, and nodes 3 to 5 have copies: " \
                                     "node 2 writes before all of them have answered"
    seen = lab.printed(r"node 2: \d+", lab.run(use, "writing", nodes=NODES).output)
    assert seen == "node 2: 4", f"node 2 reads while node 1 writes 3 and then 4 in one operation: \"{seen}\" is printed"


def test_no_handler_comes_at_a_wrong_time(lab, use):
    """"Sections" in the text, and docs/races.md#races-in-one-run."""
    result = lab.run(use, "count", 20, nodes=4, status=None, check="races")
    lines = [line.removeprefix("fugu: ") for line in result.errors.splitlines()]
    assert result.status != 123, f"--check races says: {'; '.join(lines[:3])}"
    assert result.status == 0, f"with --check races, four nodes that count end with status {result.status}: {(lines or ['no word'])[-1]}"

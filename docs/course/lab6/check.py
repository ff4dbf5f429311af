"""The checks of lab 6."""

from __future__ import annotations

from collections import Counter

import pytest

NODES, PAGES = 4, 8


@pytest.fixture(scope="module")
def use(lab):
    """The lab's program, with the student's pages."""
    return lab.build("-Wall", "pages.c", lab.given / "use.c", name="use")


def sent(lab, program, *words):
    """How many messages all nodes have sent in a run."""
    statistics = lab.run(program, *words, nodes=NODES, statistics=True).statistics
    return sum(job["messages"]["sent"] for job in statistics["jobs"] if job["name"] == "use")


def test_a_whole_page_comes(lab, use):
    """step 1 of the task, and "Messages" in the text."""
    seen = set(lab.lines(r"node \d+: \d+", lab.run(use, "fill", nodes=NODES).output))
    wanted = {f"node {node}: {sum(k * k for k in range(1024)) % 2**32}" for node in range(2, NODES)}
    assert seen == wanted, f"\"{', '.join(sorted(seen))}\" is printed, and not \"{', '.join(sorted(wanted))}\""


def test_every_page_moves(lab, use):
    """steps 1 and 4 of the task; pages.h says how many pages there are."""
    output = lab.run(use, "every", nodes=NODES, status=None, timeout="5M").output
    seen = lab.lines(r"page \d+: \d+", output)
    for page in range(PAGES):
        assert f"page {page}: {NODES}" in seen, \
            f"{NODES} nodes in turn add 1 to a word of page {page}, and it is " \
            f"{next((line for line in seen if line.startswith(f'page {page}:')), 'not there')}"


def test_each_page_has_its_home(lab, use):
    """"The idea" in the text: which node is the home of a page, and its first owner."""
    none, own = (sent(lab, use, "own", number) for number in (0, 1))
    assert own == none, f"{own - none} messages are sent when each node touches the pages whose home it is, at first"
    visits = [Counter((each.sender, each.receiver) for each in lab.launches(use, "visits", number, nodes=NODES))
              for number in (0, 1)]
    seen, wanted = sorted((visits[1] - visits[0]).elements()), [(0, 2), (1, 0), (2, 1)]
    assert seen == wanted, f"page 1 is on node 0, and node 2 touches it: messages go from {ways(seen)}, " \
                           f"and not from {ways(wanted)}"


def ways(found):
    """Senders and receivers in words."""
    return ", ".join(f"{sender} to {receiver}" for sender, receiver in found) or "none to none"


def test_the_old_owner_has_lost_its_page(lab, use):
    """step 1 of the task, and "Messages" in the text."""
    seen = lab.printed(r"\d+", lab.run(use, "turns", 3, nodes=NODES).output)
    assert seen == str(3 * NODES), \
        f"{NODES} nodes in turn add 1 to a word three times, and it is {seen}, as if a node saw the word as it was"


def test_a_move_takes_three_messages(lab, use):
    """step 2 of the task, and "What it costs" in the text."""
    none, one, three = (sent(lab, use, "visits", number) for number in (0, 1, 3))
    assert one - none == 3, \
        f"a page moves from node 0 to node 2 by way of its home, node 1, with {one - none} messages, and not 3"
    assert three == one, f"{three - one} messages are sent for a page that is here"


def test_a_node_that_waits_gives_its_pages(lab, use):
    """"Waiting" in the text, and steps 2 and 4 of the task."""
    seen = lab.printed(r"\d+ \d+ \d+ \d+", lab.run(use, "cross", nodes=NODES).output)
    assert seen == "11 10 20 21", f"\"{seen}\" is printed, and not \"11 10 20 21\""


def test_requests_for_several_pages_wait(lab, use):
    """step 3 of the task."""
    seen = lab.printed(r"\d+ \d+", lab.run(use, "many", nodes=NODES).output)
    assert seen == "11 12", f"\"{seen}\" is printed, and not \"11 12\""


BESIDE = ["+", "null", "1000000"]


@pytest.mark.parametrize(("others", "options"), [
    ([], {}), ([], {"atomicity": "soft"}), (BESIDE, {"timeslice": 50_000, "skew": 30})], ids=["hard", "soft", "beside"])
def test_each_node_gets_on(lab, use, others, options):
    """step 4 of the task, and "A page must stay" in the text."""
    seen = lab.printed(r"\d+ \d+ \d+ \d+", lab.run(use, "words", 12, *others, nodes=NODES, **options).output)
    assert seen.split() == ["12"] * NODES, f"{NODES} nodes count to 12 in one page, and the counts are {seen}"

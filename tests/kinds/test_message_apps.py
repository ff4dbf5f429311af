"""Apps for the M-Machine's interface under Glaze, --ni m-machine: their READMEs say what they do."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

# Cycles at best between two nodes, or from node 0 to eight others, on the default machine: those of the bare machine are
# in docs/m-machine.md, and a few cycles of the loops on both sides beside them.
BEST = {("mmping", 2): {"null round trip": 164},
        ("mmrpc", 2): {"answered by a handler": 211, "started": 130, "answered by a thread": 301},
        ("distribute", 9): {"eight calls": 604},
        ("blockwrite", 2): {"1024 words in 103 messages": 7103}}
LINE = re.compile(r"^(.*): (\d+) cycles in (\d+) of (\d+), at most (\d+), ([\d.]+) on average$", re.MULTILINE)
MOST = {"mmping": 1_000_000, "mmrpc": 1_000_000, "distribute": 1_000_000, "blockwrite": 10_000}


@pytest.fixture
def slots(machine):
    """slots(word..., option=...) -> the result of a run with --ni m-machine."""
    def run(*words, **options):
        return machine(*words, **{"ni": "m-machine", "nodes": 2, "timeout": "100M"} | options)
    return run


@pytest.mark.parametrize(("app", "nodes"), BEST)
def test_cycles_at_best(slots, app, nodes):
    found = LINE.findall(slots(app, 100, nodes=nodes).check(0).stdout)
    assert {name: int(least) for name, least, *_ in found} == BEST[app, nodes]
    for _, least, as_least, count, most, average in found:
        assert int(least) <= float(average) <= 1.1 * int(least) and float(average) <= int(most) <= 2 * int(least)
        assert 1 <= int(as_least) <= int(count) == 100


@pytest.mark.parametrize("app", MOST)
@pytest.mark.parametrize("nodes", [3, 5, 16])
def test_each_number_of_nodes_gets_right_results(slots, app, nodes):
    """Receivers check what has come. Two jobs at a time make all wait for each other."""
    result = slots(app, 10, "+", app, 10, nodes=nodes, timeslice=20_000).check(0)
    assert len(LINE.findall(result.stdout)) == (6 if app == "mmrpc" else 2), result.report()
    assert "wrong" not in re.sub(r": 0 (answers|words) \w+ wrong", "", result.stdout), result.report()


@pytest.mark.parametrize("nodes", [1, 2, 7, 64])
def test_each_item_of_the_queue_is_done_once(slots, nodes):
    result = slots("mmqueue", 500, nodes=nodes).check(0)
    least, most = map(int, re.match(rf"mmqueue: 500 items by {nodes} nodes, (\d+) to (\d+) each\n"
                                    rf"mmqueue: 0 wrong, sum {sum(k * k for k in range(500)):08x}\n$", result.stdout).groups())
    assert least <= 500 / nodes <= most


def test_a_queue_beside_another_one(slots):
    result = slots("mmqueue", 300, "+", "mmqueue", 400, nodes=5, timeslice=20_000, skew=40).check(0)
    assert sorted(re.findall(r"(\d+) items", result.stdout)) == ["300", "400"], result.report()
    assert result.stdout.count(": 0 wrong") == 2, result.report()


def average(result):
    """The cycles of each kind of call on average, of all jobs together."""
    found = LINE.findall(result.check(0).stdout)
    return {name: sum(float(line[5]) for line in found if line[0] == name) for name, *_ in found}


def test_handlers_go_on_while_their_job_does_not_run(slots):
    """Two jobs that do not run at the same time on both nodes: a handler answers all the same, and a thread, which has no
    hardware context of its own, when its job runs again. Handlers note the times."""
    alone, two = average(slots("mmrpc", 2000)), average(slots("mmrpc", 2000, "+", "mmrpc", 2000, timeslice=50_000, skew=40))
    handler, thread = (two[name] / 2 / alone[name] for name in ("answered by a handler", "answered by a thread"))
    assert 0.99 < handler < 1.05 and thread > 3, (handler, thread)


@pytest.mark.parametrize("word", ["0", "x", "", "-1", "-4294967295", "+1", "1x", "1000001", "4294967297", "1 1"])
def test_other_words_are_refused(slots, word):
    words = word.split(" ")
    for app, most in MOST.items():
        assert slots(app, *words).check(2).stderr.startswith(f"{app}: its argument is TIMES, 1 to {most}\n")
    assert slots("mmqueue", *words).check(2).stderr.startswith("mmqueue: its argument is ITEMS, 1 to 16000\n")


def test_a_range_for_which_there_is_no_memory(slots):
    result = slots("mmqueue", ram="192K").check(1)
    assert re.search(r"^mmqueue: node \d cannot share 65536 bytes: Not enough space$", result.stderr, re.MULTILINE), result.report()


def test_jobs_that_share_all_leave_others_some(slots):
    """Each process may share a page or two, so collective operations of a job that begins later work."""
    fills = [built("kinds/slots"), "fills", 3_000_000]
    result = slots(*fills, "+", *fills, "+", "barrier@1000000", "10", ram="1M", timeslice=20_000).check(0)
    found = re.findall(r"^(\d+) pages are shared$", result.stdout, re.MULTILINE)
    assert len(found) == 4 and len(set(found)) == 1 and int(found[0]) > 40, result.report()
    assert re.search(r"^measured barrier: buffered 0$", result.stdout, re.MULTILINE), result.report()


@pytest.mark.parametrize("app", ["mmrpc", "distribute", "blockwrite"])
def test_one_node_has_no_one_to_call(slots, app):
    assert slots(app, nodes=1).check(2).stderr.startswith(f"{app}: it needs 2 nodes\n")

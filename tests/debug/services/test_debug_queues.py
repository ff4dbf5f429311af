"""fugu queues: the queues of a process, and the items that wait in them."""

from __future__ import annotations

from test_debug_glaze import program, table

BREAK = ["tbreak look_here thread 1.1", "continue"]
PROGRAM = program("queueing")


def test_queues_of_a_process(session):
    """Two nodes have sent to node 0, which has taken one item of queue 1."""
    done = session([*BREAK, "fugu queues", "fugu queues 0 1"], "-n", 3, PROGRAM)
    rows, rest = table(done.stdout, r"Remote queues of queueing \(job 1\) on node 0, at cycle \d+")
    assert rows == [["queue", "kind", "came", "wait", "from", "first", "item"],
                    ["NI", "poll", "0", "0"],
                    ["1", "poll", "6", "5", "1", "0x11", "0x1"],
                    ["2", "poll", "1", "1", "2", "0x22,", "8", "bytes"],
                    ["20", "interrupt", "2", "0"]]
    items, _ = table(rest, r"Remote queues of queueing \(job 1\) on node 0, at cycle \d+")
    assert items == [["from", "item"], *[[str(k), source, "0x11", f"0x{number}"] for k, (source, number) in enumerate(
        (("1", 1), ("1", 2), ("2", 0), ("2", 1), ("2", 2)))]]


def test_items_in_slots(session):
    """With RQ_BY_FETCH, node 0 has not looked at its queues yet."""
    done = session([*BREAK, "fugu queues", "fugu queues 0 1"], "-n", 3, PROGRAM, "fetch")
    rows, rest = table(done.stdout, r"Remote queues of queueing \(job 1\) on node 0, at cycle \d+")
    assert rows[2:4] == [["1", "poll", "6", "6", "1", "0x11", "0x0"],
                         ["2", "poll", "1", "1", "2", "0x22,", "8", "bytes"]]
    items, _ = table(rest, r"Remote queues of queueing \(job 1\) on node 0, at cycle \d+")
    assert items == [["from", "item"], *[[str(k), source, "0x11", f"0x{number}"] for k, (source, number) in enumerate(
        (("1", 0), ("1", 1), ("1", 2), ("2", 0), ("2", 1), ("2", 2)))]]


def test_mistakes_with_queues(session):
    said = session([*BREAK, "fugu queues 0 7", "fugu queues 1 2 3"], "-n", 3, PROGRAM).stdout
    assert "There is no queue 7: see fugu queues." in said and "Usage: fugu queues [NODE [QUEUE]]" in said


def test_a_program_without_queues(session):
    said = session(["tbreak main thread 1.1", "continue", "fugu queues"], "-n", 2, program("loops")).stdout
    assert "GDB knows no remote queues of loops: does it use rq.h?" in said

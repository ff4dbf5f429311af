"""fugu mbcf: the tasks of a node, their slots in use, the commands that are set aside, and multicasts under way."""

from __future__ import annotations

from test_debug_glaze import program, table

PROGRAM = program("commanding")
REQUESTED = ["tbreak look thread 1.1", "continue", "fugu mbcf"]
ASIDE = ["tbreak aside_step thread 2.1 if processes[1]->mbcf->aside_count", "continue", "fugu mbcf 1"]
TITLE = r"Tasks of MBCF on node {}, at cycle \d+"
HEAD = ["job", "program", "free", "aside", "invoke", "first", "wakes", "done", "refused", "cycles"]


def test_requests_and_commands(session):
    """Node 0 has three requests under way, which wait for a page of node 1."""
    done = session([*REQUESTED, *ASIDE], "-n", 2, PROGRAM)
    rows, rest = table(done.stdout, TITLE.format(0))
    assert rows[0] == HEAD and int(rows[1][-1]) > 0
    assert rows[1][:-1] == ["*", "1", "commanding", "13", "0", "0", "0", "2", "0", "0"]     # two replies have come
    slots, rest = table(rest, "Slots in use")
    assert slots[0] == ["job", "ticket", "to", "node", "task", "bytes", "local", "state"]
    assert [[*row[:1], *row[2:5], *row[6:]] for row in slots[1:]] == [["1", "1", "1", size, "under", "way"] for size in "088"]
    assert "Commands set aside" not in rest[:rest.index("Tasks of MBCF")]
    rows, rest = table(rest, TITLE.format(1))
    assert rows[1][:-1] == ["*", "1", "commanding", "16", "3", "0", "1", "0", "1", "1"]
    aside, _ = table(rest, "Commands set aside")
    assert aside[0] == ["job", "from", "node", "task", "command", "address", "bytes"]
    page = int(aside[1][4], 16)
    assert page % 4096 == 0
    assert aside[1:] == [["1", "0", "1", "FETCH_ADD", f"0x{page:08x}"],
                         ["1", "0", "1", "WRITE", f"0x{page + 16:08x}", "8"],
                         ["1", "0", "1", "READ", f"0x{page + 32:08x}", "8"]]


def test_replies(session):
    """A reply that the test has put into the queue of node 1."""
    last = "'replies.c'::queue_next"
    reply = f"((struct packet *){last}.frame)[0]"
    done = session([*REQUESTED[:2], *ASIDE[:2], f"set var {last}.index = 1", f"set var {reply}.node = 5",
                    f"set var {reply}.word[2] = 0x80000007", f"set var {reply}.word[3] = 10", "fugu mbcf 1"],
                   "-n", 2, PROGRAM)
    replies, _ = table(done.stdout, "Replies that wait for the network")
    assert replies == [["to", "node", "task", "status"], ["5", "7", "FULL"]]


def test_replies_at_the_end_of_a_frame(session):
    """The queue goes on in the frame that the word of its frame names; here that is the same one."""
    first, last = (f"'replies.c'::{name}" for name in ("queue_first", "queue_next"))
    packets = f"((struct packet *){last}.frame)"
    end = "(4096 / sizeof(struct packet))"
    fields = [f"set var {packets}[{at}].{field}" for at, node in ((f"{end} - 2", 5), (f"{end} - 1", 6), (0, 7), (1, 8))
              for field in (f"node = {node}", "word[2] = 0x80000007", f"word[3] = {node}")]
    done = session([*REQUESTED[:2], *ASIDE[:2], f"set var {first}.index = {end} - 2", f"set var {last}.index = 2", *fields,
                    f"set var 'frames.c'::notes[({last}.frame - 0x40000000) / 4096] = {last}.frame", "fugu mbcf 1"], "-n", 2, PROGRAM)
    replies, _ = table(done.stdout, "Replies that wait for the network")
    assert [row[0] for row in replies] == ["to", "5", "6", "7", "8"]


def test_multicasts(session):
    """Node 1 has two copies on node 2, one of them of no memory. The breakpoints are before a reply counts."""
    reply = "tbreak casts_reply thread 2.1"
    done = session([reply, "continue", "fugu mbcf 1", reply, "continue", "fugu mbcf 1"], "-n", 3, program("multicasting"))
    head = ["job", "from", "node", "task", "command", "address", "bytes", "copies", "sent", "replied", "status"]
    first, rest = table(done.stdout, "Multicasts under way")
    second, _ = table(rest, "Multicasts under way")
    assert first[0] == second[0] == head
    page = first[1][4]
    assert int(page, 16) % 4096 == 0
    assert first[1:] == [["1", "0", "1", "UPDATE", page, "8", "2", "2", "0", "DONE"]]
    assert second[1:] == [["1", "0", "1", "UPDATE", page, "8", "2", "2", "1", "BAD_ADDRESS"]]


def test_mistakes(session):
    said = session(["fugu mbcf 0", *REQUESTED[:2], "fugu mbcf 1 2", "fugu mbcf 7"], "-n", 2, PROGRAM).stdout
    assert "Usage: fugu mbcf [NODE]" in said and "GDB is not attached to node 7." in said


def test_a_program_without_tasks(session):
    said = session(["tbreak main thread 1.1", "continue", "fugu mbcf"], "-n", 2, program("loops")).stdout
    assert "No process on node 0 is a task of MBCF: has one called mbcf_open()?" in said

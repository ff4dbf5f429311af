"""GDB goes back to stores that hide who did them, and to the launch of buffered messages."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

STORES, WAITING, PRIMES = (built(f"debug/{name}") for name in ("stores", "waiting", "primes"))
WRITES = built("reverse/writes")
SMALL = ("-n", 1, "--ram", "512K")


def wrote(output):
    """(what, before, after) of each `fugu who-wrote`."""
    return re.findall(r"^Node \d+ is about to store to (.*): (.*) before, (.*) after\.$", output, re.MULTILINE)


def functions(output):
    """The functions of the frames that GDB has shown."""
    return re.findall(r"^#0 +(?:0x\w+ in )?(\S+) \(", output, re.MULTILINE)


def test_store_through_a_view(session, disk):
    """The variable's own address was not used."""
    done = session(["break look_here", "continue", "delete", "fugu who-wrote page[0][1]", "stepi", "print page[0][1]",
                    "fugu who-wrote page[0][1]"], *SMALL, "--disk", f"0={disk(1024)}", STORES, 111, 0)
    assert wrote(done.stdout) == [("page[0][1]", "1", "111"), ("page[0][1]", "1", "111")], done.stdout
    assert functions(done.stdout) == ["by_view", "by_view"], done.stdout
    assert "$1 = 111" in done.stdout


def test_store_by_the_kernel(session, disk):
    """The kernel has stored the result of a system call."""
    done = session(["break look_here", "continue", "fugu who-wrote counted.frames", "backtrace"], *SMALL, "--disk",
                   f"0={disk(1024)}", STORES, 1, 0)
    [(_, before, after)] = wrote(done.stdout)
    assert before == "0" and int(after) > 100
    assert re.search(r"^#\d+ +<trap: trap_slow>", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^#\d+ +main \(", done.stdout, re.MULTILINE), done.stdout


def test_store_before_the_page_went_out(session, disk):
    """Pages have come back from backing store since, twice; the store is the program's, not the kernel's."""
    done = session(["break look_here", "continue", "continue", "delete", "fugu who-wrote page[120][7]",
                    "fugu who-wrote page[3][7]"], *SMALL, "--disk", f"0={disk(1024)}", STORES, 1, 0)
    assert [(what, before) for what, before, _ in wrote(done.stdout)] == [("page[120][7]", "0"), ("page[3][7]", "0")], \
        done.stdout
    # A page that is out when it is asked for has no value.
    assert all(after in (value, "(not in memory)") for (_, _, after), value in
               zip(wrote(done.stdout), ("121", "4"), strict=True)), done.stdout
    assert functions(done.stdout) == ["fill"] * 2, done.stdout


def test_store_of_the_right_job(session, disk):
    """Another job has stored to the same virtual address since."""
    done = session(["break look_here if $_job() == 1", "continue", "delete", "fugu who-wrote page[0][1]", "print $_job()"],
                   *SMALL, "--timeslice", 20_000, "--disk", f"0={disk(1024)}", STORES, 111, 400_000, "+",
                   STORES, 222, 0)
    assert wrote(done.stdout) == [("page[0][1]", "1", "111")], done.stdout
    assert functions(done.stdout) == ["by_view"] and "$1 = 1\n" in done.stdout, done.stdout


def test_store_while_another_program_runs(session):
    """The variable is the program's in view, whatever the node runs when the user asks."""
    program = built("reverse/writes")
    done = session(["fugu program null", "tbreak main", "continue", "print $_job()", "fugu program writes",
                    "fugu who-wrote knob", "print $_job()", "backtrace 1"],
                   "-n", 1, "--timeslice", 20_000, program, "spin", "+", "null@200000", 100_000)
    [(_, before, after)] = wrote(done.stdout)
    assert int(after) == int(before) + 1, done.stdout
    assert functions(done.stdout)[-1] == "main" and "$1 = 2\n" in done.stdout and "$2 = 1\n" in done.stdout, done.stdout


def test_store_of_one_of_two_jobs(session):
    """If several jobs run the program, the node must run the one that is meant."""
    program = built("reverse/writes")
    done = session(["fugu program null", "tbreak main", "continue", "fugu program writes", "fugu who-wrote knob"],
                   "-n", 1, "--timeslice", 20_000, program, "spin", "+", program, "spin", "+", "null", 100_000)
    assert "Jobs 1 and 2 run writes on node 0, and the node runs neither of them now" in done.stdout, done.stdout


@pytest.mark.parametrize(("way", "node"), [
    (["stepi"], 0),
    (["break main thread 2.1", "continue", "stepi 5"], 1),
    (["fugu goto 5000 1", "thread 1.1"], 0),            # a node other than the one whose turn it is
    (["continue"], 0)])                                 # to its end
def test_nothing_has_stored(session, way, node):
    """The machine is where it was, with the same node selected."""
    done = session([*way, "fugu when", "print $pc", "fugu who-wrote *(int *) 0x40000100", "fugu when", "print $pc"],
                   "-n", 2, "ring")
    assert f"Nothing has stored to *(int *) 0x40000100 on node {node} since its history begins." in done.stdout, \
        done.stdout
    before, after = re.findall(r"^The machine is (.*)\.$", done.stdout, re.MULTILINE)
    assert before == after, done.stdout
    before, after = re.findall(r"^\$\d = (.*)$", done.stdout, re.MULTILINE)
    assert before == after, done.stdout


# ---- messages ------------------------------------------------------------------------

def launched(output, handler):
    """The messages from each node to this handler that `fugu flight` shows, as the columns after the handler."""
    return re.findall(rf"^ +(\d+) +0 +1 {handler} +(.*)$", output, re.MULTILINE)


def test_origin_of_a_buffered_message(session):
    """In one step, from the program that is to read the message to the instruction that launched it."""
    done = session(["break look thread 1.1", "continue", "fugu buffer", "fugu origin", "x/i $pc", "backtrace 1",
                    "stepi", "fugu flight"], "-n", 3, WAITING)
    first = re.search(r"^ +0 +(\d) plain +0x11 0x22", done.stdout, re.MULTILINE)
    assert first, done.stdout
    assert re.search(r"=> 0x\w+ <main\+\d+>:\tcpop1", done.stdout), done.stdout
    assert [row.split()[:2] for sender, row in launched(done.stdout, "plain") if sender == first[1]] == [["0x11", "0x22"]]


def test_origin_of_a_message_with_a_body(session):
    """In its handler, from the buffer: the launch has the body."""
    done = session(["break with_body thread 1.1", "continue", "fugu buffer 0 1", "fugu origin", "x/i $pc", "stepi",
                    "fugu flight"], "-n", 3, WAITING)
    first = re.search(r"^ +0 +(\d) with_body +0x33 +64", done.stdout, re.MULTILINE)
    assert first, done.stdout
    assert re.search(r"=> 0x\w+ <main\+\d+>:\tcpop1", done.stdout), done.stdout
    assert [row.split()[:2] for sender, row in launched(done.stdout, "with_body") if sender == first[1]] == \
        [["0x33", "64"]]


def test_who_wrote_a_body(session):
    """The body was in the buffer: the kernel has copied it for the handler, by pairs of words if both places allow it."""
    done = session(["break with_body thread 1.1", "continue", "delete", "finish", "fugu who-wrote storage[3]",
                    "backtrace"], "-n", 3, WAITING)
    assert functions(done.stdout)[0] in ("copy_words", "copy_pairs"), done.stdout
    assert re.search(r"^#\d+ .*\bwith_body \(", done.stdout, re.MULTILINE), done.stdout


# ---- reverse-finish --------------------------------------------------------------------

def test_reverse_finish(session):
    """Back to the call of the function: to its delay slot, from which the next step leads into the function.

    No message interrupts the fourth call before its first instruction.
    """
    done = session(["break take_one thread 1.1", "ignore 1 3", "continue", "delete", "next", "reverse-finish",
                    "x/i $pc", "x/i $pc-4", "frame", "stepi", "frame"], "-n", 2, PRIMES)
    assert re.search(r"=> 0x\w+ <main\+\d+>:", done.stdout), done.stdout
    assert re.search(r"0x\w+ <main\+\d+>:\tcall +0x\w+ <take_one>", done.stdout), done.stdout
    assert functions(done.stdout)[-2:] == ["main", "take_one"], done.stdout


def test_reverse_finish_of_a_handler(session):
    """Back to the stub that has called the handler."""
    done = session(["break candidate_arrives thread 1.1", "continue", "delete", "next", "reverse-finish", "stepi",
                    "x/i $pc"], "-n", 2, PRIMES)
    assert re.search(r"=> 0x\w+ <candidate_arrives>:", done.stdout), done.stdout


def watched(output):
    """(old, new) of each stop at a watchpoint."""
    return [(int(old), int(new)) for old, new in
            re.findall(r"^Old value = (\d+)\nNew value = (\d+)$", output, re.MULTILINE)]


def jobs(output):
    return re.findall(r"^\$\d+ = (\d+)$", output, re.MULTILINE)


TWO_JOBS = ("-n", 1, "--timeslice", 2000, WRITES, "spin", "+", WRITES, "spin")


@pytest.mark.parametrize("job", [1, 2])
def test_watchpoint_is_of_one_job(session, job):
    """The other job stores to the same address in its own slots. Back, the machine stops for the same stores."""
    done = session([f"tbreak main if $_job() == {job}", "continue", "watch knob",
                    *["continue", "print $_job()"] * 4,
                    "ignore 2 400", *["continue", "print $_job()"] * 2,
                    *["reverse-continue", "print $_job()"] * 3], *TWO_JOBS)
    assert jobs(done.stdout) == [str(job)] * 9, done.stdout
    values = watched(done.stdout)
    assert values[:6] == [(0, 1), (1, 2), (2, 3), (3, 4), (404, 405), (405, 406)], done.stdout


def test_condition_on_a_watchpoint_goes_on_working(session):
    done = session(["tbreak main if $_job() == 2", "continue", "watch knob if knob % 50 == 0",
                    *["continue", "print $_job()"] * 3], *TWO_JOBS)
    assert jobs(done.stdout) == ["2"] * 3 and [new for _, new in watched(done.stdout)] == [50, 100, 150], done.stdout


def test_watchpoint_is_of_the_program_in_view(session):
    """It is set while the node runs another program."""
    done = session(["fugu program null", "tbreak main", "continue", "print $_job()", "fugu program writes", "watch knob",
                    *["continue", "print $_job()"] * 2],
                   "-n", 1, "--timeslice", 2000, WRITES, "spin", "+", "null", 100_000)
    assert jobs(done.stdout) == ["2", "1", "1"], done.stdout

"""Debugging programs that share memory: fugu shm, fugu page, $_copy(), and steps over accesses that fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from guest_programs import built

SOURCE = Path(__file__).resolve().parent / "sharing.c"
PROGRAM = built("debug/sharing")
AT_THE_LOCK = ["break stop_here thread 2.1", "continue"]


def line(text: str) -> int:
    """The number of the first line of sharing.c that has `text`."""
    return next(number for number, found in enumerate(SOURCE.read_text().splitlines(), 1) if text in found)


def rows(output: str, title: str) -> list[str]:
    """The rows of the table after the first line that begins with `title`, each with single blanks."""
    lines = output.splitlines()
    found = []
    for text in lines[next(k for k, one in enumerate(lines) if one.startswith(title)) + 1:]:
        if not text.startswith("  "):
            break
        found.append(" ".join(text.split()))
    return found


def test_who_waits_for_what(session, machine):
    """fugu shm shows the call of each process and the lock's holder; printing changes nothing in the run."""
    done = session([*AT_THE_LOCK, "fugu shm", "fugu page shared->value", "delete", "continue"],
                   "-n", 4, "--digest", PROGRAM)
    assert rows(done.stdout, "Processes that share memory, at cycle") == [
        "node job is in variable called at",
        f"0 1 shm_barrier() 0xa0000004 main at sharing.c:{line('shm_create(waits)') + 1}",
        "1 1 computes",
        f"2 1 shm_lock() 0xa0000000 waits at sharing.c:{line('wait(LONG)') + 1}",
        "3 1 has no process"], done.stdout
    assert rows(done.stdout, "Locks that are locked") == ["job lock locked by node wait", "1 0xa0000000 1 2"]
    page = rows(done.stdout, "shared->value at 0xa0000008, page 0xa0000000, at cycle")
    assert re.fullmatch("0 home (none|read) 2 11", page[1]), page        # `none` until its process reads the page
    assert [page[0], *page[2:]] == ["node has may changes value", "1 copy read 2 11", "2 nothing", "3 nothing"], page
    digest = re.search(r"^digest: (\w+)$", done.stdout, re.MULTILINE)[1]
    assert digest == machine(PROGRAM, nodes=4, digest=True).check(0).digest


def test_old_copies_are_said_to_be_old(session):
    """After the barrier node 1 has a copy that lacks node 2's write. GDB does not show it as the variable's value."""
    done = session(["break doubled thread 2.1", "continue", "fugu page shared->value",
                    "print shared->value", "print $_copy(shared->value)"], "-n", 3, PROGRAM)
    found = rows(done.stdout, "shared->value at")
    assert found[1].startswith("0 home ") and found[1].endswith(" 111"), done.stdout
    assert found[2].startswith("1 old copy none ") and found[2].endswith(" 11")
    assert "Cannot access memory at address 0xa0000008" in done.stdout
    assert re.search(r"^\$\d+ = 11$", done.stdout, re.MULTILINE)


def hits(output: str) -> list[tuple[str, str, str]]:
    """The watchpoints that node 2 has hit, with the values before and after."""
    return re.findall(r'^Thread 3.1 "node 2" hit Hardware watchpoint \d: -location (\S+)\n\nOld value = (\S+)\n'
                      r"New value = (\d+)$", output, re.MULTILINE)


def test_watchpoints_see_writes_of_other_nodes(session):
    """A watchpoint on the copy stops when the page comes from another node, one on the variable when the process of the
    node itself has written it, and when it waits for the page."""
    copy = session([*AT_THE_LOCK, "thread 3.1", "watch -l $_copy(shared->value)", "continue"], "-n", 3, PROGRAM).stdout
    assert hits(copy) == [("$_copy(shared->value)", "<unreadable>", "11")], copy
    both = session([*AT_THE_LOCK, "thread 3.1", "watch -l $_copy(shared->value)", "watch -l shared->value", "continue",
                    "continue"], "-n", 3, PROGRAM).stdout
    assert hits(both) == [("shared->value", "<unreadable>", "11"), ("shared->value", "11", "111")], both


def test_next_goes_through_a_fault(session, machine):
    """`next` over an access that faults ends at the next line, although a breakpoint of another node lies on the way.
    The run stays the same."""
    done = session(["break doubled thread 2.1", "break read_fault thread 1.1", "continue", *["next"] * 4,
                    "delete", "continue"], "-n", 3, "--digest", PROGRAM)
    said = done.stdout.partition("hit Breakpoint 1")[2]
    assert said.count("[The step was interrupted: <rights upcall: shm_fault_stub>. It goes on.]") >= 1, done.stdout
    lines = [int(found) for found in re.findall(r"^(\d+)\t", said, re.MULTILINE)]
    own = [one for one in lines if line("doubled(void)") <= one <= line("return value;") + 1]
    assert own[:4] == [line("int value = "), line("wait(0)"), line("2 * value"), line("return value;")], done.stdout
    digest = re.search(r"^digest: (\w+)$", done.stdout, re.MULTILINE)[1]
    assert digest == machine(PROGRAM, nodes=3, digest=True).check(0).digest


def test_next_stops_at_a_breakpoint_in_the_upcall(session):
    """The user's breakpoint counts, and the step is over."""
    done = session(["break doubled thread 2.1", "continue", "break read_fault thread 2.1", "next", "backtrace 1"],
                   "-n", 3, PROGRAM)
    assert re.search(r"hit Breakpoint 2\S*, .*read_fault \(", done.stdout), done.stdout
    assert "It goes on" not in done.stdout


@pytest.mark.parametrize(("command", "said"), [
    ("fugu shm 1", "fugu shm takes no arguments."),
    ("fugu page", "Usage: fugu page EXPRESSION"),
    ("fugu page shared", "shared is not in shared memory."),
    ("fugu page nothing->there", 'No symbol "nothing" in current context.'),
    ("print $_copy(shared)", "$_copy() is for variables in shared memory."),
])
def test_wrong_words_are_refused(session, command, said):
    done = session([*AT_THE_LOCK, command], "-n", 3, PROGRAM)
    assert said in done.stdout, done.stdout


def test_programs_without_shared_memory_are_said_to_have_none(session):
    done = session(["break main", "continue", "fugu shm"], "-n", 2, built("debug/waiting"))
    assert "No process of an attached node shares memory: has the program begun, and does it use shm.h?" in done.stdout
    done = session(["fugu shm"], "-n", 2, "ring")
    assert "This is for machines that run Glaze." in done.stdout

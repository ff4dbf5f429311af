"""Breakpoints with conditions on several nodes, functions that the kernel has too, and the end by `kill`."""

from __future__ import annotations

import re

import pytest
from guest_programs import built


def values(output):
    """What `print` has printed, in order."""
    return [int(value) for value in re.findall(r"^\$\d+ = (\d+)", output, re.MULTILINE)]


@pytest.mark.parametrize("selected", [1, 3])
def test_conditions_hold_on_every_node(session, machine, selected):
    """A condition with a local variable stops each node at its own value, whichever node is selected."""
    program = built("debug/naming")
    done = session([f"inferior {selected}", "break naming.c:15 if value % 10 % 3 == 1 && $_caller_is(\"main\")",
                    *["continue", "print 10 * ($_inferior - 1) + value % 10"] * 6, "delete", "continue"],
                   "-n", 3, "--digest", program)
    assert sorted(values(done.stdout)) == [1, 4, 11, 14, 21, 24], done.stdout
    assert "Error in testing" not in done.stdout
    assert f"digest: {machine(program, nodes=3, digest=True).check(0).digest}" in done.stdout


def test_conditions_follow_their_changes(session):
    """`condition` replaces the condition or takes it away; one that needs no names stays as it is."""
    done = session(["break naming.c:15", "condition 1 value % 10 == 3", "info breakpoints", "continue", "print value",
                    "condition 1", "continue", "continue", "print value", "condition 1 $_job() == 1", "info breakpoints"],
                   "-n", 2, built("debug/naming"))
    assert 'stop only if $_here("value % 10 == 3")' in done.stdout and "stop only if $_job() == 1" in done.stdout
    assert values(done.stdout)[0] == 3 and "Error" not in done.stdout, done.stdout


def test_conditions_and_several_programs(session):
    """The condition stays in its program, and GDB's variables work in it."""
    done = session(["fugu program naming", "break naming.c:15 if value % 10 == 4", "info breakpoints", "continue", "print value",
                    "continue", "print value", "print $_job()"], "-n", 2, "hello", "+", built("debug/naming"))
    assert 'stop only if $_in_program("naming") && ($_here("value % 10 == 4"))' in done.stdout
    assert sorted(values(done.stdout)) == [2, 4, 14], done.stdout


def test_the_programs_function_comes_first(session):
    """`break` with a name that the kernel has too stops in the program alone, until the user wants more."""
    done = session(["break print", "info breakpoints", "continue", "print value", "enable 1", "break -function print",
                    "tbreak naming.c:print", "break print if value % 10 == 4", "delete 1-3", "continue", "print value"],
                   "-n", 2, built("debug/naming"))
    kernels = re.findall(r"^1\.\d+ +(\w) +0x0\w+ in print at ", done.stdout, re.MULTILINE)
    assert kernels == ["n", "n"], done.stdout
    assert re.findall(r"^1\.\d+ +(\w) +0x1\w+ in print at .*naming.c", done.stdout, re.MULTILINE) == ["y", "y"]
    assert f'the breakpoint is off there: "enable 1.1-{len(kernels)}" turns it on.' in done.stdout
    assert done.stdout.count("The kernel has functions print as well") == 3
    assert values(done.stdout)[1] in (4, 14) or values(done.stdout)[0] in (0, 10), done.stdout


def test_lines_are_those_of_the_programs_file(session):
    """Before anything has run, `break LINE` is about the file of main()."""
    done = session(["break 15", "continue"], "-n", 2, built("debug/naming"))
    assert re.search(r"hit Breakpoint 1\.\d, print \(value=0\) at .*naming.c:15", done.stdout), done.stdout


def test_a_program_without_threads_has_one(session):
    done = session(["break print", "continue", "fugu threads"], "-n", 2, built("debug/naming"))
    assert re.search(r"^ +thread +priority +state +stack +where\n  \* first +normal +runs +0x3ff00000 print at naming.c:\d+$",
                     done.stdout, re.MULTILINE), done.stdout


def test_kill_ends_the_machine(session):
    """`kill` ends all nodes, with one line. The program cannot be started a second time."""
    done = session(["run", "break main", "continue", "start", "kill inferiors 1", "k", "info threads", "kill", "run",
                    "fugu nodes"], "-n", 3, built("debug/naming"))
    lines = done.stdout.splitlines()
    assert sum(line.startswith("The machine has started already: ") for line in lines) == 2
    assert "kill takes no arguments: it ends the whole machine." in lines
    end = lines.index('The machine is ended, with all its nodes. "quit" leaves.')
    assert lines[end + 1:] == ["No threads.", "There is no machine.", "There is no machine: ./run.sh debug starts one.",
                               "There is no machine."]

"""GDB goes back: sessions of ./run.sh debug."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

PRIMES = built("debug/primes")


def cycles(output):
    """(cycle, node) of each `fugu when`."""
    return [tuple(map(int, found)) for found in re.findall(r"is at cycle (\d+) of node (\d+),", output)]


def test_each_command_goes_back_on_its_node(session):
    """Steps back are the selected node's, also where GDB has looked at another node since."""
    when = "fugu when"
    done = session(["break candidate_arrives thread 1", "continue", "delete", "next", "next", when, "reverse-next", when,
                    "thread 2.1", "backtrace 1", "thread 1.1", "reverse-stepi", when, "stepi", when, "reverse-nexti", when],
                   "-n", 2, PRIMES)
    assert done.returncode == 0, done.stdout
    places = cycles(done.stdout)
    assert len(places) == 5 and {node for _, node in places} == {0}, done.stdout
    first, back, step, again, last = (cycle for cycle, _ in places)
    assert step < back < first
    assert again == back and last == step


def test_origin_is_the_launch(session):
    """Where a message was launched is an operation of the network interface on the node that sent it."""
    done = session(["break candidate_arrives thread 1", "continue", "fugu origin", "x/i $pc", "fugu when",
                    "stepi", "fugu flight"], "-n", 2, PRIMES)
    assert done.returncode == 0, done.stdout
    assert re.search(r"=> 0x\w+ <main\+\d+>:\tcpop1", done.stdout), done.stdout
    assert cycles(done.stdout)[0][1] == 1
    [launched] = re.findall(r"^ +1  0   1 candidate_arrives \S+ +(\d+)", done.stdout, re.MULTILINE)
    assert int(launched) > cycles(done.stdout)[0][0]


def test_steps_of_instructions_are_undone(session):
    """GDB's own stepi runs over traps. Ours stops in them, so that as many steps back end where they began."""
    there = ["x/i $pc", "fugu when"]
    done = session(["break is_prime thread 1", "continue", "delete", *there, "stepi 400", "x/i $pc", "reverse-stepi 400",
                    *there, *["stepi"] * 40, *["reverse-stepi"] * 40, *there, "continue"], "-n", 2, PRIMES)
    assert done.returncode == 0, done.stdout
    assert len(set(cycles(done.stdout))) == 1 and len(cycles(done.stdout)) == 3, done.stdout
    assert " primes below 1000" in done.stdout


def test_stepi_enters_a_trap(session):
    """The instruction after one that traps is the first one of the trap."""
    steps = "[gdb.execute('stepi', to_string=True) for _ in range(3000) if gdb.selected_frame().pc() >= 0x10000000]"
    done = session(["tbreak main thread 1", "continue", f"python {steps}", "x/i $pc"], "-n", 2, PRIMES)
    assert re.search(r"=> 0x\w{1,4} <trap_table\+\d+>:", done.stdout), done.stdout


def test_goto_before_the_beginning_is_refused(session, machine, tmp_path):
    saved = tmp_path / "half.snap"
    machine(PRIMES, nodes=2, save=f"{saved}@50K").check(0)
    done = session(["fugu goto 100", "stepi", "fugu goto 100 1", "fugu when", "fugu goto 60000", "fugu goto 50300",
                    "fugu when"], "--load", saved)
    assert re.search(r"^the history begins at cycle 50[01]\d\d of node 0$", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^the history begins at cycle 50[01]\d\d of node 1$", done.stdout, re.MULTILINE), done.stdout
    assert cycles(done.stdout)[0][0] < 50_200 and 50_300 <= cycles(done.stdout)[1][0] < 50_400, done.stdout


REFUSED = {
    "fugu goto": "Usage: fugu goto CYCLE [NODE]", "fugu goto x": "Usage: fugu goto CYCLE [NODE]",
    f"fugu goto {1 << 64}": f"{1 << 64} is no cycle: a node's time has 64 bits.",
    "fugu goto 1 2 3": "Usage: fugu goto CYCLE [NODE]", "fugu goto 5 7": "GDB is not attached to node 7.",
    "fugu when now": "fugu when takes no arguments.", "fugu origin": "Node 0 has no message in its input queue, and reads none in a buffer.",
    "fugu who-wrote": "Usage: fugu who-wrote EXPRESSION", "fugu who-wrote 5": "5 is not in memory",
    "fugu who-wrote heigth": 'No symbol "heigth" in current context.',
}


@pytest.mark.parametrize("command", REFUSED)
def test_mistakes_are_told(session, command):
    done = session([command], "-n", 2, PRIMES)
    assert REFUSED[command] in done.stdout and "Python" not in done.stdout


def test_without_history(session):
    done = session(["stepi", "fugu when", "reverse-stepi"], "--history", 0, "-n", 2, PRIMES)
    assert "keeps no history" in done.stdout
    assert "Target native does not support this command" in done.stdout or "does not support" in done.stdout


@pytest.mark.parametrize("size", ["5X", "-1", ""])
def test_bad_history_is_refused(session, size):
    done = session([], f"--history={size}", "-n", 2, PRIMES)
    assert done.returncode == 2 and "--history" in done.stdout


def test_history_is_of_one_process(run):
    done = run("ring", nodes=2, more=("-machine", "history=1000000,processes=2"))
    assert done.returncode != 0
    assert "history: a machine of 2 processes cannot go back" in done.stderr


def test_history_is_not_observed(run, tmp_path):
    done = run("ring", nodes=2, more=("-machine", f"history=1000000,observe={tmp_path}"))
    assert done.returncode != 0
    assert "history and observe: a machine that goes back would count twice" in done.stderr

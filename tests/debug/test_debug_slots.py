"""fugu contexts: what the M-Machine's message slots do, in a handler and back from it."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

STORM = built("guest/storm")
SHOWN = re.compile(r"^Contexts of node (\d), at cycle (\d+)\n(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^  ([* ]) (main|slot 0|slot 1) +(ready|off|waits for [a-zA-Z ]+?|at fault, trap 0x\w\w) +(\S+) +(\d+)$", re.MULTILINE)


def contexts(output):
    """What each `fugu contexts` shows: its cycle, {context: (active, what it does, where)}, all of its lines."""
    return [(int(cycle), {name: (active == "*", does, where) for active, name, does, where, _ in ROW.findall(text)}, text)
            for _, cycle, text in SHOWN.findall(output)]


def test_a_handler_is_shown_and_undone(session):
    """A stop in it, two instructions, of which the second has waited for its word, and back."""
    done = session(["fugu contexts", "break few_handler", "continue", "fugu contexts", "delete", "stepi", "stepi",
                    "fugu contexts", "reverse-stepi", "reverse-stepi", "fugu contexts", "stepi", "stepi", "fugu contexts"],
                   "-n", 2, "--ni", "m-machine", "--mesh-word", 9, STORM)
    assert done.returncode == 0, done.stdout
    first, stopped, stepped, back, again = contexts(done.stdout)
    assert {name: does for name, (_, does, _) in first[1].items()} == {"main": "ready", "slot 0": "off", "slot 1": "off"}
    assert stopped[1]["slot 0"] == (True, "ready", "few_handler")
    assert re.search(r"^  slot 0 reads from node \d: few_handler, DestAddr \[0x\w+\], body ", stopped[2], re.MULTILINE)
    assert stepped[1]["slot 0"] == (True, "ready", "few_handler+8") and stepped[0] - stopped[0] > 9
    assert back == stopped and again == stepped


def test_a_fault_is_undone(session):
    """It takes no cycles: the step leads on to an instruction of the main context, and back to the one that stopped the slot."""
    done = session(["break *stop_handler+56", "continue", "delete", "fugu contexts", "stepi", "fugu contexts", "reverse-stepi",
                    "fugu contexts", "reverse-stepi", "fugu contexts", "stepi", "stepi", "fugu contexts"],
                   "-n", 2, "--ni", "m-machine", STORM)
    assert done.returncode == 0 and "has not come again" not in done.stdout, done.stdout
    stopped, after, back, before, again = contexts(done.stdout)
    assert stopped[1]["slot 0"] == (True, "ready", "stop_handler+56")
    assert after[1]["slot 0"] == (False, "at fault, trap 0x02", "stop_handler+56") and after[1]["main"][0]
    assert (back, again) == (stopped, after)
    assert before[1]["slot 0"] == (True, "ready", "stop_handler+52") and before[0] == stopped[0] - 1


@pytest.mark.parametrize("handler, sender", [("sum_handler", "from_"), ("reply_handler", "many_handler|few_handler|"
                                             "sum_handler|atom_handler|stop_handler")])
def test_origin_is_the_send(session, handler, sender):
    """Of the message whose handler stands there: at priority 0 the main context's, at priority 1 a handler's."""
    done = session([f"break {handler}", "continue", "fugu origin", "x/i $pc", "fugu contexts"],
                   "-n", 2, "--ni", "m-machine", STORM)
    assert done.returncode == 0, done.stdout
    assert re.search(rf"=> 0x\w+ <({sender})\S*>:\tcpop1", done.stdout), done.stdout
    [(_, shown, _)] = contexts(done.stdout)
    assert shown["main" if handler == "sum_handler" else "slot 0"][0], done.stdout


def test_what_waits_is_shown_with_what_it_waits_for(session):
    """In the middle of a message, where nothing has come that it could go on with; and nothing is wider than 80 columns."""
    done = session(["break restart", "continue", "fugu contexts", "delete", "fugu goto 102300 0", "fugu contexts",
                    "fugu goto 101000 0", "fugu contexts"],
                   "-n", 2, "--ni", "m-machine", "--mesh-word", 400, STORM)
    assert done.returncode == 0, done.stdout
    shown = contexts(done.stdout)
    assert shown[0][1]["slot 0"][1] == "at fault, trap 0x02", done.stdout
    said = {does for _, one, _ in shown for _, does, _ in one.values()}
    assert "waits for a message" in said and "waits for a word" in said, done.stdout
    assert all(len(line) <= 80 for _, _, text in shown for line in text.splitlines()), done.stdout

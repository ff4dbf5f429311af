"""fugu who-wrote, fugu origin: from a word in the receiver's memory back to what has sent it by SHRIMP's interface."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_debug_glaze import digest, program
from test_debug_mapping import PROGRAM, SHRIMP, at

RECEIVED = ["tbreak stop_here thread 2.1", "continue"]      # node 1 has all of it
HERE = Path(__file__).resolve().parent


def line_of(text):
    """The line of mapping.c with a text, as GDB prints it."""
    return next(f"{number}\t{line}" for number, line in
                enumerate((HERE / "mapping.c").read_text().splitlines(), 1) if text in line)


# A word of node 1; how it was sent; the line; the value of k there; how often a step changes the word of node 0.
SENT = {"single": ("in.words[3]", "automatic update with single-write", "out.words[k] = 10 + k;", 3, "out.words[3]", 13),
        "blocked": ("in.words[515]", "automatic update with blocked-write", "out.words[HALF + k] = 20 + k;", 3,
                    "out.words[515]", 23)}


@pytest.mark.parametrize("mode", SENT)
def test_origin_is_the_store_of_that_word(session, mode):
    """The store of this very word, though its packet has others, and though the program stores to others later."""
    word, how, line, k, own, value = SENT[mode]
    done = session([*RECEIVED, f"fugu who-wrote {word}", "fugu when", "fugu origin", "fugu when", "print k",
                    f"print {own}", "stepi", f"print {own}", "fugu fifos", "reverse-stepi", "fugu when", "delete",
                    "continue"], *SHRIMP, "--digest", PROGRAM)
    came = re.search(rf"An update from node 0 comes to {re.escape(word)} on node 1 at cycle (\d+): 0 before, {value} after\.\n"
                     r'"fugu origin" goes back to what has sent it. Meanwhile the node is here:\n', done.stdout)
    origin = done.stdout.index(f"Node 0 is about to store what is sent, by {how}.")
    assert line_of(line) in done.stdout[origin:]
    places = [(int(time), int(node)) for time, node in
              re.findall(r"The machine is at cycle (\d+) of node (\d)", done.stdout)]
    assert places[1][1] == places[2][1] == 0 and places[0][1] == 1
    assert places[1] == places[2] and places[1][0] < int(came[1])
    assert re.findall(r"^\$\d = (.*)$", done.stdout, re.MULTILINE) == [str(k), "0", str(value)]
    # The packet was issued at the end of that step, or it is still open.
    issued = re.search(r"FIFOs of node 0, at cycle (\d+)", done.stdout)[1]
    assert ("Open packet: 16 bytes" in done.stdout) if mode == "blocked" else int(issued) > places[1][0]
    assert digest(done.stdout) == digest(session(["continue"], *SHRIMP, "--digest", PROGRAM).stdout)


def test_origin_with_a_variable_goes_at_once(session):
    """From a variable, the machine goes back twice."""
    done = session([*RECEIVED, "fugu origin in.words[3]", "fugu when", "print k"], *SHRIMP, PROGRAM).stdout
    assert line_of("out.words[k] = 10 + k;") in done and "$1 = 3" in done
    assert re.search(r"The machine is at cycle \d+ of node 0", done)


def test_origin_of_a_command_and_of_the_words_that_it_sends(session):
    """A word of the last packet comes from the one command; who-wrote at the sender leads on to its store."""
    done = session([*RECEIVED, "fugu who-wrote in.page[1000]", "fugu origin", "backtrace 3", "fugu engine", "stepi",
                    "fugu engine", "fugu who-wrote out.page[1000]", "print k"], *SHRIMP, PROGRAM).stdout
    assert "on node 1 at cycle" in done and ": 0 before, 1001 after." in done
    found = done.index("Node 0 is about to give the command that sends it, by deliberate update.")
    assert "shrimp_send_words (" in done[found:] and "deliberate () at" in done[found:]
    assert re.search(r"Engine of node 0, at cycle \d+: free.*Engine of node 0, at cycle \d+: busy", done, re.DOTALL)
    assert "Node 0 is about to store to out.page[1000]: 0 before, 1001 after." in done
    assert line_of("out.page[k] = k + 1;") in done and done.rstrip().endswith("$1 = 1000")


def test_origin_of_the_head_of_the_fifo(session):
    """Node 0 stands behind its third mode; the packet that node 1 stores next is the one of its first stores."""
    done = session([*at(2), "fugu fifos 1", "thread 2.1", "fugu origin", "print k", "thread 2.1", "fugu origin"], *SHRIMP,
                   "--incoming-word", 400, PROGRAM).stdout
    head = re.search(r"^ +0 +0x\w+ +4 +single +(\d+) .* in(?:\+(\d+))?$", done, re.MULTILINE)
    assert line_of("out.words[k] = 10 + k;") in done
    assert f"$1 = {int(head[2] or 0) // 4}" in done
    # Before that store, nothing has come.
    assert "Node 1 has no update in its Incoming FIFO: name a variable, as in fugu origin EXPRESSION." in done


def test_what_was_no_update_has_no_origin(session):
    """The machine stays where it is."""
    done = session([*at(3), "fugu when", "fugu origin out.words[1]", "fugu when", "fugu origin in.words[5]",
                    "fugu when"], *SHRIMP, PROGRAM).stdout
    assert "The last store to out.words[1] was no update: fugu who-wrote out.words[1] leads to it." in done
    assert "Node 0 has no memory at 0x" in done        # it exports nothing
    assert len(set(re.findall(r"The machine is at cycle \d+ of node \d", done))) == 1


def test_origin_takes_no_variable_on_other_machines(session):
    said = session(["tbreak main", "continue", "fugu origin height"], "-n", 2, program("primes")).stdout
    assert "fugu origin takes EXPRESSION on machines with SHRIMP's network interface alone." in said

"""GDB goes back to stores that are hard to tell from others, and to changes by hand; and input comes again after them."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

WRITES = built("reverse/writes")


def wrote(output):
    """(what, before, after) of each `fugu who-wrote`."""
    return re.findall(r"^Node \d+ is about to store to (.*): (.*) before, (.*) after\.$", output, re.MULTILINE)


def functions(output):
    """The functions of the frames that GDB has shown."""
    return re.findall(r"^#0 +(?:0x\w+ in )?(\S+) \(", output, re.MULTILINE)


def numbered(tmp_path, count):
    """A file with the lines 1 to `count`."""
    file = tmp_path / "numbers.txt"
    file.write_text("".join(f"{number}\n" for number in range(1, count + 1)))
    return file


@pytest.mark.parametrize("what, before, after, function", [
    ("bits.first", "0", "5", "set_first"), ("bits.negative", "0", "-3", "set_negative"),
    ("bits.inner", "0", "6", "set_inner"), ("bits.counter", "998", "999", "count"),
    ("copied", "5.5", "74", "copy_by_words"), ("unchanged", "7", "7", "store_again")])
def test_store_that_gave_the_value(session, what, before, after, function):
    """Stores to neighbours of a bit-field, and of words that change nothing, do not count; unless there are no others."""
    done = session(["break look_here", "continue", f"fugu who-wrote {what}"], "-n", 1, WRITES)
    assert wrote(done.stdout) == [(what, before, after)], done.stdout
    assert functions(done.stdout) == [function], done.stdout
    assert ("No store has changed it since" in done.stdout) == (before == after)


def test_change_by_hand(session):
    """who-wrote goes to the user's change: at once, after steps, and not if a store came later."""
    done = session(["break look_here", "continue", "set var knob = 5", "fugu who-wrote knob", "stepi 20", "print knob",
                    "fugu who-wrote knob", "print knob", "fugu who-wrote bits.counter"], "-n", 1, WRITES)
    hand = "You have changed knob on node 0 here: 0 before, 5 after."
    assert done.stdout.splitlines().count(hand) == 2, done.stdout
    assert re.findall(r"^\$\d = (\d+)$", done.stdout, re.MULTILINE) == ["5", "5"]
    assert wrote(done.stdout) == [("bits.counter", "998", "999")], done.stdout


def test_store_that_is_the_first_instruction(session, machine, tmp_path):
    """The history of the snapshot begins with the store of a loop."""
    saved = tmp_path / "spin.snap"
    machine(WRITES, "spin", nodes=1, timeout="200K", save=f"{saved}@80K")
    done = session(["x/i $pc", "stepi", "fugu who-wrote knob"], "--load", saved)
    assert re.search(r"=> 0x\w+ <main\+\d+>:\tst ", done.stdout), done.stdout
    [(_, before, after)] = wrote(done.stdout)
    assert int(after) == int(before) + 1


def test_goto_keeps_a_change(session, tmp_path):
    """A place after the change is on the same future, however near; one before it is not."""
    script = ("import gdb, json; cycle = lambda: json.loads(json.loads(gdb.execute("
              "'monitor qom-get /machine/rounds place', to_string=True)))['cycle']; then = cycle(); "
              "go = lambda way: (gdb.execute(f'fugu goto {then + way}', to_string=True), "
              "print(way, 'knob', gdb.parse_and_eval('knob'))); [go(way) for way in (20000, 1000, 30, 9000, -1000)]")
    done = session(["break look_here", "continue", "delete", "set var knob = 5", f"python {script}"],
                   "--stdin", numbered(tmp_path, 500), "-n", 1, WRITES)
    assert re.findall(r"^(\S+) knob (\d)$", done.stdout, re.MULTILINE) == [
        ("20000", "5"), ("1000", "5"), ("30", "5"), ("9000", "5"), ("-1000", "0")], done.stdout


FORGOTTEN = "fugu: the debugger changes the machine in its past: what followed is forgotten"


def test_input_comes_again_after_a_change(session, tmp_path):
    """What the host has given before the machine went back is the other future's input, each line once."""
    done = session(["continue", "fugu goto 0", "break take_line if number == 10", "continue", "delete",
                    "set var knob = 1", "continue"], "--stdin", numbered(tmp_path, 500), "-n", 1, WRITES)
    said = done.stdout.splitlines()
    assert "500 lines, sum 125250" in said and "500 lines, sum 125741" in said, done.stdout
    assert said.count(FORGOTTEN) == 1
    done = session(["break take_line if number == 10", "continue", "delete", "set var knob = 1", "continue"],
                   "--stdin", numbered(tmp_path, 500), "-n", 1, WRITES)
    assert "500 lines, sum 125741" in done.stdout and FORGOTTEN not in done.stdout, done.stdout


def cycles(output):
    """The cycle of each `fugu when`."""
    return [int(cycle) for cycle in re.findall(r"^The machine is at cycle (\d+) ", output, re.MULTILINE)]


@pytest.mark.parametrize("change", [(), ("set var knob = 0",)])
def test_snapshot_after_going_back(session, machine, tmp_path, change):
    """A snapshot that is saved when the machine has gone back has all of its input, and none twice."""
    saved, lines = tmp_path / "back.snap", numbered(tmp_path, 2000)
    first = session(["break take_line if number == 1200", "continue", "fugu when"], "--stdin", lines, "-n", 1, WRITES)
    [cycle] = cycles(first.stdout)
    done = session(["break take_line if number == 1200", "continue", "delete", "fugu goto 0",
                    "break take_line if number == 10", "continue", "delete", *change, "continue"],
                   "--save", f"{saved}@{cycle + 1000}", "--stdin", lines, "-n", 1, WRITES)
    assert f"fugu: saved at cycle {(cycle + 1000 + 63) // 64 * 64}: {saved}" in done.stdout, done.stdout
    assert "2000 lines, sum 2001000" in done.stdout
    assert machine(None, load=saved, stdin=lines.read_bytes()).check(0).stdout == "2000 lines, sum 2001000\n"

"""Debugging programs that share memory: backtraces through the upcalls of the library shm, and reports of waiting."""

from __future__ import annotations

import json
import re
from pathlib import Path

from guest_programs import built

HERE = Path(__file__).resolve().parent
PROGRAM = built("debug/faults")


def line(text: str) -> int:
    """The number of the first line of faults.c that has `text`."""
    lines = (HERE / "faults.c").read_text().splitlines()
    return next(number for number, found in enumerate(lines, 1) if text in found)


def test_backtraces_are_right_in_rights_and_alarm_upcalls(session, machine):
    """At each instruction of the stubs and of what they call: the frames of the library, the stub, and the program's
    call chain down to the access."""
    done = session([f"source {HERE / 'gdb_backtraces.py'}"], "-n", 2, "--digest", PROGRAM, 60, PLACES="shared", STOPS="600")
    found = json.loads(re.search(r'^\{"stops".*$', done.stdout, re.MULTILINE)[0])
    assert found["wrong"] == [] and found["places"] >= 36, found
    assert found["stops"] > 100 and found["windows"] >= 5 and found["deepest"] >= 15
    digest = re.search(r"^digest: (\w+)$", done.stdout, re.MULTILINE)[1]
    assert digest == machine(PROGRAM, 60, nodes=2, digest=True).check(0).digest


def test_backtrace_of_a_fault(session):
    """It names the upcall, and the line that has touched the page."""
    done = session(["break read_fault thread 1.1", "continue", "backtrace", "fugu threads"], "-n", 2, PROGRAM, 60)
    frames = re.findall(r"^#\d+ +(?:0x\w+ in )?(<.*?>|\w+) \(.*?\)(?:\s+at (\S+))?$", done.stdout,
                        re.MULTILINE | re.DOTALL)
    names = [name for name, _ in frames]
    stub = names.index("<rights upcall: shm_fault_stub>")
    assert names[:stub][-1] == "shm_fault" and names[stub + 1:][0] == "work", done.stdout
    assert names[stub + 2] == "main_down" and names[-3:] == ["main", "program_start", "start"], done.stdout
    place = f"faults.c:{line('round = shared->page')}"
    assert frames[stub + 1][1].endswith(place)
    assert re.search(r"^  +rights upcall +runs +0x3ff00000 ", done.stdout, re.MULTILINE), done.stdout
    assert re.search(rf"^  \* first +normal +interrupted +0x3ff00000 +work at {place}$", done.stdout, re.MULTILINE)


def test_report_names_the_access_that_waits(machine):
    """A page that never comes: the report of the run's end names its address, and function and line of the access."""
    report = machine(PROGRAM, "stuck", nodes=2, timeout="5M").check(124).stderr
    assert re.search(r"faults \(job 1\): is in an access of 0xa000[0-9a-f]000 in first_word "
                     rf"\(faults\.c:{line('return *page')}\)", report), report

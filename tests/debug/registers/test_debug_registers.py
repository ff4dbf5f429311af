"""What GDB shows of interrupted code: each register has the value that the code has left there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from guest_programs import built

SCRIPT = Path(__file__).resolve().parent / "gdb_registers.py"
MESSAGES, SHARED, SIGNALS = (built(f"debug/registers-{name}") for name in ("registers", "shared", "signals"))


def found(session, words, places, stops):
    """The summary of gdb_registers.py."""
    done = session([f"source {SCRIPT}"], *words, PLACES=places, STOPS=str(stops))
    line = re.search(r'^\{"stops".*$', done.stdout, re.MULTILINE)
    assert line, done.stdout
    return json.loads(line[0])


# The words of ./run.sh debug, and functions in which spin() has to be seen interrupted.
STUBS = {
    "fast": (("-n", 3, MESSAGES, "fast", 40), {"message_stub", "message", "clobber"}),
    "soft": (("-n", 3, "--atomicity", "soft", MESSAGES, "fast", 40), {"trapping_stub", "message"}),
    "fpu": (("-n", 3, MESSAGES, "fpu", 40), {"trapping_stub", "message"}),
    "half": (("-n", 3, MESSAGES, "half", 40), {"message_special", "stub_special", "stub_resume", "handler_special"}),
    "nested": (("-n", 3, MESSAGES, "nested", 40), {"message_special", "stub_special", "windows_flush"}),
    "shared": (("-n", 2, SHARED, 100), {"shm_fault_stub", "shm_fault"}),
    "signals": (("-n", 3, SIGNALS, 40), {"mbcf_signal_stub", "mbcf_signals", "serve"}),
}


@pytest.mark.parametrize("way", STUBS)
def test_registers_of_interrupted_code_are_right_in_stubs(session, way):
    """In stubs, handlers and what they call: of the code that they have interrupted, directly or not, GDB shows all
    globals, y, outs, locals, ins and condition codes as the code has left them."""
    words, functions = STUBS[way]
    summary = found(session, words, "stubs", 150)
    assert summary["wrong"] == {} and summary["stops"] >= 40, summary
    assert {name for name, count in summary["seen"].items() if count} >= functions, summary
    assert summary["nested"] or way != "nested", summary


def test_registers_of_interrupted_code_are_right_in_the_buffered_stub(session):
    summary = found(session, ("-n", 3, MESSAGES, "divert", 400), "buffered_stub buffered_begin", 100)
    assert summary["wrong"] == {} and summary["seen"]["buffered_begin"] > 10, summary


def test_registers_of_code_that_waits_for_a_page_are_right(session, disk):
    words = ("-n", 2, "--ram", "1M", "--disk", f"0={disk(4096)}", MESSAGES, "paging", "+", MESSAGES, "hog", 220)
    summary = found(session, words, "fault_stub fault_wait", 150)
    assert summary["wrong"] == {} and summary["seen"]["fault_stub"] > 30 and summary["seen"]["fault_wait"] > 10, summary


# As above, for the kernel, and for a rare stub: the words, where to stop, functions in which spin() has to be seen
# interrupted.
VECTORS = " ".join(hex(trap << 4) for trap in (0x05, 0x06, 0x09, 0x1A, 0x1B, 0x1D))      # their first instructions
WINDOWS = ("-n", 3, "--timeslice", 20_000, MESSAGES, "nested", 40, "+", "null", 2_000_000)
KERNEL = {
    # Beside another job, a process that waits sleeps, and its alarms come.
    "alarm": (("-n", 2, "--timeslice", 20_000, SHARED, 100, "+", "null", 2_000_000), "shm_alarm_stub shm_alarm",
              {"shm_alarm_stub", "shm_alarm"}),
    "fpu": (("-n", 3, MESSAGES, "fpu", 40), "message_upcall return_resume", {"message_upcall", "return_resume"}),
    "slow": (WINDOWS, "trap_slow", {"trap_slow"}),
    "soft": (("-n", 3, "--atomicity", "soft", MESSAGES, "fast", 200), "soft",
             {"soft_trap_table", "soft_message", "soft_return_resume"}),
    "vectors": (WINDOWS, VECTORS, {"trap_table"}),
    "windows": (WINDOWS, "window_overflow user_overflow spill window_underflow user_underflow refill",
                {"window_overflow", "spill", "window_underflow", "refill"}),
    "room": (WINDOWS, "make_room message_upcall", {"make_room", "message_upcall"}),
    "insert": (WINDOWS, "insert_page extend", {"insert_page", "extend"}),
    "shared": (("-n", 2, SHARED, 100), "rights_fault", {"rights_fault"}),
    "refill": (WINDOWS, "return_refill", {"return_refill"}),
    "signals": (("-n", 3, SIGNALS, 40), "message_of_kernel message_mbcf call_quick signal_upcall packet_room",
                {"message_of_kernel", "message_mbcf", "call_quick", "signal_upcall"}),
}


@pytest.mark.parametrize("way", KERNEL)
def test_registers_of_interrupted_code_are_right_in_the_kernel(session, way):
    """In the kernel: as above."""
    words, places, functions = KERNEL[way]
    summary = found(session, words, places, 120)
    assert summary["wrong"] == {}, summary
    assert {name for name, count in summary["seen"].items() if count} >= functions, summary


def test_interrupted_handlers_are_no_threads(session):
    """fugu threads shows handlers that have interrupted each other as handlers alone."""
    done = session(["break stub_special thread 1.1", *["continue"] * 3, "fugu threads"],
                   "-n", 3, MESSAGES, "nested", 40)
    rows = done.stdout.partition("Threads of registers-registers")[2].splitlines()[2:]
    assert [row.split()[0] for row in rows[:3]] == ["handler"] * 3, done.stdout
    others = [row.split()[:2] for row in rows if row.split()[0] != "handler"]
    assert others == [["*", "first"]], done.stdout

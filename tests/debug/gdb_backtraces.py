"""A script for GDB: stops depths.c or faults.c in many places and checks each backtrace.

The calls of both programs count their depth, so the script knows what a
backtrace must show. Environment variables say what to do: PLACES names the code
that gets breakpoints ("kernel": all assembly of the kernel, "c": functions of
its C code, "program": functions of the program, "shared": the upcalls of the
library shm), STOPS the number of stops, NODE the node. The last line of output is a summary, as JSON.
"""

import json
import os
import random
import re
from collections import Counter

import gdb
from fugu.abi import GLAZE

PLACES, STOPS, NODE = os.environ["PLACES"], int(os.environ["STOPS"]), int(os.environ.get("NODE", 0))
PROGRAM = range(GLAZE["PROGRAM"], GLAZE["MAIN_STACK_TOP"])
OUTERMOST = {"start", "reset", "trap_table"}       # the last two when no process runs
FUNCTIONS = {
    "program": ("main_down", "handler_down", "work", "message", "message_stub", "buffered_stub"),
    "c": ("kernel_trap", "delivery_dispose", "delivery_endatom", "delivery_settle", "delivery_take_head",
          "registers_spill", "registers_refill", "upcall_message", "schedule_resume"),
    "shared": ("shm_fault_stub", "shm_alarm_stub", "shm_fault", "shm_alarm"),
}
SPARSE = {"kernel": 20, "c": 8, "program": 3, "shared": 12}   # one instruction in this many has a breakpoint at a time
# A name of each file of the kernel's assembly, but for the way back from C.
ASSEMBLY = ("trap_table", "message_upcall", "message_insert", "window_overflow", "trap_slow", "rights_fault",
            "message_null", "message_mbcf", "message_second")


def named(frame):
    return frame.name() or f"0x{frame.pc():x}"


def backtrace():
    """(name, whether it is a program's, whether it is a signal frame, depth) of each frame, outermost first."""
    found, frame = [], gdb.newest_frame()
    while frame:
        depth = None
        if named(frame) in ("main_down", "handler_down", "work"):
            try:
                depth = int(frame.read_var("depth"))
            except (gdb.error, ValueError):
                pass                    # optimised out after its last use
        found.append((named(frame), frame.pc() in PROGRAM, frame.type() == gdb.SIGTRAMP_FRAME, depth))
        assert len(found) < 200, "the backtrace does not end"
        frame = frame.older()
    return found[::-1]


def check(frames):
    """What is wrong with a backtrace, or ""."""
    names = [frame[0] for frame in frames]
    if names[0] not in OUTERMOST:
        return f"ends at {names[0]}"
    user = [frame for frame in frames if frame[1]]
    kernel = frames[len(user):]
    if any(frame[1] for frame in kernel):
        return "program and kernel are mixed"
    if user and kernel and not kernel[0][2]:
        return "no trap between program and kernel"
    if sum(frame[2] for frame in user) not in ((1, 2) if PLACES == "shared" else (0, 1)):
        return "too few or too many upcalls"
    upcall = next((k for k, frame in enumerate(user) if frame[2]), len(user))
    if PLACES == "shared" and user[0][0] != "start":
        return f"the program's frames end at {user[0][0]}"
    return chain(user[:upcall], "main_down", ["start", "program_start", "main"]) or \
        chain(user[upcall + 1:], "handler_down", ["message"])


def chain(frames, recursion, before):
    """What is wrong with the frames of one stack: it must begin with `before`, and its depths must count up from 0."""
    names = [frame[0] for frame in frames]
    if recursion in names and names[:names.index(recursion)] != before:
        return f"{recursion} is called by {names[:names.index(recursion)]}"
    depths = [frame[3] for frame in frames if frame[0] == recursion]
    known = [depth for depth in depths[:-1] if depth is not None]
    if known != list(range(len(known))) or len(known) != len(depths[:-1]):
        return f"depths of {recursion}: {depths}"
    if depths and depths[-1] not in (None, len(depths) - 1):
        return f"depths of {recursion}: {depths}"
    if depths and names[-1] == "work" and frames[-1][3] not in (None, len(depths) - 1):
        return f"depth {frames[-1][3]} of work below {depths}"
    return ""


def assembly(names=ASSEMBLY):
    """Addresses of all instructions of the kernel's assembly that can run after its start."""
    found = []
    for name in names:
        at = int(gdb.parse_and_eval(f"(unsigned long)&{name}"))
        symtab = gdb.find_pc_line(at).symtab
        ends = [line.pc for line in symtab.linetable()]
        found += range(min(ends), max(ends) + 4, 4)
    return found


def functions(names):
    """Addresses of all instructions of these functions."""
    found = []
    for name in names:
        lines = gdb.execute(f"disassemble {name}", to_string=True)
        found += [int(address, 16) for address in re.findall(r"^\s*(?:=> )?0x([0-9a-f]+) <", lines, re.MULTILINE)]
    return found


def main():
    gdb.execute("set pagination off")
    gdb.execute("set breakpoint always-inserted on")
    gdb.execute(f"break main_down thread {NODE + 1}.1", to_string=True)
    gdb.execute("continue", to_string=True)
    places = assembly() if PLACES == "kernel" else functions(FUNCTIONS[PLACES])
    gdb.execute("delete")
    chosen = random.Random(1)
    seen, wrong, depths, ended = Counter(), [], Counter(), []
    gdb.events.stop.connect(lambda event: ended.append(getattr(event, "stop_signal", "") == "SIGQUIT"))
    for _ in range(STOPS):
        # A few breakpoints at a time, in other places each time. With all at once, GDB would stop at each instruction.
        for place in chosen.sample(places, len(places) // SPARSE[PLACES]):
            gdb.execute(f"break *{place} thread {NODE + 1}.1", to_string=True)
        gdb.execute("continue", to_string=True)
        gdb.execute("delete")
        if ended[-1]:
            break
        frames = backtrace()
        text = check(frames)
        seen[gdb.newest_frame().pc()] += 1
        depths[sum(frame[1] for frame in frames), int(gdb.parse_and_eval("$psr & 7"))] += 1
        if text:
            wrong.append(f"{text} at pc 0x{gdb.newest_frame().pc():x}: {[frame[0] for frame in frames]}")
    print(json.dumps({"stops": sum(seen.values()), "places": len(seen), "wrong": wrong,
                      "windows": len({window for _, window in depths}), "deepest": max(d for d, _ in depths)}))
    if not ended[-1]:
        gdb.execute("continue")


if __name__ == "__main__":
    main()

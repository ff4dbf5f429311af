"""A script for GDB: stops in many places while spin() of spin.S is interrupted, and checks the registers of its frames.

Environment variables: PLACES names the code that gets breakpoints ("kernel": all assembly of the kernel; "soft": the
same for soft atomicity; "stubs": the stubs of upcalls and what they call; or functions and addresses), STOPS is the
number of stops while spin() was interrupted. The last line of output is a summary, as JSON: these stops, by the
innermost function; those in which a handler's spin() was interrupted; and what was wrong, by place.
"""

import json
import os
import random
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import gdb

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from gdb_backtraces import ASSEMBLY, assembly, functions  # noqa: E402

PLACES, STOPS = os.environ["PLACES"], int(os.environ["STOPS"])
VALUE, WORD = 0x5A5A1000, 0xFFFFFFFF                    # spin.h
CODES = 0x9                                             # N and C
STOPS_MAX = 8 * STOPS   # those that do not count included
SPARSE = 12 if PLACES in ("kernel", "soft") else 4      # one instruction in this many has a breakpoint at a time
KNOWN = {"spin": {1: "g1", 2: "g2", 3: "g3", 4: "g4", 11: "o3", 12: "o4", 64: "y"},
         "hold": {**{16 + k: f"l{k}" for k in range(8)}, **{27 + k: f"i{3 + k}" for k in range(3)}}}
# What the library's stubs call, and other stubs.
CALLED = ("shm_fault_stub", "shm_alarm_stub", "mbcf_signal_stub", "message", "serve", "clobber", "handler_special",
          "handler_special_end", "handler_end", "shm_fault", "shm_alarm", "mbcf_signals", "windows_flush",
          "context_restore")


def address(name):
    return int(gdb.parse_and_eval(f"(unsigned long)&{name}"))


def places():
    """The addresses of all instructions that may get a breakpoint."""
    if PLACES in ("kernel", "soft"):
        return assembly("soft_trap_table" if PLACES == "soft" and name == "trap_table" else name for name in ASSEMBLY)
    found = assembly(["message_stub"]) if PLACES == "stubs" else []
    for name in CALLED if PLACES == "stubs" else PLACES.split():
        with suppress(gdb.error):               # the program has no such stub
            found += [int(name, 0)] if name[0].isdigit() else functions([name])
    return found


def register(frame, name):
    """The value of a register in a frame, or None if GDB says that it is lost."""
    try:
        return int(frame.read_register(name)) & WORD
    except (gdb.error, ValueError):
        return None


def differences(frame, start, end):
    """What GDB shows wrongly of spin(), in whose loop the frame is, and of hold(), which has called it."""
    older = frame.older()
    if older is None or older.name() != "hold":
        return ["spin is not called by hold"]
    salt = register(older, "i2")
    wrong = [f"{name} of {function} is {register(one, name)}" for function, one in (("spin", frame), ("hold", older))
             for number, name in KNOWN[function].items() if register(one, name) != (VALUE + number) ^ salt]
    wrong += ["o2 of spin"] * (register(frame, "o2") != salt)
    psr = register(frame, "psr")
    return wrong + ([] if psr is not None and psr >> 20 & 15 == CODES else [f"psr of spin is {psr:#x}"])


def interrupted(start, end):
    """The frames of spin() in its loop that a newer frame has interrupted."""
    frame = gdb.newest_frame().older()
    for _ in range(100):
        if frame is None:
            return
        if start <= frame.pc() < end and frame.pc() != start + 4:       # not the window between save and restore
            yield frame
        frame = frame.older()


def main():
    gdb.execute("set pagination off")
    gdb.execute("set breakpoint always-inserted on")
    gdb.execute("break hold thread 1.1", to_string=True)
    gdb.execute("continue", to_string=True)
    gdb.execute("delete")
    chosen, all_places, ended = random.Random(1), places(), []
    start, end = address("spin_loop"), address("spin_end")
    gdb.events.stop.connect(lambda event: ended.append(getattr(event, "stop_signal", "") == "SIGQUIT"))
    seen, wrong, nested = Counter(), {}, 0
    for _ in range(STOPS_MAX):
        if sum(seen.values()) >= STOPS:
            break
        for place in chosen.sample(all_places, max(len(all_places) // SPARSE, min(len(all_places), 8))):
            gdb.execute(f"break *{place} thread 1.1", to_string=True)
        # If no code on the way has one of these breakpoints, others are tried before the run ends.
        gdb.execute("break *&hold thread 1.1", to_string=True)
        gdb.execute("continue", to_string=True)
        gdb.execute("delete")
        if ended[-1]:
            break
        newest, count, in_handler = gdb.newest_frame(), 0, False
        for frame in interrupted(start, end):
            count += 1
            caller = frame.older() and frame.older().older()
            in_handler |= caller is not None and caller.name() == "message"
            found = differences(frame, start, end)
            if found:
                where = gdb.execute(f"info symbol {newest.pc()}", to_string=True).partition(" in section")[0]
                wrong[where] = found
        seen[newest.name()] += bool(count)
        nested += in_handler
    print(json.dumps({"stops": sum(seen.values()), "nested": nested, "seen": seen, "wrong": wrong}))
    if not ended[-1]:
        gdb.execute("continue")


main()

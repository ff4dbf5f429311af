"""next and step through upcalls and traps: a step that one of them interrupts goes on where it was interrupted.

GDB takes an upcall for a signal handler that has come unasked: it steps through the stub, and stops in the function
that the stub has called. So there are hooks for both commands. If the step has ended in more interruptions than it began in,
the hook continues to the interrupted code, and repeats the command.
"""

from __future__ import annotations

from collections.abc import Iterator

import gdb

from .base import selected_node
from .frames import label

COMMANDS = ("next", "step")
# Commands that resume the machine, and are not stepi: that may have failed, and then runs no hook after it.
OTHERS = ("continue", "nexti", "finish", "until", "advance", "jump", "call")
FRAMES_MAX = 1000       # that are searched for interruptions; a longer stack is damaged
AGAIN_MAX = 100         # times that a step may be interrupted


class Step:
    """The step that is under way."""

    before = 0                                  # interruptions below the place where it began
    ended = False                               # GDB has stopped for no other reason than the end of a step
    arrived = False                             # GDB has stopped at a breakpoint that is not the user's
    exact = False                               # the machine has been told to step a node by itself
    typed = ""                                  # the command, if it was typed at a prompt and has not stopped yet


def hook() -> None:
    """Defines the hooks."""
    for command in COMMANDS:
        gdb.execute(f"define hook-{command}\npython fugu_debug.stepping.begin()\nend")
        gdb.execute(f"define hookpost-{command}\npython fugu_debug.stepping.go_on('{command}')\nend")
    gdb.execute("define hook-stepi\npython fugu_debug.stepping.one_instruction()\nend")
    for hook in ("hookpost-stepi", *(f"hook-{command}" for command in OTHERS)):
        gdb.execute(f"define {hook}\npython fugu_debug.stepping.many_instructions()\nend")


def one_instruction() -> None:
    """Before stepi: lets the machine step the selected node. GDB steps SPARC by breakpoints at the next instructions of
    the program, and runs over whole traps. A machine without a history leaves it at that."""
    thread = gdb.selected_thread()
    if thread and thread.is_stopped():
        gdb.execute(f"monitor qom-set /machine/rounds step {selected_node()}", to_string=True)
        Step.exact = True


def many_instructions() -> None:
    """Takes one_instruction() back. At a terminal, the hook after stepi runs while the machine does: then its stop does
    this."""
    thread = gdb.selected_thread()
    if Step.exact and thread and not thread.is_running():
        Step.exact = False
        gdb.execute("monitor qom-set /machine/rounds step none", to_string=True)


def stopped(event: gdb.StopEvent) -> None:
    """Notes why GDB has stopped."""
    many_instructions()
    met = event.breakpoints if isinstance(event, gdb.BreakpointEvent) else []
    # GDB also reports breakpoints of other threads that stand where a step has ended.
    mine = [one for one in met if one.thread in (None, gdb.selected_thread().global_num)]
    Step.ended = isinstance(event, gdb.StopEvent) and not isinstance(event, gdb.SignalEvent) and not mine
    Step.arrived = bool(mine) and all(one.number < 0 for one in mine)


def interruptions() -> Iterator[gdb.Frame]:
    """The frames of traps and of upcalls' stubs on the selected thread, the newest first."""
    frame: gdb.Frame | None = gdb.newest_frame()
    for _ in range(FRAMES_MAX):
        if frame is None:
            return
        if frame.type() == gdb.SIGTRAMP_FRAME:
            yield frame
        frame = frame.older()


def begin() -> None:
    """Before the command."""
    many_instructions()
    Step.ended, Step.typed = False, ""
    # Without a machine, the command itself says so.
    Step.before = sum(1 for _ in interruptions()) if gdb.selected_thread() else 0


def before_prompt() -> None:
    """Before GDB prompts: the end of a command that was typed."""
    command, Step.typed = Step.typed, ""
    if command:
        go_on(command)


def go_on(command: str) -> None:
    """After the command: repeats it while an interruption has ended the step, and not a breakpoint.

    A command that was typed at a prompt still runs when GDB calls this. Then this is for before_prompt() to do.
    """
    thread = gdb.selected_thread()
    if thread and thread.is_running():
        Step.typed = command
        return
    for _ in range(AGAIN_MAX):
        if not Step.ended:
            return
        found = list(interruptions())
        if len(found) <= Step.before:
            return
        outermost = found[len(found) - Step.before - 1]
        print(f"[The step was interrupted: {label(outermost)}. It goes on.]")
        if not returned(outermost.older()):
            return
        gdb.execute(command)


def returned(frame: gdb.Frame) -> bool:
    """Continues to interrupted code: to the same instruction, or to the next one after a system call.

    Returns whether it got there. If the machine has stopped before, for another reason, prints what GDB says of that.
    """
    thread, sp = gdb.selected_thread(), int(frame.read_register("sp")) & 0xFFFFFFFF
    places = {frame.pc(), int(frame.read_register("npc")) & 0xFFFFFFFF}
    ways = [gdb.Breakpoint(f"*{place}", internal=True) for place in places]
    try:
        for way in ways:
            way.silent = True
            way.thread = thread.global_num
            way.condition = f"(unsigned)$sp == {sp}"
        said = gdb.execute("continue", to_string=True)
    finally:
        for way in ways:
            way.delete()
    if not Step.arrived:
        print(said, end="")
    return Step.arrived

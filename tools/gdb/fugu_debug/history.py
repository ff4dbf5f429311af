"""Going back: fugu when, goto, origin, who-wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import gdb

from .base import attached, no_arguments, numbers, select, selected_node
from .flight import in_flight

ROUNDS = "/machine/rounds"

# Commands that step one thread back. With schedule-multiple, GDB would not tell the stub which one.
BACK = ("reverse-stepi", "reverse-nexti", "reverse-step", "reverse-next", "reverse-finish")


def step_one_thread() -> None:
    """Makes the commands that step back name their thread to the stub."""
    for command in BACK:
        gdb.execute(f"define hook-{command}\nset schedule-multiple off\nend")
        gdb.execute(f"define hookpost-{command}\nset schedule-multiple on\nend")


def stopped(event: gdb.StopEvent) -> None:
    """A command that fails runs no hook after it."""
    if not gdb.parameter("schedule-multiple"):
        gdb.execute("set schedule-multiple on")


@contextmanager
def no_breakpoints() -> Iterator[None]:
    """Inside the context the user's breakpoints do not count. GDB would first step the nodes that stand at one."""
    before = [one for one in gdb.breakpoints() or () if one.enabled]
    for one in before:
        one.enabled = False
    try:
        yield
    finally:
        for one in before:
            if one.is_valid():
                one.enabled = True


def ask(name: str) -> dict[str, Any]:
    """A property of the machine that is JSON. gdb.GdbError if the machine refuses."""
    said = gdb.execute(f"monitor qom-get {ROUNDS} {name}", to_string=True).strip()
    try:
        found: dict[str, Any] = json.loads(json.loads(said))
    except ValueError:
        raise gdb.GdbError(said.removeprefix("Error: ")) from None
    return found


def travel(name: str, cycle: int, node: int) -> None:
    """Gives the machine a goal and resumes it. It stops there, and GDB shows where."""
    select(node)
    said = gdb.execute(f'monitor qom-set {ROUNDS} {name} {cycle} {node}', to_string=True).strip()
    if said:
        raise gdb.GdbError(said.removeprefix("Error: "))
    # A step: GDB then takes any place for the end of it. The machine makes the journey instead.
    with no_breakpoints():
        gdb.execute("stepi")


def place() -> str:
    """Where the machine is, in words."""
    now = ask("place")
    if ended():
        return f"at its end, cycle {now['cycle']}"
    return f"at cycle {now['cycle']} of node {now['node']}, in the round from {now['round']} on"


def ended() -> bool:
    """Whether the machine has ended."""
    return "ended" in gdb.execute(f"monitor qom-get {ROUNDS} state", to_string=True)


class When(gdb.Command):
    """Where in the run the machine is, and how far it can go back: fugu when.

    A place is the local time of the node whose turn it is."""

    def __init__(self) -> None:
        super().__init__("fugu when", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        no_arguments(argument, "fugu when")
        selected_node()
        print(f"The machine is {place()}.")
        history = ask("history")
        if "first" not in history:
            print("It has executed nothing yet.")
            return
        count = history["checkpoints"]
        print(f"Its history begins at cycle {history['first']['cycle']}: {count} checkpoint{'s' if count > 1 else ''}, "
              f"{history['bytes'] / (1 << 20):.1f} of {history['max'] / (1 << 20):.0f} MiB.")


class Goto(gdb.Command):
    """Goes to a cycle of a node's local time, back or on: fugu goto CYCLE [NODE].

    That is the first place at or after CYCLE at which the node could stop:
    after an instruction, or where its turn begins. The command stops at no
    breakpoint on its way. Without NODE, the selected node counts."""

    def __init__(self) -> None:
        super().__init__("fugu goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument: str, from_tty: bool) -> None:
        usage = "fugu goto CYCLE [NODE]"
        given = numbers(argument, usage, 2)
        if not given:
            raise gdb.GdbError(f"Usage: {usage}")
        here = selected_node()
        travel("goto", given[0], given[1] if len(given) > 1 else here)


class Origin(gdb.Command):
    """Goes back to the instruction that launched the message that this node reads: fugu origin.

    That is the message at the head of the node's input queue. The machine stops
    before the instruction, with the node that launched the message selected."""

    def __init__(self) -> None:
        super().__init__("fugu origin", gdb.COMMAND_RUNNING)

    def invoke(self, argument: str, from_tty: bool) -> None:
        no_arguments(argument, "fugu origin")
        node = selected_node()
        queued = [one for one in in_flight()
                  if one["to"] == node and one["where"] == "queue" and one["network"] == 0]
        if not queued:
            raise gdb.GdbError(f"The input queue of node {node} is empty: no message to look for.\n"
                               "For one in a program's buffer, go back to where the kernel put it there: "
                               "fugu who-wrote *(int *) RECORD, with its record in fugu buffer.")
        message = queued[0]
        if message["from"] not in attached():
            raise gdb.GdbError(f"Node {message['from']} sent it, and GDB is not attached to that node.")
        travel("before", message["issued"], message["from"])


class WhoWrote(gdb.Command):
    """Goes back to the last store to a variable of the selected node: fugu who-wrote EXPRESSION.

    The machine stops before the instruction that stores, or that starts the DMA
    that does. EXPRESSION is what GDB's watch command takes, such as a variable
    or *(int *) 0x40001000."""

    def __init__(self) -> None:
        super().__init__("fugu who-wrote", gdb.COMMAND_RUNNING, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument: str, from_tty: bool) -> None:
        if not argument.strip():
            raise gdb.GdbError("Usage: fugu who-wrote EXPRESSION")
        node = selected_node()
        value = gdb.parse_and_eval(argument)
        if value.address is None:
            raise gdb.GdbError(f"{argument} is not in memory: nothing stores to it.")
        where = f"*({value.type.strip_typedefs().unqualified()} *) {int(value.address):#x}"
        with no_breakpoints():
            watch = gdb.Breakpoint(where, gdb.BP_WATCHPOINT, gdb.WP_WRITE, internal=True)
            try:
                gdb.execute("reverse-continue")
            finally:
                with suppress(RuntimeError):    # GDB has deleted it
                    watch.delete()
        if ask("place")["node"] != node:
            print(f"The machine is {place()}.")

"""Going back: fugu when, goto, who-wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import gdb
from fugu.abi import MACHINE

from . import stores
from .base import no_arguments, numbers, quietly, select, selected_node
from .glaze import Process

ROUNDS = "/machine/rounds"
CLOCK_BITS = 64                 # of a node's clock

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


def travel(name: str, node: int, goal: object, mask: str = "", quiet: bool = False) -> bool:
    """Gives the machine a goal and resumes it. It stops there, and GDB shows where, unless `quiet`.

    Returns whether there was something to find: otherwise the machine stands where its history begins.
    """
    select(node)
    said = gdb.execute(f"monitor qom-set {ROUNDS} {name} {goal} {node} {mask}".rstrip(), to_string=True).strip()
    if said:
        raise gdb.GdbError(said.removeprefix("Error: "))
    # A step: GDB then takes any place for the end of it. The machine makes the journey instead.
    with no_breakpoints(), quietly() if quiet else nullcontext():
        gdb.execute("stepi")
    return not ask("history")["begins"]


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
        if given[0] >= 1 << CLOCK_BITS:
            raise gdb.GdbError(f"{given[0]} is no cycle: a node's time has {CLOCK_BITS} bits.")
        here = selected_node()
        travel("goto", given[1] if len(given) > 1 else here, given[0])


@dataclass(frozen=True)
class Update:
    """An update of SHRIMP's network interface that has stored to a variable."""

    node: int                   # that has sent it
    mode: int                   # FUGU_NIPT_*
    start: int                  # physical address of its first byte there,
    to: int                     # and here
    size: int                   # bytes
    issued: int                 # when its last byte was stored, or the command given, in that node's time
    came: int                   # when it was stored here


FOUND: list[tuple[dict[str, Any], Update, int, int]] = []       # by who-wrote: where, and the variable's place and bytes


def came() -> Update | None:
    """The update that the last search for a store has ended at, or None."""
    one = ask("history").get("update")
    return Update(*(one[name] for name in ("node", "mode", "from", "dest", "bytes", "issued", "came"))) if one else None


class WhoWrote(gdb.Command):
    """Goes back to the store that gave a variable its value: fugu who-wrote EXPRESSION.

    The machine stops before the instruction that stores, or that starts the DMA
    that does. It is found at whatever virtual address it stores, the kernel's
    included, and also if the page has been in backing store since. If you have
    changed the variable by hand later, the machine stops after that. Of an update
    of SHRIMP's network interface, it says who has sent it, and stops before it is
    stored; fugu origin leads on. EXPRESSION
    is a variable of the selected node, a member, a bit-field, or a place such
    as *(int *) 0x40001000; of several programs, it is the one in view. If
    nothing has stored to it since the history begins, the machine stays."""

    def __init__(self) -> None:
        super().__init__("fugu who-wrote", gdb.COMMAND_RUNNING, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument: str, from_tty: bool) -> None:
        if not argument.strip():
            raise gdb.GdbError("Usage: fugu who-wrote EXPRESSION")
        node = selected_node()
        wanted = stores.variable(argument)
        after, here, at_end = wanted.read(), ask("place"), ended()
        found = to_store(node, wanted.address, wanted.size, wanted.process)
        update = came()
        if found and not by_hand() and wanted.same(wanted.read(), after) and to_change(node, wanted, after):
            update = came()
        values = f"{wanted.text(by_hand() or wanted.read())} before, {wanted.text(after)} after."
        if not found:
            if at_end:              # no machine has more cycles
                travel("goto", node, MACHINE["TIME_MAX"], quiet=True)
            else:
                travel("goto", here["node"], here["cycle"], quiet=True)
            select(node)
            print(f"Nothing has stored to {argument} on node {node} since its history begins.")
        elif by_hand():
            print(f"You have changed {argument} on node {node} here: {values}")
        else:
            if update:
                FOUND[:] = [(ask("place"), update, wanted.memory() or 0, wanted.size)]
                print(f"An update from node {update.node} comes to {argument} on node {node} at cycle {update.came}: "
                      f"{values}")
                print("\"fugu origin\" goes back to what has sent it. Meanwhile the node is here:")
            else:
                print(f"Node {node} is about to store to {argument}: {values}")
            if wanted.same(wanted.read(), after):
                print("No store has changed it since the history begins, or since the kernel gave out the page.")
        gdb.execute("frame")


def by_hand() -> bytes | None:
    """The bytes before, if the last search for a store has ended at a change by the user. Otherwise None."""
    return bytes.fromhex(ask("history").get("by-hand", "")) or None


def to_change(node: int, wanted: stores.Variable, after: bytes | None) -> bool:
    """From the last store to a variable, which has changed nothing, to the store that gave it the value `after`.

    If there is none since the history begins, or since the kernel gave the process the page, the machine comes back,
    and the result is False.
    """
    process, last = wanted.process, ask("place")["cycle"]
    while wanted.same(wanted.read(), after):
        here = ask("place")["cycle"]
        memory = process.translate(wanted.address) if process else wanted.address
        if travel("store", node, f"{memory:#x} {wanted.size}", wanted.mask(), quiet=True) and \
                (by_hand() or not process or process.translate(wanted.address) == memory):
            return True
        travel("goto", node, here, quiet=True)
        if not process or not to_backing_store(node, process, wanted.address) or \
                not to_store(node, wanted.address, wanted.size, process):
            travel("goto", node, last, quiet=True)
            return False
    return True


def to_backing_store(node: int, process: Process, address: int) -> bool:
    """Goes back to where the page that a process has at this address was not in memory. Whether it was in backing
    store."""
    while process.translate(address) is not None:
        if not travel("store", node, f"{process.entry(address):#x} 4", quiet=True):
            return False
    return stores.entry_if_out(process, address) is not None


def to_store(node: int, address: int, size: int, process: Process | None) -> bool:
    """Goes to the last store to a virtual address. False if there is none: the machine then stands at the first place.

    A page of a process that was in backing store has been written by the kernel since, into another frame perhaps.
    So the way leads on to before the page went out.
    """
    while True:
        while process and (entry := stores.entry_if_out(process, address)):
            if not travel("store", node, f"{entry:#x} 4", quiet=True):
                return False
        # Another process may be current there, so its tables do not count. The kernel's addresses are physical ones.
        memory = process.translate(address) if process else address
        if memory is None:
            raise gdb.GdbError(f"Node {node} has no memory at 0x{address:08x}.")
        if not travel("store", node, f"{memory:#x} {size}", quiet=True):
            return False
        if not process or not stores.entry_if_out(process, address):
            return True

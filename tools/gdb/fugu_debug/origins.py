"""fugu origin: back to where a message was launched, or to what has sent an update."""

from __future__ import annotations

from typing import Any

import gdb
from fugu.abi import MACHINE, REGS

from . import stores
from .base import CONTROL, Page, attached, select, selected_node
from .contexts import slots
from .flight import in_flight
from .history import FOUND, Update, ask, by_hand, came, ended, to_store, travel
from .updates import MODES, updates

MAIN, URGENT = 0, 2             # networks


class Origin(gdb.Command):
    """Goes back to the instruction that launched the message that this node reads: fugu origin [EXPRESSION].

    That is the oldest message in the program's buffer, if the node runs user
    code in buffered mode; otherwise the one at the head of the input queue; in a
    message slot of the M-Machine's, that of its priority. The machine stops before
    the instruction, with the node that launched the message selected.

    With SHRIMP's network interface it goes back to what has sent an update: the
    store, or the command for deliberate update. With EXPRESSION, that is the last
    update of a variable of the node; otherwise the update that fugu who-wrote has
    just found, or the one at the head of the Incoming FIFO."""

    def __init__(self) -> None:
        super().__init__("fugu origin", gdb.COMMAND_RUNNING, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument: str, from_tty: bool) -> None:
        node, expression = selected_node(), argument.strip()
        if Page(CONTROL)["CONTROL_NETIF"] == REGS["NETIF_SHRIMP"]:
            of_update(*(last_to(node, expression) if expression else found_or_next(node)))
        elif expression:
            raise gdb.GdbError("fugu origin takes EXPRESSION on machines with SHRIMP's network interface alone.")
        else:
            of_message(node)


# ---- messages ----------------------------------------------------------------------

def of_message(node: int) -> None:
    """Goes back to where the message that a node reads was launched. gdb.GdbError."""
    reads = stores.oldest_record()
    head = None if reads else head_of_queue(node)
    if not reads and not head:
        raise gdb.GdbError(f"Node {node} has no message in its input queue, and reads none in a buffer.")
    if reads:
        # The kernel stores the header while the message is at the head of the queue.
        process, record, words = reads
        if not to_store(node, record, 4, process):
            raise gdb.GdbError("The message was in the buffer when the history began.")
        head = head_of_queue(node)
        if not head or head["words"] != words:
            raise gdb.GdbError("The machine stands where the kernel stored the record, and the message is not at "
                               "the head of the input queue.")
    assert head
    require_attached(head["from"])
    travel("before", head["from"], head["issued"])


def head_of_queue(node: int) -> dict[str, Any] | None:
    """The message at the head of a node's input queue, or None."""
    network = read_by_slot(node) if Page(CONTROL)["CONTROL_NETIF"] == REGS["NETIF_M_MACHINE"] else MAIN
    return next((one for one in in_flight()
                 if one["to"] == node and one["where"] == "queue" and one["network"] == network), None)


def read_by_slot(node: int) -> int:
    """The network of the message slot that GDB shows, or of slot 0 if that is the main context."""
    return URGENT if slots(node)["active"] == 2 else MAIN


def require_attached(node: int) -> None:
    """gdb.GdbError if GDB cannot go to the node that has sent something."""
    if node not in attached():
        raise gdb.GdbError(f"Node {node} sent it, and GDB is not attached to that node.")


# ---- updates -----------------------------------------------------------------------

def found_or_next(node: int) -> tuple[Update, int, int]:
    """The update that who-wrote has just found, or the next one to be stored; the address and bytes that matter."""
    if FOUND and FOUND[0][0] == ask("place"):
        return FOUND[0][1:]
    waiting = updates(node, "fugu origin")["incoming"]
    if not waiting["packets"]:
        raise gdb.GdbError(f"Node {node} has no update in its Incoming FIFO: name a variable, as in "
                           "fugu origin EXPRESSION.")
    head = waiting["packets"][0]
    update = Update(head["source"], head["mode"], head["from"], head["address"], head["bytes"], head["issued"],
                    waiting["due"])
    return update, update.to + update.size - 1, 1       # the last byte is the one that `issued` is about


def last_to(node: int, expression: str) -> tuple[Update, int, int]:
    """The last update of a variable, which the machine goes back to; the variable's address and bytes. gdb.GdbError if
    a store of the node's own was later, or if there is none: the machine then stays."""
    wanted = stores.variable(expression)
    here, at_end = ask("place"), ended()
    found = to_store(node, wanted.address, wanted.size, wanted.process)
    update = came() if found and not by_hand() else None
    if update:
        return update, wanted.memory() or 0, wanted.size
    if at_end:
        travel("goto", node, MACHINE["TIME_MAX"], quiet=True)
    else:
        travel("goto", here["node"], here["cycle"], quiet=True)
    select(node)
    raise gdb.GdbError(f"The last store to {expression} was no update: fugu who-wrote {expression} leads to it." if found
                       else f"Nothing has stored to {expression} on node {node} since its history begins.")


def of_update(update: Update, address: int, size: int) -> None:
    """Goes back to the store, or to the command, that has sent these bytes of an update."""
    require_attached(update.node)
    travel("goto", update.node, update.issued, quiet=True)
    if MODES[update.mode] == "deliberate":
        travel("before", update.node, ask("place")["cycle"], quiet=True)
        print(f"Node {update.node} is about to give the command that sends it, by deliberate update.")
    else:
        # Nothing has stored to these bytes since the packet got the last one of them.
        first, end = max(address, update.to), min(address + size, update.to + update.size)
        travel("store", update.node, f"{update.start + first - update.to:#x} {end - first}", quiet=True)
        mode = {"single": "single-write", "blocked": "blocked-write"}[MODES[update.mode]]
        print(f"Node {update.node} is about to store what is sent, by automatic update with {mode}.")
    gdb.execute("frame")

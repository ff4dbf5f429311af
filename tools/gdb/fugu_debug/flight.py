"""fugu flight: the messages that no node has taken yet."""

from __future__ import annotations

import json
from typing import Any

import gdb
from fugu.abi import REGS

from .base import CONTROL, Page, field, local_time, numbers, select, selected_node, selection_kept, symbol, table
from .glaze import Kernel, kernel_file

# Where a message is: the machine's word for it, and its description.
SHRIMP_WHERE = {"queue": "in the Incoming FIFO", "blocked": "waits for room in the Incoming FIFO",
                "departing": "in the Outgoing FIFO"}
WHERE = {"queue": "in the input queue", "blocked": "waits for room in the queue", "mesh": "in the mesh",
         "sent": "sent in this round", "departing": "its body is being read"}


def in_flight() -> list[dict[str, Any]]:
    """All messages that no node has taken, by receiver, in the order of delivery."""
    said = gdb.execute("monitor qom-get /machine/rounds flight", to_string=True)
    found: list[dict[str, Any]] = json.loads(json.loads(said))
    return found


class Flight(gdb.Command):
    """The messages that no node has taken yet: fugu flight [NODE].

    They are listed by receiver, in the order of delivery; with NODE, only
    those to that node. `arrives` is when a message reaches the receiver's
    network interface, in the receiver's local time. It is not known before the
    end of the round in which the message was launched, when messages are
    routed.

    With SHRIMP's network interface, the packets of updates have the physical
    address to which they go in place of a handler; fugu fifos shows more of
    them."""

    def __init__(self) -> None:
        super().__init__("fugu flight", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        given = numbers(argument, "fugu flight [NODE]", 1)
        with selection_kept():
            select(selected_node())
            when = f"at cycle {local_time()} of node {selected_node()}"
            messages = [message for message in in_flight() if message["to"] in (given or [message["to"]])]
            kernel = self.kernel()
            rows = [("from", "to", "GID", "handler", "arguments", "body", "launched", "arrives", "where")]
            updates = Page(CONTROL)["CONTROL_NETIF"] == REGS["NETIF_SHRIMP"]
            rows += [self.update(message) if updates and message["network"] == 0 else self.row(kernel, message)
                     for message in messages]
            print(f"{len(messages)} message{'' if len(messages) == 1 else 's'} on the way"
                  f"{f' to node {given[0]}' if given else ''}, {when}")
        if messages:
            print("\n".join("  " + line for line in table(rows, (0, 1, 2, 5, 6, 7))))

    @staticmethod
    def kernel() -> Kernel | None:
        """The selected node's kernel, or None. All nodes have the same jobs."""
        return Kernel() if kernel_file() else None

    @staticmethod
    def update(message: dict[str, Any]) -> tuple[str, ...]:
        """The row of a packet of SHRIMP's network interface."""
        where = message["where"]
        return (str(message["from"]), str(message["to"]), "update", f"0x{message['words'][1]:08x}", "",
                str(message["body"]), str(message["launched"]), str(message.get("arrives", "?")),
                SHRIMP_WHERE.get(where, WHERE.get(where, where)))

    @staticmethod
    def row(kernel: Kernel | None, message: dict[str, Any]) -> tuple[str, ...]:
        """The row of a message."""
        words = message["words"]
        header = words[0] if words else 0
        second = message["network"] == 1
        gid = field(header, "HDR_GID")
        whose = "second" if second else "kernel" if header & REGS["HDR_KERNEL"] else str(gid)
        handler = ""
        if second:
            handler = f"0x{words[1]:x}" if len(words) > 1 else ""
        elif len(words) > 1:
            name = kernel.handler(gid, words[1], whose == "kernel") if kernel else symbol(words[1])
            handler = name or f"0x{words[1]:08x}"
        return (str(message["from"]), str(message["to"]), whose, handler, " ".join(f"0x{word:x}" for word in words[2:]),
                str(message["body"] or ""), str(message["launched"]), str(message.get("arrives", "?")),
                WHERE.get(message["where"], message["where"]))

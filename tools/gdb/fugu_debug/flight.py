"""fugu flight: the messages that nobody has taken yet."""

from __future__ import annotations

import json
from typing import Any

import gdb
from fugu.abi import REGS

from .base import field, local_time, numbers, select, selected_node, selection_kept, symbol, table
from .glaze import Kernel, kernel_file

# Where a message is, as the machine calls it, and what that means.
WHERE = {"queue": "in the input queue", "blocked": "waits for room in the queue", "mesh": "in the mesh",
         "sent": "sent in this round", "departing": "its body is being read"}


def in_flight() -> list[dict[str, Any]]:
    """All messages of the machine, by receiver and in the order in which it gets them."""
    said = gdb.execute("monitor qom-get /machine/rounds flight", to_string=True)
    found: list[dict[str, Any]] = json.loads(json.loads(said))
    return found


class Flight(gdb.Command):
    """The messages that nobody has taken yet: fugu flight [NODE].

    By receiver, in the order in which it gets them; with NODE, those to that
    node. `arrives`: in front of the receiver's network interface, in its local
    time. Unknown while the round in which a message was launched is not over:
    it is the round's end that routes it."""

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
            rows += [self.row(kernel, message) for message in messages]
            print(f"{len(messages)} message{'' if len(messages) == 1 else 's'} on the way"
                  f"{f' to node {given[0]}' if given else ''}, {when}")
        if messages:
            print("\n".join("  " + line for line in table(rows, (0, 1, 2, 5, 6, 7))))

    @staticmethod
    def kernel() -> Kernel | None:
        """The selected node's: all have the same jobs."""
        return Kernel() if kernel_file() else None

    @staticmethod
    def row(kernel: Kernel | None, message: dict[str, Any]) -> tuple[str, ...]:
        """What there is to say of one."""
        words = message["words"]
        header = words[0] if words else 0
        second = message["network"] != 0
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

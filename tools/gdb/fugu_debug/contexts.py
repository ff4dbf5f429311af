"""fugu contexts: the M-Machine's message slots, and the main context beside them."""

from __future__ import annotations

import json
import textwrap
from typing import Any

import gdb
from fugu.abi import REGS, WAITS

from .base import local_time, numbers, select, selected_node, selection_kept, symbol, table

NAMES = ("main", "slot 0", "slot 1")
WIDTH = 80                      # columns
WAIT = {WAITS["WAIT_INTERRUPT"]: "an interrupt", WAITS["WAIT_MESSAGE"]: "a message", WAITS["WAIT_WORD"]: "a word",
        WAITS["WAIT_ACK"]: "an Ack"}


def slots(node: int) -> dict[str, Any]:
    """The contexts of a node, as the machine tells them. gdb.GdbError on a machine of another kind."""
    said = gdb.execute(f"monitor qom-get /machine/node[{node}]/ni slots", to_string=True).strip()
    try:
        found: dict[str, Any] = json.loads(json.loads(said))
    except ValueError:
        if "not found" in said:
            raise gdb.GdbError("fugu contexts is for machines with the M-Machine's interface (--ni m-machine).") from None
        raise gdb.GdbError(said.removeprefix("Error: ")) from None
    return found


def place(address: int) -> str:
    """An address of code, with its symbol."""
    return symbol(address) or f"0x{address:08x}"


def does(one: dict[str, Any]) -> str:
    """What a context does."""
    if one["state"] == "fault":
        return f"at fault, trap 0x{one['fault']:02x}"
    if "waits" in one:
        return "waits for " + WAIT.get(one["waits"], "space")
    return "ready" if one["state"] == "on" else "off"


def wrapped(text: str) -> str:
    """Text as lines that fit, of which those after the first are indented further."""
    return textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False)


class Contexts(gdb.Command):
    """The contexts of a node's processor: fugu contexts [NODE].

    The main one, and the message slots of both priorities: what each does, where,
    and for whom. `*` marks the one whose registers GDB shows. Then the message that
    each slot reads, the word that MsgBody gives next in brackets, and the slot's
    registers that are not 0. --ni m-machine."""

    def __init__(self) -> None:
        super().__init__("fugu contexts", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        node = (numbers(argument, "fugu contexts [NODE]", 1) or [selected_node()])[0]
        with selection_kept():
            select(node)
            found = slots(node)
            print(f"Contexts of node {node}, at cycle {local_time()}")
            rows = [("", "context", "does", "at", "GID")]
            for number, one in enumerate(found["contexts"]):
                rows.append(("*" if number == found["active"] else "", NAMES[number], does(one), place(one["pc"]),
                             str(one["gid"])))
            print("\n".join("  " + line for line in table(rows, (4,))))
            for name, one in zip(NAMES[1:], found["contexts"][1:], strict=True):
                self.message(name, one)
                self.registers(name, one)

    @staticmethod
    def message(name: str, one: dict[str, Any]) -> None:
        """Prints the current message of a slot, if it has one."""
        if "reads" not in one:
            return
        words = one["reads"]
        sender = words[0] & REGS["HDR_NODE_MASK"]
        shown = [f"[0x{word:x}]" if number == one["next"] else f"0x{word:x}" for number, word in enumerate(words)]
        print(wrapped(f"{name} reads from node {sender}: {place(words[1])}, DestAddr {shown[2]}" +
                      (f", body {' '.join(shown[3:])}" if shown[3:] else "")))

    @staticmethod
    def registers(name: str, one: dict[str, Any]) -> None:
        """Prints the registers of a slot that are not 0."""
        found = [f"%{group}{number} 0x{value:x}" for group in "goli" for number, value in enumerate(one[group]) if value]
        if found:
            print(wrapped(f"{name}: {', '.join(found)}"))

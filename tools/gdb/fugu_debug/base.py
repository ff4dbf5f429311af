"""What all commands share: fields of registers, nodes, physical memory, tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import gdb
from fugu.abi import REGS

# ---- words of registers and messages ------------------------------------------

def field(value: int, name: str) -> int:
    """A field of a header word. For `name` HDR_GID its mask is FUGU_HDR_GID_MASK."""
    mask = REGS[f"{name}_MASK"]
    return (value & mask) // (mask & -mask)


def bits(value: int, prefix: str, *names: str) -> str:
    """The names of the bits that are set."""
    return ", ".join(name.lower().replace("_", "-") for name in names if value & REGS[prefix + name]) or "none"


# ---- nodes, inferiors, threads ------------------------------------------------

def node_of(inferior: gdb.Inferior) -> int:
    """The node of an inferior. The stub numbers nodes as processes, from 1 on."""
    return inferior.pid - 1


def attached() -> dict[int, gdb.InferiorThread]:
    """The thread of each node that GDB is attached to."""
    inferiors = sorted((i for i in gdb.inferiors() if i.pid > 0 and i.threads()), key=node_of)
    return {node_of(inferior): inferior.threads()[0] for inferior in inferiors}


@contextmanager
def selection_kept() -> Iterator[None]:
    """Restores the user's selected thread and frame at the end of the context."""
    thread = gdb.selected_thread()
    frame = gdb.selected_frame() if thread and thread.is_valid() and not thread.is_running() else None
    try:
        yield
    finally:
        if thread and thread.is_valid():
            thread.switch()
            if frame and frame.is_valid():
                frame.select()


@contextmanager
def quietly() -> Iterator[None]:
    """Inside the context GDB prints little, and does not pause its output."""
    pagination = gdb.parameter("pagination")
    gdb.execute("set pagination off")
    with suppress(gdb.error):           # GDB 13 has it
        gdb.execute("set suppress-cli-notifications on")
    try:
        yield
    finally:
        with suppress(gdb.error):
            gdb.execute("set suppress-cli-notifications off")
        gdb.execute(f"set pagination {'on' if pagination else 'off'}")


def select(node: int) -> None:
    """Selects the thread of a node. gdb.GdbError if GDB is not attached to it or the machine is running."""
    threads = attached()
    if node not in threads:
        raise gdb.GdbError(f"GDB is not attached to node {node}." if threads else "There is no machine.")
    if threads[node].is_running():
        raise gdb.GdbError("The machine is running: interrupt it first.")
    threads[node].switch()


# The registers of a page that can be read, as (first, bytes). Pages have holes.
USER_PAGE = ("NI_USER_BASE", (("U_OUT", REGS["U_BODY_SPACE"] + 4), ("U_CYCLES", 8), ("U_RECORD", REGS["REC_SIZE"])))
KERNEL_PAGE = ("NI_KERNEL_BASE", (("K_OUT", REGS["K_OFFSET"] + 8), ("K_HEAD", REGS["HEAD_SIZE"]),
                                  ("K_USER_OUT", 4 * REGS["MSG_WORDS"] + 4), ("K_SECOND_SPACE", 4),
                                  ("K_SECOND_HEAD", REGS["HEAD_GID"])))
PARAMETERS = ("PARAM_BASE", (("PARAM_ATOMICITY", 4),))
CONTROL = ("CONTROL_BASE", (("CONTROL_NETIF", 4),))


class Page:
    """The present values of registers of the selected node. Reading them has no effect on the devices."""

    def __init__(self, page: tuple[str, tuple[tuple[str, int], ...]]) -> None:
        base, spans = page
        self.words: dict[int, int] = {}
        with physical_memory():
            for first, length in spans:
                start = REGS[first]
                data = bytes(gdb.selected_inferior().read_memory(REGS[base] + start, length))
                self.words |= {start + at: int.from_bytes(data[at:at + 4], "big") for at in range(0, length, 4)}

    def __getitem__(self, name: str) -> int:
        return self.words[REGS[name]]

    def word(self, offset: int) -> int:
        """The register at an offset in the page."""
        return self.words[offset]

    def long(self, name: str) -> int:
        """A register of 64 bits."""
        return self[name] << 32 | self.words[REGS[name] + 4]


@contextmanager
def physical_memory() -> Iterator[None]:
    """Inside the context, addresses are physical. Virtual ones need not be mapped."""
    packet("Qqemu.PhyMemMode:1")
    try:
        yield
    finally:
        packet("Qqemu.PhyMemMode:0")


def packet(text: str) -> None:
    """Sends a packet to the stub, if possible without a GDB command: those have side effects."""
    connection = getattr(gdb.selected_inferior(), "connection", None)
    if connection and hasattr(connection, "send_packet"):       # GDB 12 has it
        connection.send_packet(text)
    else:
        gdb.execute(f"maintenance packet {text}", to_string=True)


def local_time() -> int:
    """The local time of the selected node in cycles: the time that its program reads, less cycle-offset."""
    user, kernel = Page(USER_PAGE), Page(KERNEL_PAGE)
    return (user.long("U_CYCLES") - kernel.long("K_OFFSET")) % (1 << 64)


def state(node: int) -> str:
    """What the node does, in the words of the machine's reports."""
    said = gdb.execute(f"monitor qom-get /machine/node[{node}] state", to_string=True)
    return str(json.loads(said)).partition(", pc 0x")[0]


def symbol(address: int) -> str:
    """FUNCTION+OFFSET, or an empty text if there is no symbol. Of a library's name, without guest-os/link's prefix."""
    found = re.match(r"(?:__lib_)?(\S+)(?: \+ (\d+))? in section", gdb.execute(f"info symbol {address}", to_string=True))
    return (found[1] + (f"+{found[2]}" if found[2] else "")) if found else ""


# ---- arguments and output of commands ---------------------------------------------

def no_arguments(argument: str, command: str) -> None:
    """Raises gdb.GdbError if the user gave arguments."""
    if argument:
        raise gdb.GdbError(f"{command} takes no arguments.")


def numbers(argument: str, usage: str, most: int) -> list[int]:
    """The numbers in an argument. gdb.GdbError if there are more than `most`, or other words."""
    words = argument.split()
    if len(words) > most or not all(word.isdigit() for word in words):
        raise gdb.GdbError(f"Usage: {usage}")
    return [int(word) for word in words]


def selected_node() -> int:
    """The selected node. gdb.GdbError if there is no machine."""
    if not gdb.selected_inferior().pid:
        raise gdb.GdbError("There is no machine.")
    return node_of(gdb.selected_inferior())


def table(rows: list[tuple[str, ...]], right: tuple[int, ...] = ()) -> list[str]:
    """Lines of a table. The first row is its head. Columns whose numbers are in `right` are flush right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [" ".join(cell.rjust(width) if k in right else cell.ljust(width)
                     for k, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip() for row in rows]

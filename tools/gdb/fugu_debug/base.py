"""What all commands share: the machine's numbers, nodes, physical memory, tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import gdb
from fugu.abi import REGS

# ---- words of registers and messages ------------------------------------------

def field(value: int, name: str) -> int:
    """A field of a header word: HDR_GID of FUGU_HDR_GID_MASK."""
    mask = REGS[f"{name}_MASK"]
    return (value & mask) // (mask & -mask)


def bits(value: int, prefix: str, *names: str) -> str:
    """The names of the bits that are set."""
    return ", ".join(name.lower().replace("_", "-") for name in names if value & REGS[prefix + name]) or "none"


# ---- nodes, inferiors, threads ------------------------------------------------

def node_of(inferior: gdb.Inferior) -> int:
    """The stub calls the nodes processes, from 1."""
    return inferior.pid - 1


def attached() -> dict[int, gdb.InferiorThread]:
    """The thread of each node that GDB is attached to."""
    inferiors = sorted((i for i in gdb.inferiors() if i.pid > 0 and i.threads()), key=node_of)
    return {node_of(inferior): inferior.threads()[0] for inferior in inferiors}


@contextmanager
def selection_kept() -> Iterator[None]:
    """Whatever is selected inside, the user's thread and frame are what they were."""
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
    """GDB says little inside, and does not stop for the user to read."""
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
    """Makes a node the selected thread. gdb.GdbError if it cannot be looked at."""
    threads = attached()
    if node not in threads:
        raise gdb.GdbError(f"GDB is not attached to node {node}." if threads else "There is no machine.")
    if threads[node].is_running():
        raise gdb.GdbError("The machine is running: interrupt it first.")
    threads[node].switch()


# The registers that can be read, (first, bytes): a page has holes.
USER_PAGE = ("NI_USER_BASE", (("U_OUT", REGS["U_NODES"] + 4), ("U_CYCLES", 8), ("U_RECORD", REGS["REC_SIZE"])))
KERNEL_PAGE = ("NI_KERNEL_BASE", (("K_OUT", REGS["K_OFFSET"] + 8), ("K_HEAD", REGS["HEAD_SIZE"]),
                                  ("K_USER_OUT", 4 * REGS["MSG_WORDS"] + 4), ("K_SECOND_SPACE", 4),
                                  ("K_SECOND_HEAD", REGS["HEAD_GID"])))
PARAMETERS = ("PARAM_BASE", (("PARAM_ATOMICITY", 4),))


class Page:
    """Registers of the selected node as they are now; devices do not notice."""

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
        """The register at that offset."""
        return self.words[offset]

    def long(self, name: str) -> int:
        """A register of 64 bits."""
        return self[name] << 32 | self.words[REGS[name] + 4]


@contextmanager
def physical_memory() -> Iterator[None]:
    """Addresses inside are physical: the program may have mapped nothing there."""
    packet("Qqemu.PhyMemMode:1")
    try:
        yield
    finally:
        packet("Qqemu.PhyMemMode:0")


def packet(text: str) -> None:
    """Sends it to the stub. No command of GDB's where it can be helped: those do more than they say."""
    connection = getattr(gdb.selected_inferior(), "connection", None)
    if connection and hasattr(connection, "send_packet"):       # GDB 12 has it
        connection.send_packet(text)
    else:
        gdb.execute(f"maintenance packet {text}", to_string=True)


def local_time() -> int:
    """Of the selected node, in cycles: what it shows its program, less its offset."""
    user, kernel = Page(USER_PAGE), Page(KERNEL_PAGE)
    return (user.long("U_CYCLES") - kernel.long("K_OFFSET")) % (1 << 64)


def state(node: int) -> str:
    """What the node does, in the machine's words."""
    said = gdb.execute(f"monitor qom-get /machine/node[{node}] state", to_string=True)
    return str(json.loads(said)).partition(", pc 0x")[0]


def symbol(address: int) -> str:
    """FUNCTION+OFFSET, or nothing where there is no symbol."""
    found = re.match(r"(\S+)(?: \+ (\d+))? in section", gdb.execute(f"info symbol {address}", to_string=True))
    return (found[1] + (f"+{found[2]}" if found[2] else "")) if found else ""


# ---- what commands are given and show --------------------------------------------

def no_arguments(argument: str, command: str) -> None:
    """gdb.GdbError if there are any."""
    if argument:
        raise gdb.GdbError(f"{command} takes no arguments.")


def numbers(argument: str, usage: str, most: int) -> list[int]:
    """Up to so many numbers. gdb.GdbError if they are anything else."""
    words = argument.split()
    if len(words) > most or not all(word.isdigit() for word in words):
        raise gdb.GdbError(f"Usage: {usage}")
    return [int(word) for word in words]


def selected_node() -> int:
    """gdb.GdbError if there is none."""
    if not gdb.selected_inferior().pid:
        raise gdb.GdbError("There is no machine.")
    return node_of(gdb.selected_inferior())


def table(rows: list[tuple[str, ...]], right: tuple[int, ...] = ()) -> list[str]:
    """Lines of a table, the first row being its head; columns in `right` are flush right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [" ".join(cell.rjust(width) if k in right else cell.ljust(width)
                     for k, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip() for row in rows]

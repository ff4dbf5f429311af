"""fugu maps, fugu fifos, fugu engine: SHRIMP's network interface, and whose memory it maps."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import gdb
from fugu.abi import REGS

from . import programs
from .base import local_time, numbers, select, selected_node, selection_kept, symbol, table
from .glaze import PAGE, Kernel, fetched, kernel_file

MODES = {REGS[f"NIPT_{mode}"]: mode.lower() for mode in ("SINGLE", "BLOCKED", "DELIBERATE")}
GRANTED = 1                     # enum grant_state: from here on, the grant has pages

Rows = list[tuple[str, ...]]


def updates(node: int, command: str) -> dict[str, Any]:
    """What the interface of a node has, as the machine tells it. gdb.GdbError on a machine of another kind."""
    said = gdb.execute(f"monitor qom-get /machine/node[{node}]/ni updates", to_string=True).strip()
    try:
        found: dict[str, Any] = json.loads(json.loads(said))
    except ValueError:
        if "not found" in said:
            raise gdb.GdbError(f"{command} is for machines with SHRIMP's network interface (--ni shrimp).") from None
        raise gdb.GdbError(said.removeprefix("Error: ")) from None
    return found


# ---- whose memory ------------------------------------------------------------------

@dataclass(frozen=True)
class Owner:
    """Whose a page is, and where that process has it."""

    gid: int
    program: str
    address: int


class Owners:
    """The processes of the selected node that have pages mapped, by physical pages. Empty without Glaze."""

    def __init__(self) -> None:
        self.pages: dict[int, Owner] = {}
        self.senders: dict[int, list[str]] = {}         # of the pages that are mapped in
        self.glaze = kernel_file() is not None
        for gid, process in Kernel().processes.items() if self.glaze else ():
            if not int(process.value["shrimp"]):
                continue
            task = fetched(process.value["shrimp"].dereference())
            for ours in _elements(task["maps"]):
                if int(ours["state"]):
                    self._add(process, gid, int(ours["local"]), int(ours["bytes"]))
            for grant in _elements(task["grants"]):
                if int(grant["state"]) >= GRANTED:
                    first, size = int(grant["first"]), int(grant["pages"]) * PAGE
                    sender = f"{int(grant['node'])}:{int(grant['gid'])}"
                    for frame in self._add(process, gid, first, size):
                        self.senders.setdefault(frame, []).append(sender)

    def _add(self, process: Any, gid: int, first: int, size: int) -> list[int]:
        """The frames of a range of a process, which are its own from now on."""
        found = []
        for address in range(first & -PAGE, first + size, PAGE):
            if (frame := process.translate(address)) is not None:
                self.pages[frame] = Owner(gid, process.program.name, address)
                found.append(frame)
        return found

    def cells(self, physical: int) -> tuple[str, ...]:
        """The job and its address of a byte, and the variable there, if GDB has the program's symbols."""
        if not self.glaze:
            return (symbol(physical),)
        owner = self.pages.get(physical & -PAGE)
        if not owner:
            return ("", "", "")
        address = owner.address + physical % PAGE
        in_view = not programs.FILES or programs.in_view() == owner.program
        return (f"{owner.gid} {owner.program}", f"0x{address:08x}", symbol(address) if in_view else "")

    @property
    def head(self) -> tuple[str, ...]:
        """The columns of cells()."""
        return ("job", "its address", "variable") if self.glaze else ("variable",)

    def job(self, gid: int) -> str:
        """A GID in words."""
        return f"job {gid}" if self.glaze else f"GID {gid}"


def _elements(array: gdb.Value) -> list[gdb.Value]:
    return [array[k] for k in range(int(array.type.range()[1]) + 1)]


# ---- the table of pages ------------------------------------------------------------

def parts(entry: dict[str, Any]) -> list[tuple[int, int, int, int, int]]:
    """(first byte, last byte, mode, node, address there) of each part of a page that is mapped out."""
    found = []
    for part, first, end in ((entry["lower"], 0, entry["split"]), (entry["upper"], entry["split"], PAGE)):
        mode = part["target"] >> REGS["NIPT_MODE_SHIFT"]
        if mode != REGS["NIPT_NOTHING"] and first < end:
            there = (part["place"] & REGS["NIPT_PAGE_MASK"]) + (part["place"] + first) % PAGE
            found.append((first, end - 1, mode, part["target"] & REGS["NIPT_NODE_MASK"], there))
    return found


def out_rows(node: int, maps: list[dict[str, Any]], owners: Owners) -> Rows:
    """A row for each part of a page that is mapped out."""
    rows: Rows = [("page", "bytes", "mode", "to node", "address", *owners.head)]
    for entry in maps:
        for first, last, mode, to, there in parts(entry):
            # The kernel maps to no page of its own node what is to go nowhere (parts_clear()).
            dead = to == node and there < REGS["RAM_BASE"]
            goal = ("", "dropped") if dead else (str(to), f"0x{there:08x}")
            rows.append((f"0x{entry['page']:08x}", f"{first:03x}-{last:03x}", MODES[mode], *goal,
                         *owners.cells(entry["page"] + first)))
    return rows


def in_rows(maps: list[dict[str, Any]], owners: Owners) -> Rows:
    """A row for each page that takes updates."""
    rows: Rows = [("page", "interrupts", *owners.head, *(("from node:job",) if owners.glaze else ()))]
    for entry in maps:
        if entry["in"] & REGS["NIPT_IN_MAPPED"] or entry["arrived"]:
            armed = "armed" if entry["in"] & REGS["NIPT_IN_ARMED"] else "arrived" if entry["arrived"] else ""
            senders = (" ".join(dict.fromkeys(owners.senders.get(entry["page"], ()))),) if owners.glaze else ()
            rows.append((f"0x{entry['page']:08x}", armed, *owners.cells(entry["page"]), *senders))
    return rows


def show(title: str, rows: Rows, right: tuple[int, ...] = ()) -> None:
    """Prints a table with its title, or that it is empty."""
    print(f"{title}{': none' if len(rows) == 1 else ''}")
    if len(rows) > 1:
        print("\n".join("  " + line for line in table(rows, right)))


class _OfANode(gdb.Command):
    """A command about the interface of a node."""

    NAME = ""

    def __init__(self) -> None:
        super().__init__(self.NAME, gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        node = (numbers(argument, f"{self.NAME} [NODE]", 1) or [selected_node()])[0]
        with selection_kept():
            select(node)
            self.show(node, updates(node, self.NAME), Owners())

    def show(self, node: int, found: dict[str, Any], owners: Owners) -> None:
        """Prints what the command is about."""
        raise NotImplementedError


class Maps(_OfANode):
    """Which pages of a node are mapped to which pages of others: fugu maps [NODE].

    A page that is mapped out has up to two parts, which a split divides; `bytes`
    are those of the part in the page. `dropped`: the receiver has ended the
    mapping, and what is sent goes nowhere. A page that is mapped in takes updates;
    `armed`: the next one interrupts, `arrived`: it has come. Pages and addresses
    there are physical. Under Glaze, a row has the job whose page it is and where
    the job has it, and for a page that is mapped in the processes that may send
    to it. --ni shrimp."""

    NAME = "fugu maps"

    def show(self, node: int, found: dict[str, Any], owners: Owners) -> None:
        show(f"Mapped out of node {node}, at cycle {local_time()}", out_rows(node, found["maps"], owners), (3,))
        show(f"Mapped in to node {node}", in_rows(found["maps"], owners))


# ---- FIFOs -------------------------------------------------------------------------

WIDTH = 80              # columns of a row at most


def packet_rows(packets: list[dict[str, Any]], way: str, owners: Owners) -> Rows:
    """A row for each packet of a FIFO, the head first. `way`: the key of the other node, "to" or "source"."""
    own, other, head = ("from", "address", "to") if way == "to" else ("address", "from", "from")
    causes = ["" if one["here"] and one["whole"] else "CRC" if one["here"] else "place" for one in packets]
    is_wrong = any(causes)
    rows: Rows = [(head, "address", "bytes", "mode", "issued", *(("wrong",) if is_wrong else ()), *_own_head(own, owners))]
    for one, cause in zip(packets, causes, strict=True):
        rows.append((str(one[way]), f"0x{one[other]:08x}", str(one["bytes"]), MODES.get(one["mode"], "?"), str(one["issued"]),
                     *((cause,) if is_wrong else ()), *_own_cells(one[own], owners)))
    return rows


def _own_head(own: str, owners: Owners) -> tuple[str, ...]:
    return owners.head if owners.glaze else (own, *owners.head)


def _own_cells(physical: int, owners: Owners) -> tuple[str, ...]:
    """Whose a byte is: the job's number, its address and the variable; the physical address if nobody is known."""
    if not owners.glaze:
        return (f"0x{physical:08x}", *owners.cells(physical))
    job, address, variable = owners.cells(physical)
    return (job.partition(" ")[0], address or f"0x{physical:08x}", variable)


class Fifos(_OfANode):
    """The packets in the FIFOs of a node's interface, the oldest first: fugu fifos [NODE].

    A row has the other node, the physical address there, and whose the packet is on
    this node. `issued` is when its last byte was stored, or the command for it
    given, in its sender's local time. `wrong`: its receiver will drop it, as its
    coordinates or its CRC are wrong. Packets in between are shown by fugu flight.
    --ni shrimp."""

    NAME = "fugu fifos"

    def show(self, node: int, found: dict[str, Any], owners: Owners) -> None:
        out, into, opened = found["outgoing"], found["incoming"], found["open"]
        size = REGS["SHRIMP_FIFO"]
        print(f"FIFOs of node {node}, at cycle {local_time()}")
        awaits = f"awaits {out['await']} words of room" if out["await"] else f"interrupts above {out['threshold']}"
        print(f"Outgoing: {out['words']} of {size} words, {awaits}\n"
              f"  {out['sent']} packets so far, credited up to {out['credited']}; {out['space']} of {REGS['SHRIMP_CREDITS']} credits")
        if opened["bytes"]:
            print(f"Open packet: {opened['bytes']} bytes from 0x{opened['from']:08x} on, to node {opened['to']}, "
                  f"0x{opened['address']:08x}\n  closes at cycle {opened['closes']}")
        self.table(packet_rows(out["packets"], "to", owners))
        drops = into["place"] + into["crc"] + into["page"]
        causes = f": {into['place']} coordinates, {into['crc']} CRC, {into['page']} page" if drops else ""
        print(f"Incoming: {into['words']} of {size} words; {into['left']} packets have left it, {drops} dropped{causes}" +
              (f"\n  the next one is stored at cycle {into['due']}" if into["packets"] else ""))
        self.table(packet_rows(into["packets"], "source", owners))

    @staticmethod
    def table(rows: Rows) -> None:
        """Prints the rows, if there are any. A long variable's name is cut."""
        if len(rows) > 1:
            for line in table(rows, (0, 2, 4)):
                print("  " + (line if len(line) <= WIDTH - 2 else line[:WIDTH - 5] + "..."))


# ---- the engine --------------------------------------------------------------------

class Engine(_OfANode):
    """What the engine for deliberate update of a node does: fugu engine [NODE].

    Source and destination of the words that are left, how many they are, who has
    given the command and when. --ni shrimp."""

    NAME = "fugu engine"

    def show(self, node: int, found: dict[str, Any], owners: Owners) -> None:
        engine = found["engine"]
        print(f"Engine of node {node}, at cycle {local_time()}: {'busy' if engine['left'] else 'free'}")
        if not engine["left"]:
            return
        sent = engine["next"] - engine["base"]
        words = (sent // 4 + engine["left"])
        print(f"  command: {words} words from {self.place(engine['base'], owners)}")
        print(f"  asked by: {owners.job(engine['gid'])}, at cycle {engine['asked']}")
        print(f"  sent: {sent} bytes; left: {4 * engine['left']} bytes from 0x{engine['next']:08x}, to node "
              f"{engine['to']}, 0x{engine['address']:08x}")
        print("  next packet: " + ("waits for room in the Outgoing FIFO" if engine["waits"] else
                                   f"is read until cycle {engine['due']}"))

    @staticmethod
    def place(physical: int, owners: Owners) -> str:
        """An address in words."""
        cells = [cell for cell in owners.cells(physical) if cell]
        return f"0x{physical:08x}" + (f" ({', '.join(cells)})" if cells else "")

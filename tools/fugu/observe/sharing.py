"""What shared memory has cost, by node and by the name of a block: what hw/observe/sharing.h describes.

A block is named by the line that has asked for it, such as lu.C:201, so all blocks of a loop have one name. A
variable of the program has its own name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..abi import GLAZE, SEEN
from ..build.everything import up_to_date
from ..errors import SetupError, UsageError
from ..image import elf, line_table
from .figures import Figures
from .programs import Programs

PAGE = GLAZE["PAGE"]
NAMES_MOST = 20             # names that have lines of their own
NODES_MOST = 32             # nodes that have

# What is counted, by the number of its mark: all but the last two are disjoint.
COSTS = {SEEN[f"MARK_SHM_{name.upper()}"]: name for name in
         ("read_fault", "write_fault", "lock", "unlock", "barrier", "flag", "visit", "twin", "difference")}
INNER = ("twin", "difference")
OF_PAGES = ("read_fault", "write_fault", *INNER)
TITLES = {"read_fault": "read faults", "write_fault": "write faults", "twin": "twins", "difference": "differences"}


def title(cost: str) -> str:
    """The heading of a column."""
    return TITLES.get(cost, f"{cost}s")


@dataclass(frozen=True)
class Block:
    """Shared memory that a program has asked for at `pc`."""

    address: int
    bytes: int
    pc: int


class Names:
    """Names of addresses in one program."""

    def __init__(self, path: str, blocks: Sequence[Block]) -> None:
        self.path = Path(path)
        self.by_address = {block.address: block for block in blocks}    # the last one at an address
        self.addresses = sorted(self.by_address)

    @cached_property
    def _symbols(self) -> list[elf.Symbol]:
        try:
            found = elf.read(self.path, elf.contents(self.path)).symbols
        except (UsageError, OSError):
            return []
        return sorted((one for one in found if one.size and not one.is_function), key=lambda one: one.address)

    @cached_property
    def _lines(self) -> list[line_table.Line]:
        try:
            objdump = Path(up_to_date(["guest"])["guest"]["toolchain"], "bin", "sparc-elf-objdump")
            data = elf.contents(self.path)
            return line_table.table(self.path, elf.loaded(self.path, data), objdump)
        except (UsageError, SetupError, OSError):
            return []

    def place(self, pc: int) -> str:
        """FILE:LINE of a call that has returned to `pc`."""
        at = bisect_right(self._lines, pc - 1, key=lambda line: line.address) - 1
        if at < 0 or self._lines[at].file is None:
            return f"0x{pc:08x}"
        return f"{self._lines[at].file}:{self._lines[at].line}"

    def variable(self, address: int) -> str:
        """The program's variable at an address, or an empty text."""
        at = bisect_right(self._symbols, address, key=lambda one: one.address) - 1
        if at < 0 or address >= self._symbols[at].address + self._symbols[at].size:
            return ""
        return self._symbols[at].name

    def block(self, address: int) -> Block | None:
        """The block that has an address."""
        at = bisect_right(self.addresses, address) - 1
        block = self.by_address[self.addresses[at]] if at >= 0 else None
        return block if block and address < block.address + max(block.bytes, 1) else None

    def of(self, address: int, whole_page: bool) -> str:
        """The name of an address; `whole_page`: nothing is known but its page."""
        block = self.block(address)
        if not block and whole_page:
            at = bisect_right(self.addresses, address + PAGE - 1) - 1
            near = self.by_address[self.addresses[at]] if at >= 0 else None
            block = near if near and near.address >= address else None
        return self.place(block.pc) if block else self.variable(address) or f"0x{address:08x}"


def of(figures: Figures, programs: Programs, gid: int) -> list[dict[str, Any]]:
    """Each cost of a job: {"name", "node", "cost", "times", "cycles"}, by rising node."""
    mine = [cost for cost in figures.costs if cost.gid == gid]
    if not mine:
        return []
    program = programs.by_gid.get(gid)
    names = Names(program.path if program else "", [Block(*words) for other, words in figures.blocks if other == gid])
    times, cycles = Counter[tuple[int, str, str]](), Counter[tuple[int, str, str]]()
    for one in mine:
        cost = COSTS[one.kind]
        name = "" if cost == "visit" else names.of(one.address, cost in OF_PAGES and one.address % PAGE == 0)
        times[one.node, cost, name] += one.times
        cycles[one.node, cost, name] += one.cycles
    return [{"name": name, "node": node, "cost": cost, "times": times[node, cost, name],
             "cycles": cycles[node, cost, name]} for node, cost, name in sorted(times)]


def tables(found: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """A heading and rows: cycles by node, then by name."""
    used = [cost for cost in COSTS.values() if any(one["cost"] == cost for one in found)]
    for heading, key, most in (("by node", "node", NODES_MOST), ("by name", "name", NAMES_MOST)):
        cycles, times, whole = Counter[tuple[Any, str]](), Counter[tuple[Any, str]](), Counter[Any]()
        for one in found:
            cycles[one[key], one["cost"]] += one["cycles"]
            times[one[key], one["cost"]] += one["times"]
            whole[one[key]] += one["cycles"] * (one["cost"] not in INNER)
        ranked = sorted(whole) if key == "node" else sorted(whole, key=lambda name: (-whole[name], name))
        rows = [(key, "all cycles", *(title(cost) for cost in used))]
        for line in ranked[:most]:
            cells = (f"{cycles[line, cost]:,} ({times[line, cost]:,})" if times[line, cost] else "" for cost in used)
            rows.append((str(line) if line != "" else "(visits)", f"{whole[line]:,}", *cells))
        if len(ranked) > most:
            rows.append((f"{len(ranked) - most} more", f"{sum(whole[line] for line in ranked[most:]):,}",
                         *("" for _ in used)))
        yield heading, rows

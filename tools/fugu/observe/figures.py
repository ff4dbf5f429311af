"""Reads what QEMU has counted: the files figures.I, which hw/report/observer.c writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import SetupError


@dataclass(frozen=True)
class Frame:
    """A function of a profile, called by `parent`."""

    parent: int                 # number among the node's frames; 0: none
    kind: int                   # FUGU_FRAME_*
    gid: int
    code: int
    cycles: int


@dataclass
class Masked:
    """The longest time for which a node has served neither network nor clock."""

    began: int
    cycles: int
    trap: int                   # that the kernel worked for; -1: none
    pcs: list[int] = field(default_factory=list)        # at the ends of its rounds


@dataclass(frozen=True)
class Cost:
    """What shared memory has cost a job on a node: FUGU_MARK_SHM_*, for an address."""

    node: int
    gid: int
    kind: int
    address: int
    times: int
    cycles: int


@dataclass
class Figures:
    """All that was counted, as numbers by node, GID, name and index."""

    start: int = 0              # cycle at which the run began, or was loaded
    end: int = 0
    netif: int = 0              # FUGU_NETIF_*: the machine's kind of network interface
    counts: dict[tuple[int, int], dict[tuple[str, int], int]] = field(default_factory=lambda: defaultdict(dict))
    links: dict[tuple[int, int, int], int] = field(default_factory=dict)        # words by network, node, link
    # By process of the machine: GID and address of a handler by its name in the timeline.
    codes: dict[int, dict[int, tuple[int, int]]] = field(default_factory=dict)
    process_nodes: dict[int, list[int]] = field(default_factory=dict)
    frames: dict[int, dict[int, Frame]] = field(default_factory=lambda: defaultdict(dict))      # by node
    costs: list[Cost] = field(default_factory=list)
    blocks: list[tuple[int, tuple[int, int, int]]] = field(default_factory=list)    # GID; address, bytes, pc
    masked: dict[int, Masked] = field(default_factory=dict)         # by node

    def get(self, node: int, gid: int, name: str, index: int = 0) -> int:
        """A number; 0 if nothing was counted."""
        return self.counts.get((node, gid), {}).get((name, index), 0)

    def all(self, node: int, gid: int, name: str) -> dict[int, int]:
        """The numbers of a name, by index."""
        return {index: value for (other, index), value in self.counts.get((node, gid), {}).items() if other == name}

    @property
    def nodes(self) -> list[int]:
        """The nodes that were observed."""
        return sorted({node for node, _ in self.counts})

    def gids(self, node: int | None = None) -> list[int]:
        """The GIDs that have counted anything, on a node or on any."""
        return sorted({gid for other, gid in self.counts if node in (None, other)})


class Lost(SetupError):
    """QEMU has not written its figures."""


def read(folder: Path, processes: Iterable[int]) -> Figures:
    """The figures of all processes. Lost."""
    found = Figures()
    for process in processes:
        path = folder / f"figures.{process}"
        try:
            lines = path.read_text().splitlines()
        except OSError:
            lines = []
        if not lines or lines[-1] != "end":
            raise Lost("QEMU has ended without its figures: it was killed, or its disk is full.")
        found.codes[process] = {}
        found.process_nodes[process] = []
        for line in lines[:-1]:
            _add(found, process, line.split())
    return found


def _add(found: Figures, process: int, words: list[str]) -> None:
    if words[0] == "run":
        found.start, found.end = int(words[1]), max(found.end, int(words[2]))
    elif words[0] == "netif":
        found.netif = int(words[1])
    elif words[0] == "node":
        found.process_nodes[process].append(int(words[1]))
    elif words[0] == "link":
        found.links[int(words[1]), int(words[2]), int(words[3])] = int(words[4])
    elif words[0] == "name":
        found.codes[process][int(words[1])] = int(words[2]), int(words[3])
    elif words[0] == "frame":
        node, number, parent, kind, gid, code, cycles = map(int, words[1:])
        found.frames[node][number] = Frame(parent, kind, gid, code, cycles)
    elif words[0] == "cost":
        found.costs.append(Cost(*map(int, words[1:])))
    elif words[0] == "block":
        _, gid, address, size, pc = map(int, words[1:])
        found.blocks.append((gid, (address, size, pc)))
    elif words[0] == "masked":
        found.masked[int(words[1])] = Masked(*map(int, words[2:]))
    elif words[0] == "sample":
        found.masked[int(words[1])].pcs.append(int(words[2]))
    else:
        node, gid, name, index, value = int(words[0]), int(words[1]), words[2], int(words[3]), int(words[4])
        found.counts[node, gid][name, index] = value

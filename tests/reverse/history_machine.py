"""A machine that can go back, and what is compared of two machines at the same place."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from debugged import Debugged

from fugu.run import rsp as remote
from fugu.run.rsp import Ended, Gone, Rsp, Stop

HISTORY = 64 << 20
RAM = 256 << 10         # bytes of a node: less to compare


def with_history(size: int = HISTORY) -> dict[str, Any]:
    """Options of a machine that can go back."""
    return {"more": ("-no-shutdown", "-machine", f"history={size}")}


@dataclass(frozen=True, order=True)
class Place:
    """A place of a run: the round, the node whose turn it is, its local time, and whether that stretch has begun."""

    round: int
    node: int
    cycle: int
    inside: bool


class Traveller:
    """A client of a machine that can go back.

    `plain` is the command line of the same run without debugger and history.
    """

    def __init__(self, client: Rsp, nodes: int, machine: Debugged, plain: list[str], disks: Iterable[Path] = ()
                 ) -> None:
        self.client, self.nodes, self.machine, self.plain, self.disks = client, nodes, machine, plain, list(disks)

    def get(self, name: str) -> Any:
        """A property of the machine."""
        return json.loads(self.client.monitor(f"qom-get /machine/rounds {name}"))

    def place(self) -> Place:
        return Place(**json.loads(self.get("place")))

    def history(self) -> dict[str, Any]:
        return dict(json.loads(self.get("history")))

    def registers(self, node: int) -> str:
        self.client.select(node)
        return self.client.ask("g")

    def state(self) -> tuple[Any, ...]:
        """All that a debugger can see: registers, memory, messages, what the nodes do, what the disks hold."""
        return (self.place(), [self.registers(node) for node in range(self.nodes)], self.get("memory"),
                self.get("flight"),
                [json.loads(self.client.monitor(f"qom-get /machine/node[{node}] state")) for node in range(self.nodes)],
                [hashlib.sha256(disk.read_bytes()).hexdigest() for disk in self.disks])

    def travel(self, name: str, cycle: int, node: int) -> Stop | Ended:
        """Sets a goal, `goto` or `before`, and resumes the machine."""
        assert self.client.monitor(f'qom-set /machine/rounds {name} {cycle} {node}') == ""
        return self.client.run()

    def go_to(self, cycle: int, node: int) -> None:
        stop = self.travel("goto", cycle, node)
        assert isinstance(stop, Stop) and (stop.signal, stop.node) == (remote.SIGTRAP, node), stop

    def end(self) -> str:
        """Runs to the end, and ends QEMU. Returns what it has printed."""
        assert self.client.run().signal == remote.SIGQUIT
        with suppress(Gone):
            self.client.monitor("quit")
        assert self.machine.end() == 0, self.machine.stderr
        return self.machine.stdout

    def plain_output(self) -> str:
        """What the same run prints without debugger and history."""
        return subprocess.run(self.plain, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              check=True).stdout

    def come_to(self, place: Place) -> None:
        """Goes to a place that a step or a breakpoint of another machine has found."""
        self.go_to(place.cycle, place.node)
        if self.place() != place:
            # A breakpoint stops after the events of that moment, before the same instruction.
            pc = self.client.register(place.node, remote.PC)
            self.client.insert(place.node, remote.BREAKPOINT, pc)
            assert self.client.run() == Stop(remote.SIGTRAP, place.node)
            self.client.remove(place.node, remote.BREAKPOINT, pc)
        assert self.place() == place

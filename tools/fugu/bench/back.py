"""What going back costs: steps back, a search over the whole run, checkpoints, memory.

Times are CPU time of QEMU. All nodes run the named program on the bare machine.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import SetupError
from ..host import children, scratch
from ..run.rsp import BREAKPOINT, Rsp, Stop
from ._runs import TIMEOUT, command, measure, option_parser
from ._samples import Figure, figure, in_turns
from ._table import Table
from ._words import node_count, positive

HISTORY = 512 << 20             # bytes, as ./run.sh debug has
STEPS = 50                      # steps back after the first one
BOUND = 3600.0                  # seconds of host time that an answer may take
NOWHERE = 0xFFC                 # an address that no program executes: the search goes all the way
TICKS = os.sysconf("SC_CLK_TCK")
RAM = 1 << 20                   # bytes of a node


def main(argv: list[str]) -> int | None:
    """Measures each number of nodes at each distance from the beginning."""
    parser = option_parser("back", 1)
    parser.add_argument("--nodes", type=node_count, nargs="+", default=[8, 64], metavar="N", help="default: 8 64")
    parser.add_argument("--cycles", type=positive, nargs="+", default=[1e6, 1e7], metavar="C",
                        help="how far the run goes before it goes back (default: 1e6 1e7)")
    parser.add_argument("--program", nargs="+", default=["alltoall", "messages=100000000"], metavar="WORD",
                        help="a program of tests/guest, and its arguments (default: alltoall, without an end)")
    options = parser.parse_args(argv)
    table = Table(" ".join(options.program), "nodes", "cycles", "the run, s", "with checkpoints, s", "first bs, ms",
                  "following ones, ms", "bc, s", "bc / run", "checkpoints", "MiB")
    for nodes in options.nodes:
        for cycles in map(int, options.cycles):
            table.row(nodes, f"{cycles:,}", *_measure(options.program, nodes, cycles, options.times))
    table.note(f"bs: a step back of node 0; the mean of {STEPS} following ones. bc: back over all of the run.")
    table.show()
    return None


def _measure(program: list[str], nodes: int, cycles: int, times: int) -> tuple[str | Figure, ...]:
    def line(**more: Any) -> list[str]:
        return command(*program, nodes=nodes, ram=RAM, **more)

    plain = in_turns({"run": lambda: measure(line(timeout=cycles), TIMEOUT).cpu}, times)["run"]
    with scratch.folder() as folder:
        there = Machine(line(), nodes, Path(folder, "gdb"))
        try:
            run = there.took(lambda: there.go_to(cycles))
            history = there.history()
            first = there.took(lambda: there.back(0))
            following = there.took(lambda: [there.back(0) for _ in range(STEPS)]) / STEPS
            there.go_to(cycles)
            there.client.insert(0, BREAKPOINT, NOWHERE)
            search = there.took(lambda: there.back(None))
            if there.history()["differs"]:
                raise SetupError("a run that went back was not what it was.")
        finally:
            there.end()
    alone = sorted(plain)[len(plain) // 2]
    return (f"{alone:.2f}", f"{run:.2f}", f"{first * 1000:.0f}", f"{following * 1000:.0f}", f"{search:.2f}",
            figure([search]) / figure([run]), str(history["checkpoints"]), f"{history['bytes'] / (1 << 20):.1f}")


class Machine:
    """A machine that can go back, stopped before its first instruction."""

    def __init__(self, line: list[str], nodes: int, path: Path) -> None:
        self.process = children.start([*line, "-no-shutdown", "-machine", f"history={HISTORY}", "-S", "-gdb",
                                       f"unix:{path},server=on,wait=off"], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL)
        self.client = Rsp(path)
        self.client.attach(range(nodes))
        self.client.socket.settimeout(BOUND)

    def end(self) -> None:
        """Ends QEMU."""
        self.client.socket.close()
        self.process.kill()
        self.process.wait()

    def used(self) -> float:
        """CPU time of QEMU so far, in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def took(self, act: Callable[[], Any]) -> float:
        """CPU time that QEMU takes for it."""
        before = self.used()
        act()
        return self.used() - before

    def history(self) -> dict[str, Any]:
        """The machine's property of that name."""
        return dict(json.loads(json.loads(self.client.monitor("qom-get /machine/rounds history"))))

    def go_to(self, cycle: int) -> None:
        """To a cycle of node 0."""
        said = self.client.monitor(f'qom-set /machine/rounds goto {cycle} 0')
        stop = self.client.run()
        if said or not isinstance(stop, Stop) or stop.node != 0:
            raise SetupError(f"the machine did not go to cycle {cycle}: {said or stop}")

    def back(self, node: int | None) -> None:
        """A step back of the node; without one, a search to the beginning."""
        stop = self.client.back(node)
        if not isinstance(stop, Stop) or stop.begin != (node is None):
            raise SetupError(f"the machine did not go back: {stop}")

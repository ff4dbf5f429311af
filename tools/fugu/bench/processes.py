"""What a round costs a machine of several processes, and what they gain.

In the first table each process has one node, which runs `spin`. The nodes
compute hardly anything, so the time of a round is that of the meeting. The
bare cost beside it is that of bare.c: as many processes that meet in the same
way and do nothing else. The second table compares two processes with one, on
nodes that all compute. Waiting is part of what is measured, so times are wall
times, and the host must have no other work.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import SetupError
from ._runs import QUANTUM, TIMEOUT, command, guest, measure, measure_split, option_parser
from ._samples import SPREAD, Figure, difference, figure, in_turns
from ._table import Table
from ._words import node_count, process_count, whole

WARM = 2000             # rounds until all code is translated
BARE = {"shm": "rings", "unix": "unix", "tcp": "tcp"}
AIMS = {"shm": 2.0, "unix": 1.5, "tcp": 1.5}


def main(argv: list[str]) -> int | None:
    """Measures rounds by transport, then two processes against one."""
    parser = option_parser("processes", 7)
    parser.add_argument("--processes", type=process_count, nargs="+", default=[2, 4, 8], metavar="P",
                        help="numbers of processes (default: 2 4 8)")
    parser.add_argument("--nodes", type=node_count, nargs="+", default=[16, 64], metavar="N",
                        help="nodes for two processes against one (default: 16 64)")
    parser.add_argument("--rounds", type=whole, default=50_000, metavar="N", help="of each run (default: %(default)s)")
    options = parser.parse_args(argv)
    _rounds(options.processes, options.rounds, options.times)
    _gain(options.nodes, options.rounds, options.times)
    return None


def _rounds(counts: list[int], rounds: int, times: int) -> None:
    table = Table("A round of several processes, microseconds of wall time", "transport", "processes", "round",
                  "bare", "ratio", "aim")
    with tempfile.TemporaryDirectory(prefix="fugu-bench-") as folder:
        program = _compile(Path(folder))
        for transport in BARE:
            for count in counts:
                took = in_turns({("bare", ""): partial(_bare, program, transport, count, rounds),
                                 **_walls("run", count, count, transport, rounds)}, times)
                bare, each = figure(took["bare", ""]), _round(took, "run", rounds)
                table.row(transport, count, each * 1e6, bare * 1e6, each / bare, AIMS[transport])
    table.note("Each process has one node, which spins. bare: as many processes that only meet.")
    table.note(SPREAD)
    table.show()


def _gain(counts: list[int], rounds: int, times: int) -> None:
    table = Table("Two processes against one (shm), microseconds a round", "", "one", "two", "times as fast")
    for nodes in counts:
        took = in_turns({**_walls("one", nodes, 1, "shm", rounds), **_walls("two", nodes, 2, "shm", rounds)}, times)
        one, two = (_round(took, which, rounds) for which in ("one", "two"))
        table.row(f"{nodes} nodes", one * 1e6, two * 1e6, gain(one, two, 2))
    table.note("All nodes spin.")
    table.note(SPREAD)
    table.show()


def gain(one: Figure, several: Figure, processes: int) -> Figure:
    """How many times as fast several processes are as one. The figure has no value if it exceeds the number of
    processes."""
    return (one / several).at_most(processes, f"{processes} processes do the work of one, so no more than {processes} "
                                   "times as fast is their doing; the rest is the host's, in caches or other work")


def _compile(folder: Path) -> Path:
    program = folder / "bare"
    done = subprocess.run(["cc", "-O2", "-o", program, Path(__file__).with_name("bare.c")], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        raise SetupError(f"the yardstick does not compile:\n{done.stderr}")
    return program


def _bare(program: Path, transport: str, count: int, rounds: int) -> float:
    """Seconds for a round of processes that only meet."""
    done = subprocess.run([program, BARE[transport], str(count), str(rounds)], capture_output=True, text=True,
                          check=True)
    return float(done.stdout) * 1e-9


Walls = dict[tuple[str, str], Callable[[], float]]


def _walls(name: str, nodes: int, count: int, transport: str, rounds: int) -> Walls:
    """Functions that measure a long run and a short one."""
    return {(name, length): partial(_wall, nodes, count, transport, (WARM + more) * QUANTUM)
            for length, more in (("long", rounds), ("short", 0))}


def _round(took: Mapping[Any, list[float]], name: str, rounds: int) -> Figure:
    """Seconds for a round, from the difference between the long and the short run."""
    return difference(took[name, "long"], took[name, "short"], rounds)


def _wall(nodes: int, count: int, transport: str, cycles: int) -> float:
    if count == 1:
        return measure(command("spin", nodes=nodes, quantum=QUANTUM, timeout=cycles), TIMEOUT).wall
    return measure_split([f"--nodes={nodes}", f"--quantum={QUANTUM}", f"--timeout={cycles}",
                          f"--processes={count}", f"--transport={transport}", guest("spin")], TIMEOUT).wall

"""What a round costs a machine of several processes, and what they gain.

`spin` on one node a process: hardly anything is computed, so a round is what
meeting costs. Beside it the bare cost (bare.c): as many processes meet in
the same way and do nothing else. Then two processes against one, on nodes
that all compute. Wall time, since waiting is what is measured: keep the host
quiet.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ..abi import STATUS
from ..errors import SetupError
from ._runs import command, guest, measure, measure_split
from ._samples import SPREAD, Figure, difference, figure, in_turns
from ._table import Table

QUANTUM = 64
TIMEOUT = STATUS["TIMEOUT"]     # the status of a run that its time limit ended
WARM = 2000             # rounds in which everything is translated
BARE = {"shm": "rings", "unix": "unix", "tcp": "tcp"}
AIMS = {"shm": 2.0, "unix": 1.5, "tcp": 1.5}


def main(argv: list[str]) -> int | None:
    """Measures rounds by transport, then two processes against one."""
    parser = argparse.ArgumentParser(prog="./run.sh bench processes")
    parser.add_argument("--processes", type=int, nargs="+", default=[2, 4, 8], metavar="P",
                        help="numbers of processes (default: 2 4 8)")
    parser.add_argument("--nodes", type=int, nargs="+", default=[16, 64], metavar="N",
                        help="nodes for two processes against one (default: 16 64)")
    parser.add_argument("--rounds", type=int, default=50_000, metavar="N", help="of each run (default: %(default)s)")
    parser.add_argument("--times", type=int, default=7, metavar="N",
                        help="the median of N turns counts (default: %(default)s)")
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
    table.note("One spinning node a process. bare: as many processes meet like that, and do nothing else.")
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
    """How many times as fast several processes are. None if it is more than the work that they share out."""
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
    """Seconds a round, of processes that do nothing but meet."""
    done = subprocess.run([program, BARE[transport], str(count), str(rounds)], capture_output=True, text=True,
                          check=True)
    return float(done.stdout) * 1e-9


Walls = dict[tuple[str, str], Callable[[], float]]


def _walls(name: str, nodes: int, count: int, transport: str, rounds: int) -> Walls:
    """What measures a long run and a short one."""
    return {(name, length): partial(_wall, nodes, count, transport, (WARM + more) * QUANTUM)
            for length, more in (("long", rounds), ("short", 0))}


def _round(took: Mapping[Any, list[float]], name: str, rounds: int) -> Figure:
    """Seconds a round: what more rounds take longer."""
    return difference(took[name, "long"], took[name, "short"], rounds)


def _wall(nodes: int, count: int, transport: str, cycles: int) -> float:
    if count == 1:
        return measure(command("spin", nodes=nodes, quantum=QUANTUM, timeout=cycles), TIMEOUT).wall
    return measure_split([f"--nodes={nodes}", f"--quantum={QUANTUM}", f"--timeout={cycles}",
                          f"--processes={count}", f"--transport={transport}", guest("spin")], TIMEOUT).wall

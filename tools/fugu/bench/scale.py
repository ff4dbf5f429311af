"""What a thousand nodes cost: time for each cycle of a node, memory, start-up.

All nodes run. The host time for a cycle of a node should not depend on the
number of nodes. Where this time grows, the host's caches and TLBs miss more often, or some work grows faster than the
number of nodes. Runs end by --timeout. The difference between a long and a short run leaves out start-up.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from ..errors import SetupError
from ._runs import QUANTUM, TIMEOUT, command, cpu, measure, option_parser
from ._samples import SPREAD, Figure, difference, figure, in_turns
from ._table import Table
from ._words import node_count, positive

# For each program: arguments with which it does not end by itself; a guess of
# the nanoseconds for a cycle of a node, from which the length of a run follows;
# cycles after which all code is translated and all memory in use.
PROGRAMS: dict[str, tuple[tuple[str, ...], float, int]] = {
    "spin": ((), 2, 640 * QUANTUM),
    "int": (("reps=1000000",), 3, 640 * QUANTUM),
    "fp": (("reps=1000000",), 5, 3200 * QUANTUM),
    "alltoall": (("messages=1000000",), 30, 640 * QUANTUM),
}
SPIN = 12_800 * QUANTUM  # cycles of the run whose memory is measured


def main(argv: list[str]) -> int | None:
    """Measures each program, then memory and start-up, at several numbers of nodes."""
    parser = option_parser("scale", 3)
    parser.add_argument("--nodes", type=node_count, nargs="+", default=[8, 64, 256, 1024], metavar="N",
                        help="compared with the first (default: 8 64 256 1024)")
    parser.add_argument("--programs", nargs="+", default=list(PROGRAMS), choices=list(PROGRAMS), metavar="NAME",
                        help=f"of {', '.join(PROGRAMS)} (default: all)")
    parser.add_argument("--seconds", type=positive, default=1.0, metavar="S",
                        help="about how long a run takes (default: %(default)s)")
    options = parser.parse_args(argv)

    _programs(options.programs, options.nodes, options.seconds, options.times)
    _size_and_start(options.nodes, options.times)
    return None


def _programs(programs: list[str], counts: list[int], seconds: float, times: int) -> None:
    table = Table(f"All nodes run, quantum {QUANTUM}", "program", "nodes", "cycles", "ns a node's cycle",
                  f"ns {QUANTUM} cycles of a node", "times that of the first")
    for program in programs:
        args, guess, warm = PROGRAMS[program]
        cycles = {nodes: round(seconds / (nodes * guess * 1e-9)) // QUANTUM * QUANTUM for nodes in counts}
        took = _cycles(program, args, warm, cycles, times)
        for nodes in counts:
            table.row(program, nodes, f"{cycles[nodes]:,}", took[nodes].short(), took[nodes] * QUANTUM,
                      took[nodes] / took[counts[0]])
    table.note("CPU time. Numbers of nodes take turns, so that other work on the host affects all of them.")
    table.note(SPREAD)
    table.show()


def _cycles(program: str, args: tuple[str, ...], warm: int, cycles: dict[int, int],
            times: int) -> dict[int, Figure]:
    """Nanoseconds for each cycle of a node, by the number of nodes."""
    took = in_turns({(nodes, timeout): cpu(command(program, *args, nodes=nodes, quantum=QUANTUM, timeout=timeout),
                                           TIMEOUT)
                     for nodes, count in cycles.items() for timeout in (warm + count, warm)}, times)
    return {nodes: difference(took[nodes, warm + count], took[nodes, warm], count * nodes) * 1e9
            for nodes, count in cycles.items()}


def _size_and_start(counts: list[int], times: int) -> None:
    table = Table("Memory and start-up", "nodes", "MiB, spin", "KiB a node", "s to the end of whoami", "CPU, s")
    for nodes in counts:
        size = _resident(command("spin", nodes=nodes, timeout=SPIN))
        runs = [measure(command("whoami", nodes=nodes)) for _ in range(times)]
        table.row(nodes, f"{size / 1024:,.0f}", f"{size / nodes:,.0f}", figure([run.wall for run in runs]),
                  figure([run.cpu for run in runs]))
    table.note("Resident memory of QEMU. whoami: every node prints a line and ends; from QEMU's start to its end.")
    table.show()


def _resident(line: list[str]) -> int:
    """The peak of resident memory in KiB, from /proc.

    ru_maxrss would include the memory of the process that QEMU was forked from.
    """
    most = 0
    with subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as run:
        status = Path(f"/proc/{run.pid}/status")
        while run.poll() is None:
            for entry in status.read_text().splitlines():
                if entry.startswith("VmHWM:"):
                    most = max(most, int(entry.split()[1]))
            time.sleep(0.01)
    if run.returncode != TIMEOUT or not most:
        raise SetupError(f"a measured run ended with status {run.returncode}: {' '.join(line)}")
    return most

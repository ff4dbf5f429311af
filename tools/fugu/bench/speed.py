"""Guest instructions per second of eight nodes, against one vCPU of stock QEMU.

The same object code runs equally often on all nodes and on QEMU's leon3_generic
with `-icount`. Our patches make this machine faster, too, so `--stock` can name
a QEMU without them. Efficiency is 8 x the time on the one vCPU / the time on the
eight nodes. Times are CPU times. The difference between a long and a short run
leaves out start-up.
"""

from __future__ import annotations

import re
import sys
from functools import partial

from ..abi import LEON3
from ..errors import SetupError
from ._runs import command, cpu, guest, latencies, measure, option_parser, qemu
from ._samples import SPREAD, difference, in_turns
from ._table import Table
from ._words import positive, whole

NODES = 8

# Repetitions for which stock QEMU needs about a second.
PROGRAMS = {"int": 2000, "fp": 400}

# Where bench/leon3/main.c looks for the number of repetitions.
LEON3_REPS = LEON3["STACK_TOP"]


def main(argv: list[str]) -> int | None:
    """Measures each program at each quantum."""
    parser = option_parser("speed", 3)
    parser.add_argument("--scale", type=positive, default=1.0, metavar="F",
                        help="F times as many repetitions (default: %(default)s)")
    parser.add_argument("--quantum", type=whole, nargs="+", default=[64, 128, 512], metavar="Q",
                        help="default: 64 128 512")
    parser.add_argument("--stock", metavar="QEMU", help="qemu-system-sparc without our patches (default: with them)")
    parser.add_argument("--program", choices=list(PROGRAMS), nargs="+", default=list(PROGRAMS))
    options = parser.parse_args(argv)

    table = Table(f"{NODES} nodes in one process, timing and cache on", "program", "quantum", "instructions",
                  "cycles", "stock s", "nodes s", "M instr/s", "M cycles/s", "efficiency")
    for program in options.program:
        reps = max(10, round(PROGRAMS[program] * options.scale))
        for quantum in options.quantum:
            print(f"{program}, quantum {quantum} ...", file=sys.stderr, flush=True)
            # Stock QEMU is measured again for each quantum, under the same load of the host.
            took = in_turns({(kind, count): cpu(line(count)) for count in (reps, 1) for kind, line in (
                ("stock", partial(_leon3, program, options.stock)), ("nodes", partial(_nodes, program, quantum)))}, options.times)
            stock, nodes = (difference(took[kind, reps], took[kind, 1]) for kind in ("stock", "nodes"))
            one, cycles = _counts(program, quantum)
            work = NODES * (reps - 1)
            table.row(program, quantum, f"{work * one:,}", f"{work * cycles:,}", stock.short(), nodes.short(),
                      nodes.inverse(work * one / 1e6), nodes.inverse(work * cycles / 1e6).short(),
                      stock / nodes * NODES)
    table.note("stock: one vCPU of leon3_generic with -icount, the same repetitions once,")
    table.note(f"by {options.stock or 'this QEMU, which our patches make faster'};")
    table.note("efficiency: 8 x stock s / nodes s. CPU time. Eight nodes that compute the same")
    table.note("spare the host's branch predictor some misses (docs/speed.md).")
    table.note(SPREAD)
    table.show()
    return None


def _nodes(program: str, quantum: int, reps: int) -> list[str]:
    return command(program, f"reps={reps}", nodes=NODES, **latencies(quantum))


def _leon3(program: str, stock: str | None, reps: int) -> list[str]:
    # The loader stores data in little-endian order; its data-be works only for 8 bytes.
    swapped = int.from_bytes(reps.to_bytes(4, "big"), "little")
    return [stock or qemu(), "-M", "leon3_generic", "-icount", "shift=0", "-nodefaults", "-no-user-config",
            "-display", "none", "-monitor", "none", "-serial", "stdio", "-kernel", guest(f"{program}-leon3"),
            "-device", f"loader,addr={LEON3_REPS:#x},data={swapped},data-len=4"]


def _counts(program: str, quantum: int) -> tuple[int, int]:
    """Instructions and cycles of one repetition, as the program counts them."""
    counted = []
    for reps in (3, 1):
        output = measure(_nodes(program, quantum, reps)).stdout
        both = measure(_leon3(program, None, reps)).stdout
        if f"{program}: {reps} repetitions, result " not in both:
            raise SetupError(f"{program}-leon3.elf did not make {reps} repetitions but:\n{both}")
        found = re.search(r"([\d,]+) instructions, ([\d,]+) cycles", output)
        if not found:
            raise SetupError(f"{program} printed no count:\n{output}")
        counted.append([int(group.replace(",", "")) for group in found.groups()])
    (instructions3, cycles3), (instructions1, cycles1) = counted
    return (instructions3 - instructions1) // 2, (cycles3 - cycles1) // 2

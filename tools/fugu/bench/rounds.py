"""Host time of a round, for each node that waits and for each that runs.

One node spins, or all do. The cost of a node is the increase of a round's time
with more nodes. Runs end by --timeout, so their number of rounds is known. The difference between a long and a short
run leaves out start-up.
"""

from __future__ import annotations

from ._runs import QUANTUM, TIMEOUT, command, cpu, option_parser
from ._samples import SPREAD, Figure, difference, in_turns
from ._table import Table
from ._words import node_count, positive

KINDS = {"waits": "waiters=1", "runs": "waiters=0"}
AIMS = {"waits": 100, "runs": 300}


def main(argv: list[str]) -> int | None:
    """Measures both kinds at several numbers of nodes."""
    parser = option_parser("rounds", 5)
    parser.add_argument("--nodes", type=node_count, nargs="+", default=[8, 64, 256], metavar="N",
                        help="compared with each other, in this order (default: 8 64 256)")
    parser.add_argument("--seconds", type=positive, default=1.0, metavar="S",
                        help="about how long a run takes (default: %(default)s)")
    options = parser.parse_args(argv)

    table = Table(f"A round of {QUANTUM} cycles, host nanoseconds", "nodes but one", "nodes", "rounds",
                  "ns a round", "ns a node more", "aim")
    for kind, argument in KINDS.items():
        before: tuple[int, Figure] | None = None
        for nodes in options.nodes:
            # The number of rounds follows from a guess of a round's time.
            rounds = round(options.seconds / (200e-9 + nodes * AIMS[kind] / 3 * 1e-9))
            each = _round(argument, nodes, rounds, options.times)
            more = each.above(before[1]) / (nodes - before[0]) if before else ""
            table.row(kind, nodes, f"{rounds:,}", each, more, AIMS[kind])
            before = nodes, each
    table.note("\"waits\": node 0 spins and all others wait for ever; \"runs\": all spin.")
    table.note("ns a node more: compared with the row above. In that time a node that runs executes its 64 cycles.")
    table.note(SPREAD)
    table.show()
    return None


def _round(argument: str, nodes: int, rounds: int, times: int) -> Figure:
    """Nanoseconds of CPU time for a round."""
    warm = 2000                         # rounds until all code is translated
    took = in_turns({count: cpu(command("spin", argument, nodes=nodes, quantum=QUANTUM, timeout=count * QUANTUM),
                                TIMEOUT) for count in (warm + rounds, warm)}, times)
    return difference(took[warm + rounds], took[warm], rounds) * 1e9

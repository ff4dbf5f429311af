"""Snooped stores per second of host time: eight nodes, each stores into pages of all.

It is to `bench messages` as a snooped store of SHRIMP's automatic update is to a message.
"""

from __future__ import annotations

import re

from ..errors import SetupError
from ._runs import command, cpu, latencies, measure, option_parser
from ._samples import SPREAD, difference, in_turns
from ._table import Table
from ._words import node_count, whole

SHORT = 100             # stores between each pair in the short run, which is subtracted


def main(argv: list[str]) -> int | None:
    """Measures stores that are sent as packets, and the same stores to pages that are not mapped."""
    parser = option_parser("updates", 5)
    parser.add_argument("--nodes", type=node_count, default=8, metavar="N", help="default: %(default)s")
    parser.add_argument("--stores", type=whole, default=20_000, metavar="S",
                        help="stores of each node to each (default: %(default)s)")
    parser.add_argument("--quantum", type=whole, default=64, metavar="Q", help="default: %(default)s")
    options = parser.parse_args(argv)

    table = Table(f"updates on {options.nodes} nodes, quantum {options.quantum}", "page", "stores", "cycles",
                  "cycles a store of a node", "stores/s", "ns a store")
    for page, snooped in (("mapped", 1), ("not mapped", 0)):
        lines = [command("updates", f"stores={count}", f"snooped={snooped}", nodes=options.nodes, ni="shrimp",
                         **latencies(options.quantum) | {"mesh_word": 1})
                 for count in (options.stores + SHORT, SHORT)]
        (sent, cycles), (sent_short, cycles_short) = map(_counts, lines)
        sent, cycles = sent - sent_short, cycles - cycles_short
        took = in_turns({"long": cpu(lines[0]), "short": cpu(lines[1])}, options.times)
        each = difference(took["long"], took["short"], sent)
        table.row(page, f"{sent:,}", f"{cycles:,}", f"{cycles * options.nodes / sent:.1f}",
                  each.inverse().short(), each * 1e9)
    table.note("ns a store: CPU time, including the guest's loop; `bench messages` has the same for messages.")
    table.note(SPREAD)
    table.show()
    return None


def _counts(line: list[str]) -> tuple[int, int]:
    """Stores and cycles, as the program counts them."""
    output = measure(line).stdout
    found = re.search(r"updates: ([\d,]+) stores in ([\d,]+) cycles", output)
    if not found:
        raise SetupError(f"updates printed no count:\n{output}")
    return int(found[1].replace(",", "")), int(found[2].replace(",", ""))

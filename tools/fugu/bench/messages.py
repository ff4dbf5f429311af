"""Messages per second of host time: eight nodes, each sends to all."""

from __future__ import annotations

import re

from ..errors import SetupError
from ._runs import command, cpu, latencies, measure, option_parser
from ._samples import SPREAD, difference, in_turns
from ._table import Table
from ._words import node_count, whole

SHORT = 100             # messages between each pair in the short run, which is subtracted


def main(argv: list[str]) -> int | None:
    """Measures several lengths of messages."""
    parser = option_parser("messages", 5)
    parser.add_argument("--nodes", type=node_count, default=8, metavar="N", help="default: %(default)s")
    parser.add_argument("--words", type=whole, nargs="+", default=[2, 4, 16], metavar="W",
                        help="words of a message (default: 2 4 16)")
    parser.add_argument("--messages", type=whole, default=20_000, metavar="M",
                        help="messages from each node to each (default: %(default)s)")
    parser.add_argument("--quantum", type=whole, default=64, metavar="Q", help="default: %(default)s")
    options = parser.parse_args(argv)

    table = Table(f"alltoall on {options.nodes} nodes, quantum {options.quantum}", "words", "messages", "cycles",
                  "cycles a message of a node", "messages/s", "ns a message", "M cycles/s")
    for words in options.words:
        lines = [command("alltoall", f"messages={count}", f"words={words}", nodes=options.nodes,
                         **latencies(options.quantum)) for count in (options.messages + SHORT, SHORT)]
        (sent, cycles), (sent_short, cycles_short) = map(_counts, lines)
        sent, cycles = sent - sent_short, cycles - cycles_short
        took = in_turns({"long": cpu(lines[0]), "short": cpu(lines[1])}, options.times)
        each = difference(took["long"], took["short"], sent)
        table.row(words, f"{sent:,}", f"{cycles:,}", f"{cycles * options.nodes / sent:.0f}",
                  each.inverse().short(), each * 1e9, each.inverse(cycles * options.nodes / sent / 1e6).short())
    table.note("ns a message: CPU time, including the guest's instructions at sender and receiver.")
    table.note(SPREAD)
    table.show()
    return None


def _counts(line: list[str]) -> tuple[int, int]:
    """Messages and cycles, as the program counts them."""
    output = measure(line).stdout
    found = re.search(r"alltoall: ([\d,]+) messages of \d+ words in ([\d,]+) cycles", output)
    if not found:
        raise SetupError(f"alltoall printed no count:\n{output}")
    return int(found[1].replace(",", "")), int(found[2].replace(",", ""))

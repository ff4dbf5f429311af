"""Messages a second of host time: everybody to everybody, eight nodes."""

from __future__ import annotations

import argparse
import re

from ..errors import SetupError
from ._runs import command, cpu, latencies, measure
from ._table import Table

SHORT = 100             # messages a pair of the run that is taken off


def main(argv: list[str]) -> int | None:
    """Measures several lengths of messages."""
    parser = argparse.ArgumentParser(prog="./run.sh bench messages")
    parser.add_argument("--nodes", type=int, default=8, metavar="N", help="default: %(default)s")
    parser.add_argument("--words", type=int, nargs="+", default=[2, 4, 16], metavar="W",
                        help="words of a message (default: 2 4 16)")
    parser.add_argument("--messages", type=int, default=20_000, metavar="M",
                        help="messages from each node to each (default: %(default)s)")
    parser.add_argument("--quantum", type=int, default=64, metavar="Q", help="default: %(default)s")
    parser.add_argument("--times", type=int, default=3, metavar="N",
                        help="the quickest of N runs counts (default: %(default)s)")
    options = parser.parse_args(argv)

    table = Table(f"alltoall on {options.nodes} nodes, quantum {options.quantum}", "words", "messages", "cycles",
                  "cycles a message of a node", "s", "messages/s", "ns a message", "M cycles/s")
    for words in options.words:
        lines = [command("alltoall", f"messages={count}", f"words={words}", nodes=options.nodes,
                         **latencies(options.quantum)) for count in (options.messages + SHORT, SHORT)]
        (sent, cycles), (sent_short, cycles_short) = map(_counts, lines)
        sent, cycles = sent - sent_short, cycles - cycles_short
        took = cpu(lines[0], options.times) - cpu(lines[1], options.times)
        table.row(words, f"{sent:,}", f"{cycles:,}", f"{cycles * options.nodes / sent:.0f}", f"{took:.2f}",
                  f"{sent / took:,.0f}", f"{took / sent * 1e9:.0f}",
                  f"{cycles * options.nodes / took / 1e6:.0f}")
    table.note("ns a message: all of it, the guest's instructions at both ends included. CPU time.")
    table.show()
    return None


def _counts(line: list[str]) -> tuple[int, int]:
    """Messages and cycles, by the program's own count."""
    output = measure(line).stdout
    found = re.search(r"alltoall: ([\d,]+) messages of \d+ words in ([\d,]+) cycles", output)
    if not found:
        raise SetupError(f"alltoall printed no count:\n{output}")
    return int(found[1].replace(",", "")), int(found[2].replace(",", ""))

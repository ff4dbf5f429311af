"""What the apps for the M-Machine's interface print: latencies under Glaze."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...errors import SetupError
from .designs import BLOCKWRITE, DISTRIBUTE, NODES, RPC

NULL = "null"               # a null round trip
# The apps, each with its nodes and words. Receivers are neighbours of node 0, or as on the bare machine.
APPS: dict[str, tuple[int, tuple[str, ...]]] = {
    "mmping": (2, ("1000",)), "mmrpc": (2, ("1000",)), "distribute": (NODES, ("1000",)), "blockwrite": (2, ("200",)),
}
LINES = {NULL: ("mmping", "null round trip"), RPC: ("mmrpc", "started"), DISTRIBUTE: ("distribute", "eight calls"),
         BLOCKWRITE: ("blockwrite", "1024 words in 103 messages")}
LINE = re.compile(r"^(.*): (\d+) cycles in \d+ of \d+, at most (\d+), ", re.MULTILINE)


def parse(texts: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """The least and the most cycles of each benchmark, from what each app has printed. SetupError if one is not there."""
    found: dict[str, tuple[int, int]] = {}
    for benchmark, (app, what) in LINES.items():
        seen = {name: (int(least), int(most)) for name, least, most in LINE.findall(texts[app])}
        if what not in seen:
            raise SetupError(f"{app} has not printed what it measures:\n{texts[app]}")
        found[benchmark] = seen[what]
    return found

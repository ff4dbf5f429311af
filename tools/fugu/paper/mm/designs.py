"""What tests/guest/m-machine/designs.c prints: latency and occupancy of each interface, way of dispatch and benchmark."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ...errors import SetupError

INTERFACES = ("m-machine", "register-buffered", "register-streaming", "memory-buffered", "memory-streaming")
PING, RPC, DISTRIBUTE, BLOCKWRITE = BENCHMARKS = ("ping", "rpc", "distribute", "blockwrite")
SOFT = "ping-soft"          # ping with software's translation of addresses
THREAD, POLL, INTERRUPT, WINDOW, IDLE = "thread", "poll", "interrupt", "window", "thread-idle"
LINE = re.compile(r"^(\S+) (\S+) node (\d+): busy (\d+) to (\d+)(?:, sent after (-?\d+))?"
                  r"(?:, latency (\d+) to (\d+))?(?:, first (\d+))?$", re.MULTILINE)
RECEIVERS = {PING: 1, RPC: 1, DISTRIBUTE: 8, BLOCKWRITE: 1, SOFT: 1}
NODES = 1 + max(RECEIVERS.values())


@dataclass(frozen=True)
class Seen:
    """A benchmark by one way of dispatch, in cycles. Each is a pair: the least and the most of all phases."""

    latency: tuple[int, int]
    occupancy: tuple[int, int]      # of all nodes
    receiver: tuple[int, int]       # of node 1
    first: int                      # blockwrite: when the first handler began, since the sender's first instruction


Design = Mapping[tuple[str, str], Seen]     # by dispatch, as the program names it, and benchmark


def parse(text: str) -> Design:
    """What a run has printed. SetupError if something is not there."""
    nodes: dict[tuple[str, str], dict[int, tuple[int | None, ...]]] = {}
    for dispatch, benchmark, node, *numbers in LINE.findall(text):
        nodes.setdefault((dispatch, benchmark), {})[int(node)] = tuple(int(word) if word else None for word in numbers)
    for (dispatch, benchmark), lines in nodes.items():
        if sorted(lines) != list(range(RECEIVERS[benchmark] + 1)):
            raise SetupError(f"{dispatch} {benchmark}: not all nodes have printed what they measured:\n{text}")
    wanted = {(dispatch, benchmark) for dispatch in _dispatches() for benchmark in RECEIVERS
              if not dispatch.startswith(POLL) or (benchmark != SOFT and (dispatch.endswith("hit") or benchmark == BLOCKWRITE))}
    if set(nodes) != wanted:
        raise SetupError(f"these were not measured: {sorted(wanted - set(nodes))}\n{text}")
    return {key: _seen(lines) for key, lines in nodes.items()}


def _dispatches() -> list[str]:
    return [IDLE, THREAD, *(f"{way}-{look}" for way in (POLL, INTERRUPT, WINDOW) for look in ("hit", "miss"))]


def _seen(lines: Mapping[int, tuple[int | None, ...]]) -> Seen:
    # A receiver knows when the try began, node 0 knows how long after that its sender did.
    after = lines[0][2] or 0
    ends = [(line[3], line[4]) for line in lines.values() if line[3] is not None and line[4] is not None]
    origin = 0 if lines[0][3] is not None else after
    least, most = (max(pair[k] for pair in ends) - origin for k in (0, 1))
    low, high = (sum(line[k] or 0 for line in lines.values()) for k in (0, 1))
    receiver = lines[1]
    return Seen((least, most), (low, high), (receiver[0] or 0, receiver[1] or 0), (receiver[5] or 0) - after)

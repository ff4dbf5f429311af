"""Numbers on the command line of a benchmark: what argparse takes for them, and what it says of others."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ..options import types
from ..options.table import NODES_MAX, PROCESSES_MAX

MOST = 10**9


def _of(parse: Callable[[str], int]) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
    return read


whole = _of(types.integer(1, MOST))
node_count = _of(types.integer(1, NODES_MAX, "nodes"))
process_count = _of(types.integer(2, PROCESSES_MAX, "processes"))


def positive(text: str) -> float:
    """A number above 0, possibly with a fraction or an exponent."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= MOST:
        raise argparse.ArgumentTypeError(f"must be a number above 0, up to {MOST:,}")
    return value

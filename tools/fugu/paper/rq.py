"""Remote queues: what items cost, beside the paper on Remote Queues."""

from __future__ import annotations

from ._command import run
from ._table import Result
from .queues import costs


def main(words: list[str]) -> int:
    """Measures and shows the table of costs."""
    return run("rq", measure, words)


def measure() -> Result:
    """Measures the costs."""
    return costs.measure()

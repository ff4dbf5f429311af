"""Remote queues: what items cost; rq solve, rq transpose and rq strided are the experiments of the paper."""

from __future__ import annotations

from ._command import run, run_programs
from ._table import Result
from .queues import costs, solve, strided, transpose

EXPERIMENTS = {"solve": solve, "transpose": transpose, "strided": strided}


def main(words: list[str]) -> int:
    """Shows the table of costs, or that of the experiment that the first word names (rq-NAME in the report)."""
    if words and words[0] in EXPERIMENTS:
        return run_programs(f"rq {words[0]}", EXPERIMENTS[words[0]].measure, words[1:])
    return run("rq", measure, words)


def measure() -> Result:
    """Measures the costs."""
    return costs.measure()

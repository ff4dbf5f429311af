"""From `./run.sh` to the first line of the guest's output, with everything built."""

from __future__ import annotations

import argparse
import statistics
import subprocess
import time

from ..errors import SetupError
from ..paths import ROOT
from ._table import Table
from ._words import whole


def main(argv: list[str]) -> int | None:
    """The median of several starts of the default run."""
    parser = argparse.ArgumentParser(prog="./run.sh bench start")
    parser.add_argument("--times", type=whole, default=5, metavar="N", help="the median of N (default: %(default)s)")
    parser.add_argument("words", nargs="*", help="arguments of run.sh, if not the default run")
    options = parser.parse_args(argv)

    starts = [_start(options.words) for _ in range(options.times)]
    table = Table(f"./run.sh {' '.join(options.words)}".rstrip() + ", seconds", "", "median", "least", "most")
    for number, what in enumerate(("to the first line of output", "to the end")):
        column = [times[number] for times in starts]
        table.row(what, *(f"{f(column):.3f}" for f in (statistics.median, min, max)))
    table.note(f"{options.times} starts. Wall time.")
    table.show()
    return None


def _start(words: list[str]) -> tuple[float, float]:
    start = time.monotonic()
    with subprocess.Popen([ROOT / "run.sh", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as run:
        assert run.stdout
        line = run.stdout.readline()
        first = time.monotonic() - start
        run.stdout.read()
    if run.returncode or not line:
        raise SetupError(f"./run.sh {' '.join(words)} ended with status {run.returncode}.")
    return first, time.monotonic() - start

"""`./run.sh bench`: the benchmarks, which are modules of fugu.bench."""

from __future__ import annotations

import os

from .. import bench
from ..paths import cache_dir
from ._measurements import Measurements


def main(words: list[str]) -> int:
    """Runs the named benchmark with its arguments, or all benchmarks."""
    return Measurements(bench, "benchmark").main(words, _prepare)


def _prepare() -> None:
    """Builds everything, puts its paths into the environment, and makes rich importable."""
    from ..build.everything import everything, paths
    from ..host.python_tools import PythonTools

    os.environ.update(paths(everything()))
    PythonTools(cache_dir()).activate()

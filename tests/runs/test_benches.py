"""Each benchmark runs from its beginning to its table, with as little work as it takes. What the tables say of given times
is in launcher/figures/test_bench_tables.py; here nothing stands in for the machine."""

from __future__ import annotations

import re

import pytest
from run_sh import run_sh

from fugu import bench
from fugu.commands._measurements import Measurements

# The words of a short run, and how the rows begin that it prints, in their order.
SHORT = {
    "back": (["--times", "1", "--nodes", "2", "--cycles", "20000", "40000"], ["2  20,000", "2  40,000"]),
    "digest": (["--runs", "1", "--each", "1", "ring", "1"], ["unchanged", "2 processes, shm", "8 processes, tcp"]),
    "messages": (["--times", "1", "--nodes", "2", "--words", "2", "16", "--messages", "20"], ["2  80", "16  80"]),
    "processes": (["--times", "1", "--processes", "2", "--nodes", "2", "--rounds", "100"], ["shm  2", "unix  2", "2 nodes"]),
    "rounds": (["--times", "1", "--nodes", "2", "3", "--seconds", "0.01"], ["waits  2", "waits  3", "runs  2", "runs  3"]),
    "scale": (["--times", "1", "--nodes", "2", "3", "--programs", "spin", "--seconds", "0.01"], ["spin", "2", "3"]),
    "speed": (["--times", "1", "--scale", "0.001", "--quantum", "64", "128", "--program", "fp"], ["fp  64", "fp  128"]),
    "start": (["--times", "1", "hello"], ["to the first line of output", "to the end"]),
    "timeline": (["--times", "1", "--messages", "10"], ["no", "figures", "timeline"]),
    "updates": (["--times", "1", "--nodes", "2", "--stores", "100"], ["mapped  400", "not mapped  400"]),
}


def test_all_are_here():
    assert sorted(SHORT) == Measurements(bench, "benchmark").names()


@pytest.mark.parametrize("name", SHORT)
def test_each_runs(name):
    words, rows = SHORT[name]
    done = run_sh("bench", name, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    lines = [re.sub(r" {2,}", "  ", line.strip()) for line in done.stdout.splitlines()]
    for row in rows:
        found = [at for at, line in enumerate(lines) if line.startswith(row)]
        assert found, f"no row {row!r}\n{done.stdout}"
        lines = lines[found[0] + 1:]

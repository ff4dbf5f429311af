"""The longest time for which a run's nodes serve neither network nor clock (docs/observing.md)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

from run_sh import run_sh

BOUND = 20_000          # cycles that docs/glaze.md promises, whatever programs do


@dataclass
class Longest:
    """The longest time of all nodes, where most of it was spent, and all that the run says about it."""

    cycles: int
    function: str
    text: str


def longest(folder: Path, *words: object, timeout: float = 120) -> tuple[Longest, CompletedProcess[str]]:
    """Runs ./run.sh with these words, and measures. `timeout` is in seconds of the host."""
    file = folder / "served.json"
    done = run_sh("--stats-json", file, *words, timeout=timeout)
    found = [node["longest_masked"] for node in json.loads(file.read_text())["nodes"] if node["longest_masked"]]
    worst = max(found, key=lambda one: one["cycles"])
    return Longest(worst["cycles"], next(iter(worst["functions"]), ""), str(worst)), done


def check_served(folder: Path, *words: object, status: int = 0, most: int = BOUND) -> None:
    """Runs ./run.sh with these words. No node serves network and clock later than promised."""
    worst, done = longest(folder, *words)
    assert done.returncode == status, done.stdout + done.stderr
    assert worst.cycles <= most, worst.text

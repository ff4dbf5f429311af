"""Runs of ./run.sh that are observed, and what all tests of them need."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from run_sh import run_sh

from fugu.paths import build_dir

PROGRAMS = build_dir() / "tests"
STRESS = PROGRAMS / "glaze" / "udmstress.elf"
DIGEST = re.compile(r"^digest: (\w+)$", re.MULTILINE)

# Runs that are observed in several ways: options, then jobs.
RUNS: dict[str, tuple[object, ...]] = {
    "pingpong": ("-n", 4, "pingpong", 20),
    "stress": ("-n", 4, "--atomicity-timeout", 500, STRESS, 7, 60),
    "soft atomicity": ("-n", 3, "--atomicity", "soft", STRESS, 5, 40),
    "two jobs": ("-n", 2, "--timeslice", 20000, "pingpong", 60, "+", "enum", 4),
    "without messages": ("-n", 3, "--ni", "none", "--timeslice", 20000, PROGRAMS / "kinds" / "messageless.elf", "+", "null",
                         400_000),
    "bare machine": ("-n", 5, "alltoall", "messages=40"),
    "three processes": ("-n", 5, "--processes", 3, STRESS, 3, 30),
}


def observed(*words: object, status: int = 0) -> str:
    """Runs ./run.sh with these words. Returns its standard output."""
    done = run_sh(*words)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def digest(output: str) -> str:
    """The digest that a run has printed."""
    found = DIGEST.findall(output)
    assert len(found) == 1, output
    return str(found[0])


def figures(folder: Path, *words: object) -> tuple[dict[str, Any], str]:
    """The figures of a run, and its standard output."""
    file = folder / "figures.json"
    output = observed("--digest", "--stats-json", file, *words)
    return json.loads(file.read_text()), output


def jobs(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The figures of each job on each node."""
    return [job for node in found["nodes"] for job in node["jobs"]]


def all_cycles(job: dict[str, Any]) -> int:
    """The cycles of a job, whatever it did."""
    cycles = job["cycles"]
    return int(cycles["user"] + cycles["handlers"] + sum(cycles["kernel"].values()) + sum(cycles["waits"].values())
               + cycles["ended"])

"""SPIN checks the model of two-case delivery (README.md).

Within each set of bounds SPIN looks at every interleaving and must find no
error. When the model forgets any one rule of rules.h, SPIN must find an
error. One checker is built for each set of bounds; the environment variable
BROKEN names the rule that it forgets.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DEPTH = 100_000         # steps of one run; the longest take some hundreds
MEMORY = 8000           # MiB

# THREADS and FUEL are for each process; the others are for the whole node (node.pml).
NAMES = ("PROCESSES", "THREADS", "MESSAGES", "FUEL", "QUANTA", "REQUESTS", "MISTAKES", "FLOATS", "PAGES", "STARVES")
BOUNDS = {
    "threads": (1, 2, 2, 4, 0, 0, 0, 0, 0, 0),
    "request": (1, 1, 3, 3, 0, 1, 0, 0, 0, 0),
    "mistakes": (1, 2, 2, 3, 0, 1, 1, 0, 0, 0),
    "switch": (2, 1, 2, 1, 2, 0, 0, 0, 0, 0),
    "away": (2, 1, 1, 2, 2, 1, 0, 0, 0, 0),
    "fpu": (1, 1, 3, 1, 0, 0, 0, 4, 0, 0),
    "paging": (1, 2, 2, 3, 0, 0, 0, 0, 1, 0),
    "starved": (2, 1, 2, 1, 1, 0, 0, 0, 0, 2),
    "memory": (2, 1, 1, 1, 1, 0, 0, 1, 1, 1),
    "together": (1, 1, 2, 2, 0, 1, 0, 2, 1, 1),
}
LONG_BOUNDS = {
    "more-threads": (1, 3, 2, 4, 0, 1, 0, 0, 0, 0),
    "more-mistakes": (1, 2, 3, 3, 0, 1, 1, 0, 0, 0),
    "more-switches": (2, 1, 2, 2, 3, 1, 0, 0, 0, 0),
    "more-fpu": (1, 1, 3, 2, 0, 1, 0, 4, 0, 0),
    "more-paging": (2, 1, 2, 1, 1, 0, 0, 0, 1, 1),
    "more-memory": (2, 1, 1, 2, 1, 1, 0, 2, 1, 1),
}

RULES = re.findall(r"^#define (\w+) +(\d+) +/\* (\w+): ", (HERE / "rules.h").read_text(), re.MULTILINE)

Check = Callable[..., str]


def build(folder: Path, bounds: tuple[int, ...]) -> None:
    """Builds the checker for these bounds as folder/pan."""
    shutil.rmtree(folder, ignore_errors=True)       # left by a build that failed
    folder.mkdir()
    defines = [f"-D{name}={value}" for name, value in zip(NAMES, bounds, strict=True)]
    fast = "-O1" if bounds in LONG_BOUNDS.values() else "-O0"       # for small bounds -O1 takes longer than it saves
    for file in (*HERE.glob("*.pml"), HERE / "rules.h"):
        (folder / file.name).symlink_to(file)
    for command in (["spin", *defines, "-a", "node.pml"],
                    ["gcc", fast, "-w", "-DSAFETY", f"-DMEMLIM={MEMORY}", "-o", "pan.part", "pan.c"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    (folder / "pan.part").rename(folder / "pan")


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """check(name, bounds, rule=0) -> the checker's output, with that rule forgotten."""
    # All workers of pytest-xdist share this parent folder.
    shared = tmp_path_factory.getbasetemp().parent / "model"

    def run(name: str, bounds: tuple[int, ...], rule: int = 0) -> str:
        shared.mkdir(exist_ok=True)
        with open(shared / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (shared / name / "pan").exists():
                build(shared / name, bounds)
        work = tmp_path_factory.mktemp(f"{name}-{rule}")     # for the trail
        done = subprocess.run([shared / name / "pan", f"-m{DEPTH}", "-n"], cwd=work, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env=os.environ | {"BROKEN": str(rule)})
        return done.stdout + done.stderr
    return run


def must_hold(output: str) -> int:
    """Fails unless the checker visited every state without an error. Returns the number of states."""
    assert "errors: 0" in output, output
    assert "Search not completed" not in output and "max search depth too small" not in output, output
    states = re.search(r"^ *(\S+) states, stored", output, re.MULTILINE)
    assert states, output
    return int(float(states[1]))


@pytest.mark.parametrize("name", BOUNDS)
def test_model_holds(name: str, check: Check) -> None:
    assert must_hold(check(name, BOUNDS[name])) > 50_000


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", LONG_BOUNDS)
def test_model_holds_within_larger_bounds(name: str, check: Check) -> None:
    assert must_hold(check(name, LONG_BOUNDS[name])) > 1_000_000


@pytest.mark.parametrize("rule, number, name", RULES, ids=[rule for rule, _, _ in RULES])
def test_rule_is_needed(rule: str, number: str, name: str, check: Check) -> None:
    """Without the rule, an assertion of udm.pml or of check_end fails."""
    output = check(name, BOUNDS[name], int(number))
    assert re.search(r"^pan:1: assertion violated ", output, re.MULTILINE), output


def test_model_uses_every_rule() -> None:
    """No two rules have the same number, and the model uses each rule."""
    lines = re.findall(r"^#define \w+ +\d", (HERE / "rules.h").read_text(), re.MULTILINE)
    assert len(RULES) == len(lines) == len({number for _, number, _ in RULES})
    text = "".join(file.read_text() for file in HERE.glob("*.pml"))
    used = set(re.findall(r"\w+", text)) | {f"{end}_{rule}" for end in ("EXTEND", "RETURN")
                                            for rule in re.findall(r"ENDED_KEEPS\((\w+)\)", text)}
    assert {rule for rule, _, _ in RULES} <= used

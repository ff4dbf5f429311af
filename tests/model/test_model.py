"""SPIN checks the model of two-case delivery (README.md).

Within each set of bounds SPIN looks at every interleaving and must find no
error. When the model forgets any one rule of rules.h, SPIN must find an
error. One checker is built for each set of bounds; the environment variable
BROKEN names the rule that it forgets.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from spin_checker import Model, must_hold, run

MODEL = Model(Path(__file__).parent, "node.pml", depth=100_000)     # the longest runs take some hundreds of steps

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

Check = Callable[..., str]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """check(name, bounds, rule=0) -> the checker's output, with that rule forgotten."""
    shared = tmp_path_factory.getbasetemp().parent / "model"

    def checked(name: str, bounds: tuple[int, ...], rule: int = 0) -> str:
        return run(MODEL, shared / name, dict(zip(NAMES, bounds, strict=True)),
                   tmp_path_factory.mktemp(f"{name}-{rule}"), rule=rule, fast=name in LONG_BOUNDS)
    return checked


@pytest.mark.parametrize("name", BOUNDS)
def test_model_holds(name: str, check: Check) -> None:
    assert must_hold(check(name, BOUNDS[name])) > 50_000


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", LONG_BOUNDS)
def test_model_holds_within_larger_bounds(name: str, check: Check) -> None:
    assert must_hold(check(name, LONG_BOUNDS[name])) > 1_000_000


@pytest.mark.parametrize("rule, number, name", MODEL.rules(), ids=[rule for rule, _, _ in MODEL.rules()])
def test_rule_is_needed(rule: str, number: str, name: str, check: Check) -> None:
    """Without the rule, an assertion of udm.pml or of check_end fails."""
    output = check(name, BOUNDS[name], int(number))
    assert re.search(r"^pan:1: assertion violated ", output, re.MULTILINE), output


def test_model_uses_every_rule() -> None:
    """No two rules have the same number, and the model uses each rule."""
    text = "".join(file.read_text() for file in MODEL.folder.glob("*.pml"))
    MODEL.check_rules({f"{end}_{rule}" for end in ("EXTEND", "RETURN")
                       for rule in re.findall(r"ENDED_KEEPS\((\w+)\)", text)})

"""SPIN checks the models of MBCF (README.md): the order of FIFOE, and the combined acknowledges of multicasts.

Within each set of bounds SPIN looks at every interleaving and must find no error. When a model forgets any one rule of
rules.h, SPIN must find an assertion that fails, or processes that wait for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from spin_checker import Model, must_hold, run

FOLDER = Path(__file__).parent
FIFO, CAST = (Model(FOLDER, main, depth=100_000) for main in ("fifo.pml", "cast.pml"))

# Bounds: the model, its numbers, and states of which there must be more.
BOUNDS = {
    "window": (FIFO, {"REQUESTERS": 1, "ENTRIES": 7, "ROOM": 2, "WINDOW": 4, "FUEL": 3, "PLAIN": 0}, 4_000),
    "plain": (FIFO, {"REQUESTERS": 1, "ENTRIES": 5, "ROOM": 2, "WINDOW": 3, "FUEL": 2, "PLAIN": 2}, 4_000),
    "two": (FIFO, {"REQUESTERS": 2, "ENTRIES": 3, "ROOM": 1, "WINDOW": 2, "FUEL": 1, "PLAIN": 0}, 10_000),
    "cast": (CAST, {"TASKS": 3, "COMMANDS": 1, "PLACES": 2, "ROOM": 2, "ENDS": 0, "ANY": 1}, 800_000),
    "ends": (CAST, {"TASKS": 3, "COMMANDS": 1, "PLACES": 2, "ROOM": 2, "ENDS": 1, "ANY": 0}, 600),
    "narrow": (CAST, {"TASKS": 2, "COMMANDS": 2, "PLACES": 2, "ROOM": 1, "ENDS": 0, "ANY": 1}, 100_000),
}
LONG_BOUNDS = {
    "long": (FIFO, {"REQUESTERS": 1, "ENTRIES": 12, "ROOM": 3, "WINDOW": 6, "FUEL": 6, "PLAIN": 2}, 40_000),
    "three": (FIFO, {"REQUESTERS": 3, "ENTRIES": 3, "ROOM": 2, "WINDOW": 2, "FUEL": 1, "PLAIN": 0}, 1_900_000),
    "both": (CAST, {"TASKS": 2, "COMMANDS": 2, "PLACES": 2, "ROOM": 2, "ENDS": 1, "ANY": 1}, 2_000_000),
}

Check = Callable[..., str]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """check(name, rule=0) -> the checker's output, with that rule forgotten."""
    shared = tmp_path_factory.getbasetemp().parent / "mbcf-model"

    def checked(name: str, rule: int = 0) -> str:
        model, numbers, _ = (BOUNDS | LONG_BOUNDS)[name]
        return run(model, shared / name, numbers, tmp_path_factory.mktemp(f"{name}-{rule}"), rule=rule,
                   gcc=("-DSAFETY", "-DCOLLAPSE"))
    return checked


@pytest.mark.parametrize("name", BOUNDS)
def test_mbcf_holds(name: str, check: Check) -> None:
    assert must_hold(check(name)) > BOUNDS[name][2]


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", LONG_BOUNDS)
def test_mbcf_holds_within_larger_bounds(name: str, check: Check) -> None:
    assert must_hold(check(name)) > LONG_BOUNDS[name][2]


@pytest.mark.parametrize("rule, number, name", FIFO.rules(), ids=[rule for rule, _, _ in FIFO.rules()])
def test_mbcf_needs_rule(rule: str, number: str, name: str, check: Check) -> None:
    output = check(name, int(number))
    assert re.search(r"^pan:1: (assertion violated|invalid end state)", output, re.MULTILINE), output


def test_mbcf_uses_every_rule() -> None:
    """No two rules have the same number, and the models use each rule."""
    FIFO.check_rules(set())

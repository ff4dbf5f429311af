"""SPIN checks the model of the ways of the scheduler's plans (README.md).

Within each set of bounds SPIN looks at every interleaving and must find no error. When the model forgets any one rule of
rules.h, SPIN must find an assertion that fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from spin_checker import Model, must_hold, run

MODEL = Model(Path(__file__).parent, "plans.pml", depth=100_000)

# Bounds: their numbers, and states of which there must be more.
BOUNDS = {
    "five": ({"NODES": 5, "PLANS": 2, "ROOM": 1, "SERVERS": 0}, 30_000),
    "room": ({"NODES": 4, "PLANS": 3, "ROOM": 2, "SERVERS": 0}, 30_000),
    "server": ({"NODES": 3, "PLANS": 3, "ROOM": 1, "SERVERS": 1}, 10_000),
}
LONG_BOUNDS = {
    "six": ({"NODES": 6, "PLANS": 3, "ROOM": 1, "SERVERS": 0}, 2_000_000),
    "servers": ({"NODES": 4, "PLANS": 2, "ROOM": 1, "SERVERS": 3}, 1_500_000),
}

Check = Callable[..., str]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """check(name, rule=0) -> the checker's output, with that rule forgotten."""
    shared = tmp_path_factory.getbasetemp().parent / "plans-model"

    def checked(name: str, rule: int = 0) -> str:
        return run(MODEL, shared / name, (BOUNDS | LONG_BOUNDS)[name][0], tmp_path_factory.mktemp(f"{name}-{rule}"),
                   rule=rule, gcc=("-DSAFETY", "-DCOLLAPSE"), fast=name in LONG_BOUNDS)
    return checked


@pytest.mark.parametrize("name", BOUNDS)
def test_plans_reach_all(name: str, check: Check) -> None:
    assert must_hold(check(name)) > BOUNDS[name][1]


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", LONG_BOUNDS)
def test_plans_reach_all_within_larger_bounds(name: str, check: Check) -> None:
    assert must_hold(check(name)) > LONG_BOUNDS[name][1]


@pytest.mark.parametrize("rule, number, name", MODEL.rules(), ids=[rule for rule, _, _ in MODEL.rules()])
def test_plans_need_rule(rule: str, number: str, name: str, check: Check) -> None:
    output = check(name, int(number))
    assert re.search(r"^pan:1: assertion violated", output, re.MULTILINE), output


def test_plans_use_every_rule() -> None:
    """No two rules have the same number, and the model uses each rule."""
    MODEL.check_rules(set())

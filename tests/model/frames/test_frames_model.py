"""SPIN checks the model of waits for memory (README.md).

Within each set of bounds SPIN looks at every order of events, and must find that each job goes on after a bounded
number of transfers. When the model forgets any one rule of rules.h, SPIN must find an order in which a job waits
longer, or in which nothing happens any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from spin_checker import Model, must_hold, run

MODEL = Model(Path(__file__).parent, "frames.pml", depth=1_000_000)

# Bounds: the model's numbers, and states of which there must be more.
BOUNDS = {
    "pages": ({"PAGES": 3, "FRAMES": 2, "CALLS": 0, "MESSAGES": 0, "PUT_OFF": 1, "BOUND": 40}, 200_000),
    "calls": ({"PAGES": 3, "FRAMES": 3, "CALLS": 1, "MESSAGES": 0, "PUT_OFF": 1, "BOUND": 50}, 3_000_000),
    "waits": ({"PAGES": 3, "FRAMES": 2, "CALLS": 0, "MESSAGES": 1, "PUT_OFF": 1, "BOUND": 40}, 200_000),
}
LONG_BOUNDS = {
    "three": ({"PAGES": 3, "FRAMES": 3, "CALLS": 0, "MESSAGES": 0, "PUT_OFF": 1, "BOUND": 40}, 2_000_000),
}

Check = Callable[..., str]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """check(name, rule=0) -> the checker's output, with that rule forgotten."""
    shared = tmp_path_factory.getbasetemp().parent / "frames-model"

    def checked(name: str, rule: int = 0) -> str:
        return run(MODEL, shared / name, (BOUNDS | LONG_BOUNDS)[name][0], tmp_path_factory.mktemp(f"{name}-{rule}"),
                   rule=rule, fast=True)
    return checked


@pytest.mark.parametrize("name", ["pages", "waits", pytest.param("calls", marks=pytest.mark.long)])
def test_each_job_goes_on(name: str, check: Check) -> None:
    assert must_hold(check(name)) > BOUNDS[name][1]


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", LONG_BOUNDS)
def test_each_job_goes_on_within_larger_bounds(name: str, check: Check) -> None:
    assert must_hold(check(name)) > LONG_BOUNDS[name][1]


@pytest.mark.parametrize("rule, number, name", MODEL.rules(), ids=[rule for rule, _, _ in MODEL.rules()])
def test_frames_rule_is_needed(rule: str, number: str, name: str, check: Check) -> None:
    output = check(name, int(number))
    assert re.search(r"^pan:1: (assertion violated|invalid end state)", output, re.MULTILINE), output


def test_frames_model_uses_every_rule() -> None:
    """No two rules have the same number, and the model uses each rule."""
    MODEL.check_rules(set())

"""SPIN checks the model of shoot-downs (README.md).

SPIN looks at every order of events, and must find no packet that reaches a frame which is not the page's any more, no
store that is lost, and no process that waits for ever. When the model forgets any one rule of rules.h, SPIN must find such an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from spin_checker import Model, must_hold, run

MODEL = Model(Path(__file__).parent, "shoot.pml", depth=1_000_000)

# Bounds: the model's numbers, and states of which there must be more.
BOUNDS = {
    "pages": ({"STORES": 2, "EVICTIONS": 2}, 100_000),
}

Check = Callable[..., str]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """check(name, rule=0) -> the checker's output, with that rule forgotten."""
    shared = tmp_path_factory.getbasetemp().parent / "shoot-model"

    def checked(name: str, rule: int = 0) -> str:
        return run(MODEL, shared / name, BOUNDS[name][0], tmp_path_factory.mktemp(f"{name}-{rule}"), rule=rule, fast=True)
    return checked


@pytest.mark.parametrize("name", BOUNDS)
def test_no_page_goes_with_a_packet_under_way(name: str, check: Check) -> None:
    assert must_hold(check(name)) > BOUNDS[name][1]


@pytest.mark.parametrize("rule, number, name", MODEL.rules(), ids=[rule for rule, _, _ in MODEL.rules()])
def test_shoot_rule_is_needed(rule: str, number: str, name: str, check: Check) -> None:
    output = check(name, int(number))
    assert re.search(r"^pan:1: (assertion violated|invalid end state)", output, re.MULTILINE), output


def test_shoot_model_uses_every_rule() -> None:
    """No two rules have the same number, and the model uses each rule."""
    MODEL.check_rules(set())

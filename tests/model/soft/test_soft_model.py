"""SPIN checks the model of soft atomicity (README.md).

SPIN looks at every interleaving and must find no error. When the model forgets any one rule of rules.h, SPIN must find
an assertion that fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from spin_checker import Model, must_hold, run

MODEL = Model(Path(__file__).parent, "soft.pml", depth=100_000)
BOUNDS = {"small": {"MESSAGES": 3}}

Check = Callable[..., str]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """check(name, rule=0) -> the checker's output, with that rule forgotten."""
    shared = tmp_path_factory.getbasetemp().parent / "soft-model"

    def checked(name: str, rule: int = 0) -> str:
        return run(MODEL, shared / name, BOUNDS[name], tmp_path_factory.mktemp(f"{name}-{rule}"), rule=rule)
    return checked


@pytest.mark.parametrize("name", BOUNDS)
def test_soft_model_holds(name: str, check: Check) -> None:
    assert must_hold(check(name)) > 80


@pytest.mark.parametrize("rule, number, name", MODEL.rules(), ids=[rule for rule, _, _ in MODEL.rules()])
def test_soft_model_needs_rule(rule: str, number: str, name: str, check: Check) -> None:
    output = check(name, int(number))
    assert re.search(r"^pan:1: assertion violated ", output, re.MULTILINE), output


def test_soft_model_uses_every_rule() -> None:
    """No two rules have the same number, and the model uses each rule."""
    MODEL.check_rules(set())

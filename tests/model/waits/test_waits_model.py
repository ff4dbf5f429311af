"""SPIN checks the model of a process that is about to wait (README.md).

Within each set of bounds SPIN looks at every interleaving and must find no error. When the model forgets any one rule of
rules.h, SPIN must find an assertion that fails, or a process that sleeps for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from spin_checker import Model, must_hold, run

MODEL = Model(Path(__file__).parent, "waits.pml", depth=10_000)

# Bounds: their numbers, and states of which there must be more.
BOUNDS = {
    "one": ({"EACH": 2, "MBCF": 0, "LATE": 0, "HELD": 0}, 1_000),
    "wakes": ({"EACH": 3, "MBCF": 1, "LATE": 0, "HELD": 0}, 30),
    "early": ({"EACH": 2, "MBCF": 0, "LATE": 1, "HELD": 0}, 20),
    "held": ({"EACH": 2, "MBCF": 0, "LATE": 0, "HELD": 1}, 1_000),
}

Check = Callable[..., str]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """check(name, rule=0) -> the checker's output, with that rule forgotten."""
    shared = tmp_path_factory.getbasetemp().parent / "waits-model"

    def checked(name: str, rule: int = 0) -> str:
        return run(MODEL, shared / name, BOUNDS[name][0], tmp_path_factory.mktemp(f"{name}-{rule}"), rule=rule)
    return checked


@pytest.mark.parametrize("name", BOUNDS)
def test_waits_hold(name: str, check: Check) -> None:
    assert must_hold(check(name)) > BOUNDS[name][1]


@pytest.mark.parametrize("rule, number, name", MODEL.rules(), ids=[rule for rule, _, _ in MODEL.rules()])
def test_waits_need_rule(rule: str, number: str, name: str, check: Check) -> None:
    output = check(name, int(number))
    assert re.search(r"^pan:1: (assertion violated|invalid end state)", output, re.MULTILINE), output


def test_waits_use_every_rule() -> None:
    """No two rules have the same number, and the model uses each rule."""
    MODEL.check_rules({f"LOOKS_AT_{name}" for name in ("BUFFER", "PAGES", "SIGNALS", "ALARM")}
                      | {"BUFFER_WAKES", "PAGES_WAKE", "SIGNALS_WAKE"})

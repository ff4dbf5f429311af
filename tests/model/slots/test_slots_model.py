"""SPIN checks the models of message slots (README.md).

Within each set of bounds SPIN looks at every interleaving and must find no error. When a model forgets any one rule of
rules.h, SPIN must find an assertion that fails, or a message that waits for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from spin_checker import Model, must_hold, run

FOLDER = Path(__file__).parent
SLOTS, TABLE, PRIORITIES, REUSE, WAKE = (Model(FOLDER, f"{main}.pml", depth=1_000_000)
                                         for main in ("slots", "table", "priorities", "reuse", "wake"))

# Bounds: the model, its numbers, and states of which there must be more.
BOUNDS = {
    "pages": (SLOTS, {"MESSAGES": 1, "OUTS": 2, "UNMAPS": 1, "ENDS": 0}, 350_000),
    "ends": (SLOTS, {"MESSAGES": 1, "OUTS": 1, "UNMAPS": 0, "ENDS": 1}, 310_000),
    "table": (TABLE, {"SENDS": 2}, 9_000),
    "two": (PRIORITIES, {"NODES": 2, "REQUESTS": 3, "SPACE": 1}, 800_000),
    "gid": (REUSE, {"REQUESTS": 2}, 30_000),
    "wake": (WAKE, {"STORES": 2, "OTHERS": 1}, 6_000),
}
LONG_BOUNDS = {
    "all": (SLOTS, {"MESSAGES": 1, "OUTS": 3, "UNMAPS": 2, "ENDS": 1}, 2_500_000),
    "more": (PRIORITIES, {"NODES": 2, "REQUESTS": 4, "SPACE": 2}, 2_000_000),
}

Check = Callable[..., str]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """check(name, rule=0) -> the checker's output, with that rule forgotten."""
    shared = tmp_path_factory.getbasetemp().parent / "slots-model"

    def checked(name: str, rule: int = 0) -> str:
        model, numbers, _ = (BOUNDS | LONG_BOUNDS)[name]
        return run(model, shared / name, numbers, tmp_path_factory.mktemp(f"{name}-{rule}"), rule=rule)
    return checked


@pytest.mark.parametrize("name", BOUNDS)
def test_slots_hold(name: str, check: Check) -> None:
    assert must_hold(check(name)) > BOUNDS[name][2]


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", LONG_BOUNDS)
def test_slots_hold_within_larger_bounds(name: str, check: Check) -> None:
    assert must_hold(check(name)) > LONG_BOUNDS[name][2]


@pytest.mark.parametrize("rule, number, name", SLOTS.rules(), ids=[rule for rule, _, _ in SLOTS.rules()])
def test_slots_need_rule(rule: str, number: str, name: str, check: Check) -> None:
    output = check(name, int(number))
    assert re.search(r"^pan:1: (assertion violated|invalid end state)", output, re.MULTILINE), output


def test_slots_use_every_rule() -> None:
    """No two rules have the same number, and the models use each rule."""
    SLOTS.check_rules(set())

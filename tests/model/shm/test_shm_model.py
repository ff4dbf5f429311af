"""SPIN checks the model of the protocol of shared memory (README.md).

Within each set of bounds SPIN looks at every interleaving and must find no error. When the model forgets any one rule
of rules.h, SPIN must find a read of an old value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from spin_checker import Model, must_hold, run

MODEL = Model(Path(__file__).parent, "shm.pml", depth=1_000_000)

NAMES = ("NODES", "PAGES", "FUEL", "FORGETFUL", "LOCKED", "WRITER", "FREE", "WHOLES", "ORDER", "CARRY")
BOUNDS = {
    "pair": (2, 1, 2, 0, 1, 0, 1, 0, 1, 0),
    "three": (3, 1, 1, 0, 1, 0, 0, 0, 1, 0),
    "flag": (2, 2, 2, 0, 0, 0, 0, 0, 1, 0),
    "whole": (2, 1, 2, 0, 1, 0, 1, 1, 1, 0),
    "blocks": (2, 1, 2, 0, 2, 0, 1, 0, 1, 0),
    "log-three": (3, 1, 2, 1, 1, 0, 2, 0, 1, 0),
    "no-order": (2, 1, 2, 0, 1, 0, 1, 0, 0, 0),
    "no-order-blocks": (2, 1, 2, 0, 2, 0, 1, 0, 0, 0),
    "carry": (2, 1, 2, 0, 1, 0, 1, 0, 0, 1),
}
LONG_BOUNDS = {
    "whole-three": (3, 1, 1, 0, 1, 0, 0, 1, 1, 0),
    "log": (2, 1, 2, 2, 1, 0, 1, 0, 1, 0),
    "carry-whole": (2, 1, 2, 0, 1, 0, 1, 1, 0, 1),
    "seen": (2, 1, 2, 0, 1, 0, 1, 0, 0, 3),
    "carry-three": (3, 1, 1, 0, 1, 0, 1, 0, 0, 1),
    "no-order-whole": (2, 1, 2, 0, 1, 0, 1, 1, 0, 0),
    "no-order-three": (3, 1, 1, 0, 1, 0, 0, 0, 0, 0),
    "pages": (2, 2, 2, 0, 1, 0, 1, 0, 1, 0),
    "flag-page": (2, 1, 2, 0, 0, 1, 0, 0, 1, 0),
    "flag-home": (2, 2, 2, 0, 0, 1, 0, 0, 1, 0),
    "flag-three": (3, 2, 1, 0, 0, 1, 0, 0, 1, 0),
}
# Too large to be searched to the end. The checker stops soon if a rule is forgotten.
ENDLESS = {
    "flag-log": (3, 2, 1, 1, 0, 1, 0, 0, 1, 0),
    "carry-own": (2, 1, 2, 0, 1, 0, 1, 0, 0, 2),
}
# T_REVERSE: later alternatives first. So the checker finds what rules of flag-log forget ten times as soon.
# -Og, after the usual -O0, takes 3 s more to compile, and a third off a search of millions of states.
GCC = ("-Og", "-DSAFETY", "-DCOLLAPSE", "-DT_REVERSE")
# A hash table of 2^26 places, for up to 20 million states.
MANY = ("-w26",)

Check = Callable[..., str]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """check(name, rule=0) -> the checker's output, with that rule forgotten."""
    shared = tmp_path_factory.getbasetemp().parent / "shm-model"

    def checked(name: str, rule: int = 0) -> str:
        bounds = (BOUNDS | LONG_BOUNDS | ENDLESS)[name]
        return run(MODEL, shared / name, dict(zip(NAMES, bounds, strict=True)),
                   tmp_path_factory.mktemp(f"{name}-{rule}"), rule=rule, gcc=GCC, pan=() if rule else MANY)
    return checked


@pytest.mark.parametrize("name", BOUNDS)
def test_shared_memory_holds(name: str, check: Check) -> None:
    assert must_hold(check(name)) > 500_000


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", LONG_BOUNDS)
def test_shared_memory_holds_within_larger_bounds(name: str, check: Check) -> None:
    assert must_hold(check(name)) > 1_000_000


@pytest.mark.parametrize("rule, number, name", MODEL.rules(), ids=[rule for rule, _, _ in MODEL.rules()])
def test_shared_memory_needs_rule(rule: str, number: str, name: str, check: Check) -> None:
    output = check(name, int(number))
    assert re.search(r"^pan:1: assertion violated \(memory\[", output, re.MULTILINE), output


def test_shared_memory_uses_every_rule() -> None:
    """No two rules have the same number, and the model uses each rule."""
    MODEL.check_rules(set())

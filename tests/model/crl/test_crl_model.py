"""SPIN checks the model of CRL's protocol (README.md).

SPIN looks at every state that nodes can reach, however long they run, and must find no error. When the model forgets
any one rule of rules.h, SPIN must find an error. Most bounds are for states: an assertion fails, or a node waits though
nothing more happens. Those named live are for whole runs: a node waits for ever, while others go on for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from spin_checker import Model, must_hold, run

MODEL = Model(Path(__file__).parent, "crl.pml", depth=1_000_000)

NAMES = ("NODES", "REGIONS", "BODIES", "DELETES", "CROSSED")
BOUNDS = {
    "two": (2, 1, 1, 1, 0),
    "words": (3, 1, 0, 0, 0),
    "bodies": (3, 1, 1, 0, 0),
    "delete": (3, 1, 0, 1, 0),
    "delete-bodies": (3, 1, 1, 1, 0),
    "ordered": (2, 2, 1, 1, 0),
    "crossed": (2, 2, 1, 0, 1),
}
LONG_BOUNDS = {
    "four": (4, 1, 0, 1, 0),
    "four-bodies": (4, 1, 1, 0, 0),
}
# The node whose operations must begin, and the bounds. With two regions, a program may keep one open and use the other
# for ever.
LIVE = {
    "home-live": (0, (3, 1, 0, 0, 0)),
    "remote-live": (1, (3, 1, 1, 0, 0)),
}
LONG_LIVE = {
    "home-live-bodies": (0, (3, 1, 1, 0, 0)),
}
FAIR = ("-a", "-f")     # infinite runs in which each process continues that can

Check = Callable[..., str]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """check(name, rule=0) -> the checker's output, with that rule forgotten."""
    shared = tmp_path_factory.getbasetemp().parent / "crl-model"

    def checked(name: str, rule: int = 0) -> str:
        work = tmp_path_factory.mktemp(f"{name}-{rule}")
        fast = name in LONG_BOUNDS | LONG_LIVE
        if name in LIVE | LONG_LIVE:
            started, bounds = (LIVE | LONG_LIVE)[name]
            return run(MODEL, shared / name, dict(zip(NAMES, bounds, strict=True)) | {"STARTED": started}, work,
                       rule=rule, gcc=("-DNFAIR=4",), pan=FAIR, fast=fast)
        bounds = (BOUNDS | LONG_BOUNDS)[name]
        return run(MODEL, shared / name, dict(zip(NAMES, bounds, strict=True)), work, rule=rule, fast=fast,
                   pan=("-m10000000",) if fast else ())
    return checked


@pytest.mark.parametrize("name", BOUNDS | LIVE)
def test_protocol_holds(name: str, check: Check) -> None:
    assert must_hold(check(name)) > (1_000 if name == "two" else 40_000)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", LONG_BOUNDS | LONG_LIVE)
def test_protocol_holds_within_larger_bounds(name: str, check: Check) -> None:
    assert must_hold(check(name)) > 90_000


@pytest.mark.parametrize("rule, number, name", MODEL.rules(), ids=[rule for rule, _, _ in MODEL.rules()])
def test_protocol_needs_rule(rule: str, number: str, name: str, check: Check) -> None:
    output = check(name, int(number))
    error = "acceptance cycle" if name in LIVE else "assertion violated |invalid end state"
    assert re.search(rf"^pan:1: ({error})", output, re.MULTILINE), output


def test_protocol_uses_every_rule() -> None:
    """No two rules have the same number, and the model uses each rule."""
    MODEL.check_rules(set())

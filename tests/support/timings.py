"""One program at many timings (fugu/vary/timings.py), for tests: what it computes, and what the libraries promise it,
holds at each of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from machine_runs import Result

from fugu.vary.timings import BESIDE, timing


def way(name: str, number: int) -> tuple[list[object], dict[str, Any]]:
    """Another job beside the program, or none, and the options of a way to run it; they depend on the timing too.

    Ways are "hard", "soft", "short" (sections and handlers are revoked all the time), "beside" (messages are buffered
    while the other job has its slots), and combinations such as "soft-beside".
    """
    rng = random.Random(-number)
    beside: list[object] = []
    options: dict[str, Any] = {}
    for part in name.split("-"):
        if part == "soft":
            options["atomicity"] = "soft"
        elif part == "short":
            options["atomicity_timeout"] = rng.randint(200, 1200)
        elif part == "beside":
            beside = list(BESIDE)
            options["timeslice"] = rng.randint(15_000, 90_000)
        else:
            assert part == "hard", name
    return beside, options


@pytest.fixture
def scan(machine: Callable[..., Result], request: pytest.FixtureRequest) -> Callable[..., None]:
    """scan(numbers, name, right, *words, ...): runs a program, with options, at these timings, in the way `name`.

    --timings replaces the numbers. Fails the test if right(result) is not true of each run, with the first wrong run and the numbers of all.
    """
    def run(numbers: Iterable[int], name: str, right: Callable[[Result], bool], *words: object, **options: Any) -> None:
        wrong: dict[int, str] = {}
        for number in request.config.getoption("--timings") or numbers:
            beside, more = way(name, number)
            try:
                result = machine(*words, *beside, **timing(number) | options | more)
            except pytest.fail.Exception as late:           # it has taken too much of the host's time
                wrong[number] = str(late)
                continue
            if not right(result):
                wrong[number] = result.report()
        if wrong:
            first = min(wrong)
            pytest.fail(f"wrong at the timings {sorted(wrong)}, the way {name}. Timing {first}:\n{wrong[first]}",
                        pytrace=False)
    return run

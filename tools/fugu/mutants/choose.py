"""Chooses the tests that may notice a mistake: those that reach its line, within a budget of time."""

from __future__ import annotations

import json
from pathlib import Path

from ..cover.store import Store, TimedTest, moved
from .draw import NOP, Mutant

# What they check is not what the code does, but where it lies, or how long each part takes.
NOT_CHOSEN = ("structure/", "paper/", "arm64/", "cluster/", "launcher/testing/")
UNIT = "unit/meson.build"
FEWEST = 8               # tests that run whatever they take


def choose(store: Store, mutant: Mutant, root: Path, then: Path, seconds: float, build: Path) -> tuple[list[str], float]:
    """The names of the tests, as seen from the checkout, and their seconds. Empty if no test reaches the line.

    `then` holds the sources from when the lines were noted. Each file of tests gives its quickest test first, then
    its second, and so on: FEWEST tests, and more until they take `seconds` together. A nop moves what comes behind
    it, so there tests count that reach any line of the file.
    """
    texts = [_text(one / mutant.file) for one in (root, then)]
    lines = range(1, len(texts[1]) + 1) if mutant.kind == NOP else moved(*texts, mutant.line)
    tests = [test for test in store.tests_of(mutant.file, lines) if not test.name.startswith(NOT_CHOSEN)]
    ranks: dict[str, int] = {}
    ranked: list[tuple[int, float, TimedTest]] = []
    for test in tests:
        ranks[test.file] = ranks.get(test.file, -1) + 1
        ranked.append((ranks[test.file], test.seconds, test))
    chosen, total = [], 0.0
    for _, took, test in sorted(ranked, key=lambda one: one[:2]):
        if total + took <= seconds or len(chosen) < FEWEST:
            chosen.append(f"tests/{test.name}")
            total += took
    return [*_unit_tests(build, root, mutant), *chosen], total


def _unit_tests(build: Path, root: Path, mutant: Mutant) -> list[str]:
    """The unit tests that are compiled from the file: no lines are noted of them, and they take no time."""
    if mutant.area != "hw":
        return []
    try:
        targets = json.loads((build / "meson-info" / "intro-targets.json").read_text())
        tests = json.loads((build / "meson-info" / "intro-tests.json").read_text())
    except FileNotFoundError:
        return []
    made_of = {name: {source for part in target["target_sources"] for source in part.get("sources", [])}
               for target in targets for name in target["filename"]}
    return [f"tests/{UNIT}::{test['name']}" for test in tests
            if any(Path(source).parts[-len(Path(mutant.file).parts):] == Path(mutant.file).parts
                   for source in made_of.get(test["cmd"][0], ()))]


def _text(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []

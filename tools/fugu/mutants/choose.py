"""Chooses the tests that may notice a mistake: those that reach its line, within a budget of time."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ..cover.store import Store, TimedTest, moved
from .draw import NOP, Mutant

# What they check is the text of the sources, or they need another host or Slurm.
NOT_CHOSEN = ("structure/", "arm64/", "cluster/")
# Exact cycles of C code, which any change of a guest program's layout moves. Those of table 4 do not move.
GUESTS = ("kernel", "libraries")
LAYOUT = re.compile(r"paper/test_tables\.py::(?!.*\[table4\])")
UNIT = "unit/meson.build"
FEWEST = 8               # tests that run whatever they take


def choose(store: Store, mutant: Mutant, root: Path, then: Path, seconds: float, build: Path) -> tuple[list[str], float]:
    """The names of the tests, as seen from the checkout, and their seconds. Empty if no test reaches the line.

    `then` holds the sources from when the lines were noted. FEWEST tests run, and more until they take `seconds`
    together. A nop moves what comes behind it, so there tests count that reach any line of the file. They do for a
    line of Python outside functions too: it is noted for whichever test imports the module first.
    """
    texts = [_text(one / mutant.file) for one in (root, then)]
    anywhere = mutant.kind == NOP or _runs_on_import(mutant, texts[0])
    lines = set(range(1, len(texts[1]) + 1) if anywhere else moved(*texts, mutant.line))
    reach = {test: found for test, found in store.reach(mutant.file).items() if _may_run(test, mutant.area)}
    chosen, total, ready = [], 0.0, set[str]()
    for test in _in_turns(_closest(reach, lines), _quickest(reach, lines)):
        takes = test.seconds + sum(took for fixture, took in test.shared if fixture not in ready)
        if total + takes <= seconds or len(chosen) < FEWEST:
            chosen.append(f"tests/{test.name}")
            total += takes
            ready.update(fixture for fixture, _ in test.shared)
        elif total >= seconds:
            break
    return [*_unit_tests(build, root, mutant), *chosen], total


def _runs_on_import(mutant: Mutant, text: list[str]) -> bool:
    if not mutant.file.endswith(".py"):
        return False
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return not any(isinstance(one, functions) and one.body[0].lineno <= mutant.line <= (one.end_lineno or 0)
                   for one in ast.walk(ast.parse("\n".join(text))))


def _may_run(test: TimedTest, area: str) -> bool:
    return not test.name.startswith(NOT_CHOSEN) and not (area in GUESTS and LAYOUT.match(test.name))


def _in_turns(*orders: Iterator[TimedTest]) -> Iterator[TimedTest]:
    """The tests of several orders by turns, each test once."""
    seen: set[TimedTest] = set()
    left = list(orders)
    while left:
        for order in list(left):
            test = next((one for one in order if one not in seen), None)
            if test is None:
                left.remove(order)
                continue
            seen.add(test)
            yield test


def _quickest(reach: dict[TimedTest, set[int]], lines: set[int]) -> Iterator[TimedTest]:
    """The quickest test of each file of tests, then the second of each, and so on: many kinds of tests."""
    ranks: Counter[str] = Counter()
    ranked = []
    for test in sorted((test for test, found in reach.items() if found & lines), key=_cost):
        ranked.append((ranks[test.file], _cost(test), test))
        ranks[test.file] += 1
    return (test for *_, test in sorted(ranked, key=lambda one: one[:2]))


def _closest(reach: dict[TimedTest, set[int]], lines: set[int]) -> Iterator[TimedTest]:
    """The tests that are made for this file: first the one that reaches the most lines which few tests reach.

    Each further test adds the most to those before it; when nothing is left to add, it begins anew. A line counts
    the less the more tests reach it.
    """
    count = Counter(line for found in reach.values() for line in found)
    alike: dict[frozenset[int], list[TimedTest]] = {}
    for test, found in reach.items():
        if found & lines:
            alike.setdefault(frozenset(found), []).append(test)
    for tests in alike.values():
        tests.sort(key=_cost, reverse=True)
    everything = frozenset(count)
    left = everything
    while alike:
        best = max(alike, key=lambda found: (sum(1 / count[line] for line in found & left), sorted(found)))
        if not best & left:
            left = everything
            continue
        left -= best
        yield alike[best].pop()
        if not alike[best]:
            del alike[best]


def _cost(test: TimedTest) -> tuple[float, str]:
    return test.alone, test.name


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

"""What was noted of all tests, in the folder tests/: for each file of tests a database of coverage.py's, and times."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..host import storage
from .guest import Lines


@dataclass(frozen=True)
class TimedTest:
    """A test, by pytest's name, and the seconds that it took while its lines were noted."""

    name: str
    seconds: float              # without the fixtures that it shares with others
    shared: tuple[tuple[str, float], ...] = ()      # those, each with its seconds

    @property
    def file(self) -> str:
        return self.name.partition("::")[0]

    @property
    def alone(self) -> float:
        """The seconds that it takes when no other test runs."""
        return self.seconds + sum(took for _, took in self.shared)


class Store:
    """The notes in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "tests"
        self.opened: list[Any] | None = None

    def take_in(self, new: Path) -> int:
        """Adds what a run has noted, in place of older notes of the same tests. Returns the number of tests."""
        import coverage

        slugs: dict[str, list[Path]] = {}
        for times in sorted(new.glob("*.times")):
            slugs.setdefault(times.name.partition(".")[0], []).append(times)
        self.data.mkdir(parents=True, exist_ok=True)
        count = 0
        for slug, all_times in slugs.items():
            seconds = {test: took for times in all_times
                       for test, *took in map(json.loads, times.read_text().splitlines())}
            count += len(seconds)
            part = self.data / f".{slug}.part"
            part.unlink(missing_ok=True)
            data = coverage.CoverageData(str(part))
            for times in all_times:
                found = coverage.CoverageData(str(times.with_suffix("")))
                found.read()
                data.update(found)
                found.close()
            target, old = self.data / f"{slug}.sqlite", self.times(slug)
            if target.exists():
                before = coverage.CoverageData(str(target))
                before.read()
                for test in old.keys() - seconds.keys():
                    before.set_query_context(test)
                    data.set_context(test)
                    data.add_lines({file: before.lines(file) or () for file in before.measured_files()})
                before.close()
            data.close()
            storage.write_atomically(self.data / f"{slug}.json", json.dumps(old | seconds, indent=0))
            part.replace(target)
        self.opened = None
        return count

    def times(self, slug: str) -> dict[str, tuple[float, dict[str, float]]]:
        """The seconds of each test of a file of tests, and those of each fixture that it shares."""
        try:
            found: dict[str, tuple[float, dict[str, float]]] = json.loads((self.data / f"{slug}.json").read_text())
        except FileNotFoundError:
            return {}
        return found

    def all_tests(self) -> list[TimedTest]:
        """All tests of which lines are noted."""
        return [TimedTest(test, took, tuple(shared.items())) for file in sorted(self.data.glob("*.json"))
                for test, (took, shared) in self.times(file.stem).items()]

    def reach(self, file: str) -> dict[TimedTest, set[int]]:
        """The lines of a file that each test reaches, of those that reach any."""
        tests = {test.name: test for test in self.all_tests()}
        found: dict[TimedTest, set[int]] = {}
        for data in self._databases():
            for line, names in data.contexts_by_lineno(file).items():
                for name in names:
                    if name in tests:
                        found.setdefault(tests[name], set()).add(line)
        return found

    def lines(self) -> Lines:
        """The lines that any test reaches, of each file."""
        lines: Lines = {}
        for data in self._databases():
            for file in data.measured_files():
                lines.setdefault(file, set()).update(data.lines(file) or ())
        return lines

    def _databases(self) -> list[Any]:
        import coverage

        if self.opened is None:
            self.opened = []
            for file in sorted(self.data.glob("*.sqlite")):
                data = coverage.CoverageData(str(file))
                data.read()
                self.opened.append(data)
        return self.opened


def moved(now: list[str], then: list[str], line: int) -> list[int]:
    """The numbers, in an older text, of the lines that a line of a text comes from; those around a new or changed line.

    Lines count from 1.
    """
    for kind, first, end, first_then, end_then in difflib.SequenceMatcher(None, then, now, autojunk=False).get_opcodes():
        first, end, first_then, end_then = first_then, end_then, first, end
        if first < line <= end:
            if kind == "equal":
                return [first_then + line - first]
            return [number for number in range(first_then, end_then + 2) if 1 <= number <= len(then)]
    return []

"""Figures that tests compare with a file of their folder. `./run.sh test tests/exact --renew` writes those of now."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

ENTRY, ALL = "pinned entry", "pinned entries"       # names of properties


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write the figures of now to the files that tests compare with")


class Pinned:
    """What the fixture `pinned` gives."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self.folder: Path = request.path.parent
        self.renewing = bool(request.config.getoption("--renew"))
        self.properties: list[tuple[str, object]] = request.node.user_properties

    def compare(self, file: str, name: str, found: list[str]) -> None:
        """Fails the test unless the entry `name` of FILE.json is `found`. With --renew it becomes that, at the end."""
        if self.renewing:
            self.properties.append((ENTRY, [str(self.folder / f"{file}.json"), name, found]))
            return
        expected = read(self.folder / f"{file}.json").get(name, [])
        changes = list(differences(expected, found))
        assert found == expected, "\n".join([f"{file}, {name}:", *changes, f"To accept what is found: {self._command}"])

    def has_all(self, file: str, names: Iterable[str]) -> None:
        """Fails the test unless FILE.json has entries of these names and of no others. With --renew, others go."""
        if self.renewing:
            self.properties.append((ALL, [str(self.folder / f"{file}.json"), list(names)]))
            return
        assert sorted(read(self.folder / f"{file}.json")) == sorted(names), f"To write the entries: {self._command}"

    @property
    def _command(self) -> str:
        return f"./run.sh test tests/{self.folder.name} --renew"


@pytest.fixture
def pinned(request: pytest.FixtureRequest) -> Pinned:
    """pinned.compare(file, name, lines): see Pinned."""
    return Pinned(request)


def read(file: Path) -> dict[str, list[str]]:
    """The entries of a file; none if there is no such file."""
    found: dict[str, list[str]] = json.loads(file.read_text()) if file.exists() else {}
    return found


def differences(expected: list[str], found: list[str]) -> list[str]:
    """What differs in lines "KIND: NAME NUMBER, NAME NUMBER, ...", and lines that have no such form."""
    before, now = ({line.partition(": ")[0]: line.partition(": ")[2] for line in lines} for lines in (expected, found))
    lines = []
    for kind in {**before, **now}:
        old, new = (set(one.get(kind, "").split(", ")) - {""} for one in (before, now))
        if old != new:
            lines.append(f"  {kind}: {', '.join(sorted(new - old)) or 'nothing'} now, "
                         f"{', '.join(sorted(old - new)) or 'nothing'} expected")
    return lines


@pytest.hookimpl
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if not config.getoption("--renew"):
        return
    files: dict[str, dict[str, list[str]]] = defaultdict(dict)
    names: dict[str, set[str]] = {}
    for report in terminalreporter.stats.get("passed", []):
        for key, value in report.user_properties:
            if key == ENTRY:
                files[value[0]][value[1]] = value[2]
            elif key == ALL:
                names[value[0]] = set(value[1])
    for file in {**names, **files}:
        entries = files[file]
        merged = read(Path(file)) | entries
        kept = {name: lines for name, lines in merged.items() if name in names.get(file, merged)}
        Path(file).write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
        terminalreporter.write_line(f"{file}: {len(entries)} entries of now")

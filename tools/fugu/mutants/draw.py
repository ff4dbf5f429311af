"""Draws mistakes at random: a line that has code, and one of the mistakes that the rules know for it.

universalmutator applies the rules. All draws of a seed are the same as long as the sources are.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..cover import areas
from ..cover.guest import Lines
from ..cover.store import moved

RULES = Path(__file__).with_name("rules")
NOP = "nop"             # the kind, and the rules, of what is no mistake
OF_SUFFIX = {".c": "c", ".h": "c", ".S": "assembly", ".py": "python"}


@dataclass(frozen=True)
class Mutant:
    """One mistake: a line of a file, which counts from 1, and what is there instead."""

    file: str
    line: int
    was: str
    now: str
    after: str          # the line with text that comes before it: where it is, whatever its number
    kind: str

    @property
    def area(self) -> str:
        return areas.area_of(self.file) or ""

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What stays when other lines change."""
        return self.file, self.after.strip(), self.was.strip(), self.now.strip()

    def apply(self, text: str) -> str:
        """The file's text with the mistake."""
        lines = text.splitlines(keepends=True)
        assert lines[self.line - 1] == self.was
        return "".join([*lines[:self.line - 1], self.now, *lines[self.line:]])


def mutants_of(root: Path, file: str, line: int, rules: str | None = None) -> list[Mutant]:
    """All mistakes that the rules know for a line."""
    from universalmutator import mutator

    lines = (root / file).read_text().splitlines(keepends=True)
    if not 1 <= line <= len(lines) or not lines[line - 1].endswith("\n"):
        return []
    source = RULES / f"{rules or OF_SUFFIX[Path(file).suffix]}.rules"
    kinds = _kinds(source)
    after = next((text for text in reversed(lines[:line - 1]) if text.strip()), "")
    # universalmutator leaves lines alone that have a comment.
    found_comment = re.search(r"\s*(/\*.*\*/)?\s*$", lines[line - 1])
    assert found_comment
    code, comment = lines[line - 1][:found_comment.start()], found_comment[0]
    with contextlib.redirect_stdout(io.StringIO()):     # it says which rules it uses
        found = mutator.mutants_regexp([code + "\n"], ruleFiles=[str(source)], ignorePatterns=[])
    return [Mutant(file, line, lines[line - 1], now[:-1] + comment, after, kinds[used[0]]) for _, now, used, _ in found
            if now.strip() != code.strip()]


def _kinds(rules: Path) -> dict[str, str]:
    kinds, kind = {}, ""
    for line in rules.read_text().splitlines():
        if line.startswith("# "):
            kind = line[2:]
        else:
            kinds[line] = kind
    return kinds


def draws(root: Path, area: str, code: Lines, then: Path, seed: int, rules: str | None = None) -> Iterator[Mutant]:
    """Mistakes of an area in random order, each line once. `code`: the lines with code in the sources in `then`."""
    generator = random.Random(f"{seed} {area}")
    places = [(file, line) for file in areas.files(root, [area]) if Path(file).suffix in OF_SUFFIX
              if not rules or OF_SUFFIX[Path(file).suffix] == "c" for line in _now(root, then, file, code.get(file, set()))]
    generator.shuffle(places)
    for file, line in places:
        by_kind: dict[str, list[Mutant]] = {}
        for one in mutants_of(root, file, line, rules):
            by_kind.setdefault(one.kind, []).append(one)
        if by_kind:
            yield generator.choice(by_kind[generator.choice(sorted(by_kind))])


def _now(root: Path, then: Path, file: str, lines: set[int]) -> list[int]:
    """Lines of a file that had code when that was noted, by their numbers of now."""
    now, before = ((one / file).read_text().splitlines() if (one / file).exists() else [] for one in (root, then))
    if now == before:
        return sorted(lines)
    return [number for number in range(1, len(now) + 1)
            if any(old in lines for old in moved(now, before, number))]

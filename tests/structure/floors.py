"""Who calls whom: the floors of a source tree, and the arrows between its files.

A tree's README.md holds the table of floors under the heading "Floors", the
lowest floor first. A row names files without their suffixes: `buffer` stands
for buffer.c, buffer.h and buffer.S, in whatever folder of the tree they are.

An arrow leads from a file to another whose header it includes, or whose
function or variable it names. Universal Ctags finds the definitions; the
compiler's preprocessor removes the comments.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

SUFFIXES = (".c", ".h", ".S")
# What another file may name: functions, variables and macros of C, labels and macros of assembly.
GLOBAL = ["--extras=-F", "--kinds-C=fvd", "--kinds-Asm=ld"]
# What a file may name for itself: static functions, members, local variables and parameters too.
LOCAL = ["--extras=+F", "--kinds-C=fvdmlz", "--kinds-Asm=ld"]
STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"')


@dataclass(frozen=True)
class Arrow:
    """`source` needs `target` because of `names` (headers or definitions)."""

    source: str
    target: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}: {', '.join(self.names)}"


class Tree:
    """The C and assembly files of a folder and its subfolders, by stem."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = sorted(path for path in root.rglob("*") if path.suffix in SUFFIXES)
        self.stems = sorted({path.stem for path in self.files})

    def arrows(self) -> list[Arrow]:
        """All arrows between files of different stems, sorted."""
        # A name that several files define belongs to none of them.
        owner = {name: paths[0].stem for name, paths in self._tags(GLOBAL).items() if len(paths) == 1}
        own = {(name, path) for name, paths in self._tags(LOCAL).items() for path in paths}
        found: dict[tuple[str, str], set[str]] = {}
        for path in self.files:
            text = path.read_text()
            headers = [Path(name) for name in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE)]
            needs = [(header.name, header.stem) for header in headers if header.stem in self.stems]
            words = set(re.findall(r"\b[A-Za-z_]\w*\b", _code(text)))
            needs += [(word, owner[word]) for word in words if word in owner and (word, path) not in own]
            for name, target in needs:
                if target != path.stem:
                    found.setdefault((path.stem, target), set()).add(name)
        return [Arrow(source, target, tuple(sorted(names))) for (source, target), names in sorted(found.items())]

    def _tags(self, kinds: list[str]) -> dict[str, list[Path]]:
        """The files that define each name, by ctags."""
        command = ["ctags-universal", "-f-", "--sort=no", "--langmap=Asm:.S", *kinds, *map(str, self.files)]
        tags = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
        found: dict[str, dict[Path, None]] = {}
        for line in tags.splitlines():
            name, path = line.split("\t")[:2]
            found.setdefault(name, {})[Path(path)] = None
        return {name: list(paths) for name, paths in found.items()}


def _code(text: str) -> str:
    """The text without comments, strings and included files."""
    text = re.sub(r"^#include .*$", "", text, flags=re.MULTILINE)
    command = ["gcc", "-fpreprocessed", "-dD", "-E", "-P", "-x", "c", "-"]
    stripped = subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=60).stdout
    return STRINGS.sub("", stripped)


def floors(readme: Path) -> dict[str, int]:
    """The floor of each stem, counted from 0 at the bottom, by the README's table."""
    section = re.search(r"^## Floors\n(.*?)(?=^## |\Z)", readme.read_text(), re.MULTILINE | re.DOTALL)
    assert section, f"{readme} has no section Floors"
    rows = [line.split("|")[2] for line in section[1].splitlines() if line.startswith("| ")]
    found: dict[str, int] = {}
    for floor, row in enumerate(rows[1:]):
        for stem in re.findall(r"`([\w-]+)`", row):
            assert stem not in found, f"{readme}: {stem} stands on two floors"
            found[stem] = floor
    return found


def upward(arrows: list[Arrow], floor: dict[str, int]) -> list[Arrow]:
    """The arrows from a lower floor to a higher one."""
    return [arrow for arrow in arrows if floor[arrow.source] < floor[arrow.target]]


def circles(arrows: list[Arrow]) -> list[set[str]]:
    """The largest sets of files in which each one reaches each other by arrows."""
    next_ones: dict[str, set[str]] = {}
    for arrow in arrows:
        next_ones.setdefault(arrow.source, set()).add(arrow.target)

    def reach(start: str) -> set[str]:
        seen: set[str] = set()
        todo = [start]
        while todo:
            for target in next_ones.get(todo.pop(), ()):
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        return seen

    reached = {stem: reach(stem) for stem in next_ones}
    found: list[set[str]] = []
    for stem, targets in reached.items():
        circle = {stem, *(t for t in targets if stem in reached.get(t, ()))}
        if len(circle) > 1 and circle not in found:
            found.append(circle)
    return found

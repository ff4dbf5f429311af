"""Who calls whom: the floors of a source tree, and the arrows between its files.

A tree's README.md holds the table of floors under the heading "Floors", the
lowest floor first. A row names files without their suffixes: `buffer` stands
for buffer.c, buffer.h and buffer.S, in whatever folder of the tree they are.
Where two folders have a file of that name, the folder is part of the name:
`mesh/hub`.

An arrow leads from a file to another whose header it includes, or whose
function, variable or macro it names. Universal Ctags finds the definitions;
the compiler's preprocessor removes the comments.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
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
    """The C and assembly files of a folder and its subfolders.

    A unit is a source file with its header: `units` maps each path to the name
    of its unit, as the table of floors spells it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        paths = sorted(path for path in root.rglob("*") if path.suffix in SUFFIXES)
        stems = Counter(path.stem for path in {path.with_suffix("") for path in paths})
        self.units = {path: path.stem if stems[path.stem] == 1 else str(path.relative_to(root).with_suffix(""))
                      for path in paths}

    def names(self) -> list[str]:
        """The names of all units, sorted."""
        return sorted(set(self.units.values()))

    def arrows(self) -> list[Arrow]:
        """All arrows between different units, sorted."""
        # A name that several files define belongs to none of them.
        owner = {name: self.units[paths[0]] for name, paths in self._tags(GLOBAL).items() if len(paths) == 1}
        own = {(name, path) for name, paths in self._tags(LOCAL).items() for path in paths}
        found: dict[tuple[str, str], set[str]] = {}
        for path, unit in self.units.items():
            text = path.read_text()
            needs = [(header.name, self.units[header]) for header in self._headers(path, text)]
            words = set(re.findall(r"\b[A-Za-z_]\w*\b", _code(text)))
            needs += [(word, owner[word]) for word in words if word in owner and (word, path) not in own]
            for name, target in needs:
                if target != unit:
                    found.setdefault((unit, target), set()).add(name)
        return [Arrow(source, target, tuple(sorted(names))) for (source, target), names in sorted(found.items())]

    def _headers(self, path: Path, text: str) -> list[Path]:
        """The headers of this tree that a file includes, by their path in QEMU, in the tree or beside the file."""
        included = []
        for name in re.findall(r'^#\s*include "([^"]+)"', text, re.MULTILINE):
            end = "/" + name.removeprefix("hw/fugu/")
            found = [header for header in self.units if header.as_posix().endswith(end)]
            beside = path.parent / name
            included += [beside] if beside in found else found[:1]
        return included

    def _tags(self, kinds: list[str]) -> dict[str, list[Path]]:
        """The files that define each name, by ctags."""
        command = ["ctags-universal", "-f-", "--sort=no", "--langmap=Asm:.S", *kinds, *map(str, self.units)]
        tags = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
        found: dict[str, dict[Path, None]] = {}
        for line in tags.splitlines():
            name, path = line.split("\t")[:2]
            found.setdefault(name, {})[Path(path)] = None
        return {name: list(paths) for name, paths in found.items()}


def _code(text: str) -> str:
    """The text without comments, strings and included files."""
    text = re.sub(r"^#\s*include .*$", "", text, flags=re.MULTILINE)
    command = ["gcc", "-fpreprocessed", "-dD", "-E", "-P", "-x", "c", "-"]
    stripped = subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=60).stdout
    return STRINGS.sub("", stripped)


def floors(readme: Path) -> dict[str, int]:
    """The floor of each unit, counted from 0 at the bottom, by the README's table."""
    section = re.search(r"^## Floors\n(.*?)(?=^## |\Z)", readme.read_text(), re.MULTILINE | re.DOTALL)
    assert section, f"{readme} has no section Floors"
    rows = [line.split("|")[2] for line in section[1].splitlines() if line.startswith("| ")]
    found: dict[str, int] = {}
    for floor, row in enumerate(rows[2:]):
        for unit in re.findall(r"`([\w/-]+)`", row):
            assert unit not in found, f"{readme}: {unit} stands on two floors"
            found[unit] = floor
    return found


def upward(arrows: list[Arrow], floor: dict[str, int]) -> list[Arrow]:
    """The arrows from a lower floor to a higher one."""
    return [arrow for arrow in arrows if floor[arrow.source] < floor[arrow.target]]


def circles(arrows: list[Arrow]) -> list[set[str]]:
    """The largest sets of units in which each unit reaches every other one along arrows."""
    targets: dict[str, set[str]] = {}
    for arrow in arrows:
        targets.setdefault(arrow.source, set()).add(arrow.target)

    def reach(start: str) -> set[str]:
        seen: set[str] = set()
        todo = [start]
        while todo:
            new = targets.get(todo.pop(), set()) - seen
            seen |= new
            todo.extend(new)
        return seen

    reached = {unit: reach(unit) for unit in targets}
    found: list[set[str]] = []
    for unit, others in reached.items():
        circle = {unit, *(other for other in others if unit in reached.get(other, ()))}
        if len(circle) > 1 and circle not in found:
            found.append(circle)
    return found

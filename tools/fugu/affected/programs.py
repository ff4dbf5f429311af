"""Which of the built programs was linked from which sources.

DWARF names the sources of a program: also those of a library, of which the linker takes only what the program calls.
Ninja knows the headers that each source includes.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from ..host import execute


class Programs:
    """The programs of a build directory that is up to date. Paths of sources are relative to `root`."""

    def __init__(self, build: Path, root: Path, ninja: Path) -> None:
        self.build, self.root, self.ninja = build, root, ninja

    @cached_property
    def linked(self) -> dict[str, set[str]]:
        """The sources of each program, whose name is its path in the build directory."""
        names = {path.relative_to(self.build).as_posix(): set(re.findall(rb"[\w./+-]+\.[cS](?=\0)", path.read_bytes()))
                 for path in sorted(self.build.rglob("*.elf")) if "images" not in path.parts}
        return {program: {found for name in sources if (found := self._source(name.decode()))}
                for program, sources in names.items()}

    @cached_property
    def includers(self) -> dict[str, set[str]]:
        """For each header or source: the sources whose objects were made from it."""
        found: dict[str, set[str]] = defaultdict(set)
        for entry in execute.output([self.ninja, "-C", self.build, "-t", "deps"]).split("\n\n"):
            _, *lines = entry.splitlines() or [""]
            read = [name for line in lines if (name := self._source(line.strip()))]
            for name in read:
                found[name] |= {source for source in read if source.endswith((".c", ".S"))}
        return dict(found)

    def of(self, changed: Iterable[str]) -> set[str]:
        """The programs that have something of these sources and headers."""
        sources = {source for path in changed for source in self.includers.get(path, {path})}
        return {program for program, linked in self.linked.items() if linked & sources}

    def _source(self, name: str) -> str | None:
        """A path as the compiler has seen it, as one in the checkout."""
        path = os.path.normpath(self.build / name)
        return os.path.relpath(path, self.root) if path.startswith(f"{self.root}{os.sep}") else None

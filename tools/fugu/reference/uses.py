"""Files that use a name: the examples of the reference, which the tests compile and run."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from ..paths import ROOT

# Where examples are looked for, the best first.
PLACES = ("apps", "docs/course", "tests")
SUFFIXES = {".c", ".C", ".S"}


def use(name: str) -> Path | None:
    """A file that uses the name: the shortest of the first place that has one, or None."""
    for place in PLACES:
        found = [(size, path) for size, path, words in _files(place) if name in words]
        if found:
            return min(found)[1]
    return None


@cache
def _files(place: str) -> list[tuple[int, Path, frozenset[str]]]:
    """The sources of a folder: their length, path and words."""
    texts = [(path, path.read_text(errors="replace")) for path in sorted((ROOT / place).rglob("*"))
             if path.suffix in SUFFIXES]
    return [(len(text), path, frozenset(re.findall(r"\w+", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))))
            for path, text in texts]

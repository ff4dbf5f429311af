"""Programs that the build directory has for tests, and jobs made of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fugu.paths import build_dir


def built(name: str) -> Path:
    """The program that is built from tests/NAME, such as "libos/threads"."""
    return build_dir() / "tests" / f"{name}.elf"


def joined(jobs: Iterable[Iterable[object]]) -> list[object]:
    """The words of a command line for these jobs, with "+" between each two."""
    words: list[object] = []
    for job in jobs:
        words += ["+"] * bool(words) + [*job]
    return words

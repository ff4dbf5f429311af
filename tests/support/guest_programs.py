"""Programs that the build directory has for tests, and jobs made of them."""

from __future__ import annotations

import re
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


def settled(peace: Iterable[str]) -> list[object]:
    """The words for a bystander (tests/hostile/bystander.c) that should print these lines.

    It ends soon after it would. None, if the nodes keep different numbers of frames, or no line is given.
    """
    kept = {match[1] for line in peace if (match := re.search(r", (\d+) frames kept$", line))}
    return ["0", *kept] if len(kept) == 1 else []

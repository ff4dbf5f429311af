"""What the models of the apps take from elsewhere: numbers of the apps' headers, and POSIX's random numbers."""

from __future__ import annotations

import re

from fugu.paths import ROOT


def reals(file: str) -> dict[str, float]:
    """The macros of a header that are plain numbers."""
    found = re.findall(r"^#define (\w+) (-?[\d.]+(?:e-?\d+)?)\s", (ROOT / file).read_text(), re.MULTILINE)
    return {name: float(value) for name, value in found}


class Random48:
    """The sequence of drand48() after srand48(seed)."""

    def __init__(self, seed: int) -> None:
        self._state = seed << 16 | 0x330e

    def uniform(self) -> float:
        """The next number, at least 0 and below 1."""
        self._state = (0x5deece66d * self._state + 0xb) % 2 ** 48
        return self._state / 2 ** 48

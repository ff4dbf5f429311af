"""The fewest parts of a change that still make a difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Parts = list[tuple[str, ...]]


def fewest(parts: Sequence[tuple[str, ...]], differs: Callable[[Parts], bool]) -> Parts:
    """The parts without which there is no difference. `differs` says whether some of them make one; all of them do.

    Halves are left out first, then parts one by one, until none can be spared: at most a run for each pair of them.
    """
    left = list(parts)
    size = max(1, len(left) // 2)
    while True:
        spared = False
        for at in range(0, len(left), size):
            rest = left[:at] + left[at + size:]
            if len(rest) < len(left) and differs(rest):
                left, spared = rest, True
                break
        if spared:
            continue
        if size == 1:
            return left
        size //= 2

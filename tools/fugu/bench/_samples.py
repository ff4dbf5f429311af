"""What samples say: medians with their spread, and figures that cannot be.

A host that others use disturbs single runs, and never makes one quicker than
it is. So what is compared takes turns, the median of the turns counts, and
the middle half of them is shown beside it. The least of several *differences*
would be no measurement: it picks the turn whose short run was disturbed most.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
UNMEASURABLE = "unmeasurable here"
SPREAD = "Medians of the turns, and in brackets where their middle half lies."


def in_turns(runs: Mapping[Key, Callable[[], float]], times: int) -> dict[Key, list[float]]:
    """What each of these runs gives in each of so many turns.

    Every other turn goes backwards, so that a host that grows slower, or
    quicker, bears on all of them.
    """
    found: dict[Key, list[float]] = {key: [] for key in runs}
    for turn in range(times):
        for key in list(runs)[::-1 if turn % 2 else 1]:
            found[key].append(runs[key]())
    return found


@dataclass(frozen=True)
class Figure:
    """A measured quantity above 0: the median, and between which values the middle half lies.

    With a reason it has no value: what is computed from it has none either,
    and its text is UNMEASURABLE.
    """

    median: float
    low: float
    high: float
    reason: str = ""

    def __truediv__(self, other: Figure | float) -> Figure:
        """The ratio; its spread is the widest that the spreads of both allow."""
        by = other if isinstance(other, Figure) else exactly(other)
        if reason := self.reason or by.reason:
            return _none(reason)
        return Figure(self.median / by.median, self.low / by.high, self.high / by.low)

    def __mul__(self, factor: float) -> Figure:
        """So many times it."""
        return Figure(self.median * factor, self.low * factor, self.high * factor, self.reason)

    def inverse(self, dividend: float = 1.0) -> Figure:
        """The dividend over it, such as a rate from a time."""
        return exactly(dividend) / self

    def above(self, other: Figure) -> Figure:
        """How much more it is than another; none if the spreads overlap."""
        if reason := self.reason or other.reason:
            return _none(reason)
        if self.low <= other.high:
            return _none(f"{self.text()} and {other.text()} are not apart")
        return Figure(self.median - other.median, self.low - other.high, self.high - other.low)

    def at_most(self, bound: float, why: str) -> Figure:
        """None if the median is above a bound that it cannot be above."""
        if self.reason or self.median <= bound:
            return self
        return _none(f"{self.text()}: {why}")

    def short(self, digits: int = 3) -> str:
        """The median with so many significant digits, and no fewer before the point."""
        return UNMEASURABLE if self.reason else _number(self.median, digits)

    def text(self, digits: int = 3) -> str:
        """MEDIAN (LOW to HIGH)."""
        if self.reason or self.low == self.high:
            return self.short(digits)
        return f"{self.short(digits)} ({_number(self.low, digits)} to {_number(self.high, digits)})"


def exactly(value: float) -> Figure:
    """A number that has no spread, such as a count."""
    return Figure(value, value, value)


def figure(values: Sequence[float]) -> Figure:
    """Of samples of one quantity that is above 0, whatever it is."""
    median = statistics.median(values)
    low, _, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [median] * 3
    if low <= 0:
        return _none(f"of {len(values)} samples, {sum(value <= 0 for value in values)} are not above 0: what is "
                     "measured is less than what the host adds to it")
    return Figure(median, low, high)


def difference(longer: Sequence[float], shorter: Sequence[float], work: float = 1.0) -> Figure:
    """What each unit of work takes that a longer run does more than a shorter one.

    The samples are those of the same turns, one by one.
    """
    return figure([(more - less) / work for more, less in zip(longer, shorter, strict=True)])


def _none(reason: str) -> Figure:
    return Figure(0.0, 0.0, 0.0, reason)


def _number(value: float, digits: int) -> str:
    whole = len(f"{abs(value):.0f}") if abs(value) >= 1 else 0
    return f"{value:,.{max(0, digits - whole)}f}"

"""Statistics of samples: medians with their spread, and figures without a value.

Other work on the host slows single runs down, and never speeds one up. So runs
that are compared take turns. The result is the median of the turns; the range
of their middle half is shown beside it. The smallest of several *differences*
is no measurement: it picks the turn whose short run was slowed down most.
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
    """The results of each run in `times` turns.

    Every second turn goes through the runs backwards, so that a host that
    becomes slower or quicker meanwhile affects all runs alike.
    """
    found: dict[Key, list[float]] = {key: [] for key in runs}
    for turn in range(times):
        for key in list(runs)[::-1 if turn % 2 else 1]:
            found[key].append(runs[key]())
    return found


@dataclass(frozen=True)
class Figure:
    """A measured quantity above 0: the median, and the lowest and highest value of the middle half.

    A figure with a reason has no value, nor does what is computed from it. The text of such a figure is UNMEASURABLE.
    """

    median: float
    low: float
    high: float
    reason: str = ""

    def __truediv__(self, other: Figure | float) -> Figure:
        """The ratio. Its spread is the widest that both spreads allow."""
        by = other if isinstance(other, Figure) else exactly(other)
        if reason := self.reason or by.reason:
            return _none(reason)
        return Figure(self.median / by.median, self.low / by.high, self.high / by.low)

    def __mul__(self, factor: float) -> Figure:
        """The figure times a factor."""
        return Figure(self.median * factor, self.low * factor, self.high * factor, self.reason)

    def inverse(self, dividend: float = 1.0) -> Figure:
        """The dividend divided by the figure, such as a rate from a time."""
        return exactly(dividend) / self

    def above(self, other: Figure) -> Figure:
        """The difference from a smaller figure. The result has no value if the spreads overlap."""
        if reason := self.reason or other.reason:
            return _none(reason)
        if self.low <= other.high:
            return _none(f"{self.text()} and {other.text()} are not apart")
        return Figure(self.median - other.median, self.low - other.high, self.high - other.low)

    def at_most(self, bound: float, why: str) -> Figure:
        """The figure, without a value if its median is above a bound that it cannot exceed."""
        if self.reason or self.median <= bound:
            return self
        return _none(f"{self.text()}: {why}")

    def short(self, digits: int = 3) -> str:
        """The median with this many significant digits, and all digits before the point."""
        return UNMEASURABLE if self.reason else _number(self.median, digits)

    def text(self, digits: int = 3) -> str:
        """MEDIAN (LOW to HIGH)."""
        if self.reason or self.low == self.high:
            return self.short(digits)
        return f"{self.short(digits)} ({_number(self.low, digits)} to {_number(self.high, digits)})"


def exactly(value: float) -> Figure:
    """The figure for a number without a spread, such as a count."""
    return Figure(value, value, value)


def figure(values: Sequence[float]) -> Figure:
    """The figure for samples of a quantity that must be above 0."""
    median = statistics.median(values)
    low, _, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [median] * 3
    if low <= 0:
        return _none(f"of {len(values)} samples, {sum(value <= 0 for value in values)} are not above 0: what is "
                     "measured is less than what the host adds to it")
    return Figure(median, low, high)


def difference(longer: Sequence[float], shorter: Sequence[float], work: float = 1.0) -> Figure:
    """The time of a unit of work, if the longer run does `work` units more than the shorter one.

    The samples of both runs come from the same turns, in order.
    """
    return figure([(more - less) / work for more, less in zip(longer, shorter, strict=True)])


def _none(reason: str) -> Figure:
    return Figure(0.0, 0.0, 0.0, reason)


def _number(value: float, digits: int) -> str:
    whole = len(f"{abs(value):.0f}") if abs(value) >= 1 else 0
    return f"{value:,.{max(0, digits - whole)}f}"

"""Figures: lines over an x axis, and statistics of their points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .._table import Compared

DIGITS = 4              # of a number of a figure, after the point


@dataclass(frozen=True)
class Trials:
    """The mean of some trials, the least and the most of them."""

    mean: float
    least: float
    most: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Trials:
        """Of these numbers."""
        return cls(mean(numbers), min(numbers), max(numbers))

    def times(self, factor: float) -> Trials:
        """In another unit."""
        return Trials(self.mean * factor, self.least * factor, self.most * factor)


@dataclass
class Figure(Compared):
    """A figure: a group of rows for each panel, in it a row for each line; a column for each place on the x axis."""

    x: str = ""                 # what the axes show
    y: str = ""
    other_axis: dict[str, str] = field(default_factory=dict)    # of panels whose y axis shows something else

    def curve(self, panel: str, name: str, points: Mapping[Any, Trials]) -> None:
        """Adds a line, with its points by their places on the x axis."""
        self.row(panel, name, {str(x): round(point.mean, DIGITS) for x, point in points.items()}, {},
                 {str(x): (round(point.least, DIGITS), round(point.most, DIGITS)) for x, point in points.items()})

    def line(self, panel: str, name: str) -> list[float]:
        """Our numbers of a line, in the order of the columns."""
        row = self._row(panel, name)
        return [row["ours"][column] for column in self.columns]

    def spread(self, panel: str, name: str) -> list[tuple[float, float]]:
        """The least and the most of the trials, in the order of the columns."""
        row = self._row(panel, name)
        return [tuple(row["spread"][column]) for column in self.columns]

    def _row(self, panel: str, name: str) -> dict[str, Any]:
        return next(row for row in self.rows if (row["group"], row["row"]) == (panel, name))

    def data(self) -> dict[str, Any]:
        """What the JSON holds."""
        return super().data() | {"x": self.x, "y": self.y} | ({"other_axis": self.other_axis} if self.other_axis else {})


def mean(numbers: Sequence[float]) -> float:
    """The mean of some numbers."""
    return sum(numbers) / len(numbers)


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Pearson's coefficient; 0 if one of them is constant."""
    across, along = mean(xs), mean(ys)
    product = sum((x - across) * (y - along) for x, y in zip(xs, ys, strict=True))
    spread = sum((x - across) ** 2 for x in xs) * sum((y - along) ** 2 for y in ys)
    return product / spread ** 0.5 if spread else 0.0

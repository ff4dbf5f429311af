"""What the paper claims of a figure, and whether our numbers bear it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .._table import Compared


@dataclass(frozen=True)
class Claim:
    """A claim of the paper's, in one sentence; our numbers for it; whether it holds for them."""

    text: str
    ours: str
    holds: bool


@dataclass
class Figure(Compared):
    """A figure: a row for each line, a column for each place on the x axis."""

    x: str = ""                 # what the axes show
    y: str = ""
    claims: list[Claim] = field(default_factory=list)

    def claim(self, text: str, ours: str, holds: bool) -> None:
        """Adds a claim."""
        self.claims.append(Claim(text, ours, holds))
        self.notes.append(f"{'Holds' if holds else 'Does NOT hold'}: {text}\nHere: {ours}")

    def line(self, group: str, name: str) -> list[float]:
        """Our numbers of a row, in the order of the columns."""
        row = next(row for row in self.rows if (row["group"], row["row"]) == (group, name))
        return [row["ours"][column] for column in self.columns]


def mean(numbers: Sequence[float]) -> float:
    """The mean of some numbers."""
    return sum(numbers) / len(numbers)


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Pearson's coefficient; 0 if one of them is constant."""
    across, along = mean(xs), mean(ys)
    product = sum((x - across) * (y - along) for x, y in zip(xs, ys, strict=True))
    spread = sum((x - across) ** 2 for x in xs) * sum((y - along) ** 2 for y in ys)
    return product / spread ** 0.5 if spread else 0.0

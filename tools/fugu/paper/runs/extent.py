"""How much is run: the paper's experiments, part of them, or small ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

T = TypeVar("T")

ATOMICITY = ("soft", "hard")            # the paper's section 5 has soft atomicity
TRIALS = 3                              # the paper's


@dataclass(frozen=True)
class Extent:
    """What is run of each experiment."""

    title: str
    small: bool = False                 # small data sets, which take a second
    trials: int = TRIALS
    atomicity: tuple[str, ...] = ATOMICITY
    step: int = 1                       # every how many of a figure's points are measured
    places: int = 8                     # at how many places of the cache programs of queues lie, at most
    fresh: bool = False                 # runs are repeated although the cache has them

    def points(self, places: Sequence[T]) -> tuple[T, ...]:
        """Those of a figure's places on the x axis that are measured: the first and the last one always."""
        found = tuple(places[::self.step])
        return found if found[-1] == places[-1] else (*found, places[-1])

    def again(self, fresh: bool) -> Extent:
        """The same, with or without runs that the cache has."""
        return replace(self, fresh=fresh)


FULL = Extent("all experiments, with the paper's data sets")
QUICK = Extent("one trial, soft atomicity and every second point, with the paper's data sets", trials=1,
               atomicity=ATOMICITY[:1], step=2)
SMALL = Extent("one trial and every second point, with small data sets: not comparable with the paper", small=True,
               trials=1, step=2, places=2)

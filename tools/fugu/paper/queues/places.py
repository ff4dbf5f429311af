"""Programs at several places of the cache: their code moved by whole eighths of it, and nothing else changed.

Kernel and program share lines of the cache, so where a program's code lies moves its times by some per cent
(docs/remote-queues.md, "Experiments"). The linker leaves a gap in front of the code: program_gap, guest-os/libos/program.ld.
tests/paper/meson.build links the programs.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...paths import build_dir
from ..runs.extent import Extent

PLACES = 8              # of the cache's 64 KiB, evenly


def places(extent: Extent, most: int = PLACES) -> tuple[int, ...]:
    """The places that are measured, evenly: as many as the extent has, and `most` of them at most."""
    return tuple(range(0, PLACES, PLACES // min(extent.places, most)))


def program(app: str, place: int) -> str:
    """What the run of an app at a place is given."""
    return str(build_dir() / "tests" / "paper" / f"{app}-at-{place}.elf") if place else app


def note(counts: Sequence[int]) -> str:
    """What a table says of its means, which are of so many places."""
    some = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else str(counts[0])
    return (f"Each time is the mean of {some} runs, whose code lies at as many places of the cache; in brackets the least and "
            "the most of them.")


class Times:
    """Cycles of a program at each place."""

    def __init__(self, cycles: list[float]) -> None:
        self.cycles = cycles

    @property
    def mean(self) -> float:
        return sum(self.cycles) / len(self.cycles)

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the most."""
        return min(self.cycles), max(self.cycles)


def gain(before: Times, after: Times) -> float:
    """By which share `after` is faster, by the means."""
    return before.mean / after.mean - 1


def between(before: Times, after: Times) -> str:
    """The gain by the means, and in brackets those at the places."""
    each = [100 * (one / other - 1) for one, other in zip(before.cycles, after.cycles, strict=True)]
    return f"{100 * gain(before, after):.1f} % [{min(each):.1f} to {max(each):.1f}]"

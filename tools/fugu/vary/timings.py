"""Timings: one program on machines whose cycles differ.

A run is deterministic, so a race between a thread and a handler that needs a
message in one particular cycle shows always or never. Options of the machine
move the cycles without touching the program: what a miss of the cache costs,
how long messages are under way. A program that is right is right at each of
them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from ..options.table import BY_KEY

BESIDE = ("+", "null", "while-others")      # a job that only waits: messages are buffered while it has its slots


def timing(number: int) -> dict[str, int]:
    """The options of a timing, the same for the same number. Timing 0 is the machine as it is."""
    if number == 0:
        return {}
    rng = random.Random(number)
    base = rng.randint(64, 120)
    return {
        "cache_miss": rng.randint(4, 24),
        "cache_size": rng.choice([8192, 16384, 32768, 65536, 131072]),
        "mesh_base": base,
        "mesh_hop": rng.randint(0, 6),
        "mesh_word": rng.randint(2, 8),
        "second_base": rng.randint(128, 400),
        "dma_word": rng.randint(0, 3),
        "quantum": rng.choice([base, 64, 17]),
    }


def far(number: int) -> dict[str, int]:
    """A timing that is far from the usual machine: a slow network, where distance counts, and a slow memory or a fast one.

    The cache has its usual size: with a small one and a slow memory, the kernel of a node with several jobs may take all
    of its time, and a program that is right would not end.
    """
    rng = random.Random(f"far {number}")
    return {"mesh_base": rng.randint(64, 500), "mesh_hop": rng.randint(0, 80), "mesh_word": rng.randint(1, 16),
            "cache_miss": rng.randint(0, 60), "cache_size": BY_KEY["cache-size"].default, "quantum": 64}


def slots(number: int) -> dict[str, Any]:
    """More options of a timing, under Glaze: how long a section may last, how jobs take turns."""
    rng = random.Random(-number)
    options: dict[str, Any] = {}
    if rng.random() < 0.25:
        options["atomicity"] = "soft"
    if rng.random() < 0.25:
        options["atomicity_timeout"] = rng.randint(200, 1200)
    options["timeslice"] = rng.randint(15_000, 90_000)
    options["skew"] = rng.choice([0, 10, 40])
    return options


def is_beside(number: int) -> bool:
    """Whether another job runs beside the program, at a timing under Glaze."""
    return number % 3 == 0


def changes(number: int, glaze: bool, jobs: int) -> Iterator[tuple[str, ...]]:
    """The words of a timing, each part that can be left out by itself: options before the program, or BESIDE after it."""
    options: dict[str, Any] = dict(timing(number))
    if number % 2 == 0:
        options |= far(number)
    if options["quantum"] > 64 and options["quantum"] == options["mesh_base"]:
        # Each bounds the other, so they stay together.
        yield f"--mesh-base={options.pop('mesh_base')}", f"--quantum={options.pop('quantum')}"
    beside = glaze and is_beside(number)
    if glaze:
        more = slots(number)
        if jobs < 2 and not beside:
            more = {name: value for name, value in more.items() if name.startswith("atomicity")}
        options |= more
    for name, value in options.items():
        yield (f"--{name.replace('_', '-')}={value}",)
    if beside:
        yield BESIDE

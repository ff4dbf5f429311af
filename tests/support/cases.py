"""Runs on the bare machine that several tests repeat, each in its own way.

A case's name is its program, and what distinguishes the case from others with
that program. The tests of digests, of debugging, of snapshots and of plugins pick
cases by name: each of them runs a case in some way that must not change it.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Case(NamedTuple):
    """A program's arguments, and options of the machine by the names of QEMU's properties."""

    args: tuple[str, ...] = ()
    options: dict[str, Any] = {}


CASES = {
    "ring": Case(),
    "ring, 1 node": Case(options={"nodes": 1}),
    "ring, 13 nodes, quantum 7": Case(("rounds=8",), {"nodes": 13, "quantum": 7}),
    "ring, quantum 1": Case(("rounds=8",), {"nodes": 4, "quantum": 1}),
    "ring, quantum 512": Case(options={"quantum": 512, "mesh-base": 512, "second-base": 512}),
    "alltoall": Case(("messages=20",)),
    "alltoall, long messages": Case(("words=16", "messages=20"), {"nodes": 5}),
    "alltoall, no cache": Case(("messages=20",), {"cache": False}),
    "alltoall, small queues": Case(("messages=20",), {"nodes": 5, "input-queue": 16, "source-space": 32}),
    "ahead": Case(options={"nodes": 3}),
    "ahead, credits": Case(("credit=1",), {"nodes": 2, "input-queue": 16, "source-space": 16}),
    "opcodes": Case(options={"nodes": 2}),
    "order": Case(("partners=4",), {"nodes": 8}),
    "backpressure": Case(options={"nodes": 4}),
    "second": Case(options={"nodes": 2}),
    "arrivals": Case(("incoming=50",), {"nodes": 2, "ni": "shrimp", "incoming-word": 50}),
    "arithmetic": Case(("ops=400",), {"nodes": 2}),
    "atomicity": Case(options={"nodes": 2}),
    "automatic": Case(options={"nodes": 4, "ni": "shrimp"}),
    "cache": Case(options={"nodes": 2}),
    "couples": Case(options={"nodes": 2}),
    "crossing": Case(options={"nodes": 5}),
    "consumers": Case(options={"nodes": 1, "ni": "m-machine"}),
    "contexts": Case(options={"nodes": 2}),
    "deliberate": Case(options={"nodes": 4, "ni": "shrimp"}),
    "divert": Case(options={"nodes": 1}),
    "doubles": Case(options={"nodes": 1}),
    "dma": Case(options={"nodes": 2}),
    "faults": Case(options={"nodes": 1}),
    "full": Case(options={"nodes": 2, "ni": "shrimp"}),
    "idle": Case(options={"nodes": 3}),
    "latency": Case(options={"nodes": 4}),
    "nans": Case(options={"nodes": 1}),
    "none": Case(options={"nodes": 2, "ni": "none"}),
    "places": Case(options={"nodes": 2}),
    "probe": Case(options={"nodes": 1}),
    "protect": Case(options={"nodes": 1}),
    "ramcode": Case(options={"nodes": 4}),
    "random": Case(options={"nodes": 1}),
    "relay": Case(options={"ni": "none"}),
    "rewrite": Case(options={"nodes": 2}),
    "snooped": Case(options={"nodes": 2, "ni": "shrimp"}),
    "spaces": Case(options={"nodes": 2, "ni": "m-machine"}),
    "storm": Case(("times=30",), {"nodes": 4, "ni": "m-machine"}),
    "storm, slow words": Case(("times=20",), {"nodes": 2, "ni": "m-machine", "mesh-word": 50}),
    "straight": Case(options={"nodes": 2}),
    "slots": Case(options={"nodes": 2}),
    "soft": Case(options={"nodes": 2, "atomicity": "soft"}),
    "timing": Case(options={"nodes": 2}),
    "trapbase": Case(options={"nodes": 1}),
    "traps": Case(options={"nodes": 2}),
    "unimplemented": Case(options={"nodes": 1}),
    "int": Case(("reps=1",), {"nodes": 3}),
    "fp": Case(("reps=1",), {"nodes": 2}),
    "deadlock": Case(options={"nodes": 4}),
    "errormode": Case(options={"nodes": 3}),
    "spin": Case(options={"nodes": 3, "timeout": 50_000}),
}


def pick(*names: str, **args: tuple[str, ...]) -> dict[str, Case]:
    """The cases of these names, by name. `args`: other arguments for all cases of a program."""
    picked = {name: CASES[name] for name in names}
    return {name: case._replace(args=args.get(program_of(name), case.args)) for name, case in picked.items()}


def program_of(name: str) -> str:
    """The program that a case of this name runs."""
    return name.partition(",")[0]


def call(name: str, case: Case) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The program with its arguments, and the options, as run() and machine() take them."""
    return (program_of(name), *case.args), case.options

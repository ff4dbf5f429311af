"""Stores one after the other: how full the Outgoing FIFO gets, and how often its threshold interrupts."""

from __future__ import annotations

from dataclasses import dataclass

from ...abi import REGS
from ...errors import SetupError
from ..steps.walk import SENDER, measured
from .primitives import OPTIONS

MOST = 10_000           # interrupts: one for each store at most
FIFO = REGS["SHRIMP_FIFO"]      # words


@dataclass(frozen=True)
class Burst:
    """What the sender's interface has done."""

    interrupts: int         # of the threshold
    words: int              # in the FIFO, the most at these interrupts


def burst() -> Burst:
    """Runs the burst of stores that are sent one by one, from interrupt to interrupt. SetupError."""
    found = []
    with measured("shrimp-transfers", "single", options=OPTIONS) as machine:
        machine.run_to(SENDER, "store_words")
        vector, end = machine.vector(SENDER, REGS["SHRIMP_IRQ_OUTGOING"]), machine.code.address("burst_ends")
        for _ in range(MOST):
            if machine.run_to_either(SENDER, vector, end) == end:
                return Burst(len(found), max(found, default=0))
            if machine.interface(SENDER, "K_PENDING") & REGS["PEND_OUTGOING"]:
                found.append(machine.interface(SENDER, "K_OUT_WORDS"))
    raise SetupError("the burst of stores does not end.")

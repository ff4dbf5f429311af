"""A process that is about to wait misses nothing that has come: docs/glaze.md, "System calls", and docs/mbcf.md."""

from __future__ import annotations

import pytest
from guest_programs import built

SLEEPS = built("mbcf/mbcf-sleeps")

# What comes, and what node 0 has of it after its section: messages, programs of signals, alarms, the word.
SOURCES = {"message": (1, 0, 0, 0), "buffered": (1, 0, 0, 0), "signal": (0, 1, 0, 0), "alarm": (0, 0, 1, 0)}


def found(machine, *words, **options):
    return machine(SLEEPS, *words, nodes=2, timeout="20M", **options).check(0).stdout


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("call", ["glaze", "mbcf"])
@pytest.mark.parametrize("source", SOURCES)
def test_each_wait_sees_each_source(machine, source, call, atomicity):
    counts = "messages {}, programs {}, alarms {}, word {}".format(*SOURCES[source])
    assert found(machine, source, call, atomicity=atomicity) == f"hardly waits: {counts}\n"


def test_wake_counts(machine):
    assert found(machine, "wake", "mbcf") == "hardly waits: messages 0, programs 0, alarms 0, word 1\n"


@pytest.mark.parametrize("call", ["glaze", "mbcf"])
def test_it_waits_if_nothing_has_come(machine, call):
    assert found(machine, "quiet", call).startswith("long waits: messages 1,")


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_signals_that_come_early_run_later(machine, atomicity):
    assert found(machine, "early", atomicity=atomicity) == "before: 0\nafter: 1\n"

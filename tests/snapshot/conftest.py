"""Fixtures that make the runs of the tests of snapshots."""

from __future__ import annotations

import cases
import pytest
from snapshot_case import SECTORS, Case, Tools

CASES = cases.pick(
    "ring", "ring, 13 nodes, quantum 7", "alltoall", "alltoall, small queues", "alltoall, no cache", "backpressure",
    "second", "dma", "idle", "contexts", "atomicity", "traps", "timing", "cache", "fp", "arithmetic",
    "deadlock", "none", "relay", "deliberate", "automatic", "full", "snooped",
) | {"alltoall": cases.Case(("messages=40",), {"nodes": 8}),
     "disk": cases.Case((f"sectors={SECTORS}",), {"nodes": 1})}


@pytest.fixture
def case_with(tmp_path, run, line, digest_of):
    """case_with(*words, undisturbed=True, more=(), nodes=4, ...) -> the Case of this program."""
    def make(*words, undisturbed=True, more=(), **options):
        return Case(Tools(tmp_path, run, line, digest_of), words, options, undisturbed, more)
    return make


@pytest.fixture
def case_of(case_with):
    """case_of(name) -> the Case of this name."""
    def make(name):
        words, options = cases.call(name, CASES[name])
        return case_with(*words, **options)
    return make


@pytest.fixture(params=CASES)
def case(request, case_of):
    """Each of the cases."""
    return case_of(request.param)

"""Programs keep a part of their node's time, however many commands come: docs/mbcf, "Load"."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

LOAD = built("mbcf/mbcf-load")
LEAST = 0.45        # of the turns without commands, beside another job
ALONE = 0.15        # for a job that has the node alone, which gets some 18 %


def loads(machine, *programs, **options):
    """Turns of node 0 and commands to it, for each job in the order in which they end."""
    result = machine(*programs, timeout="400M", **options).check(0)
    found = re.findall(r"^load: (\d+) turns, (\d+) commands$", result.stdout, re.MULTILINE)
    return [(int(turns), int(commands)) for turns, commands in found]


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("nodes", [2, 4, 16])
def test_flood(machine, nodes, atomicity):
    [(quiet, none)] = loads(machine, LOAD, "quiet", nodes=nodes, atomicity=atomicity)
    [(flood, commands)] = loads(machine, LOAD, "flood", nodes=nodes, atomicity=atomicity)
    assert none == 0 and commands > 500
    assert ALONE * quiet < flood < quiet


@pytest.mark.parametrize("nodes", [2, 4, 9])
def test_another_job(machine, nodes):
    """A job that gets no commands pays for one that does with half of its time at most."""
    words = {"nodes": nodes, "timeslice": 20000}
    quiet = loads(machine, LOAD, "quiet", "+", LOAD, "quiet", **words)
    flood = loads(machine, LOAD, "flood", "+", LOAD, "quiet", **words)
    assert [commands for _, commands in quiet] == [0, 0]
    [(other, _)] = [job for job in flood if job[1] == 0]
    assert other > LEAST * min(turns for turns, _ in quiet)


@pytest.mark.parametrize("cache_size", ["4K", "8K", "16K"])
def test_commands_that_miss_the_cache(machine, cache_size):
    """A consumer of FIFOs takes entries while more come the long way, whose cycles are several times the usual."""
    result = machine("fifos", 20, nodes=4, cache_size=cache_size, timeout="100M").check(0)
    assert "fifos: 0 wrong, 0 bytes left: right\n" in result.stdout, result.report()

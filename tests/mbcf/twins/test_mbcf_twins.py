"""Random lists of commands do the same on the fast path and on the slow one: twins.c."""

from __future__ import annotations

import pytest
from guest_programs import built
from mixtures import BESIDE, numbers, on_other_machines, with_hard_and_soft_atomicity

PROGRAM = built("mbcf/mbcf-twins")


def run(machine, seed, *words, nodes=2, rounds=60, **options):
    result = machine(PROGRAM, rounds, seed, *words, nodes=nodes, **{"timeout": "16G"} | options).check(0)
    sent, fast = numbers(result, r"twins: (\d+) lists, (\d+) on the fast path: equal")
    assert sent > nodes * rounds and fast > sent / 2, result.report()


@with_hard_and_soft_atomicity
@pytest.mark.parametrize("nodes", [1, 2, 3, 4])
def test_twins(machine, nodes, atomicity):
    run(machine, nodes, nodes=nodes, atomicity=atomicity)


@on_other_machines
def test_twins_on_other_machines(machine, options):
    run(machine, 11, nodes=4, rounds=8 if "processes" in options else 60, **options)


@pytest.mark.parametrize("options", [{"source_space": 16}, {"input_queue": 32}, {"mesh_word": 40}, {"cache": "off"}],
                         ids=["space", "queue", "slow", "cache"])
def test_twins_with_another_network(machine, options):
    """Packets find no space, or the body before is on its way for long."""
    run(machine, 12, nodes=4, **options)


@with_hard_and_soft_atomicity
def test_twins_beside_another_job(machine, atomicity):
    run(machine, 13, *BESIDE, timeslice=30_000, nodes=3, atomicity=atomicity)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 120))
def test_twins_for_long(machine, seed):
    run(machine, seed, nodes=1 + seed % 4, rounds=1000, atomicity="soft" if seed // 4 % 2 else "hard",
        host_timeout=600, timeout="200G")

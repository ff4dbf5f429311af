"""Counters of a process, and measured sections: exact numbers."""

from __future__ import annotations

import pytest
from guest_programs import built

from fugu.measured import sections

# Cycles of a null message by interrupt: the totals of docs/paper.md's table 4. The test without a cache has no misses.
NULL = {"hard": 80, "soft": 111}
CHECKS = 97                     # of both nodes


def program(name: str):
    return built(f"libos/{name}")


@pytest.mark.parametrize("options", [{}, {"processes": 2}], ids=["", "processes"])
@pytest.mark.parametrize("atomicity", NULL)
def test_counters_are_what_the_program_has_done(machine, atomicity, options):
    """Sent, polled, by interrupt, out of the buffer, with bodies; handlers that wait and are interrupted."""
    machine(program("counted"), NULL[atomicity], nodes=2, cache=False, atomicity=atomicity, timeout="20M",
            **options).passed(CHECKS)


@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_sections(machine, nodes):
    result = machine(program("sections"), nodes=nodes, cache=False, timeout="20M")
    result.passed(20 * nodes)
    found = sections(result.stdout)
    assert list(found) == ["first", "second"] and [len(runs) for runs in found.values()] == [2, 1]
    first, last = found["first"]
    assert (first["nodes"], first["messages"], first["bodies"], first["body_bytes"]) == (
        nodes, 48 * nodes, 24 * nodes, 24 * 40 * nodes)
    assert first["t_betw"] == round(first["cycles"] * nodes / first["messages"], 4)
    assert first["t_hand"] >= NULL["hard"] and first["share_buffered"] == 0
    assert (last["messages"], last["body_bytes"]) == (2 * nodes, 8 * nodes)
    [second] = found["second"]
    assert (second["messages"], second["t_betw"], second["t_hand"], second["share_buffered"]) == (0, None, None, None)


@pytest.mark.parametrize("word, says", [
    ("again", "udm_measure_begin(): a section has begun already"),
    ("end", "udm_measure_end(): no section has begun"),
])
def test_mistakes_end_the_job(machine, word, says):
    result = machine(program("sections"), word, nodes=2, timeout="20M").check(118)
    assert says in result.stdout + result.stderr, result.report()

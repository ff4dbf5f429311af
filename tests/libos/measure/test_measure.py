"""Counters of a process, and measured sections: exact numbers."""

from __future__ import annotations

import re

import pytest
from guest_programs import built, joined
from run_sh import run_sh

from fugu.abi import PROCESS, REGS
from fugu.measured import sections
from fugu.paths import ROOT

# Cycles of a null message by interrupt: the totals of docs/paper.md's table 4. The test without a cache has no misses.
NULL = {"hard": 69, "soft": 110}
INSERTION = 80                  # of an insertion that needs no page (table 5, without its cache miss)


def program(name: str):
    return built(f"libos/{name}")


@pytest.mark.parametrize("options", [{}, {"processes": 2}], ids=["", "processes"])
@pytest.mark.parametrize("atomicity", NULL)
def test_counters_are_what_the_program_has_done(machine, atomicity, options):
    """Sent, polled, by interrupt, out of the buffer, with bodies; handlers that wait and are interrupted."""
    machine(program("counted"), NULL[atomicity], nodes=2, cache=False, atomicity=atomicity, timeout="20M",
            **options).finished(2)


@pytest.mark.parametrize("cycle", [415_000, 1_950_000])
def test_snapshots_have_the_counters(tmp_path, cycle):
    """Saved in a phase: with messages that come by interrupt, and with some in the buffer."""
    file = tmp_path / "snapshot"
    whole = run_sh("-n", "2", "--cache", "off", "--save", f"{file}@{cycle}", str(program("counted")), str(NULL["hard"]))
    rest = run_sh("--load", str(file))
    assert (whole.returncode, rest.returncode) == (0, 0), rest.stdout + rest.stderr
    assert rest.stdout and whole.stdout.endswith(rest.stdout)


@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_sections(machine, nodes):
    result = machine(program("sections"), nodes=nodes, cache=False, timeout="20M")
    result.finished(nodes)
    found = sections(result.stdout)
    assert list(found) == ["first", "second"] and [len(runs) for runs in found.values()] == [2, 1]
    first, last = found["first"]
    assert (first["nodes"], first["messages"], first["bodies"], first["body_bytes"]) == (
        nodes, 48 * nodes, 24 * nodes, 24 * 40 * nodes)
    assert first["t_betw"] == round(first["cycles"] * nodes / first["messages"], 4)
    assert first["t_hand"] >= NULL["hard"] and first["share_buffered"] == 0
    assert (last["messages"], last["body_bytes"]) == (2 * nodes, 8 * nodes)
    said = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", (ROOT / "docs" / "udm.md").read_text().partition(
        "## Measured sections")[2].partition("\n## ")[0], re.MULTILINE)
    assert re.findall(r"\w+", " ".join(said)) == list(first), "docs/udm.md lists the lines"
    [second] = found["second"]
    assert (second["messages"], second["t_betw"], second["t_hand"], second["share_buffered"]) == (0, None, None, None)


@pytest.mark.parametrize("timeslice", [1500, 4000, 20000])
def test_sections_of_two_jobs_do_not_mix(machine, timeslice):
    """Slots end while a section is printed. The lines of each job stay together, and name the job."""
    result = machine("barrier", 20, "+", "barrier", 20, nodes=2, timeslice=timeslice, timeout="40M").check(0)
    keys = re.findall(r"^measured barrier: (\w+)", result.stdout, re.MULTILINE)
    assert keys == [*keys[:len(keys) // 2]] * 2 and keys[0] == "job"
    assert sorted(section["job"] for section in sections(result.stdout)["barrier"]) == [1, 2]


def test_section_names_a_job_whose_gid_another_has_had(machine):
    """The number is that on the command line. The last two jobs get GIDs that others have left."""
    jobs = PROCESS["JOBS_MAX"] + 2
    result = machine(*joined([["barrier", 1]] * jobs), nodes=1, timeout="400M").check(0)
    found = sections(result.stdout)["barrier"]
    assert sorted(section["job"] for section in found) == [*range(1, jobs + 1)]


@pytest.mark.parametrize("word, says", [
    ("again", "udm_measure_begin(): a section has begun already"),
    ("end", "udm_measure_end(): no section has begun"),
])
def test_mistakes_end_the_job(machine, word, says):
    result = machine(program("sections"), word, nodes=2, timeout="20M").check(118)
    assert says in result.stdout + result.stderr, result.report()


# ---- beside another job ---------------------------------------------------------

SLOT = 100_000
SERVES = re.compile(rf"fugu_ni_control node 0: kernel page 0x{REGS['K_GID']:03x} := 0x(\w+) @(\d+)")


def turns(machine, folder, messages):
    """[difference between what is charged and the cycles of own slots, counters] of both jobs on node 0.

    Messages take a slot from node to node, so they come in the slots of the other job.
    """
    trace = folder / f"trace-{messages}"
    result = machine(program("turns"), 0, "+", program("turns"), messages, nodes=2, cache=False, timeslice=SLOT,
                     mesh_base=SLOT, trace="fugu_ni_control", trace_file=trace, timeout="20M").check(0)
    served = [(int(gid, 16), int(time)) for gid, time in SERVES.findall(trace.read_text())]
    found = []
    for line in sorted(re.findall(r"^turns: (.*)$", result.stdout, re.MULTILINE)):
        job = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", line)}
        own = sum(max(0, min(end, job["to"]) - max(start, job["from"]))
                  for (gid, start), (_, end) in zip(served, served[1:] + [(0, job["to"])], strict=True)
                  if gid == job["gid"])
        counters = {name: job[f"c{k}"] for name, k in REGS.group("METER_").items() if f"c{k}" in job}
        found.append((counters["CYCLES"] - own, counters))
    return found


def test_insertions_are_charged_to_their_job(machine, tmp_path):
    (spent, _), (paid, _) = turns(machine, tmp_path, 0)
    assert (spent, paid) == (0, 0)
    costs = []
    for messages in (10, 25):
        (spent, first), (paid, second) = turns(machine, tmp_path, messages)
        assert spent == -paid < 0
        assert (first["INSERTED"], first["RECEIVED"], first["HANDLING"]) == (0, 0, 0)
        assert (second["INSERTED"], second["RECEIVED"], second["HANDLED"]) == (messages, messages, messages)
        costs.append(paid)
    assert costs[1] - costs[0] == 15 * INSERTION

"""A hostile job on SHRIMP's interface beside a correct one: maps/intruder.c attacks, maps/witness.c checks its memory.

docs/shrimp.md, "What it can cost others", has the table of all cases.
"""

from __future__ import annotations

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from guest_programs import built

from fugu.paths import ROOT

INTRUDER, WITNESS = built("hostile/intruder"), built("hostile/witness")
CASES = re.findall(r'^    \{ "([\w-]+)", \w+ \},$', (Path(__file__).parent / "maps" / "intruder.c").read_text(), re.MULTILINE)
NODES = 4
STORE, LOAD = "store to memory that is not its own", "access to memory that is not its own"

# How the job ends if not of itself: what the kernel says of node 1's process.
ENDS = dict.fromkeys(["crash-under-way", "crash-full", "stale-command", "stale-arm", "commands-of-none",
                      "commands-of-kernel", "physical-command", "mode-unmapped", "waits-for-ever"], STORE)
ENDS["reads-commands"] = LOAD

# Machines, in turn: those of one case see others than those of the next.
MACHINES = [{}, {"ram": "1M"}, {"scheduler": "none"}, {"skew": 40, "timeslice": 50_000}, {"mesh_word": 20}, {"nodes": 2},
            {"second_base": 5000}]


def run(machine, case, until, turns, **options):
    """The result of a case beside the witness, which has found nothing wrong; nor has the intruder."""
    options = {"ni": "shrimp", "nodes": NODES, "timeslice": 20_000, "timeout": "400M"} | options
    result = machine(INTRUDER, case, until, "+", WITNESS, turns, **options).check(101 if case in ENDS else 0)
    lines = result.stdout.splitlines()
    assert sorted(line for line in lines if line.startswith("witness: node")) == [
        f"witness: node {node}: 0 wrong" for node in range(options["nodes"])], result.report()
    assert not any(line.startswith("intruder:") for line in lines), result.report()
    said = [line.partition(";")[0] for line in lines if line.startswith("glaze:")]
    assert [line.partition(",")[0] for line in said] == [
        f"glaze: intruder (job 1) on node 1 is ended: {ENDS[case]}" for _ in range(case in ENDS)], result.report()
    return result


@pytest.mark.parametrize("case", CASES)
def test_the_witness_loses_nothing(machine, case):
    run(machine, case, 3_000_000, 20)


@pytest.mark.parametrize(("case", "options"), [(case, MACHINES[k % len(MACHINES)]) for k, case in enumerate(CASES, 1)])
def test_on_other_machines(machine, case, options):
    run(machine, case, 3_000_000, 20, **options)


@pytest.mark.parametrize("nodes", [2, 3])
def test_255_jobs_come_and_go_without_a_stale_word(machine, tmp_path, nodes):
    """Each job takes a GID and pages that others have had, whose updates may still be under way. It and the witness look."""
    shutil.copy(built("kinds/mapfaults"), tmp_path / "m")       # their names must fit in the kernel's arguments
    shutil.copy(WITNESS, tmp_path / "w")
    result = machine(*[tmp_path / "m", "leave", "+"] * 254, tmp_path / "w", 200, ni="shrimp", nodes=nodes, timeslice=20_000,
                     timeout="2000M").check(0)
    lines = [line for line in result.stdout.splitlines() if not line.startswith("witness: took")]
    assert sorted(lines) == [f"witness: node {node}: 0 wrong" for node in range(nodes)], result.report()


def test_there_are_many_cases():
    """Each has a name of its own, and each end is one of a case."""
    assert len(set(CASES)) == len(CASES) > 40 and set(ENDS) <= set(CASES)


# ---- what it costs -----------------------------------------------------------------------

TURNS, UNTIL = 400, 60_000_000


def cost(machine, case):
    [cycles] = re.findall(r"^witness: took (\d+) cycles$", run(machine, case, UNTIL, TURNS, timeslice=500_000).stdout, re.MULTILINE)
    return int(cycles)


@pytest.mark.parametrize("case", ["export-storm", "map-witness"])
def test_the_most_expensive_cases_leave_a_fair_share(machine, case):
    """At the kernel's own time slice: most of what others' maps cost a node is the time of its kernel."""
    assert cost(machine, case) < 1.3 * cost(machine, "nothing")


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_costs_are_those_documented(machine):
    with ThreadPoolExecutor(2) as pool:
        cycles = dict(zip(CASES, pool.map(lambda case: cost(machine, case), CASES), strict=True))
    rows = {case: f"{cycles[case] / cycles['nothing']:.2f}" for case in CASES}
    page = (ROOT / "docs" / "shrimp.md").read_text()
    documented = dict(re.findall(r"^\| `([\w-]+)` \| .* \| (\d\.\d\d) \|$", page, re.MULTILINE))
    assert documented == rows

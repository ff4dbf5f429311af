"""--stats and profile: what shared memory has cost, by node and by the name of a block."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from observing import digest, figures, observed
from run_sh import run_sh

NODES = 3
# Each node prints what the library has counted.
SOURCE = """\
#include <stdio.h>
MAIN_ENV
struct head { BARDEC(barrier) int sum; } *head;
LOCKDEC(lock)
double *row[4];
int processes;
work() {
    struct shm_statistics s;
    int i, k;
    BARRIER(head->barrier, processes)
    for (i = 0; i < 5; i++) {
        for (k = 0; k < 600; k++) row[i % 4][k] += k;
        LOCK(lock) head->sum++; UNLOCK(lock)
        BARRIER(head->barrier, processes)
    }
    shm_statistics(&s);
    printf("node %d: %u %u %u %u %u %u; %llu %llu %llu %llu\\n", shm_node(), s.read_faults, s.write_faults, s.locks,
           s.barriers, s.twins, s.visits, s.fault_cycles, s.lock_cycles, s.barrier_cycles, s.visit_cycles);
}
main(argc, argv) char **argv; {
    int i;
    processes = atoi(argv[1]);
    MAIN_INITENV()
    head = (struct head *) G_MALLOC(sizeof *head)
    for (i = 0; i < 4; i++)
        row[i] = (double *) G_MALLOC(600 * sizeof(double))
    BARINIT(head->barrier, processes)
    for (i = 1; i < processes; i++) CREATE(work)
    work();
    WAIT_FOR_END(processes - 1)
    MAIN_END
}
"""
LINE = re.compile(r"^node (\d+): ([\d ]+); ([\d ]+)$", re.MULTILINE)
COUNTS = ("read_fault", "write_fault", "lock", "barrier", "twin", "visit")
EDGE = 300      # cycles of a fault or call outside of its marks
HANDLERS = 10_000       # of upcalls that come on such an edge: they count for the library alone
LINES = {words: f"x.C:{number}" for number, line in enumerate(SOURCE.splitlines(), 1)
         for words in ("head = ", "row[i] = ") if words in line}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sharing")
    (folder / "x.C").write_text(SOURCE)
    assert run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=folder).returncode == 0
    return folder / "x.elf"


def test_costs_are_what_the_library_counts(program, tmp_path):
    """Times are the same; cycles differ by the calls' edges. The digest is that of the plain run."""
    words = ("-n", NODES, program, NODES)
    found, output = figures(tmp_path, *words)
    assert digest(output) == digest(observed("--digest", *words))
    shared = found["jobs"][[job["gid"] for job in found["jobs"]].index(1)]["sharing"]
    times, cycles = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
    for one in shared:
        times[one["node"], one["cost"]] += one["times"]
        cycles[one["node"], one["cost"]] += one["cycles"]
    printed = LINE.findall(output)
    assert len(printed) == NODES
    for node, counts, spent in printed:
        mine = dict(zip(COUNTS, map(int, counts.split()), strict=True))
        faults, locks, barriers, visits = map(int, spent.split())
        # An alarm that ends the interval, and asks no home, counts as a visit here alone.
        assert times[int(node), "visit"] >= mine["visit"]
        assert {cost: times[int(node), cost] for cost in COUNTS if cost != "visit"} == \
            {cost: count for cost, count in mine.items() if cost != "visit"}
        # The library's times have the visits that come while a call waits; the figures charge these to the visit alone.
        inside = HANDLERS + cycles[int(node), "visit"]
        fault_cycles = cycles[int(node), "read_fault"] + cycles[int(node), "write_fault"]
        assert 0 <= faults - fault_cycles <= EDGE * (mine["read_fault"] + mine["write_fault"]) + inside
        assert 0 <= locks - cycles[int(node), "lock"] <= EDGE * mine["lock"] + inside
        assert 0 <= barriers - cycles[int(node), "barrier"] <= EDGE * mine["barrier"] + inside
        assert cycles[int(node), "visit"] >= visits


def test_names(program, tmp_path):
    """A block has the line of its G_MALLOC, and a lock that is a global its own name."""
    found, _ = figures(tmp_path, "-n", NODES, program, NODES)
    shared = next(job["sharing"] for job in found["jobs"] if job["gid"] == 1)
    names = {cost: {one["name"] for one in shared if one["cost"] == cost} for cost in {one["cost"] for one in shared}}
    assert names["lock"] == names["unlock"] == {"lock"}
    assert names["barrier"] == {LINES["head = "]}
    assert names["write_fault"] == names["read_fault"] == {LINES["head = "], LINES["row[i] = "]}
    assert names["difference"] <= names["write_fault"]
    assert {one["node"] for one in shared if one["name"] == "lock"} == set(range(NODES))


@pytest.mark.parametrize("command", [("profile",), ("--stats",)], ids=["profile", "stats"])
def test_tables(program, command):
    output = observed(*command, "-n", NODES, program, NODES)
    assert "shared memory by node: cycles (times)" in output
    rows = output.partition("shared memory by name: cycles (times)")[2].splitlines()
    assert re.fullmatch(r" +name +all cycles +read faults +write faults +locks +unlocks +barriers.*", rows[1])
    assert {LINES["head = "], LINES["row[i] = "], "lock"} <= {row.split()[0] for row in rows[2:6]}


def test_programs_without_shared_memory(tmp_path):
    found, output = figures(tmp_path, "-n", 2, "pingpong", 5)
    assert all(job["sharing"] == [] for job in found["jobs"])
    assert "shared memory" not in observed("--stats", "-n", 2, "pingpong", 5)

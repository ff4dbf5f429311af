"""The checks of lab 4."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

NODES, SLOT = 2, 50_000
AHEAD = 41_500              # cycles after which two nodes have a plan: docs/scheduler.md
FIRST = 16                  # slot from which on the checks look at the first table
# For server.c: says from when on its first table holds, and how long before a plan it announces that.
TABLES = """
#include <stdio.h>
#include "glaze-calls.h"
#include "udm.h"
static inline int32_t lab_schedule(const struct glaze_table *table)
{
    static int there;
    int32_t result = glaze_schedule(table);
    uint64_t from = udm_cycles();

    if (!there && result == 0) {
        there = 1;
        from = table->origin > from ? table->origin : from;
        printf("lab: node %lu has a table from cycle %llu on\\n", (unsigned long)udm_node(),
               (unsigned long long)from);
    }
    return result;
}
static inline int32_t lab_announce(const struct glaze_plan *plan)
{
    int64_t ahead = plan->origin - udm_cycles();
    int32_t result = glaze_announce(plan);

    printf("lab: a plan begins after %lld cycles\\n", (long long)ahead);
    return result;
}
#define glaze_schedule(table) lab_schedule(table)
#define glaze_announce(plan) lab_announce(plan)
"""
# A server's main(): says that the server ends. The kernel does not if the server has wanted it.
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "udm.h"
#undef main
int server_main(int count, char **argument);
static void ends(void)
{
    printf("server: node %lu: main() has returned, or exit() was called\\n",
           (unsigned long)udm_node());
}
int main(int count, char **argument)
{
    atexit(ends);
    return server_main(count, argument);
}
"""
# What the server's check(), this main() and the kernel say.
ENDED = re.compile(r"^(?:server: node \d+: \w+: error \d+|server: node \d+: main\(\) has returned.*|glaze: server .*)", re.MULTILINE)

TABLE = re.compile(r"^lab: node (\d) has a table from cycle (\d+) on$", re.MULTILINE)
PLAN = re.compile(r"^lab: a plan begins after (-?\d+) cycles$", re.MULTILINE)


@pytest.fixture(scope="module")
def scheduled(lab, tmp_path_factory):
    """scheduled("3 1", 40, "40@1M") -> {(job, node): slots, as text} of copies of watch, and the result. Shares None:
    there is no file. From slot `first` on the check looks at the first table."""
    watch = lab.build("-Wall", lab.given / "watch.c")
    made = tmp_path_factory.mktemp("made")
    (made / "main.c").write_text(MAIN)
    (made / "tables.h").write_text(TABLES)
    server = lab.build("-Wall", "-Dmain=server_main", "-include", made / "tables.h", "server.c", made / "main.c",
                       name="server")

    def run(shares, *slots, first=FIRST, **options):
        if shares is not None:
            file = made / shares / "shares"     # the same for the same shares: a run that was made is not repeated
            file.parent.mkdir(exist_ok=True)
            file.write_text(shares + "\n")
            options["input"] = str(file)
        words = []
        for each in slots:
            number, at, cycle = str(each).partition("@")
            words += ["+", f"{watch}{at}{cycle}", *number.split()]
        result = lab.run(*words[1:], nodes=NODES, timeslice=SLOT, scheduler=str(server), statistics=True, **options)
        # A server may end when its jobs have.
        said, newline, _ = result.output.rpartition("\njob ")
        gone = ENDED.search(result.errors + said + newline)
        assert not gone, f"your server has ended: {gone[0]}"
        tables = {int(node): int(cycle) // SLOT for node, cycle in TABLE.findall(result.output)}
        for node in range(NODES):
            assert node in tables, f"the server on node {node} makes no table, so the jobs take turns there"
            assert tables[node] <= first, f"the server on node {node} has no table before slot {tables[node]}, so the " \
                                          "jobs take turns there: it has 50,000 cycles of 500,000"
        rows = re.findall(r"^job (\d+) node (\d+) (\S+)$", result.output, re.MULTILINE)
        return {(int(job), int(node)): row for job, node, row in rows}, result
    return run


def had(rows, begin, end, node=0):
    """How many slots of a part of the clock each job has had, in words."""
    counts = [row[begin:end].count("x") for (_, where), row in sorted(rows.items()) if where == node]
    return ", ".join(f"job {job} {count}" for job, count in enumerate(counts, 1))


def test_each_job_has_its_share(scheduled):
    """step 1 of the task, and "Tables" in the text."""
    for shares, said, wanted in (("3 1", "shares 3 and 1", "job 1 18, job 2 6"),
                                 ("3", "the share 3 alone in the file", "job 1 18, job 2 6"),
                                 (None, "no file", "job 1 12, job 2 12")):
        rows, _ = scheduled(shares, 40, 40)
        seen = had(rows, FIRST, 40)
        assert seen == wanted, f"with {said}, the slots 16 to 39 are divided so: {seen}, and not {wanted}"


def stride(shares):
    """The jobs of the slots of a period, from 1 on."""
    return [job for _, job in sorted((Fraction(k, share), job) for job, share in enumerate(shares, 1)
                                     for k in range(1, share + 1))]


def test_slots_are_spread(scheduled):
    """step 2 of the task, and "Stride scheduling" in the text."""
    for shares in ([3, 1], [2, 3], [7, 4, 2]):
        rows, _ = scheduled(" ".join(map(str, shares)), *[56] * len(shares), first=32)
        period = stride(shares)
        wanted = [period[slot % len(period)] for slot in range(32, 56)]
        jobs = range(1, len(shares) + 1)
        seen = [next((job for job in jobs if rows[job, 0][slot] == "x"), "-") for slot in range(32, 56)]
        assert seen == wanted, f"with shares {', '.join(map(str, shares))}, the slots 32 to 55 are of jobs " \
                               f"{' '.join(map(str, seen))}, and not {' '.join(map(str, wanted))}"


def test_the_slots_of_a_job_that_has_ended_are_divided(scheduled):
    """step 3 of the task."""
    rows, _ = scheduled("1 1 2", 76, 76, "32 44", first=24)
    kept = rows[3, 1][36:44].count("x")
    assert kept == 4, "job 3 has half of all shares, and has ended on node 0 alone: " \
                      f"on node 1 it has {kept} of the slots 36 to 43"
    seen = had({place: row for place, row in rows.items() if place[0] < 3}, 52, 76)
    assert seen == "job 1 12, job 2 12", \
        f"job 3 has ended by slot 45; jobs 1 and 2 have equal shares, and the slots 52 to 75 are divided so: {seen}"


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_all_nodes_have_the_same_slots(scheduled, atomicity):
    """step 3 of the task, and "All nodes alike" in the text."""
    rows, result = scheduled("2 3 1 1", 80, 80, 20, 48, first=24, atomicity=atomicity)
    early = [int(ahead) for ahead in PLAN.findall(result.output) if int(ahead) < AHEAD]
    assert not early, f"a plan begins {early[0]:,} cycles after node 0 has announced it, when not all nodes may have it"
    for begin, end, since in ((32, 46, "job 3 has ended"), (60, 76, "jobs 3 and 4 have ended")):
        for job in (1, 2):
            one, other = (rows[job, node][begin:end] for node in range(NODES))
            assert one == other, \
                f"from slot {begin} on, when {since}, job {job} has {one} on node 0 and {other} on node 1"


def test_a_job_starts_later(scheduled):
    """step 4 of the task."""
    rows, _ = scheduled("1 1 1", 80, "80@2M", "80@1M", first=24)
    for job, slot in ((2, 40), (3, 20)):
        had_slots = "x" in rows[job, 0][:slot], "x" in rows[job, 0][slot:slot + 16]
        assert had_slots == (False, True), \
            f"job {job} is to begin with slot {slot}, and has these slots: {rows[job, 0]}"
    seen = had(rows, 56, 80)
    assert seen == "job 1 8, job 2 8, job 3 8", \
        "jobs 2 and 3 begin at cycles 2,000,000 and 1,000,000 with equal shares, " \
        f"and the slots 56 to 79 are divided so: {seen}"


def test_a_server_that_has_nothing_to_do_waits(scheduled):
    """"Events" in the text."""
    def computed(slots):
        _, result = scheduled("3 1", slots, slots)
        return sum(job["cycles_charged"] for job in result.statistics["jobs"] if job["gid"] == 63)
    cycles = computed(80) - computed(40)
    assert cycles < 10_000, f"in 40 slots in which nothing happens, the servers take {cycles:,} cycles"

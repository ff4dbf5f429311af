"""The checks of lab 4."""

from __future__ import annotations

import re

import pytest

NODES, SLOT = 2, 50_000
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


@pytest.fixture(scope="module")
def scheduled(lab, tmp_path_factory):
    """scheduled("3 1", 40, "40@1M") -> {(job, node): slots, as text} of copies of watch, and the result."""
    watch = lab.build("-Wall", lab.given / "watch.c")
    main = tmp_path_factory.mktemp("main") / "main.c"
    main.write_text(MAIN)
    server = lab.build("-Wall", "-Dmain=server_main", "server.c", main)

    def run(shares, *slots, **options):
        file = tmp_path_factory.mktemp("given") / "shares"
        file.write_text(shares + "\n")
        words = []
        for each in slots:
            number, at, cycle = str(each).partition("@")
            words += ["+", f"{watch}{at}{cycle}", number]
        result = lab.run(*words[1:], nodes=NODES, timeslice=SLOT, scheduler=str(server), input=str(file),
                         statistics=True, **options)
        # A server may end when its jobs have.
        said, newline, _ = result.output.rpartition("\njob ")
        gone = ENDED.search(result.errors + said + newline)
        assert not gone, f"your server has ended: {gone[0]}"
        rows = re.findall(r"^job (\d+) node (\d+) (\S+)$", result.output, re.MULTILINE)
        return {(int(job), int(node)): row for job, node, row in rows}, result
    return run


def had(rows, begin, end, node=0):
    """How many slots of a part of the clock each job has had, in words."""
    counts = [row[begin:end].count("x") for (_, where), row in sorted(rows.items()) if where == node]
    return ", ".join(f"job {job} {count}" for job, count in enumerate(counts, 1))


def test_each_job_has_its_share(scheduled):
    """step 1 of the task."""
    rows, _ = scheduled("3 1", 40, 40)
    seen, wanted = had(rows, 16, 40), "job 1 18, job 2 6"
    assert seen == wanted, f"with shares 3 and 1, the slots 16 to 39 are divided so: {seen}, and not {wanted}"
    rows, _ = scheduled("3", 40, 40)
    seen = had(rows, 16, 40)
    assert seen == wanted, f"with the share 3 alone in the file, the slots 16 to 39 are divided so: {seen}"


def test_slots_are_spread(scheduled):
    """step 2 of the task, and "Stride scheduling" in the text."""
    rows, _ = scheduled("3 3", 40, 40)
    row = rows[1, 0][16:]
    assert row == "x-" * 12, f"with shares 3 and 3, job 1 has these slots from 16 on: {row}, and not {'x-' * 12}"


def test_the_slots_of_a_job_that_has_ended_are_divided(scheduled):
    """step 3 of the task."""
    rows, _ = scheduled("1 1 2", 60, 60, 20)
    seen = had({place: row for place, row in rows.items() if place[0] < 3}, 32, 56)
    assert seen == "job 1 12, job 2 12", \
        f"job 3 has ended by slot 24; jobs 1 and 2 have equal shares, and the slots 32 to 55 are divided so: {seen}"


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_all_nodes_have_the_same_slots(scheduled, atomicity):
    """step 3 of the task, and "All nodes alike" in the text."""
    rows, _ = scheduled("2 3 1", 60, 60, 20, atomicity=atomicity)
    for job in (1, 2):
        one, other = (rows[job, node][32:56] for node in range(NODES))
        assert one == other, f"from slot 32 on, job {job} has {one} on node 0 and {other} on node 1"


def test_a_job_starts_later(scheduled):
    """step 4 of the task."""
    rows, _ = scheduled("1 1", 80, "80@2M")
    early = "x" in rows[2, 0][:40]
    assert not early, f"job 2 is to begin with slot 40, and has these slots: {rows[2, 0]}"
    seen = had(rows, 56, 80)
    assert seen == "job 1 12, job 2 12", \
        f"job 2 begins at cycle 2,000,000 with an equal share, and the slots 56 to 79 are divided so: {seen}"


def test_a_server_that_has_nothing_to_do_waits(scheduled):
    """"Events" in the text."""
    def computed(slots):
        _, result = scheduled("3 1", slots, slots)
        return sum(job["cycles_charged"] for job in result.statistics["jobs"] if job["gid"] == 63)
    cycles = computed(80) - computed(40)
    assert cycles < 10_000, f"in 40 slots in which nothing happens, the servers take {cycles:,} cycles"

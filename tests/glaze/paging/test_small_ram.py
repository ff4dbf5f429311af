"""When jobs do not fit into the RAM, the kernel says so before any of them runs."""

from __future__ import annotations

import re

import pytest
from guest_programs import joined

REFUSED = 103               # status: the jobs were not started
NO_MEMORY = 102             # status: a job has started and needs more memory than there is


def jobs(count):
    return joined([["hello"]] * count)


def check_refused(result):
    """Node 0 prints one line, and no program prints anything."""
    assert re.fullmatch(r"glaze: (job \d+ cannot be started: )?a node's RAM is too small for "
                        r"(it and the jobs before it|so many jobs|the kernel|"
                        r"the scheduler's server and the jobs \(--scheduler none does without a server\))\n",
                        result.stdout), result.report()


@pytest.mark.parametrize(("count", "ram"), [(15, "256K"), (8, "128K"), (4, "96K"), (1, "64K")])
def test_too_many_jobs_are_refused(machine, count, ram):
    check_refused(machine(*jobs(count), nodes=4, ram=ram, timeout="100M").check(REFUSED))


@pytest.mark.parametrize("count", [1, 2, 5, 15])
def test_jobs_start_or_are_refused_at_every_size(machine, count):
    """For every size of RAM, the jobs are refused or start; a started job may run out of memory."""
    seen = set()
    for ram in range(64, 448, 12):
        result = machine(*jobs(count), nodes=2, ram=f"{ram}K", timeout="400M")
        seen.add(result.status)
        assert result.status in (0, NO_MEMORY, REFUSED), result.report()
        if result.status == REFUSED:
            check_refused(result)
        if result.status == 0:
            assert result.stdout.count("hello from node") == 2 * count
    assert seen >= {0, REFUSED}


def test_disk_at_another_node_makes_no_difference(machine, disk):
    """A disk takes page frames on its node. Node 0 refuses the jobs all the same."""
    disk_of_1 = f"1={disk(256)}"
    refused = []
    for ram in range(64, 200, 4):
        plain, paged = (machine(*jobs(5), nodes=2, ram=f"{ram}K", disk=disks, timeout="1M")
                        for disks in ([], [disk_of_1]))
        assert (plain.status == REFUSED) == (paged.status == REFUSED), ram
        if paged.status == REFUSED:
            check_refused(paged)
            refused.append(ram)
    assert refused == list(range(64, max(refused) + 4, 4))


@pytest.mark.parametrize(("ram", "options"), [*((ram, {"scheduler": "none"}) for ram in range(148, 172, 4)),
                                             *((ram, {}) for ram in range(164, 188, 4))])
def test_jobs_end_with_hardly_a_frame_for_pages(machine, disk, ram, options):
    """With backing store, jobs that have all started end, with or without enough memory. None waits for ever. The
    scheduler's server may be ended too."""
    result = machine(*jobs(5), nodes=2, ram=f"{ram}K", disk=[f"1={disk(4096)}"], timeout="2000M", **options)
    ended = set(re.findall(r"^glaze: hello \(job (\d)\) on node \d is ended: the node has no memory left for it: ",
                           result.stdout, re.MULTILINE))
    result.check(NO_MEMORY if ended else 0)
    hello = [line for line in result.stdout.splitlines() if line.startswith("hello from node ")]
    assert len(hello) >= 2 * (5 - len(ended)), result.report()

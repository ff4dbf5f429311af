"""What jobs that page cost a job that computes (docs/glaze.md, "What a job can cost another")."""

from __future__ import annotations

import re

import pytest
from guest_programs import built, joined

LOOP, PAGER, LENDS = built("glaze/slots/slots"), built("glaze/paging/pager"), built("glaze/paging/lends")
UNTIL = 40_000_000
MOST = 2.2


def run(machine, disk, nodes, jobs):
    """(turns of the loop on each node, pages that each job has touched on each node) by label."""
    result = machine(*joined([[LOOP, "share", UNTIL], *jobs]), nodes=nodes, ram="512K", label=True, timeout="80M",
                     disk=[f"{nodes - 1}={disk(16384)}"]).check(0)
    return [{tuple(map(int, found[:2])): int(found[2]) for found in
             re.findall(rf"^\[(\d+) job (\d+) @\d+\] {line}$", result.stdout, re.MULTILINE)}
            for line in (r"share: job \d+: (\d+)", r"pager: node \d+ (\d+) pages")]


@pytest.mark.parametrize(("nodes", "pages", "jobs", "how"), [
    (3, 150, 1, []), (8, 150, 1, []), (8, 150, 1, ["computes"]), (8, 150, 1, ["ends"]), (8, 70, 2, ["computes"]),
    (1, 150, 1, []),
])
def test_the_kernels_work_for_pages_is_paid_by_who_needs_them(machine, disk, nodes, pages, jobs, how):
    """On no node does the loop get less than 0.85 of what it gets beside jobs that compute: the kernel charges a twentieth
    too little, and on the node of the disk it works for pages half of the time where the job has ended. On the node of the
    disk, the kernel works for the pages of all nodes; without charging that, the loop would have a third of its share
    there."""
    others = [[PAGER, pages, UNTIL, *([nodes - 1, *how] if how else [])]] * jobs
    fair, _ = run(machine, disk, nodes, [[LOOP, "share", UNTIL]] * jobs)
    turns, touched = run(machine, disk, nodes, others)
    for node in range(nodes):
        assert turns[node, 1] > 0.85 * fair[node, 1], (node, turns, fair)
    assert all(touched[node, job] > 5 for node in range(nodes - 1) for job in range(2, jobs + 2)), touched


def test_a_job_that_pages_goes_on(machine, disk):
    """Pages come for it beside a loop, at least half as fast as if it is alone."""
    alone, beside = (dict(re.findall(r"^pager: node (\d) (\d+) pages$", machine(
        *joined([[PAGER, 150, UNTIL], *others]), nodes=3, ram="512K", disk=[f"2={disk(16384)}"],
        timeout="80M").check(0).stdout, re.MULTILINE)) for others in ([], [[LOOP, "share", UNTIL]]))
    for node in "012":
        assert int(alone[node]) < MOST * int(beside[node]), (alone, beside)


def test_a_small_buffer_beside_a_pager_is_not_suspended(machine, disk):
    """The pager holds the frames, and not the buffer of ten pages. Each time that messages used up half of the reserve,
    the job of the buffer was suspended."""
    result = machine(*joined([[built("glaze/paging/batches"), 36, UNTIL], [PAGER, 300, UNTIL]]), nodes=3, ram="1M",
                     timeslice=2_000_000, disk=[f"2={disk(16384)}"], timeout="80M").check(0)
    [(rounds, pages, suspensions)] = re.findall(r"^batches: (\d+) rounds, (\d+) pages, suspended (\d+) times$",
                                                result.stdout, re.MULTILINE)
    assert (int(pages), int(suspensions)) == (10, 0) and int(rounds) > 10, result.report()


@pytest.mark.parametrize("computes_from", [0, 200_000])
def test_who_takes_time_back_takes_no_more(machine, disk, computes_from):
    """While the one job waits for a page in its slot, the kernel works for that page nearly all the time. It lends the loop
    what is left, and takes that back. If it took back all of the time, the loop would get less than eight tenths of its
    share. If it computes from cycle 200,000 of the loop's slots on, it runs when these end, and owes for its pages
    nevertheless. Otherwise the loop would get 0.73 of its share."""
    def turns(job):
        result = machine(*joined([job, [LOOP, "share", UNTIL]]), nodes=1, ram="512K", timeout="80M",
                         disk=[f"0={disk(16384)}"]).check(0)
        return int(re.search(r"^share: job 2: (\d+)$", result.stdout, re.MULTILINE)[1])
    assert turns([LENDS, 150, UNTIL, 2, computes_from]) > 0.82 * turns([LOOP, "share", UNTIL])

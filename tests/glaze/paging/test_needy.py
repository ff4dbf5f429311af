"""Which processes the kernel looks at when something happens that may let it serve pages (pager.c)."""

from __future__ import annotations

from guest_programs import built

from fugu.api import Machine

WORKER = built("glaze/paging/worker")
PAGING, FILLED = 1 << 1, 1 << 2     # the GIDs of the two jobs


def test_a_process_that_has_its_pages_is_looked_at_no_more(disk):
    """On node 0, job 1 needs more pages than there are frames, and job 2 four. Once it has them, rounds no longer come to
    it: a round takes time of the kernel for each process that it looks at."""
    with Machine(WORKER, 150, 300, 0, "+", WORKER, 4, 300, 0, nodes=2, ram="512K", disk=[f"1={disk(16384)}"],
                 history="1M") as machine:
        needy = []
        for cycle in range(200_000, 3_000_000, 200_000):
            machine.to_cycle(cycle)
            needy.append(machine.value("processes_needy", 0, 4, program="kernel"))
    assert any(one & FILLED for one in needy), needy
    assert needy[5:] == [one & PAGING for one in needy[5:]] and PAGING in needy[5:], needy

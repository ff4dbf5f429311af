"""What a job that takes all memory costs a job beside it (docs/glaze.md, "What a job can cost another")."""

from __future__ import annotations

import re

import pytest
from guest_programs import built, joined

from fugu.abi import PROCESS, STATUS

WASTED = built("glaze/paging/wasted")
WORKER, TAKER = built("glaze/paging/worker"), built("glaze/paging/taker")
FROM = 30_000_000           # when the worker begins: the taker has taken what it wants, and begins its flood


def worked(machine, disk, worker, how, nodes=1):
    """The cycles that the worker takes, and those of its longest step."""
    words = joined([[WORKER, *worker, FROM], [TAKER, how, 1_000_000, 4_000_000_000]])
    result = machine(*words, nodes=nodes, disk=[f"0={disk(16384)}"], timeout="500M")
    found = re.search(r"^worker: (\d+) cycles, longest (\d+)$", result.stdout, re.MULTILINE)
    assert found, result.report()
    return int(found[1]), int(found[2])


def test_pages_with_views_go_out(machine, disk):
    """A worker that needs 200 pages gets them from a job with views of all its pages, as from one without."""
    plain, viewed = (worked(machine, disk, (200, 2000), how)[0] for how in ("pages", "views"))
    assert viewed < 1.05 * plain


def test_flood_into_a_full_node(machine, disk):
    """A job that has taken all frames is flooded with messages. It is suspended, and the worker goes on: the kernel
    does not wait for the disk for each page of messages."""
    cycles, longest = worked(machine, disk, (4, 3000), "flood", nodes=4)
    alone, _ = worked(machine, disk, (4, 3000), "pages", nodes=4)
    assert cycles < 2.2 * alone, (cycles, alone)
    assert longest < 1_500_000


@pytest.mark.parametrize("low_water", [12, 0])
def test_messages_and_a_process_get_frames_in_turn(machine, disk, low_water):
    """Messages that no process takes come faster than pages go out. A job that pages beside them gets every other frame: if
    messages took each frame that becomes free, it would not be done in four times the time."""
    def paged(kind):
        words = joined([[built("hostile/beside"), "pages", 40, 4_000_000], [built("hostile/attack"), kind, 60_000_000]])
        result = machine(*words, nodes=4, ram="512K", disk=[f"2={disk(16384)}"], low_water=low_water, timeout="61M")
        found = re.search(r"^beside: pages took (\d+) cycles$", result.stdout, re.MULTILINE)
        assert found, result.report()
        return int(found[1])

    assert paged("section") < 2.2 * paged("nothing")      # half of the time, and what its pages cost


@pytest.mark.parametrize(("how", "begins"), [("pages", "@5000000"), ("all", "@20000000")])
def test_the_job_above_its_share_ends(machine, how, begins):
    """Without a disk, a job that has taken nearly all frames ends, and not the one whose messages need the rest, nor
    the one that begins later."""
    flood = built("glaze/paging/flood")
    words = joined([[TAKER, how, 1_000_000, 100_000_000], [f"{flood}{begins}", 4000, 0]])
    result = machine(*words, nodes=2, ram="1M", timeout="400M").check(102)
    [ended] = re.findall(r"^glaze: .*$", result.stdout, re.MULTILINE)
    assert ended.startswith("glaze: taker (job 1) on node "), result.report()
    assert re.search(r"^sink: .*\breceived=4000 wrong=0\b", result.stdout, re.MULTILINE), result.report()


def test_end_of_a_job_with_many_tables(machine, disk):
    """A job that has mapped nearly all of its addresses ends. Its tables are given back in parts."""
    words = joined([[WORKER, 4, 3000, FROM], [TAKER, "tables", 1_000_000, 45_000_000]])
    result = machine(*words, nodes=1, timeslice=20_000, timeout="500M").check(0)
    found = re.search(r"^worker: (\d+) cycles, longest (\d+)$", result.stdout, re.MULTILINE)
    assert found, result.report()
    assert int(found[2]) < 400_000      # at once, it would be 7 M. Meanwhile the worker has part of the time


def test_a_gid_is_used_again_while_its_tables_are_given_back(machine):
    """The next job of the GID begins when the memory of the one before is free, which the kernel frees in parts.

    All other GIDs belong to jobs that wait for ever, so the run ends as a deadlock. Their slots go to the next job that
    can run: the worker and the taker have half of them each.
    """
    waiting = [[TAKER, "nothing", 0, 0]] * (PROCESS["JOBS_MAX"] // 2 - 1)
    words = joined([*waiting, [WORKER, 4, 3000, FROM], *waiting, [TAKER, "tables", 1_000_000, 45_000_000], ["hello", "later"]])
    result = machine(*words, nodes=1, ram="16M", timeslice=20_000, timeout="500M").check(STATUS["DEADLOCK"])
    assert "hello from node 0 of 1: hello later" in result.stdout
    found = re.search(r"^worker: (\d+) cycles, longest (\d+)$", result.stdout, re.MULTILINE)
    assert found, result.report()
    assert int(found[2]) < 2_000_000    # at once, it would be 5 M


@pytest.mark.parametrize("nodes", [1, 3])
def test_a_gid_is_used_again_though_nothing_else_happens(machine, nodes):
    """The next job of the GID waits for the memory of the one before, and nothing happens beside that: each other job
    waits for ever. When the last part of the memory is free, the kernel goes on to make the new process."""
    waiting = [[TAKER, "nothing", 0, 0]] * (PROCESS["JOBS_MAX"] - 1)
    words = joined([*waiting, [TAKER, "tables", 0, 8_000_000], ["hello", "later"]])
    result = machine(*words, nodes=nodes, ram="16M", timeslice=20_000, timeout="500M").check(STATUS["DEADLOCK"])
    assert result.stdout.count(": hello later") == nodes, result.report()


def test_a_job_that_has_gone_is_not_suspended(machine):
    """Messages for a process that has ended come when its job has gone. The kernel does not suspend that job: no node would
    end the suspension, and the next job of the GID, which sends such messages too, could not be suspended."""
    waiting = [[WASTED, 0, 0]] * (PROCESS["JOBS_MAX"] - 1)
    words = joined([*waiting, [WASTED, 500, 10_000_000], [WASTED, 1_000_000, 30_000_000]])
    result = machine(*words, nodes=2, ram="16M", mesh_base=100_000, source_space=8192, timeout="500M").check(
        STATUS["DEADLOCK"])
    first, later = (int(count) for count in re.findall(r"wasted: (\d+)", result.stdout))
    assert not first and later, result.report()


def test_tables_count_in_a_jobs_share(machine, disk):
    """A job has three quarters of the frames as tables, which stay in memory. Another one that needs less than its half
    gets its pages: the first job ends."""
    words = joined([[WORKER, 90, 3000, FROM], [TAKER, "spread", 0, 400_000_000]])
    result = machine(*words, nodes=1, ram="1M", disk=[f"0={disk(16384)}"], timeout="500M").check(102)
    [ended] = re.findall(r"^glaze: .*$", result.stdout, re.MULTILINE)
    assert ended.startswith("glaze: taker (job 2) on node 0 is ended: the node has no memory left for it"), result.report()
    [cycles] = re.findall(r"^worker: (\d+) cycles", result.stdout, re.MULTILINE)
    assert int(cycles) < 100_000_000, result.report()         # 428 M if the worker has to pay


def test_a_job_with_tables_pays_with_its_own_pages(machine, disk):
    """Tables have a third of the frames, and their job pages beside them. A worker that needs less than its share keeps its
    pages, as beside a job without tables: 406 M cycles if tables do not count."""
    def worked_beside(*how):
        words = joined([[WORKER, 90, 3000, FROM], [built("glaze/paging/pager"), 100, 400_000_000, *how]])
        result = machine(*words, nodes=1, ram="1M", disk=[f"0={disk(16384)}"], timeout="500M").check(0)
        return int(re.findall(r"^worker: (\d+) cycles", result.stdout, re.MULTILINE)[0])

    assert worked_beside(0, "spread") < 2.2 * worked_beside()

"""Jobs that together need more memory than there is, in chosen and random configurations.

The programs check their own pages, messages and floats in handlers. Where
backing store has room for all pages, every job ends well. Elsewhere, jobs may
end for want of memory, which does not affect the others.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

import pytest
from guest_programs import built, joined

OWN_PAGES = 40          # pages that a process needs beside those that it is told to take: data, stacks, tables
NO_MEMORY = "the node has no memory left for it, and "


@dataclass
class Job:
    """A job, the number of pages that it takes on each node, and the line that each node prints at a good end."""

    name: str
    args: tuple[object, ...]
    pages: int
    line: str

    def is_well(self, stdout: str, nodes: int, gid: int) -> bool:
        """Whether every node has printed its line, or the kernel has printed that the job ended for want of memory."""
        if f"glaze: {self.name} (job {gid}) on node " in stdout:
            return True
        return all(self.line.format(node=node) in stdout for node in range(nodes))


def pages(count: int, rounds: int) -> Job:
    return Job("pages", (count, rounds), count, f"pages: node {{node}} seen {rounds} wrong 0")


def unmap(times: int, *again: str) -> Job:
    return Job("unmap", (times, *again), 24, "unmap: node {node} done")


def receive(rounds: int) -> Job:
    return Job("receive", (rounds,), 8, f"receive: node {{node}} got {5 * rounds} wrong 0")


def run(machine, disk, nodes: int, jobs: list[Job], slots: int, **options: object):
    """Runs the jobs with `slots` of backing store for each node, and checks each job.

    Returns the lines about jobs that ended for want of memory, the only
    reason for which one may.
    """
    words = joined((built(f"glaze/paging/{job.name}"), *job.args) for job in jobs)
    result = machine(*words, nodes=nodes, disk=[f"{nodes - 1}={disk(nodes * slots)}"], timeout="6G", **options)

    said = re.findall(r"^glaze: .*$", result.stdout, re.MULTILINE)
    assert all(NO_MEMORY in line and "the backing store is full" in line for line in said), result.report()
    result.check(102 if said else 0)
    for gid, job in enumerate(jobs, 1):
        assert job.is_well(result.stdout, nodes, gid), result.report()
    return said


def test_receiver_beside_two_jobs_that_page(machine, disk):
    """Handlers use the FPU, while two other jobs push out each other's pages and those of the receiver."""
    assert not run(machine, disk, 2, [receive(40), pages(70, 30), pages(60, 30)], 400, ram="480K",
                   timeslice=81_000)


@pytest.mark.parametrize("jobs", [17, 18, 19])
def test_others_go_on_while_the_first_waits_for_a_message(machine, disk, tmp_path, jobs):
    """Each job waits for the one that comes first of those that need memory: only pages that came last are left. The
    scheduler's server comes first at times. It gets the page that it needs, and then waits until another process has got
    one: that process needs a page of the server's, which may go from then on."""
    what = tmp_path / "what"
    what.write_text("pages")
    machine(*joined([[built("glaze/paging/worker"), 20, 20, 0]] * jobs), nodes=1, ram="496K", disk=[f"0={disk(65536)}"],
            scheduler=built("glaze/sched/server"), input=str(what), timeout="3G").check(0)


@pytest.mark.parametrize("jobs", [12, 20])
def test_jobs_that_begin_beside_one_that_computes(machine, disk, jobs):
    """The job that computes has all memory. With many jobs, the kernel's search for a page takes longer than the time of
    its chores. What it begins when it takes the processor from that job must not be in vain: if no page goes before that
    job runs again, the others wait until it ends."""
    worker = [f"{built('glaze/paging/worker')}@80000000", 20, 20, 0]
    result = machine(*joined([[built("glaze/paging/computes"), 500, 400_000_000], *[worker] * jobs]), nodes=1, ram="1M",
                     disk=[f"0={disk(16384)}"], timeout="600M").check(0)
    *others, last = result.stdout.splitlines()
    assert len(others) == jobs and all(line.startswith("worker: ") for line in others), result.report()
    assert last == "computes: node 0 ends", result.report()


@pytest.mark.parametrize("again", [(), ("again",)])
def test_unmapping_a_page_on_its_way(machine, disk, again):
    """Unmapping a page that is on its way harms no other job, and leaves no slot or frame in use."""
    assert not run(machine, disk, 1, [unmap(40, *again), pages(90, 40)], 400, ram="512K", timeslice=50_000)


def test_unmapping_with_few_slots(machine, disk):
    """With so few slots, a slot that is lost or given away twice would end a job."""
    run(machine, disk, 1, [unmap(16), pages(75, 40), pages(60, 40)], 40, ram="512K", timeslice=50_000)


def test_job_larger_than_memory(machine, disk):
    """The pages of a job that is alone on its nodes take turns."""
    assert not run(machine, disk, 2, [pages(150, 3)], 400, ram="512K")


def test_message_when_the_running_job_has_all_frames(machine, disk):
    """A message comes for a waiting job while the running one holds all frames: pages of the running job go out."""
    assert not run(machine, disk, 1, [pages(140, 20), receive(30)], 400, ram="512K", timeslice=300_000, low_water=0)


def configuration(seed: int):
    """(nodes, jobs, slots, options, whether all pages have room) of a random configuration."""
    rng = random.Random(seed)
    nodes = rng.randint(1, 3)
    jobs = [rng.choice([
        lambda: pages(rng.randint(20, 90), rng.randint(5, 25)),
        lambda: unmap(rng.randint(4, 30), *["again"] * rng.randint(0, 1)),
        lambda: receive(rng.randint(10, 60)),
    ])() for _ in range(rng.randint(2, 4))]
    demand = sum(job.pages + OWN_PAGES for job in jobs)
    ample = rng.random() < 0.75
    options = {
        "ram": f"{rng.randrange(448, 1024, 32)}K",
        "timeslice": rng.randint(20_000, 300_000),
        "atomicity": rng.choice(["hard", "soft"]),
        "atomicity_timeout": rng.choice([300, 1000, 10_000]),
        "low_water": rng.choice([0, 12]),
    }
    return nodes, jobs, demand if ample else rng.randint(10, 60), options, ample


def at_random(machine, disk, seed: int) -> None:
    nodes, jobs, slots, options, ample = configuration(seed)
    said = run(machine, disk, nodes, jobs, slots, **options)
    assert not (ample and said), said


@pytest.mark.parametrize("seed", range(8))
def test_random_configuration_ends_well(machine, disk, seed):
    at_random(machine, disk, seed)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(8))
def test_many_random_configurations_end_well(machine, disk, part):
    """More configurations, in eight parts."""
    for seed in range(100 + part, 308, 8):
        at_random(machine, disk, seed)


# Calls of needs.c, and how many of them may have to wait for each frame that they need.
NEEDS = {"heap": ["malloc"] * 12, "view": ["map", "view"], "mbcf": ["open", "queue", "pattern"]}
TRANSFER = 200_000      # cycles of a page's way out, at least


@pytest.mark.parametrize("timeslice", [20_000, 500_000])
@pytest.mark.parametrize("what", NEEDS)
def test_kernel_frames_beside_a_job_that_takes_all(machine, disk, what, timeslice):
    """Calls that need frames of the kernel's get them, and no other process takes these frames in between."""
    result = machine(*joined([[built("glaze/paging/needs"), what, 12_000_000],
                              [built("glaze/paging/pages"), 150, 4]]), nodes=1, ram="512K", timeslice=timeslice,
                     disk=[f"0={disk(400)}"], timeout="2G").check(0)
    calls = re.findall(r"^needs: node 0 (\w+) (-?\d+)$", result.stdout, re.MULTILINE)
    longest = calls.pop()
    assert calls == [(call, "0") for call in NEEDS[what]], result.report()
    assert int(longest[1]) < 8 * TRANSFER + 2 * timeslice, result.report()


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_refusal_of_a_frame_is_for_the_call_that_waited(machine, atomicity):
    """Handlers run between a refusal and the call, which finds a frame after all. The next call does not get the refusal."""
    result = machine(*joined([[built("glaze/paging/late")], [built("glaze/paging/taker"), "all", 10_000_000, 50_000_000]]),
                     nodes=1, ram="1M", timeout="100M", atomicity=atomicity).check(102)
    assert "ok a larger job ends for tables\n" in result.stdout and "FAIL" not in result.stdout, result.report()
    assert "glaze: taker (job 2) on node 0 is ended: " in result.stdout, result.report()

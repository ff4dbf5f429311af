"""More jobs than GIDs: a GID is used again after the messages with it have left the network (docs/scheduler.md)."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from guest_programs import built, joined

from fugu.abi import GLAZE, PROCESS

GIDS, LISTED = PROCESS["JOBS_MAX"], GLAZE["JOBS_LISTED"]
LINGER, STRAY = (built(f"glaze/sched/{name}") for name in ("linger", "stray"))


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize(("jobs", "nodes"), [(GIDS + 1, 1), (3 * GIDS, 4), (LISTED, 2)])
def test_more_jobs_than_gids(machine, jobs, nodes, atomicity):
    """Each job runs once, with its own words, however many have had its GID before."""
    result = machine(*joined(["hello", number] for number in range(jobs)), nodes=nodes, atomicity=atomicity,
                     timeout="2G").check(0)
    assert Counter(result.stdout.splitlines()) == Counter(
        f"hello from node {node} of {nodes}: hello {number}" for node in range(nodes) for number in range(jobs))


@pytest.mark.parametrize("options", [{}, {"atomicity": "soft"}, {"skew": 50, "timeslice": 50_000}, {"nodes": 7}],
                         ids=["hard", "soft", "skew", "7 nodes"])
def test_no_message_reaches_the_next_job_of_its_gid(machine, options):
    """The network takes a million cycles for a message, and the jobs have ended by then."""
    result = machine(*joined([STRAY, number, 8] for number in range(1, GIDS + 14)),
                     **{"nodes": 3, "mesh_base": 1_000_000, "timeslice": 2000, "timeout": "4G"} | options).check(0)
    assert result.stdout == ""


@pytest.mark.parametrize("other", [["null", 80_000_000], [LINGER, 50_000_000]], ids=["computes", "yields"])
@pytest.mark.parametrize("options", [{"mesh": "3x1", "mesh_hop": 1_000_000}, {"mesh_word": 20_000}], ids=["far", "queue"])
def test_nodes_await_markers_in_each_flush(machine, options, other):
    """Jobs that use one GID in turn send to node 0, 1 and 2, and end before the messages arrive. Other jobs keep all
    other GIDs in use and send nothing, so the markers leave at once.

    far: a message takes 1,000,000 cycles for each hop.
    queue: three nodes send to one, and its ejection channel takes three times as long as an injection channel.
    yields: the other jobs leave the processor before each cycle timer could come; the kernel must ask again all the same.
    """
    nodes, listen = 3, 4_000_000
    jobs = [[LINGER, cycles, GIDS + link, link % nodes] for link, cycles in enumerate([listen] * (nodes + 1))]
    result = machine(*joined([*[other] * (GIDS - 1), *jobs]), nodes=nodes, source_space=256,
                     timeslice=20_000, timeout="120M", label=True, **options)
    said = re.findall(rf"^\[(\d) job {GIDS} @\d+\] linger: job (\d+) got 0 strays$", result.stdout, re.MULTILINE)
    assert Counter(said) == Counter((str(node), str(job[2])) for node in range(nodes) for job in jobs), result.report()
    result.check(0)


def test_job_waits_for_a_free_gid(machine):
    """While all GIDs are in use, no further job starts. A time that has passed does not change that."""
    long, short = ["null", 60_000_000], ["null", 4_000_000]
    result = machine(*joined([*[long] * (GIDS - 1), short, ["hello"], ["hello@1M", "late"]]), nodes=2, timeslice=2000,
                     timeout="120M", label=True).check(0)
    said = [(int(job), int(when), text) for job, when, text in
            re.findall(r"^\[\d job (\d+) @(\d+)\] hello from node \d of 2: (.*)$", result.stdout, re.MULTILINE)]
    assert {(job, text) for job, _, text in said} == {(GIDS, "hello"), (GIDS, "hello late")}
    first, late = ([when for _, when, text in said if text == what] for what in ("hello", "hello late"))
    assert len(first) == len(late) == 2 and max(first) < min(late)


def test_status_of_a_late_job_is_the_machines(machine):
    words = [["hello"]] * (GIDS + 5) + [[built("glaze/slots/slots")]]
    assert machine(*joined(words), nodes=2, timeout="1G").check(2).stdout.count("hello from") == 2 * (GIDS + 5)


def test_split_run_and_snapshot_are_the_same(machine, tmp_path):
    """Also in the middle of flushes."""
    words = joined([STRAY, number, 8] for number in range(1, GIDS + 8))
    options = {"nodes": 4, "timeout": "1G", "digest": True, "mesh_base": 5000, "quantum": 5000, "second_base": 5000}
    snap = tmp_path / "gids.snap"
    whole = machine(*words, save=[f"{snap}@5M"], **options).check(0)
    assert machine(*words, processes=2, **options).check(0).digest == whole.digest
    assert machine(None, load=snap, timeout="1G", digest=True).check(0).digest == whole.digest

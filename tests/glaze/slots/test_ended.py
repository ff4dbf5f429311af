"""What messages for a process that has ended cost the other jobs of its node (docs/glaze.md)."""

from __future__ import annotations

import re

import pytest
from guest_programs import built, joined

from fugu.abi import PROCESS

ENDED = built("glaze/slots/ended")
UNTIL = 40_000_000


def turns(machine, how, nodes, **options):
    """How far a job comes beside one whose process on node 0 has ended."""
    result = machine(*joined([[ENDED, "counts", UNTIL], [ENDED, how, 3_000_000, UNTIL]]), nodes=nodes, timeout="80M",
                     **options).check(0)
    found = re.search(r"^ended: (\d+) turns$", result.stdout, re.MULTILINE)
    assert found, result.report()
    return int(found[1])


@pytest.mark.parametrize("options", [{}, {"atomicity": "soft"}], ids=["hard", "soft"])
@pytest.mark.parametrize("nodes", [2, 4])
def test_a_flood_to_a_process_that_has_ended(machine, nodes, options):
    """Its job is suspended for a while, again and again. Without that, the node would drop messages and do nothing else."""
    assert turns(machine, "waits", nodes, **options) < 2.2 * turns(machine, "floods", nodes, **options)


def test_a_flood_ends_before_its_suspension(machine):
    """The GIDs of jobs that flood, and end before or after they go on, are used again: the next jobs are not suspended."""
    floods = [[ENDED, "floods", 0, until] for until in range(1_000_000, 3_000_000, 2_000_000 // PROCESS["JOBS_MAX"])]
    result = machine(*joined([*floods[:PROCESS["JOBS_MAX"]], *[["hello"]] * PROCESS["JOBS_MAX"]]), nodes=3, timeslice=50_000,
                     timeout="200M").check(0)
    assert result.stdout.count("hello from node") == 3 * PROCESS["JOBS_MAX"]


def floods(machine, jobs, nodes, timeslice, second_base):
    """Jobs that are suspended, on machines whose kernels wait long for each other's messages."""
    words = joined([[*job, 9_000_000 if job[1] == "floods" else 60] for job in jobs])
    return machine(*words, nodes=nodes, timeslice=timeslice, second_base=second_base, timeout="200M", processes=1)


def test_what_nodes_ask_while_node_0_tells_others(machine):
    """Node 0 takes messages while it waits for space in the network, in the middle of what it tells all nodes. One that
    was forgotten left a job suspended for ever."""
    pour = [built("glaze/slots/slots"), "pour", 9_000_000]
    floods(machine, [pour, [ENDED, "floods", 1_000_000]] * 2, 20, 50_000, 200_000).check(0)


@pytest.mark.parametrize("timeslice", [50_000, 100_000])
@pytest.mark.parametrize(("nodes", "second_base"), [(12, 100_000), (12, 200_000), (12, 300_000)])
def test_a_suspension_is_no_reason_for_the_next_one(machine, nodes, timeslice, second_base):
    """A kernel that waited for the network, to tell others of a suspension, counted this time as the job's."""
    pour = [built("glaze/slots/slots"), "pour", 9_000_000]
    for jobs in [[ENDED, "floods", 1_000_000 + 10 * k] for k in range(4)], [pour, [ENDED, "floods", 1_000_010], pour]:
        floods(machine, jobs, nodes, timeslice, second_base).check(0)


# Jobs of the test below: program, words, and the cycle at which each begins.
CROWD = (("slots", "pour", 6261973, 40, "@2624439"), ("hello", ""), ("ended", "floods", 1434773, 5798580, "@1080047"),
         ("ended", "waits", 1000000, 4038156, "@2243370"), ("slots", "pour", 6198862, 20, "@2266320"), ("hello", "@3648473"),
         ("slots", "pour", 3176349, 40, ""), ("slots", "pour", 5559042, 20, ""), ("hello", "@1658122"),
         ("slots", "pour", 6527242, 5, ""), ("ended", "floods", 1395237, 4887444, "@1362976"),
         ("ended", "floods", 2852300, 6900583, ""), ("slots", "pour", 3966091, 20, "@3436504"),
         ("slots", "pour", 4090727, 20, ""), ("ended", "waits", 1000000, 3515553, ""), ("hello", "@416482"), ("hello", ""),
         ("ended", "floods", 206141, 5644301, "@2037878"), ("ended", "floods", 1084926, 3466695, ""),
         ("ended", "waits", 1000000, 4854578, "@1196198"), ("slots", "pour", 6186182, 20, ""), ("hello", "@503963"),
         ("hello", "@2041788"))


@pytest.mark.parametrize("timeslice", [471_500, 476_000, 498_500, 543_500])
def test_jobs_that_owe_too_much_together(machine, timeslice):
    """No slot passes while all jobs that are left are suspended, so none of them can pay. What is unpaid is forgotten."""
    jobs = []
    for name, *words, begins in CROWD:
        program = name if name == "hello" else built(f"glaze/slots/{name}")
        jobs.append([f"{program}{begins}", *words])
    machine(*joined(jobs), nodes=20, processes=1, timeslice=timeslice, ram="24M", atomicity="soft", timeout="100M").check(0)


def test_a_job_that_is_alone_is_not_suspended(machine):
    """Processes end before the last one does, and messages come for them; no other process loses time by that."""
    result = machine("enum", 4, nodes=4, label=True, timeout="100M").check(0)
    cycles = [int(cycle) for cycle in re.findall(r"@(\d+)\]", result.stdout)]
    assert cycles[-1] - cycles[0] < 100_000

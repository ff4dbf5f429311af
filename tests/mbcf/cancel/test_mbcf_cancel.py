"""MBCF: the target of a first message ends the sender's job, if the message lets it.

Job 1 is the judge. Job 2 agrees, job 3 does not: the judge ends job 2, and job 3 and the bystander go on.
"""

from __future__ import annotations

import pytest
from guest_programs import built

CANCEL = built("mbcf/mbcf-cancel")
CHECKS = 23
CANCELLED = 104
LINE = ("glaze: mbcf-cancel (job {job}) on node {node} is ended: cancelled by task {task} of node {by}, "
        "to which it had sent a first message")


def run(machine, state, **options):
    return machine(CANCEL, "judge", "+", CANCEL, "greet", state, "+", CANCEL, "greet", "silent", "+",
                   built("hostile/bystander"), **{"nodes": 2, "timeslice": 20000, "timeout": "1G"} | options)


def ended(result):
    return [line for line in result.stdout.splitlines() if line.startswith("glaze:")]


def check(result):
    result.check(CANCELLED)
    assert ended(result) == [LINE.format(job=2, node=1, task=1, by=0)], result.report()
    assert result.stdout.count("\nok ") + result.stdout.startswith("ok ") == CHECKS, result.report()
    bystanders = [line for line in result.stdout.splitlines() if line.startswith("bystander: node ")]
    assert len(bystanders) == 2 and all(", 0 wrong, " in line for line in bystanders), result.report()


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("state", ["spin", "sleep", "section", "busy"])
def test_cancel(machine, state, atomicity):
    check(run(machine, state, atomicity=atomicity))


def test_cancel_of_a_job_that_waits_for_pages(machine, disk):
    check(run(machine, "pages", ram="512K", timeout="8G", disk=[f"0={disk(16384)}"]))


def test_processes(machine):
    """One run, on one process and on two."""
    one, two = (run(machine, "busy", digest=True, **more) for more in ({}, {"processes": 2}))
    check(one)
    check(two)
    assert one.digest == two.digest


def test_own_job(machine):
    """A task that cancels itself ends its job, on all nodes."""
    result = machine(CANCEL, "greet", "self", nodes=2, timeout="200M").check(CANCELLED)
    assert ended(result), result.report()
    assert all(line in {LINE.format(job=1, node=node, task=1, by=node) for node in (0, 1)} for line in ended(result)), \
        result.report()

"""MBCF: the target of a first message ends the sender's job, if the message lets it.

Job 1 is the judge. Job 2 agrees, job 3 does not: the judge ends job 2, and job 3 and the bystander go on.
"""

from __future__ import annotations

import re

import pytest
from guest_programs import built, joined

CANCEL, ENDING = built("mbcf/mbcf-cancel"), built("mbcf/mbcf-ending")
CHECKS = 23
KEPT = 27       # frames of a node beside the bystander, which need not wait long for others when there are so many
CANCELLED = 104
LINE = ("glaze: mbcf-cancel (job {job}) on node {node} is ended: cancelled by task {task} of node {by}, "
        "to which it had sent a first message")


def run(machine, state, **options):
    return machine(CANCEL, "judge", "+", CANCEL, "greet", state, "+", CANCEL, "greet", "silent", "+",
                   built("hostile/bystander"), 0, KEPT, **{"nodes": 2, "timeslice": 20000, "timeout": "1G"} | options)


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


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_cancel_beside_the_second_network(machine, disk, atomicity):
    """The kernel of node 7 has the disk for six nodes that page. The entry for a message of that network ends a process, and
    meets a message for it: that must not let the process wait for a page, as if it had not ended. It would end twice, and
    the machine would stop before the last processes of another job have ended."""
    pager = [built("glaze/paging/pager"), 600, 50_000_000, 0, "ends", 7, "ends"]
    victims = [[f"{ENDING}@{6_000_000 * (k + 1)}", "victim", 197 * k] for k in range(8)]
    last = [f"{ENDING}@56000000", "last", 60_000_000]
    result = machine(*joined([pager, *victims, last]), nodes=8, ram="2M", disk=[f"7={disk(16384)}"], timeout="400M",
                     atomicity=atomicity).check(CANCELLED)
    assert "FAIL" not in result.stdout and len(ended(result)) == len(victims), result.report()
    assert re.findall(r"^last: node (\d)$", result.stdout, re.MULTILINE) == list("01234567"), result.report()

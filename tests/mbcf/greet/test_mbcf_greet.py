"""A job that fills the queue for first messages takes no place from others: docs/mbcf.md, "First messages"."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

from fugu.abi import Header

MBCF = Header("guest-os/include/glaze-mbcf.h", "MBCF_")
GREET = built("mbcf/mbcf-greet")


def counts(machine, *words, **options):
    """Messages that the server has got of clients and of `many`; most wakes between two looks; done and refused of each."""
    output = machine(*words, nodes=2, timeout="200M", **options).check(0).stdout
    server = re.search(r"^server: (\d+) and (\d+) messages, (\d+) wakes at most$", output, re.MULTILINE)
    asked = {name: (int(done), int(refused)) for name, done, refused in
             re.findall(r"^(client|many): (\d+) done, (\d+) refused$", output, re.MULTILINE)}
    return [int(count) for count in server.groups()], asked


def test_no_job_takes_the_places_of_others(machine):
    # With longer insertions no job is suspended for its debts, which would keep `many` from its share.
    (clients, many, wakes), asked = counts(machine, GREET, "server", "+", GREET, "client", "+", GREET, "many",
                                           buffer_latency=1)
    done, refused = asked["client"]
    assert refused == 0 and clients == done > 20
    assert asked["many"][1] > 0 and 100 < many == asked["many"][0]       # it has used its share up
    assert wakes <= 1


@pytest.mark.parametrize("jobs", [2, 3, 4])
def test_a_job_gets_exactly_its_share(machine, jobs):
    """64 places by the number of jobs, whether that leaves a rest or not: the last one that it gets, the first beyond."""
    idle = ["+", GREET, "idle"] * (jobs - 2)
    output = machine(GREET, "late", "+", GREET, "fill", *idle, nodes=2, timeout="200M").check(0).stdout
    share = MBCF["QUEUE_MAX"] // jobs
    assert sorted(output.splitlines()) == [f"fill: {share} done, then status {MBCF['FULL']}", f"late: {share} messages"]


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_one_packet_reaches_tasks_of_two_jobs(machine, atomicity):
    """Each second command is for another job's task: 16 in a packet, five packets."""
    output = machine(GREET, "server", "+", GREET, "both", nodes=2, timeout="200M", atomicity=atomicity).check(0).stdout
    assert sorted(output.splitlines()) == ["both: 80 done, 40 in order", "server: 40 and 0 messages, 0 wakes at most"]


def test_few_messages_are_not_refused(machine):
    (_, many, _), asked = counts(machine, GREET, "server", "+", GREET, "client")
    assert many == 0 and asked["client"][1] == 0

"""Input belongs to the first job: no other job reads any of it, whatever call it makes and whatever GID it has."""

from __future__ import annotations

import re

import pytest
from guest_programs import built, joined

from fugu.abi import PROCESS

READER = built("glaze/sched/reader")
INPUT = "".join(f"{number}\n" for number in range(2000))


def said(result):
    """The lines of the readers, sorted."""
    return sorted(re.findall(r"^(?:lines|calls|typed): .*$", result.stdout, re.MULTILINE))


@pytest.mark.parametrize("way", ["calls", "typed"])
def test_no_other_job_reads_the_first_ones_input(machine, way):
    """The slots are short, so that the other job runs while the first one waits for each of its lines."""
    jobs = [[READER, "lines"], [READER, way, *[60_000_000] * (way == "typed")]]
    result = machine(*joined(jobs), nodes=2, timeslice=5000, terminals=7, stdin=INPUT, timeout="1G").check(0)
    assert said(result) == sorted([f"lines: {len(INPUT)} bytes, a terminal", f"{way}: 0 bytes"])


@pytest.mark.parametrize("way", ["lines", "calls", "typed"])
def test_a_later_job_of_the_gid_finds_no_input(machine, way):
    """The first job reads a line and ends. With all other GIDs in use, the last job gets GID 1."""
    rest = [["null", 60_000_000]] * (PROCESS["JOBS_MAX"] - 1)
    late = [READER, way, *[50_000_000] * (way == "typed")]
    result = machine(*joined([[READER, "lines", 1], *rest, late]), nodes=1, timeslice=2000, terminals=7, stdin=INPUT,
                     timeout="1G", label=True).check(0)
    found = re.findall(r"^\[0 job (\d+) @\d+\] (.*)$", result.stdout, re.MULTILINE)
    assert found == [("1", "lines: 2 bytes, a terminal"), ("1", f"{way}: 0 bytes")]

"""Random commands against a model (traffic.c): alone, beside jobs, with too little memory, split, from snapshots."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

TRAFFIC = built("mbcf/mbcf-traffic")
GANG = built("glaze/sched/server")


def lines(result, jobs=1, nodes=4):
    """Checks that nothing was wrong on any node. The pages that have come back, by line."""
    found = re.findall(r"^node \d: \d+ operations, 0 wrong, (\d+) pages came back$", result.check(0).stdout, re.MULTILINE)
    assert len(found) == jobs * nodes, result.report()
    return [int(pages) for pages in found]


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("seed", range(3))
def test_traffic(machine, seed, atomicity):
    assert sum(lines(machine(TRAFFIC, 500, seed, 4, nodes=4, timeout="2G", atomicity=atomicity))) == 0


@pytest.mark.parametrize("nodes", [1, 2, 3])
def test_few_nodes(machine, nodes):
    lines(machine(TRAFFIC, 500, 9, 4, nodes=nodes, timeout="2G"), nodes=nodes)


@pytest.mark.parametrize("seed", range(3))
def test_paging(machine, disk, seed):
    """Most targets are out; other pages come and go meanwhile."""
    result = machine(TRAFFIC, 200, seed, 16, nodes=4, timeout="8G", ram="512K", disk=[f"{seed}={disk(16384)}"])
    assert min(lines(result)) > 10


def test_two_jobs(machine):
    lines(machine(TRAFFIC, 200, 1, 4, "+", TRAFFIC, 200, 2, 4, nodes=4, timeout="4G", timeslice=20000), jobs=2)


def test_gang(machine, tmp_path):
    """Jobs that run in their own slots alone: commands come while their target may not run."""
    (tmp_path / "what").write_text("gang")
    result = machine(TRAFFIC, 200, 1, 4, "+", TRAFFIC, 200, 2, 4, nodes=4, timeout="4G", scheduler=GANG,
                     input=str(tmp_path / "what"))
    lines(result, jobs=2)


def test_processes(machine):
    """One run, on one process and on three."""
    one, three = (machine(TRAFFIC, 200, 5, 4, nodes=4, timeout="2G", digest=True, **more)
                  for more in ({}, {"processes": 3}))
    assert lines(one) == lines(three)
    assert one.digest == three.digest


def test_snapshot(machine, tmp_path):
    """A run goes on from a snapshot, in the middle of the traffic, as it did."""
    file = tmp_path / "middle.snap"
    words = {"nodes": 4, "timeout": "2G", "digest": True, "ram": "4M"}
    whole = machine(TRAFFIC, 200, 6, 4, qemu_arg=["-device", f"fugu-save,cycle=700000,file={file}"], **words)
    lines(whole)
    rest = machine(None, load=str(file), digest=True)
    lines(rest)
    assert rest.digest == whole.digest


@pytest.mark.long
@pytest.mark.parametrize("seed", range(25))
def test_much_traffic(machine, disk, seed):
    """1,000,000 operations in all, half of them with too little memory."""
    more = {"ram": "640K", "disk": [f"0={disk(32768)}"]} if seed % 2 else {}
    lines(machine(TRAFFIC, 10000, 100 + seed, 24, nodes=4, timeout="200G", host_timeout=1200, **more))

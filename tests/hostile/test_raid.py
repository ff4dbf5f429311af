"""A client of MBCF that attacks the server whose agents it has, and all others, harms no one.

Three jobs run on the same nodes: the server, the raider and a bystander. The raider checks the status of each of its
commands, the server that its memory is as it was, and the bystander's lines must be those that it prints beside a
raider that does nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from guest_programs import built, settled

# Commands of each node's raider whose end it checks.
CASES = {"keys": 1453, "addresses": 411, "forgeries": 250, "structures": 292, "lengths": 142, "pointers": 31, "flood": 0, "multicasts": 400, "everyone": 510}


def raid(machine: Any, *words: str, peace: Sequence[str] = (), **options: Any) -> Any:
    return machine(built("hostile/server"), "+", built("hostile/raider"), *words, "+", built("hostile/bystander"),
                   *settled(peace), **{"nodes": 2, "timeslice": 20000, "timeout": "1G"} | options)


def lines(result: Any, name: str) -> list[str]:
    return sorted(line for line in result.stdout.splitlines() if line.startswith(f"{name}: node "))


@pytest.fixture(scope="module", params=["hard", "soft"])
def peace(request: Any, machine: Any) -> tuple[str, list[str]]:
    """The atomicity, and what the bystander prints beside a raider that does nothing."""
    result = raid(machine, "nothing", atomicity=request.param).check(0)
    found = lines(result, "bystander")
    assert len(found) == 2 and all(", 0 wrong, " in line for line in found), result.report()
    return request.param, found


def check(result: Any, bystanders: list[str]) -> None:
    """No job ends for a mistake, the server has lost nothing, and the bystander is not affected."""
    assert "glaze:" not in result.check(0).stdout, result.report()
    servers = lines(result, "server")
    assert len(servers) == 2 and all(line.endswith(" 0 words changed") for line in servers), result.report()
    assert lines(result, "bystander") == bystanders, result.report()


@pytest.mark.parametrize("case", CASES)
def test_raid(machine, peace, case):
    atomicity, bystanders = peace
    result = raid(machine, case, peace=bystanders, atomicity=atomicity)
    check(result, bystanders)
    assert lines(result, "raider") == [f"raider: node {node}: {CASES[case]} tried, 0 wrong" for node in (0, 1)]


def test_raider_leaves_while_its_commands_are_under_way(machine, peace):
    atomicity, bystanders = peace
    check(raid(machine, "leave", peace=bystanders, atomicity=atomicity), bystanders)
    check(raid(machine, "leave", "multicasts", peace=bystanders, atomicity=atomicity), bystanders)


@pytest.mark.parametrize("seed", range(4))
def test_calls_at_random(machine, peace, seed):
    atomicity, bystanders = peace
    result = raid(machine, "random", str(seed), peace=bystanders, atomicity=atomicity)
    check(result, bystanders)
    assert len(re.findall(r"^raider: node \d: 0 tried, 0 wrong$", result.stdout, re.MULTILINE)) == 2

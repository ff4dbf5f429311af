"""Plans of the scheduler's server go from node 0 to all nodes by the kernels' network, within the server's margin.

plans.c takes the place of the server, and prints when each node has installed a plan of 62 jobs.
"""

from __future__ import annotations

import re

import pytest
from guest_programs import built

from fugu.abi import Header
from fugu.paths import ROOT

SERVER = built("glaze/sched/plans")
OURS = Header("guest-os/sched/sched.c")
PLANS = 2


def documented():
    """By nodes, the cycles until the last node has the first plan, and the margin, in docs/scheduler.md."""
    rows = [re.search(rf"^\| {name} \| (.*) \|$", (ROOT / "docs" / "scheduler.md").read_text(), re.MULTILINE)[1]
            for name in ("nodes", "cycles", "margin")]
    nodes, cycles, margins = ([int(number.replace(",", "")) for number in row.split(" | ")] for row in rows)
    return dict(zip(nodes, zip(cycles, margins, strict=True), strict=True))


DOCUMENTED = documented()


def margin(nodes):
    """Cycles from a decision to the plan's origin, at least: announce() of guest-os/sched/sched.c."""
    return OURS["MARGIN"] + OURS["MARGIN_OF_LEVEL"] * (nodes - 1).bit_length()


@pytest.mark.parametrize(("nodes", "options"), [
    (2, {}),
    (5, {"atomicity": "soft"}),
    (8, {}),
    (8, {"ni": "none"}),
    (64, {}),
    (64, {"processes": 2}),
    (100, {}),
    (1024, {}),
    (1024, {"ni": "none"}),
])
def test_all_nodes_have_a_plan_within_the_margin(machine, nodes, options):
    """While two jobs keep each node busy. The first plan also brings pages of the server."""
    result = machine("null", 9_000_000, "+", "null", 9_000_000, nodes=nodes, scheduler=SERVER,
                     timeout=f"{PLANS}900K", **options).check(124)
    found = {(int(plan), int(node)): (int(cycles), int(error)) for plan, node, cycles, error in
             re.findall(r"^plan (\d+): node (\d+): (\d+) cycles, (-?\d+)$", result.stdout, re.MULTILINE)}
    assert found.keys() == {(plan, node) for plan in range(1, PLANS + 1) for node in range(1, nodes)}, result.report()
    assert not any(error for _, error in found.values())
    assert max(cycles for cycles, _ in found.values()) < margin(nodes)
    if not options and nodes in DOCUMENTED:
        last = max(cycles for (plan, _), (cycles, _) in found.items() if plan == 1)
        assert (last, margin(nodes)) == (pytest.approx(DOCUMENTED[nodes][0], rel=0.1), DOCUMENTED[nodes][1])

"""What accesses and calls cost, beside the table of docs/shm/README.md: costs.c."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

from fugu.paths import ROOT

ROW = re.compile(r"^\| `(\w+)` \| .* \| ([\d,]+) \| ([\d,]+) \|$", re.MULTILINE)


@pytest.mark.parametrize("column, atomicity", [(1, "hard"), (2, "soft")])
def test_costs(machine, column, atomicity):
    """Addresses of the kernel decide which lines of the cache meet, so the last digits may differ."""
    page = (ROOT / "docs" / "shm" / "README.md").read_text()
    says = {row[0]: int(row[column].replace(",", "")) for row in ROW.findall(page)}
    result = machine(built("shm/shm-costs"), nodes=8, timeout="1G", atomicity=atomicity).check(0)
    costs = {name: int(cycles) for name, cycles in re.findall(r"^shm (\w+): (\d+)$", result.stdout, re.MULTILINE)}
    assert costs == pytest.approx(says, rel=0.2) and len(costs) == 11


def test_a_page_that_stays_with_node_0_is_not_fetched_to_be_written(machine):
    """A node that has a copy asks once who is home. The answer has no page."""
    costs = dict(re.findall(r"^shm (\w+): (\d+)$", machine(built("shm/shm-costs"), nodes=8, timeout="1G").stdout,
                            re.MULTILINE))
    assert int(costs["write_fault"]) < int(costs["read_fault"])

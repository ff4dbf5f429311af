"""Many long READs at odd addresses at the same time: reads.c."""

from __future__ import annotations

import pytest
from guest_programs import built

READS = 40


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("nodes", [1, 2, 3])
def test_all_end(machine, nodes, atomicity):
    """The commands that wait while a reply is done in parts go on after its last part, and all bytes are right."""
    result = machine(built("mbcf/mbcf-reads"), nodes=nodes, atomicity=atomicity, timeout="100M").check(0)
    assert result.stdout.split("\n")[:nodes] == [f"reads: {READS}"] * nodes, result.report()

"""Commands that wait for a page on the disk: their order, and an agent that is taken away meanwhile."""

from __future__ import annotations

import pytest
from guest_programs import built

CASES = built("mbcf/mbcf-cases")


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize(("case", "checks"), [("behind", 20), ("taken-away", 5)])
def test_waits(machine, disk, case, checks, atomicity):
    machine(CASES, case, nodes=2, ram="512K", timeout="400M", atomicity=atomicity, disk=[f"0={disk(4096)}"]).passed(checks)

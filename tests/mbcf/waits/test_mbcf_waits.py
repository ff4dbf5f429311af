"""Commands that wait for a page on the disk: their order, and an agent that is taken away meanwhile. Replies that wait."""

from __future__ import annotations

import pytest
from guest_programs import built

CASES = built("mbcf/mbcf-cases")


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize(("case", "checks"), [("behind", 20), ("taken-away", 7)])
def test_waits(machine, disk, case, checks, atomicity):
    machine(CASES, case, nodes=2, ram="512K", timeout="400M", atomicity=atomicity, disk=[f"0={disk(4096)}"]).passed(checks)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_a_signal_in_parts(machine, disk, atomicity):
    """A signal that comes between the parts of a longer one is stored after it."""
    machine(CASES, "signal-in-parts", nodes=3, ram="512K", timeout="2G", atomicity=atomicity,
            disk=[f"0={disk(4096)}"]).passed(61)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_commands_that_wait_for_time_overtake_one_that_waits_for_a_page(machine, disk, atomicity):
    machine(CASES, "overtaken", nodes=3, ram="512K", timeout="400M", atomicity=atomicity, disk=[f"0={disk(4096)}"]).passed(7)


@pytest.mark.parametrize("jobs", [1, 4])
def test_replies_cross(machine, jobs):
    """Replies fill the network both ways: kernels that have to wait for space still take messages."""
    words = [word for _ in range(jobs) for word in ("+", CASES, "crossing")]
    machine(*words[1:], nodes=2, timeout="100M", timeslice=20000).passed(2 * jobs)

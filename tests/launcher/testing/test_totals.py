"""Runs of programs that check themselves: a test needs no number of checks (tests/support/machine_runs.py)."""

from __future__ import annotations

import pytest
from machine_runs import Result

GOOD = "ok one\nok two\n2 checks, 0 failed\nok one (node 1)\n1 check, 0 failed (node 1)\n"


@pytest.mark.parametrize("stdout, status, processes, right", [
    (GOOD, 0, 2, True),
    (GOOD, 1, 2, False),
    (GOOD, 0, 3, False),                                            # a process has ended before its total
    (GOOD.replace("2 checks", "3 checks"), 0, 2, False),            # a line is missing
    (GOOD.replace("ok two", "FAIL two: got 1, want 2"), 0, 2, False),
    (GOOD.replace("2 checks, 0", "2 checks, 1"), 0, 2, False),
    ("0 checks, 0 failed\n", 0, 1, False),                          # nothing was checked
])
def test_all_is_right(stdout, status, processes, right):
    assert Result(status, stdout, "", None, []).all_right(processes) is right

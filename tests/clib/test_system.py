"""Clocks, sleeping, and what POSIX programs ask of their system."""

from __future__ import annotations

import pytest
from guest_programs import built


@pytest.mark.parametrize("beside", [(), ("+", "null", "1000000")])
def test_system(machine, beside):
    """Alone, and with another job."""
    result = machine(built("clib/system"), *beside, nodes=1).check(0)
    assert result.stdout.count("ok ") == 65 and "FAIL" not in result.stdout, result.report()

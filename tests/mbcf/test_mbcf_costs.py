"""What commands cost, in cycles: the order of their costs, and that the table has them (docs/mbcf.md)."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

from fugu.paper import mbcf

COSTS = built("mbcf/mbcf-costs")


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_costs(machine, atomicity):
    output = machine(COSTS, nodes=2, timeout="1G", atomicity=atomicity).check(0).stdout
    found = {(name, int(size)): int(mean) for name, size, mean in mbcf.LINE.findall(output)}
    for size in mbcf.SIZES:
        assert found["write", size] < found["fifo", size] and found["write", size] < found["signal", size], output
    for name in ("write", "fifo", "signal", "udm"):
        assert found[name, mbcf.SIZES[0]] < found[name, mbcf.SIZES[-1]], output
    assert len(found) == len(re.findall("^mbcf ", output, re.MULTILINE)) == 4 * len(mbcf.SIZES) + 2 * len(mbcf.BANDWIDTH) + 6, output
    for size in (1024, 4096):   # of streams: near the ceiling, and over pages as near
        assert found["write-bandwidth", size] < 1.12 * mbcf.ceiling(size), output
    assert found["write-over-pages", 4096] < 1.05 * mbcf.ceiling(4096), output
    assert found["trip-udm", 4] < found["trip-fetch-add", 4] < 2 * found["write", 4], output

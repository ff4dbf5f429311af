"""What commands cost, in cycles: the order of their costs, and that the table has them (docs/mbcf.md)."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

from fugu.paper import mbcf

COSTS = built("mbcf/mbcf-costs")


CACHE_MOST = 50     # cycles of a command one way: misses of five lines. A loop that waits may also end a turn sooner.


def _costs(output):
    return {(name, int(size)): int(mean) for name, size, mean in mbcf.LINE.findall(output)}


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_the_cache_keeps_the_fast_path(machine, atomicity):
    """What a command needs on its way has lines of its own in the cache (kernel.ld)."""
    with_cache, without = (_costs(machine(COSTS, nodes=2, timeout="1G", atomicity=atomicity, cache=cache).check(0).stdout)
                           for cache in ("on", "off"))
    for name, ways in {"write": 1, "fifo": 1, "signal": 1, "single": 1, "combined": 1, "trip-fetch-add": 2}.items():
        assert abs(with_cache[name, 4] - without[name, 4]) <= ways * CACHE_MOST, name


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_costs(machine, atomicity):
    output = machine(COSTS, nodes=2, timeout="1G", atomicity=atomicity).check(0).stdout
    found = _costs(output)
    for size in mbcf.SIZES:
        assert found["write", size] < found["fifo", size] and found["write", size] < found["signal", size], output
    for name in ("write", "fifo", "signal", "udm"):
        assert found[name, mbcf.SIZES[0]] < found[name, mbcf.SIZES[-1]], output
    assert len(found) == len(re.findall("^mbcf ", output, re.MULTILINE)) == 4 * len(mbcf.SIZES) + 2 * len(mbcf.BANDWIDTH) + 15, output
    for size in (1024, 4096):   # of streams: near the ceiling, and over pages as near
        assert found["write-bandwidth", size] < 1.12 * mbcf.ceiling(size), output
    assert found["write-over-pages", 4096] < 1.05 * mbcf.ceiling(4096), output
    single, combined = ([found[f"{name}-{end}", 4] for end in mbcf.ENDS] for name in ("single", "combined"))
    assert combined[0] < single[0] < found["single", 4] and sum(combined) < sum(single), output
    assert found["trip-udm", 4] < found["trip-fetch-add", 4] < 2 * found["write", 4], output

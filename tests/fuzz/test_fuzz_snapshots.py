"""Snapshots of any content whose check sum is right. tests/launcher/run/test_snapshots.py does the same to their heads."""

from __future__ import annotations

import hashlib
import random
import re
import time

import pytest

pytestmark = [pytest.mark.long, pytest.mark.fuzzes]


def test_fuzzed_states(request, machine, tmp_path):
    """Bytes anywhere in the state are others, and the sum is mended: the machine refuses the file, or ends as machines
    do. No signal ends QEMU, and nothing but the snapshot is in the folder."""
    file, other = tmp_path / "good.snap", tmp_path / "forged.snap"
    machine("hello", nodes=2, ram="1M", save=f"{file}@40K").check(0)
    data = file.read_bytes()[:-65]
    first = data.index(b"QEVM")
    parts = [found.start() for found in re.finditer(rb"fugu-[a-z]+|cpu|ram|timer", data[first:])]
    end, seed = time.monotonic() + request.config.getoption("--fuzz-time"), random.randrange(1 << 32)
    while time.monotonic() < end:
        seed += 1
        rng, forged = random.Random(seed), bytearray(data)
        for _ in range(rng.choice([1, 1, 2, 8])):
            place = min(first + rng.choice(parts) + rng.randrange(2000), len(forged) - 1)
            forged[place] = rng.choice([0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)])
        if rng.random() < 0.1:
            del forged[rng.randrange(first, len(forged)):]
        other.write_bytes(bytes(forged) + hashlib.sha256(forged).hexdigest().encode() + b"\n")
        done = machine(None, load=str(other), timeout="200K")
        assert done.status >= 0, f"seed {seed}\n{done.report()}"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["forged.snap", "good.snap"]

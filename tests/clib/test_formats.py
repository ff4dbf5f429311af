"""printf() and scanf() give what the host's C library gives, format by format."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from guest_programs import built

SOURCE = Path(__file__).with_name("formats.c")
CASES = 500             # of one run


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """host(seed) -> the lines that the same program prints on the host."""
    program = tmp_path_factory.mktemp("formats") / "formats"
    subprocess.run(["cc", "-O1", "-o", program, SOURCE], check=True)
    return lambda seed: subprocess.run([program, str(seed), str(CASES)], check=True, capture_output=True,
                                       text=True).stdout.splitlines()


@pytest.mark.parametrize("seed", range(1, 21))
def test_formats_equal_the_hosts(machine, host, seed):
    """Ten thousand formats in all."""
    here = machine(built("clib/formats"), str(seed), str(CASES), nodes=1).check(0).stdout.splitlines()
    there = host(seed)
    assert len(there) == CASES
    wrong = [f"here  {mine}\nthere {other}" for mine, other in zip(here, there, strict=False) if mine != other]
    assert not wrong and here == there, "\n".join(wrong[:20]) or f"{len(here)} lines, and {len(there)} on the host"

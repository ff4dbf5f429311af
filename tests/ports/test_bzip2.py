"""bzip2 compresses its three samples to the files that come with it, and back."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from ported import CC, make
from run_sh import COMMAND, run_sh

# As in bzip2's own makefile: the options for each sample.
SAMPLES = {1: ["-1"], 2: ["-2"], 3: ["-3"]}
BACK = {1: ["-d"], 2: ["-d"], 3: ["-ds"]}


@pytest.fixture(scope="module")
def bzip2(program) -> Path:
    return program("bzip2", lambda folder: make(folder, "make", f"CC={CC}", "bzip2", "bzip2recover"))


def filtered(folder: Path, options: list[str], file: str) -> bytes:
    """What bzip2 makes of a file, from standard input to standard output."""
    with open(folder / file, "rb") as given:
        done = subprocess.run([COMMAND, "-n", "1", "./bzip2", *options], cwd=folder, stdin=given, capture_output=True,
                              timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


@pytest.mark.parametrize("sample", SAMPLES)
def test_samples(bzip2, sample):
    plain, packed = (bzip2 / f"sample{sample}.{kind}" for kind in ("ref", "bz2"))
    assert filtered(bzip2, SAMPLES[sample], plain.name) == packed.read_bytes()
    assert filtered(bzip2, BACK[sample], packed.name) == plain.read_bytes()


def test_files(bzip2, tmp_path):
    """bzip2 reads and writes named files, gives them rights, owner and times, and removes what it has read."""
    given = f"copy={bzip2 / 'sample1.ref'}"
    done = run_sh("-n", 1, "--input", given, "--output", tmp_path, "./bzip2", "-1", "-k", "copy", cwd=bzip2)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "copy.bz2").read_bytes() == (bzip2 / "sample1.bz2").read_bytes()


def test_damage_is_found(bzip2, tmp_path):
    data = bytearray((bzip2 / "sample2.bz2").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "bad.bz2").write_bytes(data)
    done = run_sh("-n", 1, "--input", tmp_path / "bad.bz2", "./bzip2", "-t", "bad.bz2", cwd=bzip2)
    assert done.returncode == 2
    assert "data integrity (CRC) error in data" in done.stderr

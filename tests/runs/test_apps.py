"""A run of apps from the command line is the same run however the machine is started."""

from __future__ import annotations

import os

import pytest

from fugu.paths import build_dir
from fugu.run import programs
from fugu.run.parse import parse
from fugu.run.ready import boot_file

JOBS = ("pingpong", 3, "+", "null", 60_000)


@pytest.fixture(scope="module")
def usual(machine):
    """The run with which all others are compared."""
    result = machine(*JOBS, nodes=4, digest=True).check(0)
    assert "pingpong" in result.stdout
    return result


@pytest.mark.parametrize("transport", ["shm", "tcp"])
def test_split_run_is_the_same(machine, usual, transport):
    result = machine(*JOBS, nodes=4, digest=True, processes=3, transport=transport).check(0)
    assert (result.stdout, result.digest) == (usual.stdout, usual.digest)


def test_saved_and_loaded_run_is_the_same(machine, usual, tmp_path):
    saved = tmp_path / "half.snap"
    result = machine(*JOBS, nodes=4, digest=True, save=f"{saved}@50K").check(0)
    assert (result.stdout, result.digest) == (usual.stdout, usual.digest)
    result = machine(None, load=str(saved), digest=True).check(0)
    assert usual.stdout.endswith(result.stdout) and result.digest == usual.digest


def test_other_programs_of_the_checkout_do_not_matter(machine, usual, tmp_path):
    """The image holds only programs that the run names: a copy of the app under its name makes the same run."""
    (tmp_path / "pingpong.elf").write_bytes(programs.find_app("pingpong").read_bytes())
    assert machine(tmp_path / "pingpong.elf", *JOBS[1:], nodes=4, digest=True).check(0).digest == usual.digest


def test_program_missing_from_the_image_is_reported(run):
    """The kernel reports a program that the image does not hold."""
    image = boot_file(parse(["null"]), build_dir(), os.environ["FUGU_TOOLCHAIN_PREFIX"])
    done = run(image, "nothing", nodes=2)
    assert done.returncode == 103 and "job 1 cannot be started: there is no such program" in done.stdout

"""Apps from the command line on: the run is one, however the machine is run."""

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
    """The run that all others are compared with."""
    result = machine(*JOBS, nodes=4, digest=True).check(0)
    assert "pingpong" in result.stdout
    return result


@pytest.mark.parametrize("transport", ["shm", "tcp"])
def test_split(machine, usual, transport):
    result = machine(*JOBS, nodes=4, digest=True, processes=3, transport=transport).check(0)
    assert (result.stdout, result.digest) == (usual.stdout, usual.digest)


def test_saved_and_loaded(machine, usual, tmp_path):
    saved = tmp_path / "half.snap"
    result = machine(*JOBS, nodes=4, digest=True, save=f"{saved}@50K").check(0)
    assert (result.stdout, result.digest) == (usual.stdout, usual.digest)
    result = machine(None, load=str(saved), digest=True).check(0)
    assert usual.stdout.endswith(result.stdout) and result.digest == usual.digest


def test_other_programs_of_the_checkout_do_not_matter(machine, usual, tmp_path):
    """Only what the run names is in the image: a copy of the app by the same name makes the same run."""
    (tmp_path / "pingpong.elf").write_bytes(programs.find_app("pingpong").read_bytes())
    assert machine(tmp_path / "pingpong.elf", *JOBS[1:], nodes=4, digest=True).check(0).digest == usual.digest


def test_a_program_that_the_image_does_not_hold(run):
    """The kernel says so, should the launcher be mistaken."""
    image = boot_file(parse(["null"]), build_dir(), os.environ["FUGU_TOOLCHAIN_PREFIX"])
    done = run(image, "nothing", nodes=2)
    assert done.returncode == 103 and "job 1 cannot be started: there is no such program" in done.stdout

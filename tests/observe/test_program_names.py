"""The symbols are those of the program that runs, whatever its file is called and however many jobs there are."""

from __future__ import annotations

import json
import shutil

import pytest
from guest_programs import built, joined
from observing import observed
from run_sh import run_sh

from fugu.abi import PROCESS


@pytest.mark.parametrize("name", ["a.out", "x.y.elf", "sched.elf"])
def test_program_of_any_name(name, tmp_path):
    """The scheduler's server, which runs beside two jobs, has the name sched too."""
    program = tmp_path / name
    shutil.copy(built("debug/primes"), program)
    output = observed("profile", "-n", 2, program, "+", "null", 10)
    assert f"  {name.removesuffix('.elf'):10} candidate_arrives " in output and " 0x" not in output, output


def test_debugger_stops_in_a_program_of_any_name(tmp_path):
    shutil.copy(built("debug/primes"), tmp_path / "a.out")
    (tmp_path / "commands").write_text("break main\ncontinue\nbacktrace 1\nkill\n")
    done = run_sh("debug", "--gdb-arg=-batch", "--gdb-arg=-x", "--gdb-arg=commands", "-n", 2, "./a.out", "+", "null", 10,
                  cwd=tmp_path)
    assert "#0  main " in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("last, name", [("null", "jobs of null"), ("primes", "several jobs")])
def test_more_jobs_than_gids(last, name, tmp_path):
    """Later jobs get the GIDs of earlier ones: figures are those of a GID, and name no job that is not alone."""
    program = built("debug/primes") if last != "null" else last
    words = joined([["null", 10]] * (PROCESS["JOBS_MAX"] + 3) + [[program]])
    file = tmp_path / "figures"
    output = observed("profile", "-n", 2, "--stats-json", file, *words)
    figures = json.loads(file.read_text())
    assert {job["name"] for job in figures["jobs"] if 1 <= job["gid"] <= PROCESS["JOBS_MAX"]} == {name}
    assert sum(node["cycles"] for node in figures["nodes"]) > 0
    assert (" spin " in output) == (last == "null")     # symbols where there is no doubt

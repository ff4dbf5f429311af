"""./run.sh sweep: tables of runs, carried out on this host and by Slurm."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fugu.paths import ROOT
from fugu.sweep.plan import LOG
from run_sh import COMMAND, run_sh

TABLE = """\
# runs that end in different ways
app,         arguments,        nodes,  atomicity,  trials
barrier,     20|30,            2,      hard|soft,
synth,       "--messages 40 --seed {trial} 10 275", 2, , 2
exitstatus,  status=9 node=1,  2,      ,
deadlock,    ,                 3,      ,
"""
RUNS = 8


def same(rows):
    """The rows without what the host decides."""
    return [{name: text for name, text in row.items() if name != "host_seconds"} for row in rows]


def test_results_are_those_of_single_runs(sweep, machine):
    """Each row has a run's parameters, its end, and what it has measured."""
    done = sweep.run(TABLE)
    assert done.returncode == 1, done.stderr
    assert done.stdout == f"{sweep.results}/results.csv\n"
    assert done.stderr.splitlines()[-1] == f"fugu: {RUNS} runs, 2 failed"
    rows = sweep.rows()
    assert [(row["line"], row["app"], row["arguments"], row["atomicity"], row["trial"], row["status"]) for row in rows] == [
        ("3", "barrier", "20", "hard", "1", "0"), ("3", "barrier", "20", "soft", "1", "0"),
        ("3", "barrier", "30", "hard", "1", "0"), ("3", "barrier", "30", "soft", "1", "0"),
        ("4", "synth", "--messages 40 --seed 1 10 275", "", "1", "0"),
        ("4", "synth", "--messages 40 --seed 2 10 275", "", "2", "0"),
        ("5", "exitstatus", "status=9 node=1", "", "1", "9"), ("6", "deadlock", "", "", "1", "125")]
    one = machine("barrier", "20", nodes=2, atomicity="soft", digest=True).check(0)
    cycles = re.search(r"^measured barrier: cycles (\d+)$", one.stdout, re.MULTILINE)[1]
    assert (rows[1]["digest"], rows[1]["cycles"]) == (one.digest, cycles)
    assert (rows[1]["section"], rows[1]["occurrence"], rows[1]["nodes"], rows[1]["measured_nodes"]) == ("barrier", "1", "2", "2")
    assert [row["reason"] for row in rows[:6]] == [""] * 6 and all(float(row["host_seconds"]) > 0 for row in rows)
    assert re.fullmatch(r"node 1 ended with status 9 at cycle \d+", rows[6]["reason"])
    assert rows[7]["reason"].startswith("deadlock at cycle ") and rows[7]["section"] == rows[7]["cycles"] == ""
    assert len(rows) == RUNS and len({row["digest"] for row in rows}) == RUNS


def test_only_what_is_missing_is_carried_out(sweep):
    assert "running 2 of 2 runs" in sweep.run("app,nodes,arguments\nbarrier,2|3,20\n").stderr
    rows = sweep.rows()
    again = sweep.run("app,nodes,arguments\nbarrier,2|3,20\n")
    assert again.returncode == 0 and "running" not in again.stderr and sweep.rows() == rows
    next((sweep.results / "runs").glob("*.json")).write_text('{"status": ')        # as after a full disk
    more = sweep.run("app,nodes,arguments\nbarrier,2|3|4,20\n")
    assert "running 2 of 3 runs" in more.stderr and same(sweep.rows()[:2]) == same(rows)
    assert "running 3 of 3 runs" in sweep.run("app,nodes,arguments\nbarrier,2|3|4,20\n", "--fresh").stderr


def test_program_of_the_users_own(sweep, tmp_path):
    """A changed program runs again, and the old one's results are not taken for it."""
    def compile_it(status):
        (tmp_path / "my.c").write_text(f"#include <stdio.h>\nint main(void) {{ puts(\"measured my: n {status}\"); return 0; }}\n")
        assert run_sh("cc", "my.c", "-o", "my.elf", cwd=tmp_path).returncode == 0
    compile_it(1)
    table = "app,nodes\n./my.elf,1\n"
    assert sweep.run(table).returncode == 0
    assert [row["n"] for row in sweep.rows()] == ["1"]
    compile_it(2)
    assert "running 1 of 1 runs" in sweep.run(table).stderr
    assert [row["n"] for row in sweep.rows()] == ["2"]


def test_run_in_several_processes(sweep):
    assert sweep.run("app,arguments,nodes,processes\ncrossing,rounds=1,7,1|3\n").returncode == 0
    one, three = sweep.rows()
    assert one["digest"] == three["digest"] != "" and three["processes"] == "3"


def test_run_without_an_end(sweep):
    """--limit ends it. The next sweep tries again, as a host's speed decided."""
    for _ in range(2):
        done = sweep.run("app,nodes\nspin|whoami,2\n", "--limit", "2")
        assert done.returncode == 1 and "fugu: 2 runs, 1 failed" in done.stderr
        assert [row["reason"] for row in sweep.rows()] == ["ended after 2 s of host time (--limit)", ""]
    assert "running 1 of 2 runs" in done.stderr


@pytest.fixture
def endless(sweep):
    """A sweep whose first run has ended, and whose second never does."""
    (sweep.folder / "t.csv").write_text("app,nodes,arguments\nwhoami,2,\nring,3,laps=100000000\n")
    process = subprocess.Popen([COMMAND, "sweep", "--cores", "2", "t.csv"], cwd=sweep.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not list((sweep.results / "runs").glob("*.json")) or len(list((sweep.results / "runs").glob("*.out"))) < 2 \
            or not machines(sweep):
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()
        time.sleep(0.05)
    yield process
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=100)
    wait_for_end(sweep)


def machines(sweep, program="qemu"):
    """The processes of this sweep with such a command, by the folder that they work in."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().partition(b"\0")[0].decode(errors="replace")
            if program in command and Path(os.readlink(entry / "cwd")).is_relative_to(sweep.folder):
                found.append(int(entry.name))
        except OSError:
            pass                # it has ended
    return found


def wait_for_end(sweep):
    """Waits until no process of the sweep is left."""
    deadline = time.monotonic() + 60
    while left := machines(sweep) + machines(sweep, "python"):
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def test_killed_sweep(sweep, endless):
    """Its runs end by themselves."""
    endless.kill()
    wait_for_end(sweep)


def test_killed_sweep_while_snakemake_heeds_no_sigterm(tmp_path):
    """Snakemake ends in any state: a handler of its own may wait for a lock that its main thread holds."""
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"
    sweep = subprocess.Popen([sys.executable, "-c", "import sys, pathlib; from fugu.sweep import workflow; workflow._snakemake("
                              "[sys.executable, '-c', sys.argv[1]], pathlib.Path(sys.argv[2]), lambda: 0, 1, None)",
                              deaf, str(tmp_path)], env=os.environ | {"PYTHONPATH": str(ROOT / "tools")})
    deadline = time.monotonic() + 60
    while not (tmp_path / LOG).exists() or not (tmp_path / LOG).read_text():
        assert sweep.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    (child,) = children(sweep.pid)
    sweep.kill()
    sweep.wait(60)
    while Path(f"/proc/{child}/cwd").exists():
        assert time.monotonic() < deadline, "Snakemake outlives the sweep"
        time.sleep(0.05)


def test_snakemake_that_is_killed(sweep, endless):
    """The runs end with it, and the results so far are in the table."""
    (child,) = children(endless.pid)
    os.kill(child, signal.SIGKILL)
    endless.communicate(timeout=100)
    assert endless.returncode == 1
    wait_for_end(sweep)
    assert [row["app"] for row in sweep.rows() if not row["reason"]] == ["whoami"]


def children(pid):
    """The children of a process."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_sweep(sweep, endless, number):
    """Nothing is left running. What has ended is kept."""
    endless.send_signal(number)
    _, err = endless.communicate(timeout=100)
    assert endless.returncode == 130 and "interrupted" in err, err
    assert machines(sweep) == []
    assert [(row["app"], row["status"], row["reason"]) for row in sweep.rows()] == [
        ("whoami", "0", ""), ("ring", "", "it left no result; snakemake.log says more")]
    done = sweep.run("app,nodes,arguments\nwhoami,2,\nring,3,laps=1\n")
    assert done.returncode == 0 and "running 1 of 2 runs" in done.stderr


def test_run_that_is_killed(sweep, endless):
    """Another run that ends without a result, as where a host dies, loses no other."""
    (pid,) = machines(sweep)
    os.kill(int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]), signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)
    endless.communicate(timeout=100)
    assert endless.returncode == 1
    assert [row["reason"] for row in sweep.rows()] == ["", "it left no result; snakemake.log says more"]


def test_two_sweeps_in_one_folder(sweep, endless):
    done = run_sh("sweep", "t.csv", cwd=sweep.folder)
    assert done.returncode == 2 and f"another sweep works in {sweep.results}" in done.stderr


def test_snakemake_that_fails(sweep):
    """Its message is shown: nothing was carried out."""
    done = sweep.run("app,nodes\nwhoami,2\n", "--snakemake-arg=--no-such-option")
    assert done.returncode == 3
    assert "fugu: Snakemake failed (status 2)" in done.stderr and "--no-such-option" in done.stderr


def test_slurm_gives_the_same_results(sweep, slurm, tmp_path):
    """Each run is a job of Slurm; failed ones are rows too."""
    profile = tmp_path / "profile"
    profile.mkdir()
    ours = Path(__file__).parents[2] / "tools" / "fugu" / "sweep" / "profiles" / "slurm" / "config.yaml"
    text, count = re.subn(r"(?m)^slurm-init-seconds-.*: \d+$", "slurm-init-seconds-before-status-checks: 2", ours.read_text())
    assert count == 1
    (profile / "config.yaml").write_text(text)
    table = "app,arguments,nodes\nbarrier,20,2|3\nexitstatus,status=9 node=1,2\n"
    here = sweep.run(table)
    rows = same(sweep.rows())
    done = sweep.run(table, "--fresh", "--profile", str(profile), env=os.environ | slurm.environment)
    assert done.returncode == here.returncode == 1, done.stderr + (sweep.results / "snakemake.log").read_text()
    assert same(sweep.rows()) == rows
    jobs = slurm.call("squeue", "--states=all", "--noheader", "--format=%T|%k").stdout.split()
    assert sum("rule_run" in job and job.startswith("COMPLETED") for job in jobs) == len(rows) == 3

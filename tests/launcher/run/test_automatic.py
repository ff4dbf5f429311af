"""How many processes a run has if the user does not say it."""

from __future__ import annotations

import os
import shlex

import pytest

from fugu.cli import main as cli
from fugu.commands import debug
from fugu.errors import UsageError
from fugu.host import capacity
from fugu.options.table import PROCESSES_MAX
from fugu.run import automatic
from fugu.run.parse import Run, parse

TWO = 2 * automatic.NODES_EACH          # nodes for which two processes are chosen


@pytest.fixture
def cores(monkeypatch):
    """cores(N): the host gives a run N cores. cores(N, M): M of the host's cores are idle."""
    def give(count, idle=64):
        monkeypatch.setattr(capacity, "cores", lambda: count)
        monkeypatch.setattr(capacity, "idle_cores", lambda: idle)
    return give


def chosen(*words, nodes=TWO):
    """The number of processes that the launcher chooses for these words."""
    run = parse(["-n", str(nodes), *words, "ring"])
    automatic.choose(run)
    return run.processes


# ---- the rule ----------------------------------------------------------------

@pytest.mark.parametrize("nodes, available, expected", [
    (8, 64, 1), (TWO - 1, 64, 1), (TWO, 64, 2), (TWO, 2, 2), (TWO, 1, 1), (2 * TWO, 64, 4), (2 * TWO, 3, 3),
    (1024, 64, 1024 // automatic.NODES_EACH)])
def test_number_follows_from_nodes_and_cores(cores, nodes, available, expected):
    cores(available)
    assert chosen(nodes=nodes) == chosen("--processes", "auto", nodes=nodes) == expected <= PROCESSES_MAX


@pytest.mark.parametrize("available, idle, expected", [(4, 0, 1), (4, 1, 1), (4, 2, 2), (4, 3, 3), (2, 3, 2), (1, 3, 1)])
def test_busy_cores_do_not_count(cores, available, idle, expected):
    cores(available, idle)
    assert chosen(nodes=2 * TWO) == expected


@pytest.mark.parametrize("count", [1, 3])
def test_users_number_holds(cores, count, capsys):
    cores(2)
    assert chosen("--processes", str(count)) == count
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("words, why", [
    (["--save", "a.snap@100"], "a machine is saved in one process"),
    (["--trace", "fugu_ni_*"], "the lines of a trace have one order"),
    (["--trace", "fugu_ni_*", "--trace-file", "t.log"], "the lines of a trace have one order"),
    (["--qemu-arg=-no-reboot"], "what --qemu-arg does")])
def test_options_that_need_one_process(cores, words, why, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cores(2)
    assert chosen(*words) == chosen("--processes", "auto", *words) == 1
    assert capsys.readouterr().err.startswith(f"fugu: 1 process: {why}")


def test_loaded_machine_has_one_process(cores, capsys):
    cores(2)
    run = Run({"load": "a.snap", "nodes": TWO}, auto=True)
    automatic.choose(run)
    assert run.processes == 1
    assert capsys.readouterr().err == "fugu: 1 process: a machine is loaded in one process\n"


@pytest.mark.parametrize("words", [["--stats"], ["--digest"], ["--output", "out"], ["--raw"], ["--timeout", "1M"]], ids=str)
def test_options_that_allow_several(cores, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cores(2)
    assert chosen(*words) == 2


@pytest.mark.parametrize("key, value", [
    ("transport", "shm"), ("link-timeout", "3"), ("hosts", "a:2,b"), ("hosts", "mpi"), ("listen", "a"), ("meet", "m"),
    ("join", "a:1"), ("process", "1"), ("secret-file", "s")])
def test_auto_contradicts_other_options_of_processes(key, value):
    with pytest.raises(UsageError, match=f"--processes auto and --{key} contradict each other: give a number of proc"):
        parse(["--processes", "auto", f"--{key}", value, "ring"])


@pytest.mark.parametrize("word", ["automatic", "0", "-1", "AUTO", ""])
def test_no_number_and_not_auto(word):
    with pytest.raises(UsageError, match=f"--processes {word}: must be a whole number of processes from 1 to 64, or auto"):
        parse([f"--processes={word}", "ring"])


def test_hosts_decide_themselves(cores):
    cores(64)
    run = Run({"hosts": "mpi", "nodes": TWO})
    automatic.choose(run)
    assert "processes" not in run.options


def test_debugger_has_one_process(cores, monkeypatch):
    cores(64)
    monkeypatch.setattr(debug.on_demand, "ensure", lambda tool: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        debug.main(["--processes", "auto", "--attach", "0", "-n", str(TWO), "ring"])


# ---- what is said ------------------------------------------------------------

@pytest.mark.parametrize("nodes, available, line", [
    (8, 4, f"fugu: 1 process: with less than {TWO} nodes, several may be slower\n"),
    (TWO, 1, "fugu: 1 process: there is one core for this run\n"),
    (TWO, 4, f"fugu: 2 processes: {TWO} nodes, 4 idle cores (--processes 1 turns this off)\n")])
def test_line_says_why(cores, nodes, available, line, capsys):
    """Without --processes, a run in one process says nothing."""
    cores(available)
    chosen("--processes", "auto", nodes=nodes)
    assert capsys.readouterr().err == line
    chosen(nodes=nodes)
    assert capsys.readouterr().err == (line if "processes" in line else "")


@pytest.mark.parametrize("words", [[], ["--processes", "auto"]], ids=["default", "auto"])
def test_run_is_split(cores, elf, words, capsys):
    """`./run.sh` itself, as far as the command lines of the processes."""
    cores(2)
    assert cli.main(["--dry-run", "-n", str(TWO), *words, str(elf)]) == 0
    lines = [shlex.split(line) for line in capsys.readouterr().out.splitlines()]
    assert ["processes=2" in line[line.index("-M") + 1].split(",") for line in lines] == [True, True]


def test_line_names_other_work(cores, capsys):
    cores(4, 1)
    chosen("--processes", "auto")
    assert capsys.readouterr().err == "fugu: 1 process: other work keeps the cores busy\n"


# ---- cores -------------------------------------------------------------------

def host(root, groups, files):
    """Makes a file system that says which control groups this process is in, and their quotas."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(groups)
    for name, text in files.items():
        file = root / "sys/fs/cgroup" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


@pytest.mark.parametrize("groups, files, expected", [
    ("0::/\n", {}, 8),
    ("0::/a/b\n", {"a/b/cpu.max": "max 100000\n", "a/cpu.max": "max 100000\n"}, 8),
    ("0::/a/b\n", {"a/b/cpu.max": "300000 100000\n"}, 3),
    ("0::/a/b\n", {"a/b/cpu.max": "max 100000\n", "a/cpu.max": "250000 100000\n"}, 2),
    ("0::/a\n", {"a/cpu.max": "50000 100000\n"}, 1),
    ("0::/a\n", {"a/cpu.max": "6400000 100000\n"}, 8),
    ("0::/\n", {"cpu.max": "nonsense\n"}, 8),
    ("0::/../a\n", {}, 8),
    ("3:cpu,cpuacct:/a\n2:memory:/a\n", {"cpu,cpuacct/a/cpu.cfs_quota_us": "200000\n",
                                         "cpu,cpuacct/a/cpu.cfs_period_us": "100000\n"}, 2),
    ("3:cpu:/\n", {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 8),
    ("3:cpu:/\n", {"cpu/cpu.cfs_quota_us": "100000\n", "cpu/cpu.cfs_period_us": "0\n"}, 8)])
def test_quotas_of_control_groups(tmp_path, monkeypatch, groups, files, expected):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert capacity.cores(host(tmp_path, groups, files)) == expected


def test_affinity_bounds_cores(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {5})
    assert capacity.cores(host(tmp_path, "0::/\n", {"cpu.max": "400000 100000\n"})) == 1


def test_host_without_control_groups(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(4)))
    assert capacity.cores(tmp_path) == 4


@pytest.mark.parametrize("stat, expected", [
    ("cpu 1 2\nprocs_running 1\nprocs_blocked 7\n", 8), ("procs_running 4\n", 5), ("procs_running 9\n", 0),
    ("procs_running 50\n", 0), ("procs_blocked 1\n", 8), (None, 8)])
def test_idle_cores(tmp_path, monkeypatch, stat, expected):
    """This process is one of those that run."""
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    if stat is not None:
        (tmp_path / "proc").mkdir()
        (tmp_path / "proc/stat").write_text(stat)
    assert capacity.idle_cores(tmp_path) == expected

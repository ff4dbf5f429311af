"""Programs with ANL macros print what the same sources print on the host, with processes made by fork()."""

from __future__ import annotations

import re
import subprocess

import pytest
from run_sh import COMMAND, run_sh

# Each program's words besides -p.
PROGRAMS = {"radix": [], "fft": [], "tasks": [], "flags": [], "creates": [], "busy_done": [], "busy_count": [],
            "busy_peek": [], "busy_pending": [], "busy_columns": []}
NODES = [1, 2, 3, 8, 16]
OPTIONS = {
    "soft": {"atomicity": "soft"},
    "timeouts": {"atomicity_timeout": 200},
    "processes": {"processes": 3},
    "no cache": {"cache": False},
}
LIMIT = "2G"
LINE = "three words here\n"


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_any_number_of_nodes(machine, program, host, name, nodes):
    words = [f"-p{nodes}", *PROGRAMS[name]]
    result = machine(program(name), *words, nodes=nodes, timeout=LIMIT).check(0)
    assert result.stdout == host(name, *words, nodes=nodes), result.report()


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_other_machines(machine, program, host, name, options):
    words = ["-p", 4, *PROGRAMS[name]]
    result = machine(program(name), *words, nodes=4, timeout=LIMIT, **OPTIONS[options]).check(0)
    assert result.stdout == host(name, *words, nodes=4), result.report()


@pytest.mark.parametrize("name", PROGRAMS)
def test_beside_another_job(machine, program, host, name):
    words = ["-p", 3, *PROGRAMS[name]]
    result = machine(program(name), *words, "+", "null", 3_000_000, nodes=3, timeout=LIMIT, timeslice=50_000).check(0)
    assert host(name, *words, nodes=3).splitlines() == [
        line for line in result.stdout.splitlines() if not line.startswith("null")], result.report()


@pytest.mark.parametrize("name", ["radix", "tasks", "busy_done"])
def test_fewer_processes_than_nodes(machine, program, host, name):
    """Nodes that no process needs end without a word."""
    result = machine(program(name), "-p2", nodes=5, timeout=LIMIT).check(0)
    assert result.stdout == host(name, "-p2", nodes=5), result.report()


@pytest.mark.parametrize("nodes", [1, 4, 16])
def test_files_and_lines_of_all_processes(program, host, tmp_path, nodes):
    """The first process reads a file and writes one; all print, in any order."""
    (tmp_path / "input").write_text("90\n")
    here, there = tmp_path / "here", tmp_path / "there"
    there.mkdir()
    (there / "input").write_text("90\n")
    done = run_sh("-n", nodes, "--input", tmp_path / "input", "--output", here, program("lists"), f"-p{nodes}")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    lines = host("lists", f"-p{nodes}", nodes=nodes, folder=there).splitlines()
    assert sorted(done.stdout.splitlines()) == sorted(lines) and done.stdout.splitlines()[-1] == "lists: 90 items"
    assert (here / "lists").read_text() == (there / "lists").read_text()


@pytest.mark.parametrize("nodes", [3, 4])
def test_each_macro(machine, program, host, nodes):
    result = machine(program("macros"), nodes=nodes, timeout=LIMIT).check(0)
    assert result.stdout == host("macros", nodes=nodes), result.report()
    assert re.findall("^WRONG.*", result.stdout, re.MULTILINE) == [] and result.stdout.endswith("macros: done\n")


def test_standard_input(program, host):
    """The first process reads it; new processes have what was read."""
    done = subprocess.run([COMMAND, "-n", "4", program("creates"), "-p4"], input=LINE, text=True, capture_output=True,
                          timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == host("creates", "-p4", nodes=4, stdin=LINE) == f"creates: 5 rounds, {LINE}"


SMALL = {"relax": ["-n", 66, "-i", 4], "sharedlu": ["-n", 48, "-b", 8]}


def results(output: str) -> list[str]:
    """The lines without those that show times."""
    return [line for line in output.splitlines() if not re.search(r"\d us\b", line)]


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("app", SMALL)
def test_apps(machine, host, app, nodes):
    result = machine(app, *SMALL[app], nodes=nodes, timeout=LIMIT).check(0)
    assert results(result.stdout) == results(host(app, *SMALL[app], nodes=nodes)), result.report()


@pytest.mark.parametrize("app", SMALL)
def test_what_sharing_has_cost(machine, app):
    """A line for each process. One process shares nothing; of four, each writes to pages that others read."""
    def costs(nodes: int) -> list[list[float]]:
        lines = machine(app, *SMALL[app], "-s", nodes=nodes, timeout=LIMIT).check(0).stdout.splitlines()
        rows = [line.split()[1:] for line in lines if re.match(rf"{app}: +\d+( +[\d.]+){{12}}$", line)]
        return [list(map(float, row)) for row in rows]
    (alone,), four = costs(1), costs(4)
    assert alone[1:9] == [0] * 8
    assert [line[0] for line in four] == [0, 1, 2, 3] and all(line[2] > 0 for line in four)
    assert sum(line[3] for line in four) > 0


@pytest.mark.parametrize("words, says", [
    (["sharedlu", "-n", "50", "-b", "16"], "a multiple of BLOCK"),
    (["relax", "-n", "2"], "SIZE is 3 to 4096, not 2"),
    (["relax", "-z"], "-z is no option"),
    (["relax", "-i"], "-i lacks its number"),
    (["sharedlu", "12"], "there is no argument for 12"),
])
def test_wrong_arguments_of_apps(machine, words, says):
    assert says in machine(*words, nodes=2, timeout=LIMIT).check(2).stderr

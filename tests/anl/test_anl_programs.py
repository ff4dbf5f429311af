"""Programs with ANL macros print what the same sources print on the host, with processes made by fork()."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from typing import Any

import pytest
from machine_runs import long_rounds
from run_sh import COMMAND, run_sh

# Each program's standard input.
PROGRAMS = {"radix": "", "fft": "", "tasks": "", "flags": "", "creates": "", "busy_done": "", "busy_count": "",
            "busy_peek": "", "busy_pending": "", "busy_columns": "", "conditions": "", "idioms": "a title\n 12 2.5 \nbob\n"}
SMALL = {"relax": ["-n", 66, "-i", 4], "sharedlu": ["-n", 48, "-b", 8]}     # apps, with words for a small size
ALL = [*PROGRAMS, *SMALL]
NODES = [1, 2, 3, 8, 16]
# Options of the machine; `beside` is another job.
OPTIONS = {
    "soft": {"atomicity": "soft"},
    "timeouts": {"atomicity_timeout": 200},
    "processes": long_rounds(3),
    "no cache": {"cache": False},
    "beside": {"beside": ["+", "null", 3_000_000], "timeslice": 50_000},
}
MORE_NODES = [1, 2, 3, 5, 8, 13, 16]
MORE_OPTIONS = {
    "soft": OPTIONS["soft"],
    "beside": OPTIONS["beside"],
    "processes": {"processes": 2},
    "all three": OPTIONS["soft"] | OPTIONS["beside"] | {"processes": 2},
}
LIMIT = "2G"            # cycles: a run of a wrong guest ends by them
BOUND = 600             # seconds of the host's: only a run that hangs takes as many
LINE = "three words here\n"


def results(output: str) -> list[str]:
    """The lines without those of the other job and those that show times."""
    return [line for line in output.splitlines() if not line.startswith("null") and not re.search(r"\d us\b", line)]


@pytest.fixture
def same(machine, program, host, tmp_path):
    """same(name, nodes, options): a program or an app prints on the machine what it prints on the host."""
    def check(name: str, nodes: int, beside: Sequence[object] = (), **options: Any) -> None:
        words, stdin = [f"-p{nodes}"], PROGRAMS.get(name, "")
        if name in SMALL:
            words = SMALL[name]
        result = machine(name if name in SMALL else program(name), *words, *beside, nodes=nodes, timeout=LIMIT,
                         stdin=stdin, host_timeout=BOUND, **options).check(0)
        expected = results(host(name, *words, nodes=nodes, stdin=stdin, folder=tmp_path))
        assert results(result.stdout) == expected != [], result.report()
    return check


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("name", ALL)
def test_any_number_of_nodes(same, name, nodes):
    same(name, nodes)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", ALL)
def test_other_machines(same, name, options):
    same(name, 4, **OPTIONS[options])


@pytest.mark.long
@pytest.mark.parametrize("nodes", MORE_NODES)
@pytest.mark.parametrize("options", MORE_OPTIONS)
@pytest.mark.parametrize("name", ALL)
def test_other_machines_of_any_size(same, name, options, nodes):
    """With soft atomicity, beside another job, and split over processes of the host, of which each has a node."""
    if nodes == 1:
        same(name, 1, **{key: value for key, value in MORE_OPTIONS[options].items() if key != "processes"})
    else:
        same(name, nodes, **MORE_OPTIONS[options])


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


def test_input_files_in_folders(tmp_path):
    """A program finds inputs/NAME, and another file beside it whose name it makes, by the names that --input gives."""
    (tmp_path / "inputs").mkdir()
    for name in ("car.env", "car.geo"):
        (tmp_path / "inputs" / name).write_text(f"{name}\n")
    (tmp_path / "x.C").write_text("""\
#include <stdio.h>
show(name) char *name; {
    FILE *file = fopen(name, "r");
    char line[40];
    printf("%s", file && fgets(line, 40, file) ? line : "no file\\n");
}
main(argc, argv) char **argv; {
    show(argv[1]); strcpy(strrchr(argv[1], '.'), ".geo"); show(argv[1]); show("car.env");
    MAIN_END
}
""")
    assert run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path).returncode == 0
    inputs = [word for name in ("inputs/car.env", "inputs/car.geo") for word in ("--input", f"{name}={name}")]
    done = run_sh("-n", 2, *inputs, "./x.elf", "inputs/car.env", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "car.env\ncar.geo\nno file\n")


LARGE = """\
#include <stdlib.h>
MAIN_ENV
double table[3000000];
char *heap;
int *shared;
first() {
    if (table[2000000] != 7 || table[2000001] || heap[20000000] != 5 || heap[10000000])
        exit(3);
    table[1500000] = 9;
    shared[0]++;
}
second() {
    if (table[2000000] || table[1500000] || table[5] != 6 || heap[20000000] != 5)
        exit(4);
    shared[0]++;
}
main() {
    MAIN_INITENV(, 100)
    shared = (int *) G_MALLOC(4)
    heap = malloc(24000000);
    heap[20000000] = 5;
    table[2000000] = 7;
    CREATE(first)
    WAIT_FOR_END(1)
    table[2000000] = 0;
    table[5] = 6;
    CREATE(second)
    WAIT_FOR_END(1)
    printf("%d\\n", shared[0]);
    MAIN_END
}
"""


def test_memory_that_is_not_touched_costs_nothing(machine, tmp_path):
    """48 MB of variables and heap, on nodes of 8 MB. A second process on a node finds zeros where the first has
    written."""
    (tmp_path / "x.C").write_text(LARGE)
    assert run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path).returncode == 0
    assert machine(tmp_path / "x.elf", nodes=2, ram="8M", timeout=LIMIT).check(0).stdout == "2\n"


@pytest.mark.parametrize("nodes", [3, 4])
def test_each_macro(machine, program, host, nodes):
    result = machine(program("macros"), nodes=nodes, timeout=LIMIT).check(0)
    assert result.stdout == host("macros", nodes=nodes), result.report()
    assert re.findall("^WRONG.*", result.stdout, re.MULTILINE) == [] and result.stdout.endswith("macros: done\n")


def test_calls_of_the_c_library(machine, program):
    """Old headers and calls; the program checks itself."""
    result = machine(program("calls"), nodes=3, timeout=LIMIT).check(0)
    assert result.stdout.splitlines() == [
        "no argument", "1 two 3.5 4 5 6 7 8.25", "1099511627776 18446744073709551615 7", "calls: 0 wrong"]
    assert result.stderr == "/none/none: No such file or directory\n"


def test_a_program_that_prints_its_usage(machine, program):
    """exit() before MAIN_INITENV."""
    assert machine(program("idioms"), "-h", nodes=2).check(0).stdout == "Usage: IDIOMS <options>\n"


def test_standard_input(program, host):
    """The first process reads it; new processes have what was read."""
    done = subprocess.run([COMMAND, "-n", "4", program("creates"), "-p4"], input=LINE, text=True, capture_output=True,
                          timeout=BOUND)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == host("creates", "-p4", nodes=4, stdin=LINE) == f"creates: 5 rounds, {LINE}"


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

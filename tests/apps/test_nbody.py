"""barnes and water compute what their models in Python compute, on any number of nodes and in any circumstances."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import barnes_model
import pytest
import water_model

from fugu import measured

PRECISION = 1e-9                # relative, but for numbers near 0
NEAR_0 = {"barnes": 1e-3, "water": 1e-6}

# The sizes of the paper's table 6, and its numbers for eight nodes.
PAPER = {"barnes": (2048, 3), "water": (512, 3)}
PAPER_MESSAGES = {"barnes": 107_849, "water": 36_303}

# Small sizes. The last cube of water has an even number of molecules, the first an odd one.
SIZES = {"barnes": [(2, 3), (100, 4), (300, 2)], "water": [(27, 4), (64, 2)]}
OPTIONS = {
    "soft": {"atomicity": "soft"},
    "timeouts": {"atomicity_timeout": 200},
    "skew": {"skew": "30"},
    "processes": {"processes": 3},
}

Lines = list[list[float]]


@cache
def barnes(count: int, iterations: int, seed: int) -> Lines:
    """The file that barnes should write."""
    return [body.position + body.velocity for body in barnes_model.bodies_at(count, iterations, seed)]


@cache
def water(count: int, iterations: int, seed: int) -> Lines:
    """The file that water should write."""
    result = water_model.water_at(count, iterations, seed)
    return [list(result.energies()), *(one.motion[0] + one.velocity() for one in result.molecules)]


MODELS: dict[str, Callable[[int, int, int], Lines]] = {"barnes": barnes, "water": water}


def read(file: Path) -> Lines:
    """The numbers of a result."""
    return [[float.fromhex(word) for word in line.split()] for line in file.read_text().splitlines()]


def check(app: str, found: Lines, expected: Lines) -> None:
    """Compares all numbers of a result."""
    assert [len(line) for line in found] == [len(line) for line in expected]
    for i, (line, right) in enumerate(zip(found, expected, strict=True)):
        for one, other in zip(line, right, strict=True):
            assert abs(one - other) <= PRECISION * max(abs(other), NEAR_0[app]), f"{app}: line {i}: {one}, not {other}"


@pytest.fixture
def result(machine, tmp_path):
    """result(app, size, iterations, ..., nodes=8, ...) -> (run, the numbers of the file that it wrote)."""
    def run(app, *words, **options):
        done = machine(app, "--result", "out", *words, output=tmp_path, timeout="20000M", **options).check(0)
        return done, read(tmp_path / "out")
    return run


# ---- results --------------------------------------------------------------------

@pytest.mark.parametrize("nodes", [1, 2, 3, 8, 16])
@pytest.mark.parametrize("app, size", [(app, size) for app, sizes in SIZES.items() for size in sizes])
def test_results_on_any_number_of_nodes(result, app, size, nodes):
    _, numbers = result(app, *size, nodes=nodes)
    check(app, numbers, MODELS[app](*size, 1))


@pytest.mark.parametrize("app", SIZES)
def test_seeds(result, app):
    size = SIZES[app][-1]
    _, numbers = result(app, "--seed", 4_000_000_000, *size, nodes=2)
    check(app, numbers, MODELS[app](*size, 4_000_000_000))


@pytest.mark.parametrize("wait", ["spin", "yield"])
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("app", SIZES)
def test_results_beside_another_job(result, app, options, wait):
    size = SIZES[app][-1]
    _, numbers = result(app, "--wait", wait, *size, "+", "null", 5_000_000, nodes=4, timeslice=50_000,
                        **OPTIONS[options])
    check(app, numbers, MODELS[app](*size, 1))


@pytest.mark.parametrize("app", SIZES)
def test_same_run_split_over_processes(machine, app):
    runs = [machine(app, *SIZES[app][-1], nodes=8, digest=True, timeout="1000M", **options).check(0)
            for options in ({}, {"processes": 3})]
    assert len({(run.stdout, run.digest) for run in runs}) == 1


def test_models_keep_energy():
    """What the app and its model share could still be wrong: the forces fit the energies."""
    before, after = (sum(water_model.water_at(27, steps, 1).energies()) for steps in (8, 16))
    assert abs(after - before) < 1e-6 * abs(before)


# ---- the paper's sizes ----------------------------------------------------------

@pytest.mark.parametrize("app", PAPER)
def test_messages_at_the_papers_size(machine, app):
    run = machine(app, *PAPER[app], atomicity="soft", nodes=8, timeout="20000M", host_timeout=250).check(0)
    (section,) = measured.sections(run.stdout)[app]
    assert abs(section["messages"] / PAPER_MESSAGES[app] - 1) < 0.1, run.report()


@pytest.mark.long
@pytest.mark.parametrize("nodes", [1, 8])
@pytest.mark.parametrize("app", PAPER)
def test_results_at_the_papers_size(result, app, nodes):
    _, numbers = result(app, *PAPER[app], atomicity="soft", nodes=nodes, host_timeout=250)
    check(app, numbers, MODELS[app](*PAPER[app], 1))


# ---- arguments ------------------------------------------------------------------

@pytest.mark.parametrize("words, says", [
    (["barnes", 1], "barnes: BODIES is a number from 2 to 1000000, not 1"),
    (["barnes", "20x"], "barnes: BODIES is a number from 2 to 1000000, not 20x"),
    (["barnes", 20, 0], "barnes: ITERATIONS is a number from 1 to 1000000, not 0"),
    (["barnes", 20, 3, 4], "barnes: there is no argument for 4"),
    (["barnes", "--seed", -1], "barnes: --seed is a number from 0 to 4294967295, not -1"),
    (["barnes", "--seed"], "barnes: --seed lacks its value"),
    (["barnes", "--wait", "sleep"], "barnes: --wait is spin or yield, not sleep"),
    (["barnes", "--speed", 9], "barnes: --speed is no option"),
    (["water", 7], "water: MOLECULES is a number from 8 to 8000, not 7"),
    (["water", 65], "water: MOLECULES is a cube, as 64 is, not 65"),
])
def test_wrong_arguments_of_nbody_apps(machine, words, says):
    run = machine(*words, nodes=2, timeout="10M").check(2)
    assert re.search(rf"^{re.escape(says)} \({words[0]} --help\)$", run.stderr, re.MULTILINE), run.report()


@pytest.mark.parametrize("app", PAPER)
def test_help_of_nbody_apps(machine, app):
    run = machine(app, "--help", nodes=2, timeout="10M").check(0)
    assert run.stdout.startswith(f"usage: {app} "), run.report()
    assert f"(default {PAPER[app][0]})" in run.stdout, run.report()


@pytest.mark.parametrize("app", PAPER)
def test_file_that_cannot_be_written(machine, app):
    run = machine(app, "--result", "a/b", SIZES[app][0][0], nodes=2, timeout="1000M").check(1)
    assert f"{app}: a/b cannot be written: " in run.stderr, run.report()


@pytest.mark.parametrize("app, words", [("barnes", [100_000, 1]), ("water", [8000, 1])])
def test_too_little_memory(machine, app, words):
    run = machine(app, *words, nodes=2, ram="4M", timeout="1000M")
    assert run.status != 0 and "memory" in run.stderr, run.report()

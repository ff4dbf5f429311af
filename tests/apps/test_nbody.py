"""barnes and water compute what their models in Python compute, on any number of nodes and in any circumstances."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import barnes_model
import pytest
import water_model
from machine_runs import long_rounds

from fugu import measured
from fugu.paper._table import PAPER as TABLE

PRECISION = 1e-9                # relative, but for numbers near 0
UNIT_KJ, KJ_PER_KCAL = 1e4, 4.184     # the app's unit of energy is 10 MJ/mol
NEAR_0 = {"barnes": 1e-3, "water": 1e-6}

# The sizes of the paper's table 6, and its messages on eight nodes.
PAPER = {"barnes": (2048, 3), "water": (512, 3)}
PAPER_MESSAGES = {app: row["messages"] for app, row in TABLE["table6"].items() if app in PAPER}

# Small sizes, of an odd and an even number of molecules. The last ones take little time.
SIZES = {"barnes": [(2, 3), (200, 3), (100, 4)], "water": [(64, 2), (27, 4)]}
OPTIONS = {
    "soft": {"atomicity": "soft"},
    "timeouts": {"atomicity_timeout": 200},
    "skew": {"skew": "30"},
    "processes": long_rounds(3),
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

@pytest.mark.parametrize("app, size", [(app, size) for app, sizes in SIZES.items() for size in sizes])
def test_results_of_any_size(result, app, size):
    _, numbers = result(app, *size, nodes=4)
    check(app, numbers, MODELS[app](*size, 1))


@pytest.mark.parametrize("nodes", [1, 2, 3, 8, 16])
@pytest.mark.parametrize("words", [["barnes"], ["barnes", "--zones"], ["water"]], ids=" ".join)
def test_results_on_any_number_of_nodes(result, words, nodes):
    app, size = words[0], SIZES[words[0]][-1]
    _, numbers = result(*words, *size, nodes=nodes)
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
            for options in map(long_rounds, (1, 3))]
    assert len({(run.stdout, run.digest) for run in runs}) == 1


# ---- what an app and its model share --------------------------------------------

def dimer(distance: float, tilt: float, bend: float) -> float:
    """The energy of two molecules in kcal/mol: a H of the first one is near the O of the second one.

    The first molecule is turned by `tilt` in its plane. The second one's plane is at a right angle to that, and turned
    by `bend`.
    """
    bond, angle = (water_model.N[name] for name in ("BOND", "ANGLE"))
    first = [bond * math.cos(tilt), bond * math.sin(tilt), 0, 0, 0, 0,
             bond * math.cos(tilt + angle), bond * math.sin(tilt + angle), 0]
    way, aside = bond * math.cos(angle / 2), bond * math.sin(angle / 2)
    middle = [distance + way * math.cos(bend), way * math.sin(bend)]
    second = [*middle, aside, distance, 0, 0, *middle, -aside]
    one, other = (water_model.Molecule([place]) for place in (first, second))
    return water_model.pair(one, other, [0.0] * 3)[0] * UNIT_KJ / KJ_PER_KCAL


def test_water_has_the_published_minimum():
    """Matsuoka, Clementi and Yoshimine: -5.87 kcal/mol, with 2.87 angstroms between the oxygens."""
    best, distance = min((dimer(distance / 100, math.radians(tilt), math.radians(bend)), distance / 100)
                         for distance in range(280, 295) for tilt in range(0, 8, 2) for bend in range(-50, -20, 5))
    assert abs(best + 5.87) < 0.01 and abs(distance - 2.87) < 0.02


def test_water_keeps_its_energy():
    """The forces are those of the energies."""
    before, after = (sum(water_model.water_at(27, steps, 1).energies()) for steps in (8, 16))
    assert abs(after - before) < 1e-6 * abs(before)


# ---- messages -------------------------------------------------------------------

def section(run, app):
    """The measured iteration of a run."""
    (one,) = measured.sections(run.stdout)[app]
    return one


def messages_of_water(molecules, nodes):
    """The arithmetic of apps/water/README.md."""
    barriers, sums = 4 * nodes * (nodes - 1).bit_length(), 3 * 2 * (nodes - 1)
    return molecules * 10 * (nodes - 1) + barriers + sums


@pytest.mark.parametrize("nodes", [2, 3, 4])
def test_messages_of_water(machine, nodes):
    run = machine("water", 64, 1, nodes=nodes, timeout="1000M").check(0)
    assert section(run, "water")["messages"] == messages_of_water(64, nodes), run.report()


def test_zones_save_messages(machine):
    """Bodies of a zone are near each other, and need the same parts of the tree."""
    run, zones = (machine("barnes", *words, 200, 3, nodes=8, timeout="1000M").check(0) for words in ([], ["--zones"]))
    assert section(zones, "barnes")["messages"] < 0.7 * section(run, "barnes")["messages"]


# ---- the paper's sizes ----------------------------------------------------------

@pytest.mark.long
@pytest.mark.parametrize("app", PAPER)
def test_messages_at_the_papers_size(machine, app):
    """As many as the paper's, but for a tenth."""
    run = machine(app, *PAPER[app], atomicity="soft", nodes=8, timeout="20000M", host_timeout=250).check(0)
    assert abs(section(run, app)["messages"] / PAPER_MESSAGES[app] - 1) < 0.1, run.report()
    assert app == "barnes" or section(run, app)["messages"] == messages_of_water(PAPER[app][0], 8)


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
    run = machine(app, "--result", "../b", SIZES[app][0][0], nodes=2, timeout="1000M").check(1)
    assert f"{app}: ../b cannot be written: " in run.stderr, run.report()

"""Messages in buffers that are mapped over the network: docs/shrimp.md and the app update."""

from __future__ import annotations

import re

import pytest
from run_sh import run_sh

from fugu.errors import UsageError
from fugu.paths import ROOT

LOOPS = ["a typical program (figure 1)", "single buffering (figure 5)", "single buffering + copy",
         "double buffering, case 1 (figure 6)", "double buffering, case 2", "double buffering, case 3"]
ROW = re.compile(r"^(.{38}) +(\d+) +(\d+) +(\d+)$", re.MULTILINE)


@pytest.fixture
def update(machine):
    """update(word..., option=...) -> the result of a run of the app."""
    def run(*words, **options):
        return machine("update", *words, **{"ni": "shrimp", "nodes": 4, "timeout": "400M"} | options)
    return run


@pytest.mark.parametrize(("nodes", "size"), [(1, 64), (2, 4088), (5, 4), (8, 1024)])
def test_each_loop_in_each_mode(update, nodes, size):
    result = update(size, 20, nodes=nodes).check(0)
    assert [name.strip() for name, *_ in ROW.findall(result.stdout)] == LOOPS
    assert result.stdout.endswith("update: all words are right\n")


def test_two_buffers_are_faster_than_one(update):
    """With messages alone between the nodes, the next message is made while one is consumed. Messages are so short that no end
    waits without the processor: where one does, the times at which kernels come decide."""
    cycles = {name.strip(): list(map(int, numbers)) for name, *numbers in ROW.findall(update(256, 50, nodes=2).check(0).stdout)}
    for one, two in zip(cycles[LOOPS[1]], cycles[LOOPS[5]], strict=True):
        assert two < one


def test_beside_another_job(update):
    result = update(256, 20, "+", "update", 256, 20, nodes=3, timeslice=20_000).check(0)
    assert result.stdout.count("update: all words are right\n") == 2


@pytest.mark.parametrize("words", [("3",), ("6",), ("4092",), ("x",), ("64", "0"), ("64", "1", "1")])
def test_wrong_arguments(update, words):
    result = update(*words, nodes=2).check(2)
    assert result.stdout.count("update: its arguments are") + result.stderr.count("update: its arguments are") == 1


def test_it_needs_this_interface(machine):
    with pytest.raises(UsageError, match=r"^update needs --ni shrimp, as it uses SHRIMP, but the machine has --ni fugu\.$"):
        machine("update")


def test_the_example_of_the_page(machine, tmp_path):
    """Each indented block of docs/shrimp.md that is a program runs, and says what it got."""
    page = (ROOT / "docs" / "shrimp.md").read_text()
    blocks = re.findall(r"\n\n((?:    .*\n|\n)+)", page)
    programs = [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in blocks if "int main(void)" in block]
    assert len(programs) == 4
    said = []
    for number, text in enumerate(programs):
        source, program = tmp_path / f"{number}.c", tmp_path / f"{number}.elf"
        source.write_text(text)
        built = run_sh("cc", "-Wall", "-Wextra", "-Werror", "-O2", source, "-o", program)
        assert built.returncode == 0, built.stderr
        said.append(machine(program, ni="shrimp", nodes=4, timeout="100M").check(0).stdout)
    lines = "".join(f"node {node} has got {(node + 3) % 4}, says node {node} in 80 bytes\n" for node in range(4))
    assert said[:3] == ["", 4 * "sum 6\n", lines]
    assert sorted(said[3].split()) == ["25", "25", "5", "5"]

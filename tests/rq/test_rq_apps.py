"""The apps solve, transpose and strided, and the experiments that they are for."""

from __future__ import annotations

import re
import struct
from fractions import Fraction

import pytest
from machine_runs import long_rounds

from fugu.paper.queues import solve, strided, transpose
from fugu.paper.runs.extent import SMALL

WAYS = ("interrupts", "polling", "inlined", "memory", "fetch")
KINDS = ("messages", "loop", "matched", "alternating", "limited")
OPTIONS = {"soft": {"atomicity": "soft"}, "short": {"atomicity_timeout": 200}, "split": long_rounds(2)}


# ---- solve -----------------------------------------------------------------------

def solved(result):
    """Checks a run of solve; returns its checksum."""
    match = re.search(r"^solve: checksum ([0-9a-f]{16}): right$", result.check(0).stdout, re.MULTILINE)
    assert match, result.report()
    return match[1]


@pytest.mark.parametrize("way", WAYS)
def test_solution_is_the_same_on_any_number_of_nodes(machine, way):
    assert len({solved(machine("solve", way, 100, 300, nodes=nodes, timeout="200M")) for nodes in (1, 2, 3, 16)}) == 1


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("way", WAYS)
def test_solve_on_other_machines(machine, way, options):
    solved(machine("solve", way, 100, 300, nodes=4, timeout="400M", **OPTIONS[options]))


@pytest.mark.parametrize("way", WAYS)
def test_solve_beside_another_job(machine, way):
    solved(machine("solve", way, 100, 300, "+", "barrier", 200, nodes=4, timeslice=20_000, timeout="1G"))


def test_no_message_without_entries(machine):
    result = machine("solve", "inlined", 50, 0, nodes=2, timeout="200M")
    assert "measured solve: messages 0\n" in result.check(0).stdout


def matrix(*lines, head="coordinate real general"):
    return "\n".join([f"%%MatrixMarket matrix {head}", "% a comment", *lines, ""])


def chain(rows):
    """A matrix in which row i is -1/2 times row i - 1, plus 2 on the diagonal."""
    return matrix(f"{rows} {rows} {2 * rows - 1}", *(f"{i} {i} 2" for i in range(1, rows + 1)),
                  *(f"{i + 1} {i} -0.5" for i in range(1, rows)))


def doubles_sum(values):
    """The sum of the bits of doubles, each times an odd number, as the app prints it."""
    return sum(int.from_bytes(struct.pack(">d", value), "big") * (2 * row + 1)
               for row, value in enumerate(values)) % 2 ** 64


@pytest.mark.parametrize("way", WAYS)
def test_matrix_from_a_file(machine, tmp_path, way):
    """The solution of a chain of rows, by exact arithmetic: all numbers are doubles for so few rows."""
    (tmp_path / "m.mtx").write_text(chain(9))
    result = machine("solve", way, "m.mtx", nodes=3, timeout="200M", input=str(tmp_path / "m.mtx"))
    x: list[Fraction] = []
    for row in range(9):
        x.append((1 + row % 7 + (x[-1] / 2 if x else 0)) / 2)
    assert solved(result) == f"{doubles_sum(map(float, x)):016x}"
    assert "solve: 9 rows, 8 entries below the diagonal" in result.stdout
    messages = 0 if way == "fetch" else 8       # fetch: commands of MBCF, which are the kernels' messages
    assert f"measured solve: messages {messages}\n" in result.stdout


@pytest.mark.parametrize(("head", "lines", "entries"), [
    ("coordinate pattern symmetric", ("3 3 2", "2 1", "3 2"), 2),
    ("coordinate pattern symmetric", ("3 3 2", "1 2", "3 3"), 1),
    ("coordinate integer general", ("2 2 3", "1 1 4", "2 2 5", "2 1 -3"), 1)])
def test_other_kinds_of_files(machine, tmp_path, head, lines, entries):
    (tmp_path / "m.mtx").write_text(matrix(*lines, head=head))
    result = machine("solve", "polling", "m.mtx", nodes=2, timeout="200M", input=str(tmp_path / "m.mtx"))
    solved(result)
    assert f"{entries} entries below the diagonal" in result.stdout


BAD = {
    "nothing": ("", "its first line is not that of a Matrix Market file in coordinate format"),
    "array": (matrix("2 2", head="array real general"), "its first line is not"),
    "complex": (matrix("2 2 1", "1 1 1 0", head="coordinate complex general"), "its numbers are of another kind"),
    "skew": (matrix("2 2 1", "2 1 1", head="coordinate real skew-symmetric"), "it is neither general nor symmetric"),
    "size": (matrix("two"), "its second line is not rows, columns and entries"),
    "wide": (matrix("2 3 1", "1 1 1"), "it is not square"),
    "huge": (matrix("2 2 99999999", "1 1 1"), "too many rows or entries"),
    "short": (matrix("2 2 3", "1 1 1", "2 2 1"), "it has fewer entries than its second line says"),
    "words": (matrix("2 2 2", "1 1 x", "2 2 1"), "an entry is not a row, a column"),
    "outside": (matrix("2 2 2", "3 1 1", "2 2 1"), "an entry lies outside of the matrix"),
    "zero": (matrix("2 2 2", "0 1 1", "2 2 1"), "an entry lies outside of the matrix"),
    "above": (matrix("2 2 3", "1 1 1", "1 2 1", "2 2 1"), "an entry lies above the diagonal"),
    "infinite": (matrix("2 2 2", "1 1 inf", "2 2 1"), "a number is not finite"),
    "singular": (matrix("2 2 1", "1 1 1"), "a number on the diagonal is 0 or missing"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files(machine, tmp_path, case):
    text, words = BAD[case]
    (tmp_path / "m.mtx").write_text(text)
    result = machine("solve", "inlined", "m.mtx", nodes=2, timeout="100M", input=str(tmp_path / "m.mtx")).check(2)
    assert result.stderr.startswith("solve: m.mtx: ") and words in result.stderr, result.report()


@pytest.mark.parametrize(("words", "says"), [
    (["fast"], "fast: the arguments are interrupts, polling, inlined, memory or fetch"),
    (["inlined", 1], "1: the arguments are"), (["inlined", 10, 9999999], "9999999: the arguments are"),
    (["inlined", 10, 10, 10], "10: the arguments are"),
    (["inlined", "none.mtx"], "none.mtx: it cannot be opened: name it with --input too")])
def test_mistakes_with_solve(machine, words, says):
    assert f"solve: {says}" in machine("solve", *words, nodes=2, timeout="100M").check(2).stderr


# ---- transpose, strided ------------------------------------------------------------

@pytest.mark.parametrize("nodes", [1, 2, 3, 8])
@pytest.mark.parametrize("kind", KINDS)
def test_transpose(machine, kind, nodes):
    assert ", right\n" in machine("transpose", kind, 256, nodes=nodes, timeout="200M").check(0).stdout


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_transpose_on_other_machines(machine, kind, options):
    assert ", right\n" in machine("transpose", kind, 512, nodes=4, timeout="400M", **OPTIONS[options]).check(0).stdout


@pytest.mark.parametrize("kind", KINDS)
def test_transpose_beside_another_job(machine, kind):
    result = machine("transpose", kind, 512, "+", "barrier", 200, nodes=4, timeslice=20_000, timeout="1G")
    assert ", right\n" in result.check(0).stdout


@pytest.mark.parametrize("words", [["fast"], ["loop", 10], ["loop", 0], ["loop", 70000], ["loop", 16, 1, 1]])
def test_mistakes_with_transpose(machine, words):
    said = machine("transpose", *words, nodes=2, timeout="100M").check(2).stderr
    assert said.count("transpose: the arguments are messages, loop, matched, alternating or limited") == 1


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_strided(machine, atomicity):
    result = machine("strided", 5, nodes=3, timeout="400M", atomicity=atomicity).check(0)
    assert "strided: 5 blocks: right\n" in result.stdout and len(strided.LINE.findall(result.stdout)) == 11


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_planes(machine, atomicity):
    result = machine("strided", "planes", nodes=2, ram="16M", timeout="400M", atomicity=atomicity).check(0)
    assert "strided: planes: right\n" in result.stdout
    assert [int(words) for words, *_ in strided.LINE.findall(result.stdout)] == list(strided.APART)


@pytest.mark.parametrize(("words", "nodes"), [([0], 2), ([2000], 2), (["plane"], 2), ([5, 5], 2), (["x"], 2), ([5], 1)])
def test_mistakes_with_strided(machine, words, nodes):
    assert "strided: its one argument" in machine("strided", *words, nodes=nodes, timeout="100M").check(2).stderr


# ---- the experiments, small ----------------------------------------------------------

@pytest.mark.parametrize("experiment", [solve, transpose, strided])
def test_experiment(experiment):
    """It has its rows, and judges its claims by them."""
    result = experiment.measure(SMALL)
    assert len(result.rows) >= 4 and len(result.claims) >= 1
    assert all(claim.text and claim.ours for claim in result.claims)

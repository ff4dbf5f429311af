"""The paper's workloads enum and synth: results against computations of the host's own, and messages."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest
from launches import launches
from machine_runs import long_rounds

NODES = [1, 2, 3, 8, 16]
OPTIONS = {
    "alone": {},
    "soft": {"atomicity": "soft"},
    "timeouts": {"atomicity_timeout": 200},
    "skew": {"skew": "30"},
    "processes": long_rounds(3),
}
WAIT = ["spin", "yield"]
REPLY_AND_REQUEST = 2
CALIBRATION = 500               # requests before those of the workload


# ---- enum -----------------------------------------------------------------------

def jumps(side: int) -> list[tuple[tuple[int, int], ...]]:
    """(from, over, to), each a hole (row, place in the row), for all jumps on an empty board."""
    holes = {(row, place) for row in range(side) for place in range(row + 1)}
    return [((r, c), (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)) for r, c in sorted(holes)
            for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)) if (r + 2 * dr, c + 2 * dc) in holes]


@cache
def solitaire(side: int, hole: int) -> int:
    """The number of solutions, by going back from each board to the solutions after it; without symmetries."""
    bit = {(row, place): 1 << row * (row + 1) // 2 + place for row in range(side) for place in range(row + 1)}
    moves = [(bit[a] | bit[b] | bit[c], bit[a] | bit[b]) for a, b, c in jumps(side)]
    seen: dict[int, int] = {}

    def after(board: int) -> int:
        if board not in seen:
            seen[board] = 1 if board & (board - 1) == 0 else sum(
                after(board ^ three) for three, pegs in moves if board & three == pegs)
        return seen[board]
    return after(sum(bit.values()) & ~(1 << hole))


def images(board: frozenset[tuple[int, int]], side: int) -> set[frozenset[tuple[int, int]]]:
    """The board turned and reflected: permutations of the distances from the three sides."""
    found = set()
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)):
        moved = []
        for row, place in board:
            distance = (side - 1 - row, place, row - place)
            moved.append((side - 1 - distance[order[0]], distance[order[1]]))
        found.add(frozenset(moved))
    return found


@cache
def levels(side: int, hole: int) -> tuple[int, int]:
    """(boards, jumps) that are left when images of a board count once."""
    holes = [(row, place) for row in range(side) for place in range(row + 1)]
    moves = jumps(side)
    level = {frozenset(holes) - {holes[hole]}}
    boards, tried = 1, 0
    for _ in range(len(holes) - 2):
        after: dict[frozenset[tuple[int, int]], None] = {}
        for board in level:
            for start, over, to in moves:
                if start in board and over in board and to not in board:
                    tried += 1
                    after.setdefault(min(images(board - {start, over} | {to}, side), key=sorted))
        level = set(after)
        boards += len(level)
    return boards, tried


def solved(output: str) -> tuple[int, int, int]:
    """(solutions, boards, jumps) that enum has printed."""
    found = re.search(r"^enum: side \d, hole \d+: (\d+) solutions\nenum: (\d+) boards, (\d+) jumps$", output,
                      re.MULTILINE)
    assert found, output
    return int(found[1]), int(found[2]), int(found[3])


@pytest.mark.parametrize("side, hole", [(3, 0), (4, 1), (4, 4), *((5, hole) for hole in (0, 1, 3, 4, 14))])
def test_enum_finds_all_solutions(machine, side, hole):
    result = machine("enum", side, hole, nodes=4, timeout="100M").check(0)
    assert solved(result.stdout) == (solitaire(side, hole), *levels(side, hole))


def test_solutions_that_are_known():
    """Both computations above, against numbers from elsewhere: five a side, and by symmetry."""
    assert [solitaire(5, hole) for hole in (0, 1, 3, 4)] == [29760, 14880, 85258, 1550]
    assert solitaire(5, 0) == solitaire(5, 10) == solitaire(5, 14)


@pytest.mark.parametrize("nodes", NODES)
def test_enum_on_any_number_of_nodes(machine, nodes):
    result = machine("enum", 5, 4, nodes=nodes, timeout="100M").check(0)
    assert solved(result.stdout) == (solitaire(5, 4), *levels(5, 4))


@pytest.mark.parametrize("wait", WAIT)
@pytest.mark.parametrize("options", OPTIONS)
def test_enum_beside_another_job(machine, options, wait):
    result = machine("enum", "--wait", wait, 5, 0, "+", "null", 5_000_000, nodes=8, timeslice=50_000,
                     timeout="1000M", **OPTIONS[options]).check(0)
    assert solved(result.stdout) == (solitaire(5, 0), *levels(5, 0))


def test_enum_at_the_papers_size(machine):
    """Six pegs a side: 29,235,690,234 solutions, more than 32 bits, and 688,348 jumps after symmetry."""
    result = machine("enum", timeout="1000M").check(0)
    solutions, _, tried = solved(result.stdout)
    assert (solutions, tried) == (29_235_690_234, 688_348)


@pytest.mark.long
def test_enum_at_the_papers_size_computed_on_the_host(machine):
    result = machine("enum", timeout="1000M").check(0)
    assert solved(result.stdout) == (solitaire(6, 4), *levels(6, 4))


@pytest.mark.parametrize("nodes", [2, 8])
def test_messages_of_enum(machine, tmp_path, nodes):
    """One message with a board, its count and its level for a jump to another node's board, and none for others."""
    sent = launches(machine, tmp_path, "enum", 5, 0, nodes=nodes, timeout="100M")
    boards = Counter({key: count for key, count in sent.items() if key[2] == 2 + 4})
    _, tried = levels(5, 0)
    share = (nodes - 1) / nodes
    assert abs(boards.total() - share * tried) < 0.05 * tried
    assert all(source != to for source, to, *_ in boards)


# ---- synth ----------------------------------------------------------------------

def interval(output: str) -> float:
    """Cycles a request that synth has printed for its first trial."""
    found = re.search(r"^synth: \d+ requests of each of \d+ nodes, groups of \d+, ([\d.]+) cycles each$", output,
                      re.MULTILINE)
    assert found, output
    return float(found[1])


@pytest.mark.parametrize("wait", WAIT)
@pytest.mark.parametrize("kind", ["elapsed", "since", "compute"])
@pytest.mark.parametrize("nodes", [2, 4, 7])
def test_synth_handles_all_requests(machine, nodes, kind, wait):
    result = machine("synth", "--interval", kind, "--wait", wait, "--messages", 500, 10, nodes=nodes,
                     timeout="100M").check(0)
    assert "synth: handled: all" in result.stdout, result.report()


@pytest.mark.parametrize("options", OPTIONS)
def test_synth_beside_another_job(machine, options):
    result = machine("synth", "--messages", 2000, "+", "null", 5_000_000, nodes=4, timeslice=50_000, timeout="1000M",
                     **OPTIONS[options]).check(0)
    assert "synth: handled: all" in result.stdout, result.report()


def test_messages_of_synth(machine, tmp_path):
    """Null messages are requests and replies, between each two nodes."""
    sent = launches(machine, tmp_path, "synth", "--messages", 500, 100, nodes=4, timeout="100M")
    null = {(source, to): count for (source, to, words, _), count in sent.items() if words == 2}
    assert sum(null.values()) == REPLY_AND_REQUEST * (CALIBRATION + 500 * 4)
    assert len(null) == 4 * 3 and all(count > 500 / 3 for count in null.values())


def test_mean_interval_of_synth(machine):
    """Where requests take less time than the interval, the mean of elapsed time is the interval that was asked for."""
    result = machine("synth", "--messages", 4000, 1000, 2000, nodes=4, timeout="100M").check(0)
    assert abs(interval(result.stdout) / 2000 - 1) < 0.03, result.report()


@pytest.mark.parametrize("between", [275, 1000, 4000])
@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_interval_of_computing_is_the_senders_own_time(machine, atomicity, between):
    """Sending and replies are part of it; the 290 cycles of the request that comes for each one are not. With soft atomicity
    a request takes up to 350: where the kernel's code lies decides how often the cache misses."""
    result = machine("synth", "--messages", 4000, "--interval", "compute", 1000, between, nodes=4, timeout="100M",
                     atomicity=atomicity).check(0)
    assert abs(interval(result.stdout) / (between + 290) - 1) < (0.04 if atomicity == "hard" else 0.05), result.report()


def test_intervals_by_the_clock_beside_another_job(machine):
    """Requests that fall due in another job's slot all go out after it, unless the interval begins with a request."""
    def took(kind):
        result = machine("synth", "--interval", kind, "--messages", 1000, 1000, 4000, "+", "null", "while-others", nodes=2,
                         timeslice=100_000, timeout="100M").check(0)
        return interval(result.stdout)
    assert took("elapsed") < 4400 and 7600 < took("since") < 9000


@pytest.mark.parametrize("words", [("lu", 20, 10), ("enum", 4), ("barrier", 10)])
def test_what_is_measured_begins_later(machine, words):
    """By as much of the program's own time as --after says, slots of another job left out; it takes as long."""
    def end(*options):
        text = machine(words[0], *options, *words[1:], nodes=4, label=True, timeout="100M").check(0).stdout
        return int(re.search(r"@(\d+)\]", text)[1]), int(re.search(r" cycles (\d+)$", text, re.MULTILINE)[1])
    (soon, took), (late, took_late) = end(), end("--after", 200_000)
    assert abs(late - soon - 200_000) < 6_000 and abs(took_late - took) < 0.01 * took


# ---- barrier --------------------------------------------------------------------

def test_a_delay_before_the_first_barrier_ends_the_step_of_the_nodes(machine):
    """Another seed is another delay; without one, each barrier takes less, as only a simulator is that exact."""
    def took(*options):
        return float(re.search(r"([\d.]+) cycles each", machine("barrier", *options, 1000, timeout="100M").check(0).stdout)[1])
    step = took()
    late = [took("--stagger", 2000, "--seed", seed) for seed in (1, 2)]
    assert late[0] != late[1] and all(1.3 * step < one < 2 * step for one in late)


def test_trials_of_synth(machine):
    """Trials use the seeds one after the other, and each seed gives other numbers."""
    three = machine("synth", "--messages", 200, "--trials", 3, 10, nodes=2, timeout="100M").check(0)
    lines = re.findall(r"^synth: 200 .*$", three.stdout, re.MULTILINE)
    assert len(set(lines)) == 3, three.report()


# ---- arguments ------------------------------------------------------------------

@pytest.mark.parametrize("words, says", [
    (["enum", 2], "SIDE must be a number from 3 to 7"),
    (["enum", 8], "SIDE must be a number from 3 to 7"),
    (["enum", "5x"], "SIDE must be a number from 3 to 7"),
    (["enum", 5, 15], "the board has no such HOLE"),
    (["enum", 5, 0, 0], "more than two arguments"),
    (["enum", "--wait", "sleep"], "--wait takes spin or yield"),
    (["enum", "--seed", 1], "an option that it does not have"),
    (["barrier", "--stagger", 0, 10], "--stagger takes cycles, 1 to 1000000"),
    (["barrier", "--seed", "-1", 10], "--seed takes a number, 1 to 1000000"),
    (["barrier", "--stager", 10], "its options are --stagger CYCLES, --seed NUMBER and --after CYCLES"),
    (["barrier", 10, 10], "its one argument is a number of barriers"),
    (["barrier", "--after", "x"], "--after takes cycles, 1 to 100000000"),
    (["enum", "--after", "-1"], "--after takes 0 to 100000000 cycles"),
    (["synth", 0], "0: N must be 1 to 1000000"),
    (["synth", 10, 30001], "30001: T_BETW must be 1 to 30000 cycles"),
    (["synth", 10, 20, 30], "30: more than two arguments"),
    (["synth", "--messages", 0], "0: --messages takes 1 to 100000000"),
    (["synth", "--interval", "real"], "real: --interval takes elapsed, since or compute"),
    (["synth", "--hand", "x"], "x: --hand takes 1 to 1000000 cycles"),
    (["synth", "--seed"], "--seed: no such option, or its value is missing"),
    (["synth", "--trials", 0], "0: --trials takes 1 to 1000"),
    (["synth", "--wait", "sleep"], "sleep: --wait takes spin or yield"),
    (["synth", "--speed", 9], "no such option, or its value is missing"),
    (["synth", "--hand", 50], "cycles at least; --hand 50 is too little"),
])
def test_wrong_arguments_of_workloads(machine, words, says):
    result = machine(*words, nodes=2, timeout="10M").check(2)
    assert says in result.stderr, result.report()


def test_synth_needs_two_nodes(machine):
    result = machine("synth", nodes=1, timeout="10M").check(2)
    assert "too few nodes, start it with -n 2 or more" in result.stderr, result.report()


@pytest.mark.parametrize("name", ["enum", "synth"])
def test_help_of_workloads(machine, name):
    result = machine(name, "--help", nodes=2, timeout="10M").check(0)
    assert result.stdout.startswith(f"usage: {name} "), result.report()

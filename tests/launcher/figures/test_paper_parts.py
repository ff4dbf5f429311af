"""What ./run.sh paper makes tables of: cells, claims, statistics, and steps of a machine, for numbers that are known."""

from __future__ import annotations

import csv
import io
import json
import struct
from contextlib import contextmanager
from types import SimpleNamespace

import elf_maker
import pytest

from fugu.abi import REGS
from fugu.errors import SetupError
from fugu.paper import _table, table5
from fugu.paper._table import AIM, Claim, Compared, Result, matrix, plain
from fugu.paper.runs.estimate import seconds_left
from fugu.paper.runs.extent import FULL, QUICK, SMALL, Extent
from fugu.paper.runs.figure import Figure, Trials, correlation, mean
from fugu.paper.steps import interrupts, walk
from fugu.paper.steps.walk import ROWS, Code, Measured, Step
from fugu.run.rsp import BREAKPOINT, PC, TBR, Gone, Stop

# ---- tables ------------------------------------------------------------------------


def result(columns=("a", "b")):
    found = Result("A table", list(columns))
    found.row("send", "t_betw", {"a": 1, "b": 2.5}, {"a": 4})
    found.row("send", "in_all", {"a": 1000}, {"b": None})
    found.row("get", "GID", {"b": None}, {})
    return found


def test_cells_of_a_table():
    """A group is named once; what is not measured is not yet there, and what no paper has is empty."""
    assert result().heads() == ["", "", "a", "paper", "b", "paper"] and result(["a"]).heads() == ["", "", "here", "paper"]
    assert list(result().cells()) == [
        ["send", "T_betw", "1", "4", "2.5", "not yet"], ["", "in all", "1000", "not yet", "not yet", ""],
        ["get", "GID", "not yet", "not yet", "", "not yet"]]
    assert result(["a"]).markdown().splitlines()[:3] == ["|  |  | here | paper |", "| --- | --- | --: | --: |", "| send | T_betw | 1 | 4 |"]
    table = result().table()
    assert (table.title, table.columns, len(table.rows)) == ("A table", ("", "", "a", "paper", "b", "paper"), 3)


def test_a_table_as_json_and_csv():
    found = result()
    found.row("get", "mean", {"a": 2.0}, {}, {"a": (1, 3)}, ["a"])
    found.notes = ["a note"]
    read = json.loads(found.json())
    assert read == {"title": "A table", "paper": _table.PAPER["source"], "notes": ["a note"], "rows": [
        {"group": "send", "row": "t_betw", "ours": {"a": 1, "b": 2.5}, "paper": {"a": 4}},
        {"group": "send", "row": "in_all", "ours": {"a": 1000}, "paper": {"b": None}},
        {"group": "get", "row": "GID", "ours": {"b": None}, "paper": {}},
        {"group": "get", "row": "mean", "ours": {"a": 2.0}, "paper": {}, "spread": {"a": [1, 3]}, "equal": ["a"]}]}
    assert sum(line.startswith('    {"group"') for line in found.json().splitlines()) == 4
    assert list(csv.reader(io.StringIO(found.csv())))[-2:] == [["get", "mean", "a", "2.0", "1", "3", ""], ["get", "mean", "b", "", "", "", ""]]
    assert list(csv.reader(io.StringIO(found.csv())))[:2] == [["group", "row", "column", "ours", "least", "most", "paper"],
                                                               ["send", "t_betw", "a", "1", "", "", "4"]]


def test_rows_that_are_compared():
    """The ratio is ours by the paper's, if there are both; a spread only if its ends differ."""
    found = Compared("A table", ["a", "b"])
    found.row("g", "one", {"a": 5000, "b": 2.5}, {"a": 4000}, {"b": (2, 3)}, ["a"])
    found.row("g", "two", {"b": 1.5}, {"a": 4000}, {"b": (1.5, 1.5)})
    found.row("h", "three", {"a": 7}, {}, {"a": (6.5, 8.5)})
    found.row("h", "none", {"a": 7}, {"a": 0})
    assert found.heads() == ["", "", "a", "b", "paper", "ratio"]
    assert list(found.cells()) == [["g", "one", "5,000 =", "2.50 [2.00–3.00]", "4,000", "1.25"], ["", "two", "", "1.50", "4,000", ""],
                                   ["h", "three", "7 [6–8]", "", "", ""], ["", "none", "7", "", "0", ""]]
    alone = Compared("A table", ["a"])
    alone.row("", "one", {"a": 5}, {})
    assert alone.heads() == ["", "", "a"] and list(alone.cells()) == [["", "one", "5"]]


def test_claims():
    found = result()
    found.claim("soft", "It is fast.", "5", True, "no reason")
    found.claim("", "It is small.", "9", False, "it grows")
    found.aim("hard", "It is fast.", "6", False)
    assert [str(claim) for claim in found.claims] == [
        "Holds: soft: It is fast.\nHere: 5", "Does NOT hold: It is small.\nHere: 9\nWhy: it grows", "Does NOT hold: hard: It is fast.\nHere: 6"]
    assert [claim.of for claim in found.claims] == [found.paper, found.paper, AIM]
    assert [claim["holds"] for claim in found.data()["claims"]] == [True, False, False] and "claims" not in result().data()
    assert found.table().notes == [str(claim) for claim in found.claims]


def test_claims_as_a_table():
    """A column for each kind of machine; each reason once, behind them."""
    claims = [Claim("soft", "one", "5", True), Claim("hard", "one", "6", False, "why"), Claim("hard", "two", "7", False, "why", AIM),
              Claim("", "two", "8", False, "why", AIM), Claim("soft", "two", "9", False, "other", AIM)]
    found = matrix(claims)
    assert found.wheres == ["soft", "hard", ""]
    assert list(found.cells()) == [["one", "✓ 5", "✗ 6", "", "why"], ["Aim: two", "✗ 9", "✗ 7", "✗ 8", "why other"]]


@pytest.mark.parametrize("row, shown", [("a_b_c", "a b c"), ("t_hand", "T_hand"), ("queues_RQ_BY_NI", "queues, RQ_BY_NI"), ("x", "x")])
def test_names_of_rows(row, shown):
    assert plain(row) == shown


# ---- figures -----------------------------------------------------------------------

def test_trials_of_a_figure():
    assert Trials.of([1.0, 4.0, 1.0]) == Trials(2.0, 1.0, 4.0) and Trials(2.0, 1.0, 4.0).times(3) == Trials(6.0, 3.0, 12.0)
    found = Figure("A figure", ["1", "2"], x="nodes", y="cycles")
    found.curve("left", "one", {1: Trials(1.00004, 0.5, 2), 2: Trials(3, 2, 4.00006)})
    found.curve("right", "one", {1: Trials(5, 5, 5), 2: Trials(6, 6, 6)})
    assert found.line("left", "one") == [1.0, 3] and found.line("right", "one") == [5, 6]
    assert found.spread("left", "one") == [(0.5, 2), (2, 4.0001)]
    assert {name: found.data().get(name) for name in ("x", "y", "other_axis")} == {"x": "nodes", "y": "cycles", "other_axis": None}
    found.other_axis = {"right": "share"}
    assert found.data()["other_axis"] == {"right": "share"}


@pytest.mark.parametrize("xs, ys, found", [([1, 2, 3], [2, 4, 6], 1.0), ([1, 2, 3], [6, 4, 2], -1.0), ([1, 2, 3], [5, 5, 5], 0.0),
                                           ([1, 1], [2, 3], 0.0), ([0, 0, 3, 3], [0, 2, 1, 3], 0.4472135955)])
def test_correlation(xs, ys, found):
    assert correlation(xs, ys) == pytest.approx(found) and mean(xs) == sum(xs) / len(xs)


@pytest.mark.parametrize("step, count, points", [(1, 4, (0, 1, 2, 3)), (2, 5, (0, 2, 4)), (2, 4, (0, 2, 3)), (2, 1, (0,)), (3, 8, (0, 3, 6, 7))])
def test_points_that_are_measured(step, count, points):
    assert Extent("", step=step).points(range(count)) == points


def test_extents():
    assert (FULL.trials, FULL.step, FULL.small, FULL.places, FULL.atomicity) == (3, 1, False, 8, ("soft", "hard"))
    assert (QUICK.trials, QUICK.step, QUICK.small, QUICK.atomicity) == (1, 2, False, ("soft",))
    assert (SMALL.trials, SMALL.step, SMALL.small, SMALL.places, SMALL.atomicity) == (1, 2, True, 2, ("soft", "hard"))
    assert FULL.again(True).fresh and not FULL.fresh and FULL.again(True).again(False) == FULL


class Job:
    def __init__(self, app, work, beside=False):
        self.app, self.work, self.words = app, work, ("+",) * beside


@pytest.mark.parametrize("running, waiting, cores, left", [
    ([], [], 2, 0.0), ([], [Job("lu", 10)], 1, 20.0), ([], [Job("lu", 10)] * 4, 2, 40.0), ([], [Job("lu", 100), Job("lu", 1)], 2, 200.0),
    ([(Job("lu", 10), 5.0)], [], 1, 15.0), ([(Job("lu", 10), 25.0)], [], 1, 0.0), ([(Job("lu", 10), 5.0)], [Job("lu", 10)], 2, 20.0),
    ([], [Job("lu", 10, True)], 1, 50.0), ([], [Job("fft", 10, True)], 1, 10.0), ([], [Job("new", 7)], 1, 10.0)])
def test_seconds_that_are_left(running, waiting, cores, left):
    """By runs of the program in the same way, then of the program, then of all."""
    ended = {Job("lu", 10): 20.0, Job("lu", 2, True): 10.0, Job("fft", 30): 30.0, Job("fft", 0): 0.0}
    assert seconds_left(ended, dict(running), waiting, cores) == left


# ---- steps ----------------------------------------------------------------------------

START = 0x10000000
LAUNCH = REGS.call("INSN", REGS["OPC_LAUNCH"], 3, 5, 7)


def rows(*marks):
    data = b""
    for address, name in marks:
        data += struct.pack(">I", address) + name.encode() + b"\0"
        data += bytes(-len(data) % 4)
    return [(ROWS, data)]


@pytest.fixture
def code(tmp_path):
    path = tmp_path / "my.elf"
    path.write_bytes(elf_maker.make(
        [(START, struct.pack(">8I", *range(1, 4), LAUNCH, *range(5, 9)), elf_maker.READ | elf_maker.EXECUTE)],
        [("first", START, 8, elf_maker.FUNCTION), ("label", START + 8, 0, elf_maker.LABEL), ("last", START + 16, 8, elf_maker.FUNCTION)],
        named=rows((START + 4, "one"), (START + 12, "early"), (START + 12, "two"), (START + 20, "none"))))
    return Code([path])


def test_code_by_address(code):
    assert code.address("last") == START + 16
    assert [code.function(START + at) for at in (-4, 0, 7, 8, 16, 20, 24)] == ["", "first", "first", "", "last", "last", ""]
    assert [code.place(START + at) for at in (0, 4, 8, 24)] == ["first+0x0", "first+0x4", "label+0x0", "last+0x8"]
    assert [code.instruction(START + at) for at in (0, 28)] == [1, 8]
    for at in (-4, 32):
        with pytest.raises(SetupError, match="there is no code at 0x"):
            code.instruction(START + at)
    with pytest.raises(SetupError, match="has a symbol other, which"):
        code.address("other")


def test_operations_of_the_interface(code):
    """Whatever their operands."""
    assert [code.is_operation(START + 4 * k, "LAUNCH") for k in range(5)] == [False, False, False, True, False]
    assert not code.is_operation(START + 12, "DISPOSE")


def test_rows_of_code(code):
    """Of two rows at one address the later one counts."""
    assert [code.row(START + at) for at in (4, 8, 12, 16)] == ["one", "one", "two", "two"]
    for at in (0, 20, 24):
        with pytest.raises(SetupError, match=r"\+0x\w+ was executed, but belongs to no row"):
            code.row(START + at)


class Client:
    """A machine of two nodes whose node 0 goes through addresses; each step takes 3 cycles and misses once."""

    def __init__(self, path, stops=()):
        self.path, self.at, self.stops, self.calls = list(path), 0, list(stops), []

    def register(self, node, number):
        return {PC: self.path[self.at], TBR: 0x4000_0123}[number]

    def read(self, node, address, length):
        if address == REGS["NI_USER_BASE"] + REGS["U_CYCLES"]:
            return (100 + 3 * self.at).to_bytes(length, "big")
        return {REGS["CONTROL_BASE"] + REGS["CONTROL_FETCH_MISS"]: self.at, REGS["CONTROL_BASE"] + REGS["CONTROL_DATA_MISS"]: 7,
                REGS["PARAM_BASE"] + REGS["PARAM_ATOMICITY"]: self.soft if hasattr(self, "soft") else 0,
                REGS["NI_KERNEL_BASE"] + REGS["K_OFFSET"]: 55}[address].to_bytes(length, "big")

    def step(self, node):
        self.at += 1
        return Stop(5, node)

    def run(self):
        if not self.stops:
            raise Gone
        self.at, node = self.stops.pop(0)
        return Stop(5, node)

    def insert(self, *words):
        self.calls.append(("insert", *words))

    def remove(self, *words):
        self.calls.append(("remove", *words))


def test_steps_of_a_walk(code):
    """At least one step, up to the first time that the node is about to execute the last instruction."""
    machine = Measured(Client([START, START + 4, START, START + 8]), code)
    found = machine.walk(0, START)
    assert found == [Step(START, 3, 1), Step(START + 4, 3, 1)] and (walk.cycles(found), walk.misses(found)) == (6, 2)
    assert (machine.time(0), machine.misses(0), machine.interface(0, "K_OFFSET")) == (106, 9, 55)
    assert machine.walk(0, START + 8) == [Step(START, 3, 1)]


@pytest.mark.parametrize("steps, ends", [(20_000, True), (20_001, False)])
def test_the_longest_walk(code, steps, ends):
    machine = Measured(Client([START] * steps + [START + 4]), code)
    if ends:
        assert len(machine.walk(0, START + 4)) == steps
    else:
        with pytest.raises(SetupError, match=r"did not reach first\+0x4 in 20000 instructions; it is at first\+0x0"):
            machine.walk(0, START + 4)


def test_runs_to_a_place(code):
    """The place where a node is does not count. Each time, the breakpoint goes again."""
    client = Client([START + 16, START + 4, START + 16, START + 16], [(2, 0), (3, 0)])
    Measured(client, code).run_to(0, "last", 2)
    point = (0, BREAKPOINT, START + 16)
    assert client.calls == [("insert", *point), ("remove", *point)] * 2 and client.at == 3
    with pytest.raises(SetupError, match="a measured program ended or stopped: node 0 did not reach last."):
        Measured(Client([START]), code).run_to(0, "last")
    with pytest.raises(SetupError, match="node 1 has stopped the machine, not node 0."):
        Measured(Client([START], [(0, 1)]), code).run_to(0, "last")


def test_runs_to_either(code):
    client = Client([START, START + 8, START + 16], [(2, 0)])
    assert Measured(client, code).run_to_either(0, START, START + 16) == START + 16
    assert [call[0] for call in client.calls] == ["insert"] * 2 + ["remove"] * 2
    with pytest.raises(SetupError, match=r"node 0 reached none of first\+0x0, last\+0x0"):
        Measured(Client([START + 4]), code).run_to_either(0, START, START + 16)


def test_entries_of_interrupts(code):
    machine = Measured(Client([START]), code)
    assert machine.vector(0, 5) == 0x40000000 + 16 * REGS.call("TT_IRQ", 5)
    code.symbols |= {"trap_table": 0x1000, "soft_trap_table": 0x2000}
    assert machine.trap_table() == 0x1000
    machine.client.soft = REGS["ATOMICITY_SOFT"]
    assert machine.trap_table() == 0x2000


# ---- table 5 -------------------------------------------------------------------------------

def steps(*all_cycles):
    return [Step(START + 4 * k, cycles, cycles > 5) for k, cycles in enumerate(all_cycles)]


def test_new_pages():
    """Insertions that took more than twice the usual, of those into a warm buffer."""
    gaps = [900] * 3 + [50] * 17
    assert table5.new_pages([*gaps, 50, 100, 101, 50, 400]) == [101, 400]
    assert table5.new_pages([*gaps[:19], 400, 50, 50]) == []
    assert table5._list([5, 6]) == "5 and 6" and table5.per_argument(steps(10, 5), steps(30, 9)) == 2.0


class Machine:
    """A machine that takes known walks and times."""

    def __init__(self, walks, times=(), gaps=()):
        self.walks, self.times, self.gaps, self.to = list(walks), list(times), list(gaps), []
        self.code = SimpleNamespace(address=lambda name: START, is_operation=lambda pc, name: pc == 12)

    def run_to(self, node, place, times=1):
        self.to.append((node, place, times))

    def walk(self, node, end):
        return self.walks.pop(0) if node == 1 or node == walk.RECEIVER else [("sent", end)]

    def walk_interrupt(self, trap):
        return self.walks.pop(0)

    def time(self, node):
        return self.times.pop(0)

    def pc(self, node):
        return 4

    def words(self, node, name, count):
        assert name == "gaps" and len(self.gaps) >= count
        return self.gaps[:count]


@pytest.fixture
def machine(monkeypatch):
    """machine(made) puts a machine in place of a measured one. Returns the words with which it was started."""
    def use(made):
        asked = []

        @contextmanager
        def measured(*words, **options):
            asked.append((words, options))
            yield made
        for module in (interrupts, table5):
            monkeypatch.setattr(module, "measured", measured)
        return asked
    return use


def test_handlers_take_the_same_time(machine):
    times = [1000 + 15 * k for k in range(6)]
    made = Machine([steps(10, 5)] * 3, times)
    assert machine(made) == [] and table5.handle(2, ["--x"]) == steps(10, 5)
    assert made.to == [(walk.RECEIVER, "null_2", 21)] + [(walk.RECEIVER, "null_2", 1)] * 5


@pytest.mark.parametrize("walks, times", [([steps(10, 5)] * 2 + [steps(10, 6)], [15] * 5), ([steps(10, 5)] * 3, [15, 15, 15, 15, 16]),
                                          ([steps(10, 5)] * 2 + [steps(5, 10)], [15] * 5)])
def test_handlers_that_do_not(walks, times, machine):
    machine(Machine(walks, [1000, *(1000 + sum(times[:k + 1]) for k in range(5))]))
    with pytest.raises(SetupError, match="null_0 from the buffer, after 20 others, does not take a constant time: "):
        table5.handle(0)


def test_messages_that_interrupt(machine):
    """Of three that take the same instructions, the one with the fewest misses."""
    made = Machine([steps(6, 4), steps(5, 4), steps(6, 3)], gaps=[99] * 20 + [10, 9, 9] + [9] * 5)
    asked = machine(made)
    found = interrupts.receive("direct", ["0"], "send_0", "MESSAGE", options=["--x"])
    assert (found.walk, found.sent, found.gaps) == (steps(5, 4), [("sent", 16)], made.gaps)
    assert asked == [(("direct", "0", "28"), {"options": ["--x"], "parameters": ()})]
    assert made.to == [(walk.SENDER, "send_0", 20), *[(walk.SENDER, "send_0", 1)] * 3, (walk.RECEIVER, "exit", 1)]


@pytest.mark.parametrize("walks, gap, said", [
    ([steps(6, 4), steps(6, 4), steps(6, 4, 1)], 10, "message 22 took other steps than the first one: 11 cycles instead of 10."),
    ([steps(6, 4)] * 3, 11, "message 22 took 10 cycles step by step, and 11 by the program's own clock.")])
def test_messages_that_differ(walks, gap, said, machine):
    machine(Machine(walks, gaps=[10] * 22 + [gap] + [10] * 5))
    with pytest.raises(SetupError, match="direct 0: ") as error:
        interrupts.receive("direct", ["0"], "send_0", "MESSAGE")
    assert said in str(error.value)


def test_the_programs_own_clock(machine):
    made = Machine([], gaps=[1, 2, 3])
    asked = machine(made)
    assert interrupts.own_clock("direct", ["0"], 2, ["--ram", "1M"]) == [1, 2] and made.to == [(walk.RECEIVER, "exit", 1)]
    assert asked == [(("direct", "0"), {"options": ["--ram", "1M"]})]

"""Tables of ./run.sh bench, for runs whose times are known: a line of time with a fixed part and one for each cycle."""

from __future__ import annotations

import argparse
import gzip
import re
from pathlib import Path

import pytest

from fugu.bench import back, digest, messages, processes, rounds, scale, speed, start, timeline, updates
from fugu.bench._runs import QUANTUM, TIMEOUT, Measured, latencies
from fugu.bench._samples import SPREAD
from fugu.errors import SetupError
from fugu.options.table import BY_KEY
from fugu.run.rsp import Stop


class Line:
    """In place of QEMU's command line: the program, its arguments and the options."""

    def __init__(self, program, *args, **options):
        self.program, self.args, self.options = program, dict(arg.split("=") for arg in args), options

    def __iter__(self):
        return iter(("qemu", self.program))


def shown(capsys):
    """The cells of each row of the table that was printed, and its notes."""
    title, _, _, _, *rest = capsys.readouterr().out.splitlines()
    rows, _, notes = "\n".join(rest).partition("\n\n")
    return [[cell for cell in row.split("  ") if cell.strip()] for row in rows.splitlines()], notes.strip().splitlines()


@pytest.mark.parametrize("module, defaults", [
    (back, {"times": 1, "nodes": [8, 64], "cycles": [1e6, 1e7], "program": ["alltoall", "messages=100000000"]}),
    (digest, {"runs": 20, "each": 2, "program": "ring", "args": None}),
    (messages, {"times": 5, "nodes": 8, "words": [2, 4, 16], "messages": 20_000, "quantum": 64}),
    (processes, {"times": 7, "processes": [2, 4, 8], "nodes": [16, 64], "rounds": 50_000}),
    (rounds, {"times": 5, "nodes": [8, 64, 256], "seconds": 1.0}),
    (scale, {"times": 3, "nodes": [8, 64, 256, 1024], "programs": ["spin", "int", "fp", "alltoall"], "seconds": 1.0}),
    (speed, {"times": 3, "scale": 1.0, "quantum": [64, 128, 512], "stock": None, "program": ["int", "fp"]}),
    (start, {"times": 5, "words": None}), (timeline, {"times": 3, "messages": 10_000}),
    (updates, {"times": 5, "nodes": 8, "stores": 20_000, "quantum": 64})],
    ids=lambda one: one.__name__.rpartition(".")[2] if hasattr(one, "__name__") else "")
def test_words_and_their_defaults(module, defaults, monkeypatch):
    """Each benchmark has its name in its messages. The help of a number says what it is without the word."""
    found = []
    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", lambda self, argv: found.append(self) or self.exit())
    with pytest.raises(SystemExit):
        module.main([])
    [parser] = found
    assert parser.prog == f"./run.sh bench {module.__name__.rpartition('.')[2]}"
    actions = [action for action in parser._actions if action.dest != "help"]
    assert {action.dest: action.default for action in actions} == defaults
    for action in actions:
        numbers = action.default if isinstance(action.default, list) else [action.default]
        said = (action.help or "") % {"default": action.default}
        if all(isinstance(number, (int, float)) for number in numbers):
            told = re.search(r"default: ([^)]*)", said)
            assert told and list(map(float, told[1].split())) == numbers, said
        assert (action.metavar or "M").isupper()


def cells(rows):
    return [[cell.strip() for cell in row] for row in rows]


@pytest.mark.parametrize("quantum", [1, BY_KEY["mesh-base"].default, BY_KEY["mesh-base"].default + 1, 10_000])
def test_latencies_are_no_shorter_than_the_quantum(quantum):
    found = latencies(quantum)
    assert found.pop("quantum") == quantum
    for key in ("mesh-base", "second-base"):
        assert found.pop(key.replace("-", "_"), BY_KEY[key].default) == max(quantum, BY_KEY[key].default)
    assert not found


def test_rounds(monkeypatch, capsys):
    """A round takes 100 ns and 5 for each node that waits, 20 for each that runs; a start takes 3 s."""
    def cpu(line, status):
        assert status == TIMEOUT and line.options["timeout"] % QUANTUM == 0
        each = 5 if line.args["waiters"] == "1" else 20
        return lambda: 3 + line.options["timeout"] // QUANTUM * (100 + each * line.options["nodes"]) * 1e-9
    monkeypatch.setattr(rounds, "command", Line)
    monkeypatch.setattr(rounds, "cpu", cpu)
    rounds.main(["--nodes", "8", "64", "--seconds", "2", "--times", "3"])
    found, notes = shown(capsys)
    assert notes == ['"waits": node 0 spins and all others wait for ever; "runs": all spin.',
                     "ns a node more: compared with the row above. In that time a node that runs executes its 64 cycles.",
                     SPREAD]
    # 2 s by guesses of 200 ns and a third of the aim for each node.
    assert cells(found) == [["waits", "8", "4,285,714", "140", "100"], ["waits", "64", "857,143", "420", "5.00", "100"],
                            ["runs", "8", "2,000,000", "260", "300"], ["runs", "64", "303,030", "1,380", "20.0", "300"]]


def test_messages(monkeypatch, capsys):
    """A message takes 250 ns, a start 2 s and 1,000 cycles; each node sends to 4."""
    def output(line):
        count = int(line.args["messages"]) * 16
        return f"alltoall: {count:,} messages of {line.args['words']} words in {1000 + 10 * count:,} cycles\n"
    monkeypatch.setattr(messages, "command", Line)
    monkeypatch.setattr(messages, "cpu", lambda line: lambda: 2 + int(line.args["messages"]) * 16 * 250e-9)
    monkeypatch.setattr(messages, "measure", lambda line: Measured(0, output(line), "", 1, 1))
    messages.main(["--nodes", "4", "--words", "2", "--messages", "10000", "--times", "1"])
    found, notes = shown(capsys)
    assert notes == ["ns a message: CPU time, including the guest's instructions at sender and receiver.", SPREAD]
    # 10 cycles for each message of the machine are 40 of a node; 4,000,000 messages/s by 40 cycles.
    assert cells(found) == [["2", "160,000", "1,600,000", "40", "4,000,000", "250", "160"]]
    monkeypatch.setattr(messages, "measure", lambda line: Measured(0, "alltoall: no", "", 1, 1))
    with pytest.raises(SetupError, match="printed no count"):
        messages.main(["--times", "1"])


def test_updates(monkeypatch, capsys):
    """A store that is sent takes 500 ns, one that is not 5 ns; a start 2 s and 1,000 cycles; each node stores to 4."""
    def output(line):
        count = int(line.args["stores"]) * 16
        return f"updates: {count:,} stores in {1000 + 3 * count:,} cycles\n"
    def cpu(line):
        assert line.options["ni"] == "shrimp" and line.options["mesh_word"] == 1
        return lambda: 2 + int(line.args["stores"]) * 16 * {"1": 500e-9, "0": 5e-9}[line.args["snooped"]]
    monkeypatch.setattr(updates, "command", Line)
    monkeypatch.setattr(updates, "cpu", cpu)
    monkeypatch.setattr(updates, "measure", lambda line: Measured(0, output(line), "", 1, 1))
    updates.main(["--nodes", "4", "--stores", "10000", "--times", "1"])
    found, notes = shown(capsys)
    assert notes == ["ns a store: CPU time, including the guest's loop; `bench messages` has the same for messages.", SPREAD]
    assert cells(found) == [["mapped", "160,000", "480,000", "12.0", "2,000,000", "500"],
                            ["not mapped", "160,000", "480,000", "12.0", "200,000,000", "5.00"]]
    monkeypatch.setattr(updates, "measure", lambda line: Measured(0, "updates: no", "", 1, 1))
    with pytest.raises(SetupError, match="printed no count"):
        updates.main(["--stores", "1", "--times", "1"])


def test_speed(monkeypatch, capsys):
    """A repetition of 1,000 instructions and 1,500 cycles takes one processor 2 ms and eight nodes 20 ms."""
    def line(kind):
        return lambda *words: (kind, words[-1])
    def count(line):
        kind, reps = line
        return Measured(0, f"int: {reps} repetitions, result 7\n" if kind == "stock" else
                        f"{300 + 1000 * reps:,} instructions, {9000 + 1500 * reps:,} cycles\n", "", 1, 1)
    monkeypatch.setattr(speed, "_leon3", line("stock"))
    monkeypatch.setattr(speed, "_nodes", line("nodes"))
    monkeypatch.setattr(speed, "measure", count)
    monkeypatch.setattr(speed, "cpu", lambda line: lambda: 1 + line[1] * {"stock": 0.002, "nodes": 0.02}[line[0]])
    speed.main(["--program", "int", "--quantum", "64", "--scale", "0.5005", "--times", "1"])
    found, notes = shown(capsys)
    assert notes[1] == "by this QEMU, which our patches make faster;" and notes[2].startswith("efficiency: 8 x stock s / nodes s.")
    # 1,001 repetitions and 1: 8,000 more. 8 M instructions and 12 M cycles in 20 s.
    assert cells(found) == [["int", "64", "8,000,000", "12,000,000", "2.00", "20.0", "0.400", "0.600", "0.800"]]
    speed.main(["--program", "int", "--quantum", "64", "--scale", "0.001", "--times", "1"])
    assert cells(shown(capsys)[0])[0][2] == "72,000"         # ten repetitions at least


@pytest.mark.parametrize("both, counts", [("int: 3 repetitions, result 1", ""), ("int: 1 repetitions, result 1", "1 instructions, 1 cycles")])
def test_speed_of_a_program_that_did_something_else(both, counts, monkeypatch):
    monkeypatch.setattr(speed, "_leon3", lambda *words: both)
    monkeypatch.setattr(speed, "_nodes", lambda *words: counts)
    monkeypatch.setattr(speed, "measure", lambda line: Measured(0, line, "", 1, 1))
    with pytest.raises(SetupError, match="printed no count|did not make 3 repetitions"):
        speed._counts("int", 64)


def test_scale(monkeypatch, capsys):
    """A node's cycle takes 2 ns, of 64 nodes 3; a start 1 s. Memory: 1 MiB, and 32 KiB for each node."""
    def cpu(line, status):
        assert status == TIMEOUT
        nodes = line.options["nodes"]
        return lambda: 1 + line.options["timeout"] * nodes * (2e-9 if nodes == 8 else 3e-9)
    monkeypatch.setattr(scale, "command", Line)
    monkeypatch.setattr(scale, "cpu", cpu)
    monkeypatch.setattr(scale, "measure", lambda line: Measured(0, "", "", line.options["nodes"] / 16, line.options["nodes"] / 4))
    monkeypatch.setattr(scale, "_resident", lambda line: 1024 + 32 * line.options["nodes"])
    scale.main(["--nodes", "8", "64", "--programs", "spin", "--times", "1"])
    output = capsys.readouterr().out
    # A second by a guess of 2 ns, and a whole number of rounds.
    assert [row.split() for row in output.splitlines() if row.startswith("spin")] == [
        ["spin", "8", "62,499,968", "2.00", "128", "1.00"], ["spin", "64", "7,812,480", "3.00", "192", "1.50"]]
    assert [row.split() for row in output.splitlines() if row.strip()[:2] in ("8 ", "64")] == [
        ["8", "1", "160", "2.00", "0.500"], ["64", "3", "48", "16.0", "4.00"]]


def test_processes(monkeypatch, capsys):
    """A round takes 2 us for each process, a meeting alone a third of it; two processes are 1.6 times as fast as one."""
    def wall(nodes, count, transport, cycles):
        return 5 + cycles / QUANTUM * (count * 2e-6 if nodes == count else nodes * (1e-6 if count == 1 else 0.625e-6))
    monkeypatch.setattr(processes, "_compile", lambda folder: folder)
    monkeypatch.setattr(processes, "_bare", lambda program, transport, count, rounds: count * 2e-6 / 3)
    monkeypatch.setattr(processes, "_wall", wall)
    processes.main(["--processes", "2", "4", "--nodes", "16", "--times", "1"])
    output = capsys.readouterr().out.splitlines()
    assert [row.split() for row in output if row.startswith(("shm", "unix", "tcp"))] == [
        [transport, count, took, bare, "3.00", aim] for transport, aim in (("shm", "2.0"), ("unix", "1.5"), ("tcp", "1.5"))
        for count, took, bare in (("2", "4.00", "1.33"), ("4", "8.00", "2.67"))]
    assert {"Each process has one node, which spins. bare: as many processes that only meet.", "All nodes spin."} < set(output)
    assert [row.split() for row in output if row.startswith("16 nodes")] == [["16", "nodes", "16.0", "10.0", "1.60"]]


def test_starts(monkeypatch, capsys):
    times = iter([(0.3, 1.0), (0.1, 5.0), (0.2, 3.0)])
    monkeypatch.setattr(start, "_start", lambda words: next(times))
    start.main(["--times", "3", "null"])
    output = capsys.readouterr().out
    assert output.startswith("./run.sh null, seconds\n")
    assert [row.split()[-3:] for row in output.splitlines() if row.startswith("to the")] == [
        ["0.200", "0.100", "0.300"], ["3.000", "1.000", "5.000"]]


def test_timeline(monkeypatch, capsys, tmp_path):
    """64 messages from each node to each, 12.5 bytes for each."""
    data = bytes(range(256)) * 200
    def measure(line):
        for word in line:
            if word.startswith("observe="):
                Path(word.removeprefix("observe="), "timeline.0").write_bytes(data)
        return Measured(0, "the same", "", 1, 1)
    monkeypatch.setattr(timeline, "command", lambda *words: ["qemu", *words])
    monkeypatch.setattr(timeline, "guest", lambda name: name)
    monkeypatch.setattr(timeline, "parse", lambda words: words)
    monkeypatch.setattr(timeline.request, "of", lambda run: run)
    monkeypatch.setattr(timeline.plan, "write", lambda *words: None)
    monkeypatch.setattr(timeline, "measure", measure)
    monkeypatch.setattr(timeline, "cpu", lambda line: lambda: 4.0 if len(line) == 3 else 6.0 if line[-1].endswith("figures") else 10.0)
    timeline.main(["--messages", "64", "--times", "1"])
    found, notes = shown(capsys)
    assert notes == ["CPU time of QEMU. The launcher's time to copy or compress the file is not in it.", SPREAD]
    packed = len(gzip.compress(data, 6)) / 4096
    assert cells(found) == [["no", "4.00"], ["figures", "6.00", "1.50"], ["timeline", "10.0", "2.50", "12", f"{packed:.1f}"]]
    outputs = iter(["one", "other"])
    monkeypatch.setattr(timeline, "measure", lambda line: measure(line) and Measured(0, next(outputs), "", 1, 1))
    with pytest.raises(SetupError, match="something else"):
        timeline.main(["--messages", "64", "--times", "1"])


@pytest.mark.parametrize("digests, said", [
    (["a"], "36 runs, one digest."), (["a"] * 35 + ["b"], "36 runs, 2 DIGESTS: a (35), b (1)")])
def test_digests(digests, said, monkeypatch, capsys):
    """Each way runs as often as it was asked for, and one other digest is seen."""
    left = iter(digests * (36 // len(digests)))
    monkeypatch.setattr(digest, "command", lambda *words, **options: [])
    monkeypatch.setattr(digest, "guest", lambda name: name)
    for name in ("measure", "measure_split"):
        monkeypatch.setattr(digest, name, lambda line: Measured(0, f"some output\ndigest: {next(left)}\n", "", 1, 1))
    monkeypatch.setattr(digest.os, "cpu_count", lambda: 1)
    digest.main(["--runs", "2", "--each", "2"])
    assert said in capsys.readouterr().out.splitlines() and next(left, None) is None


def test_a_run_without_a_digest():
    assert digest._digest("digest: a\nmore\ndigest: b\n\n") == "b"
    with pytest.raises(SetupError, match="without a digest"):
        digest._digest("digest: a\nmore\n")


class Machine:
    """In place of a machine that can go back: seconds of QEMU's for each answer."""

    def __init__(self, line, nodes, path):
        self.seconds, self.steps, self.client, self.ended = 0.0, 0, self, False

    def insert(self, *words):
        assert words[1:] == (back.BREAKPOINT, back.NOWHERE)

    def go_to(self, cycle):
        self.seconds += 2

    def back(self, node):
        self.seconds += 8 if node is None else 0.004 if self.steps else 0.25
        self.steps += node is not None

    def used(self):
        return self.seconds

    def history(self):
        return {"checkpoints": 7, "bytes": 5 << 19, "differs": self.differs}

    def end(self):
        self.ended = True


Machine.took = back.Machine.took


def test_back(monkeypatch, capsys):
    """The run takes 2 s with checkpoints and 1.5 without, the first step back 250 ms, others 4, the search 8 s."""
    took = iter([9.0, 1.0, 1.5])
    monkeypatch.setattr(back, "command", lambda *words, **options: [])
    monkeypatch.setattr(back, "measure", lambda line, status: Measured(status, "", "", next(took), 1))
    monkeypatch.setattr(back, "Machine", Machine)
    monkeypatch.setattr(Machine, "differs", False, raising=False)
    back.main(["--nodes", "8", "--cycles", "1e6", "--times", "3"])
    found, notes = shown(capsys)
    assert notes == ["bs: a step back of node 0; the mean of 50 following ones. bc: back over all of the run."]
    assert cells(found) == [["8", "1,000,000", "1.50", "2.00", "250", "4", "8.00", "4.00", "7", "2.5"]]
    took = iter([1.0])
    monkeypatch.setattr(Machine, "go_to", lambda self, cycle: None)         # it takes no tick of the clock
    back.main(["--nodes", "8", "--cycles", "1", "--times", "1"])
    found, notes = shown(capsys)
    assert cells(found) == [["8", "1", "1.00", "0.00", "250", "4", "8.00", "unmeasurable here", "7", "2.5"]]
    assert notes[0].startswith("8 1: unmeasurable here: of 1 samples, 1 are not above 0")
    took = iter([1.0])
    monkeypatch.setattr(Machine, "differs", True)
    with pytest.raises(SetupError, match="was not what it was"):
        back.main(["--nodes", "8", "--cycles", "1e6", "--times", "1"])


@pytest.mark.parametrize("answer, node, right", [
    ("step", 0, True), ("step", None, False), ("begin", None, True), ("begin", 0, False), ("none", 0, False)])
def test_a_step_back_that_did_something_else(answer, node, right):
    """A step ends somewhere, and the search at the beginning."""
    machine = object.__new__(back.Machine)
    stop = None if answer == "none" else Stop(5, 0, begin=answer == "begin")
    machine.client = type("Client", (), {"back": lambda self, node: stop})()
    if right:
        return machine.back(node)
    with pytest.raises(SetupError, match="did not go back"):
        machine.back(node)

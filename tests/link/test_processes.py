"""A machine that is split over processes makes the same run.

Status, output, report and digest are those of one process, whatever the split
and the transport.
"""

import re
import struct
from pathlib import Path

import pytest
from cases import Case, call, pick

# Short runs of eight nodes, if the case does not say otherwise: on a busy host
# each round can take milliseconds.
CASES = {
    "ring": Case(("laps=1", "rounds=2")),
    "alltoall": Case(("messages=10",)),
    "crossing": Case(("rounds=2",)),
    "order": Case(("partners=3", "messages=5")),
    "deadlock": Case(),
    "errormode": Case(("node=5",)),
    "exitstatus": Case(("status=9", "node=6")),
    "exitstatus, stop": Case(("stop=5",)),
    "spin": Case(options={"timeout": 20_000}),
    "idle": Case(),
    "late": Case(("log=41",), {"nodes": 4}),
    "late, at the end of time": Case(("log=57",), {"nodes": 4}),
} | pick("second", "backpressure", "dma", "ahead", "none", "relay", "deliberate", "automatic", "full", "snooped",
         "arrivals")
STATUS = {"deadlock": 125, "errormode": 126, "exitstatus": 9, "exitstatus, stop": 5, "spin": 124,
          "late, at the end of time": 124}
TRANSPORTS = ["shm", "unix", "tcp"]


@pytest.fixture(scope="session")
def outcome(machine):
    """outcome(case, ...) -> (status, output, errors, digest). Outcomes of one process are remembered."""
    known = {}

    def run(case, **split):
        words, options = call(case, CASES[case])
        key = (case, *sorted(split.items()))
        if key not in known or split:
            result = machine(*words, digest=True, **{"nodes": 8} | options | split)
            known[key] = result.check(STATUS.get(case, 0)).status, result.stdout, result.stderr, result.digest
        return known[key]
    return run


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("case", CASES)
def test_split_run_is_the_same(outcome, case, transport):
    one = outcome(case)
    assert one[3]
    nodes = CASES[case].options.get("nodes", 8)
    for processes in (count for count in (2, 4, 8) if count <= nodes):
        assert outcome(case, processes=processes, transport=transport) == one, processes


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("nodes, processes", [(7, 3), (5, 4), (13, 2), (9, 9)])
def test_odd_split_is_the_same(outcome, machine, nodes, processes, transport):
    def run(**split):
        result = machine("crossing", "rounds=2", nodes=nodes, digest=True, **split).check(0)
        return result.stdout, result.stderr, result.digest
    one = run()
    assert one[2]
    assert run(processes=processes, transport=transport) == one


@pytest.mark.parametrize("options", [
    {"quantum": 16}, {"quantum": 512, "mesh-base": 512, "second-base": 512}, {"mesh": "8x1"},
    {"cache": False}, {"input-queue": 16, "source-space": 32}, {"dma-word": 5, "mesh-word": 9}],
    ids=lambda options: " ".join(options))
def test_split_machine_with_options_is_the_same(machine, options):
    """Each option of the machine reaches all processes."""
    one, four = (machine("crossing", "rounds=2", nodes=8, digest=True, **split, **options).check(0)
                 for split in ({}, {"processes": 4}))
    assert four.digest == one.digest is not None
    assert (four.stdout, four.stderr) == (one.stdout, one.stderr)


def test_reports_are_in_the_order_of_nodes(machine):
    report = machine("deadlock", nodes=8, processes=3).check(125).stderr
    assert re.findall(r"^  node (\d+): waits for an interrupt, pc", report, re.MULTILINE) == list("01234567")


def test_labels_are_the_same(machine):
    """Lines of nodes in other processes have their label with node and cycle."""
    one, three = (machine("crossing", "rounds=2", nodes=7, label=True, **split).check(0).stdout
                  for split in ({}, {"processes": 3}))
    assert three == one
    assert len(one.splitlines()) >= 7


# ---- what belongs to a process ------------------------------------------------

def events(paths):
    """{node: its lines in these traces, in order}"""
    by_node = {}
    for path in paths:
        for event, node in re.findall(r"^(fugu_ni_\w+ node (\d+):.*)$", path.read_text(), re.MULTILINE):
            by_node.setdefault(int(node), []).append(event)
    return by_node


def test_traces_together_are_the_same(machine, tmp_path):
    """Each process writes the events of its nodes. Together they are those that one process writes."""
    def traced(folder, **split):
        (tmp_path / folder).mkdir()
        machine("alltoall", "messages=10", nodes=7, trace=["fugu_ni_*"], trace_file=str(tmp_path / folder / "t"),
                **split).check(0)
        return sorted((tmp_path / folder).iterdir())
    one = events(traced("one"))
    files = traced("three", processes=3)
    assert [path.name for path in files] == ["t.0", "t.1", "t.2"]
    assert [sorted(events([path])) for path in files] == [[0, 1], [2, 3], [4, 5, 6]]
    assert sum(map(len, one.values())) > 2 * 7 * 7 * 10
    assert events(files) == one


def test_trace_that_cannot_be_written_ends_all(machine):
    """All processes end when the trace of any of them cannot be written."""
    result = machine("alltoall", "messages=40", nodes=6, processes=3, trace=["fugu_ni_*"], trace_file="/dev/full")
    assert "the trace file cannot be written" in result.check(121).stderr


def test_disks_belong_to_their_process(machine, tmp_path):
    """A disk belongs to the process with its node, and the image has the same contents in the end."""
    sectors, nodes = 8, 7
    images = [tmp_path / f"{node}.img" for node in range(nodes)]
    disks = [f"{path.stem}={path}" for path in images]

    def run(**split):
        for image in images:
            image.write_bytes(b"".join(struct.pack(">I", sector) * 128 for sector in range(sectors)))
        result = machine("disk", f"sectors={sectors}", nodes=nodes, disk=disks, digest=True, **split).check(0)
        return result.stdout, result.digest, [image.read_bytes() for image in images]
    one = run()
    assert one[1]
    assert {image[-512:] for image in one[2]} == {struct.pack(">I", 0x5EED) * 128}
    assert run(processes=3) == one


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_console_input_goes_to_node_0(machine, transport):
    """Console input goes to node 0, in the first process."""
    result = machine("echo", nodes=2, processes=2, transport=transport, stdin="first line\nsecond\nend\n")
    assert result.check(0).stdout.splitlines() == ["polled: first line", "interrupted: second"]


def test_input_that_ends_early_is_a_deadlock(machine):
    """A node that waits for input is a deadlock only after the input has ended."""
    machine("echo", nodes=2, processes=2, stdin="only one\n").check(125)


# ---- the host ---------------------------------------------------------------

def test_nothing_is_left_behind(start, tmp_path, monkeypatch):
    """No file and no named shared memory stays."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    shared = Path("/dev/shm")
    before = set(shared.iterdir()) if shared.exists() else set()
    for transport in TRANSPORTS:
        with start("whoami", nodes=4, processes=4, transport=transport) as running:
            result = running.wait(60)
        assert [result.status, *result.others] == [0] * 4
        assert list(tmp_path.iterdir()) == []
    assert not {path for path in set(shared.iterdir()) - before if "fugu" in path.name or "qemu" in path.name}


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_busy_host_changes_nothing(outcome, busy_host, transport):
    one = outcome("alltoall")
    assert outcome("alltoall", processes=3, transport=transport) == one


@pytest.mark.long
@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("nodes, processes", [(64, 64), (100, 16), (1024, 8)])
@pytest.mark.timeout(1200)
def test_many_processes_are_the_same(machine, nodes, processes, transport):
    one, many = (machine("ring", "rows=1", "laps=1", "rounds=8", nodes=nodes, digest=True, **split).check(0)
                 for split in ({}, {"processes": processes, "transport": transport}))
    assert many.digest == one.digest is not None
    assert many.stdout == one.stdout

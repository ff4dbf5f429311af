"""QEMU's savevm and loadvm change nothing in a run, wherever the machine stands.

The monitor saves and loads at moments of the host's time. A client of GDB's
protocol stops the machine in the middle of a round, where some nodes have had
their turn and others have not.
"""

import contextlib
import random
import re
import time

import pytest
from snapshot_case import DEBUG, STOPS, controlled, end, resume_to_end

from fugu.run.rsp import BREAKPOINT, SIGTRAP, Rsp, Stop


def saved_at_random(case, times, **options):
    """Saves `times` times, at random times of the host. Loads each snapshot here, and goes on from each in a new
    process."""
    rng = random.Random()
    names = []
    with controlled(case, **options) as (process, monitor):
        for i in range(times):
            monitor.ask("cont")
            time.sleep(rng.random() * 0.004)
            monitor.ask("stop")
            assert monitor.human(f"savevm s{i}") == ""
            names.append(f"s{i}")
        for name in reversed(names):
            assert monitor.human(f"loadvm {name}") == ""
            monitor.ask("cont")
            time.sleep(rng.random() * 0.002)
            monitor.ask("stop")
        monitor.ask("cont")
        end(case, process)
    for name in names:
        resume_to_end(case, name)


# Programs, with the argument that makes them run long enough for many saves.
RUNNING = {"alltoall": "messages={}000", "fp": "reps={}"}


@pytest.fixture(params=RUNNING)
def running(request, case_with):
    """running(factor) -> a case whose length is proportional to the factor."""
    return lambda factor: case_with(request.param, RUNNING[request.param].format(factor), nodes=4)


def test_saves_at_any_time_keep_the_digest(running):
    saved_at_random(running(20), 3)


@pytest.mark.long
@pytest.mark.parametrize("accel", ["", ",tb-size=1", ",one-insn-per-tb=on"])
def test_many_saves_keep_the_digest(running, accel):
    """With little room for translated code, the host stops processors at any instruction."""
    saved_at_random(running(20 if "one" in accel else 100), 20, accel=accel)


@pytest.mark.parametrize("nodes", [2, 16])
def test_loading_flushes_translated_code_once(case_with, nodes):
    """Translated code is flushed once for all processors together, and not once for each."""
    case = case_with("alltoall", "messages=100000000", nodes=nodes, undisturbed=False)     # without an end

    def flushes():
        return int(re.search(r"^TB flush count +(\d+)\s*$", monitor.human("info jit"), re.MULTILINE)[1])
    with controlled(case) as (process, monitor):
        monitor.ask("cont")
        time.sleep(0.2)                         # translates code
        monitor.ask("stop")
        assert monitor.human("savevm here") == ""
        before = flushes()
        assert monitor.human("loadvm here") == ""
        assert flushes() - before == 1
        assert monitor.human("loadvm here") == ""
        assert flushes() - before == 1
        process.kill()


def test_input_without_a_time_is_saved(case_with):
    """The host has read the lines, but no node has got them yet."""
    case = case_with("echo", nodes=1, undisturbed=False)        # without input, it has no end
    with controlled(case) as (process, monitor):
        process.stdin.write("one\ntwo\nend\n")
        process.stdin.flush()
        time.sleep(0.5)
        assert monitor.human("savevm typed") == ""
    with controlled(case, "-loadvm", "typed", loaded=True) as (process, monitor):
        monitor.ask("cont")
        output, _ = process.communicate(timeout=60)
    assert output.splitlines()[:-1] == ["polled: one", "interrupted: two"]
    assert process.returncode == 0


# ---- in the middle of a round -------------------------------------------------

@contextlib.contextmanager
def debugged(case, *more):
    """The case's machine with a client of GDB's protocol: (process, monitor, client)."""
    path = case.tools.tmp_path / "gdb"
    with controlled(case, "-gdb", f"unix:{path},server=on,wait=off", *more) as (process, monitor):
        client = Rsp(path)
        client.attach(range(case.options["nodes"]))
        yield process, monitor, client


def detach(case, client):
    """Lets the machine go on without a client."""
    for node in range(case.options["nodes"]):
        client.expect_ok(f"D;{node + 1:x}")


def test_snapshot_at_a_breakpoint(case_of, symbols):
    """Messages of nodes that have had their turn are on no link yet, and in no queue."""
    case = case_of("alltoall")
    arrives = symbols("alltoall")["arrives"][0]
    nodes = range(case.options["nodes"])
    names = []
    with debugged(case) as (process, monitor, client):
        for i in range(8):
            for node in nodes:
                client.insert(node, BREAKPOINT, arrives)
            stopped = client.run()
            for node in nodes:
                client.remove(node, BREAKPOINT, arrives)
            assert stopped == Stop(SIGTRAP, stopped.node)
            assert monitor.ask("query-status")["status"] == "debug"
            assert monitor.human(f"savevm s{i}") == ""
            names.append(f"s{i}")
            for _ in range(50):
                client.step(stopped.node)
        for name in names[::3]:
            assert monitor.human(f"loadvm {name}") == ""
        detach(case, client)
        end(case, process)
    stops = case.stops()
    for name in names:
        resume_to_end(case, name, stops)


def stepped_to_round_ends(case, count):
    """Names of snapshots at which node 0 had run all its cycles of a round."""
    log = case.tools.tmp_path / "steps"
    names = []
    with debugged(case, *STOPS, str(log)) as (process, monitor, client):
        before = 0
        while len(names) < count:
            client.step(0)
            now = int(re.findall(rf"node 0: why 0x{DEBUG}, .* @(\d+)$", log.read_text()[-2000:], re.MULTILINE)[-1])
            if now // case.quantum > before // case.quantum:
                names.append(f"s{len(names)}")
                assert monitor.human(f"savevm {names[-1]}") == ""
            before = now
        detach(case, client)
        end(case, process)
    return names


def test_snapshot_at_the_end_of_a_stretch(case_of):
    """When a processor was stepped to the end of its cycles, it may be at a place where it cannot stop, or it may not
    have been told to stop yet."""
    case = case_of("alltoall")
    names = stepped_to_round_ends(case, 12)
    stops = case.stops()
    for name in names:
        resume_to_end(case, name, stops)

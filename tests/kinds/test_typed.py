"""Typed messages of NX/2, nx.h: typed.c says what each case checks. docs/shrimp.md, "Typed messages"."""

from __future__ import annotations

import random
import re
import subprocess

import pytest
from guest_programs import built
from machine_runs import long_rounds

from fugu.api import Ended, Machine
from fugu.errors import UsageError

TYPED, BYSTANDER = built("kinds/typed"), built("kinds/messageless")
CASES = ["sizes", "types", "everyone", "waits", "meets", "leaves"]
MISTAKE = 118


@pytest.fixture
def typed(machine):
    """typed(word..., option=...) -> the result of a run of the program."""
    def run(*words, **options):
        return machine(TYPED, *words, **{"ni": "shrimp", "nodes": 4, "timeout": "400M"} | options)
    return run


def right(result, processes):
    """All processes have made their checks, and none has failed."""
    assert re.findall(r"^\d+ checks?, (\d+) failed", result.stdout, re.MULTILINE) == ["0"] * processes, result.report()


@pytest.mark.parametrize("nodes", [1, 2, 5, 16])
@pytest.mark.parametrize("case", CASES)
def test_each_rule_holds(typed, case, nodes):
    result = typed(case, nodes=nodes).check(0)
    right(result, nodes)
    assert "FAIL" not in result.stdout


def test_a_message_that_is_waited_for_goes_straight_into_its_buffer():
    """None but the first of a type is queued, whose sender the receiver does not know: that takes memory, and a copy."""
    with Machine(TYPED, "trips", nodes=2, ni="shrimp", history="1M") as machine:
        queued = [machine.to_symbol("nx_queue").node for _ in range(2)]
        with pytest.raises(Ended):
            machine.to_symbol("nx_queue")
        assert sorted(queued) == [0, 1] and machine.output.count("1 check, 0 failed") == 2, machine.output


@pytest.mark.parametrize("offset", range(-9000, 3000, 1500))
def test_nobody_waits_for_a_process_that_has_ended(typed, offset):
    """Node 0 begins to send to each of 15 nodes, 100 cycles later at each, while that ends without receiving."""
    right(typed("ends", offset, nodes=16).check(0), 16)


ODD = [{"nodes": 2}, {"nodes": 3, "ram": "2M"}, {"nodes": 4, "mesh_word": 20, "incoming_word": 30}, {"nodes": 5, "quantum": 7},
       {"nodes": 8, "packet_max": 64}]


@pytest.mark.parametrize("seed", [*range(1, 6), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(6, 100))])
def test_messages_at_random(typed, seed):
    options = ODD[seed % 5]
    right(typed("random", seed, **options).check(0), options["nodes"])


@pytest.mark.parametrize("options", [{"timeslice": 20_000}, {"timeslice": 20_000, "skew": 40}, {"scheduler": "none"},
                                     {"timeslice": 20_000, "ram": "2M"}],
                         ids=lambda options: "-".join(options))
@pytest.mark.parametrize("case", CASES)
def test_two_jobs_lose_nothing(typed, case, options):
    right(typed(case, "+", TYPED, "random", 3, nodes=3, timeout="2000M", **options).check(0), 6)


def test_one_that_waits_needs_no_processor(typed):
    """A message never comes: that is a deadlock, which one who spins is not; the job beside it goes on."""
    result = typed("nobody", "+", TYPED, "everyone", nodes=2, timeslice=20_000, scheduler="none").check(125)
    assert re.search(r"waits for an update of 0x\w+ \(nx_board\)", result.stderr), result.report()
    right(result, 2)


LINES = {
    "two-senders": r"crecv: nodes \d and \d both send messages of type 9, and one may",
    "too-long": r"crecv: a message of 5 bytes of type 9 from node \d is too long for a buffer of 4",
    "too-long-queued": r"crecv: a message of 5000 bytes of type 9 from node \d is too long for a buffer of 4999",
    "type-above": "csend: type 65536 is none of 0 to 65535", "type-below": "csend: type -1 is none of 0 to 65535",
    "receive-type": "crecv: type 65536 is none of 0 to 65535", "node-above": "csend: there is no node 3 for it from node 0",
    "node-below": "csend: there is no node -1 for it from node 0", "process": "csend: there is no process 1, but 0 alone",
    "send-length": "csend: a message cannot have -4 bytes", "receive-length": "crecv: a buffer cannot have -4 bytes",
    "send-null": "csend: the buffer is NULL", "receive-null": "crecv: the buffer is NULL",
}


@pytest.mark.parametrize("case", LINES)
def test_a_mistake_ends_the_job_with_a_line(typed, case):
    result = typed(case, "+", BYSTANDER, nodes=3, timeslice=20_000).check(MISTAKE)
    said = re.findall(r"^glaze: typed \(job 1\) on node \d is ended: (.*)$", result.stdout, re.MULTILINE)
    assert said and all(re.fullmatch(LINES[case], line) for line in said), result.report()
    assert len(re.findall(r"^\d+ checks, 0 failed", result.stdout, re.MULTILINE)) == 3, result.report()


@pytest.mark.parametrize(("sender", "receiver"), [(0, 256), (256, 0)])
def test_nodes_above_those_that_have_messages(typed, sender, receiver):
    result = typed("far", sender, receiver, nodes=257, timeout="400M").check(MISTAKE)
    assert result.stdout.count(f"is ended: csend: there is no node {receiver} for it from node {sender}\n") == 1


def test_more_than_memory_holds(typed):
    """Messages that nobody receives: the kernel says that there is no memory."""
    result = typed("no-memory", nodes=2, ram="2M").check(102)
    assert result.stdout.count("the node has no memory left for it") == 1


def test_it_needs_this_interface(machine):
    with pytest.raises(UsageError, match=r"^typed needs --ni shrimp, as it uses SHRIMP, but the machine has --ni fugu\.$"):
        machine(TYPED, "sizes")


# ---- the same run, however it is carried out ------------------------------------------

JOBS = [TYPED, "random", "5", "+", TYPED, "waits"]
BUSY = {"ni": "shrimp", "nodes": 4, "digest": True, "timeout": "400M", "timeslice": 20_000}


@pytest.fixture(scope="module")
def whole(machine):
    return machine(*JOBS, **BUSY).check(0)


def test_several_processes_change_nothing(machine):
    assert len({machine(*JOBS, **BUSY, **long_rounds(processes)).check(0).digest for processes in (1, 2, 4)}) == 1


@pytest.mark.parametrize("way", ["one-insn-per-tb=on", "line-filter=off"])
def test_the_host_s_way_of_running_it_changes_nothing(whole, way):
    plain = "tcg,thread=single"
    assert plain in whole.command
    done = subprocess.run([word.replace(plain, f"{plain},{way}") for word in whole.command], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and f"digest: {whole.digest}" in done.stdout


@pytest.mark.parametrize("cycles", [6, pytest.param(60, marks=pytest.mark.long)])
def test_snapshots_change_nothing(machine, whole, tmp_path, cycles):
    """Saved at random cycles of the run, and gone on from each."""
    rng = random.Random(38)
    files = {tmp_path / f"{cycle}.snap": cycle for cycle in sorted(rng.sample(range(1, 1_500_000), cycles))}
    saved = machine(*JOBS, **BUSY, save=[f"{file}@{cycle}" for file, cycle in files.items()]).check(0)
    assert saved.digest == whole.digest
    for file in files:
        assert machine(None, load=file, digest=True, timeout="400M").check(0).digest == whole.digest

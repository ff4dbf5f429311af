"""CRL: results, messages, statistics and costs, on any number of nodes, straight from the network and buffered."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from guest_programs import built
from launches import launches
from machine_runs import long_rounds
from run_sh import run_sh

from fugu.paths import ROOT, build_dir

WAITS = ("spin", "block", "mixed")
PAGE = (ROOT / "docs" / "crl.md").read_text()
LIBRARY = ROOT / "guest-os" / "lib" / "crl"
HEADER = (ROOT / "guest-os" / "include" / "lib" / "crl.h").read_text()
STEPS = (Path(__file__).parent / "steps.c").read_text().splitlines()


# ---- results ---------------------------------------------------------------------

@pytest.mark.parametrize("nodes", [*range(1, 17), 33, 64])
def test_any_number_of_nodes(machine, nodes):
    """Random operations on regions of all sizes; messages from the network, or out of the buffer; both ways to wait."""
    rounds = 20 if nodes > 16 else 60
    machine(built("libos/regions"), rounds, nodes, WAITS[nodes % 3], *["divert"] * (nodes % 2), nodes=nodes,
            timeout="2G").finished(nodes)


@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("options", [{"timeslice": 20_000}, {"atomicity": "soft"}, {"atomicity_timeout": 200},
                                     long_rounds(3), {"ram": "2M"}], ids=lambda options: next(iter(options)))
def test_beside_another_job(machine, options, wait):
    machine(built("libos/regions"), 60, 1, wait, "divert", "+", "null", 3_000_000, nodes=5, timeout="2G",
            **options).finished(5)


def test_same_run_split_over_processes(machine):
    runs = [machine(built("libos/regions"), 40, 7, "mixed", "divert", nodes=6, digest=True, timeout="2G", **options)
            for options in map(long_rounds, (1, 3))]
    assert len({run.check(0).digest for run in runs}) == 1


# ---- messages --------------------------------------------------------------------

ASK, ANSWER, READ, GRANT, INVALIDATE, ACKNOWLEDGE, RECALL = 3, 4, 4, 3, 4, 3, 4     # words of messages
DELETE, FORGET, FORGOTTEN, DELETED = 3, 4, 3, 3


def data(size):
    """(words, bytes of the body) of each message that carries a region's data."""
    rounded = -(-size // 8) * 8
    if rounded <= 48:
        return [(4 + rounded // 4, 0)]
    return [(5, min(4096, rounded - offset)) for offset in range(0, rounded, 4096)]


def sent(machine, folder, size, *steps, nodes=4):
    """The messages of some steps, without those that nodes send to do nothing in as many."""
    program = built("libos/steps")
    found = launches(machine, folder, program, size, *steps, nodes=nodes, timeout="100M")
    found.subtract(launches(machine, folder, program, size, *["0-"] * len(steps), nodes=nodes, timeout="100M"))
    assert min(found.values()) >= 0
    return +found


def expect(*messages):
    return Counter((source, to, *(words if isinstance(words, tuple) else (words, 0)))
                   for source, to, words in messages)


SIZES = [1, 8, 16, 48, 49, 800, 4096, 4100, 9000]


@pytest.mark.parametrize("size", SIZES)
def test_messages_of_a_read(machine, tmp_path, size):
    """A request and the data; nothing while the copy lasts, nor on the home."""
    assert sent(machine, tmp_path, size, "0r", "1r", "1r", "0r", "0w", "0r") == expect(
        (1, 0, READ), *((0, 1, part) for part in data(size)), (0, 1, INVALIDATE), (1, 0, ACKNOWLEDGE))


@pytest.mark.parametrize("size", SIZES)
def test_messages_of_a_write(machine, tmp_path, size):
    """All other copies go. Then the writer writes and reads by itself, until a node wants to read."""
    assert sent(machine, tmp_path, size, "2r", "3r", "1w", "1w", "1r", "2r", "1r") == expect(
        *((node, 0, READ) for node in (2, 3, 1, 2)), *((0, node, part) for node in (2, 3, 1, 2) for part in data(size)),
        *((0, node, INVALIDATE) for node in (2, 3)), *((node, 0, ACKNOWLEDGE) for node in (2, 3)),
        (0, 1, RECALL), *((1, 0, part) for part in data(size)))


def test_messages_of_a_right_to_write(machine, tmp_path):
    """A node that has a copy gets no data."""
    assert sent(machine, tmp_path, 9000, "1r", "1w") == expect(
        (1, 0, READ), *((0, 1, part) for part in data(9000)), (1, 0, READ), (0, 1, GRANT))


def test_messages_of_home(machine, tmp_path):
    """It recalls the data to read or to write; a write leaves no copy elsewhere."""
    assert sent(machine, tmp_path, 16, "1w", "0r", "1r", "0w", "2w", "0w", "2r") == expect(
        (1, 0, READ), (0, 1, (8, 0)), (0, 1, RECALL), (1, 0, (8, 0)), (0, 1, INVALIDATE), (1, 0, ACKNOWLEDGE),
        (2, 0, READ), (0, 2, (8, 0)), (0, 2, RECALL), (2, 0, (8, 0)), (2, 0, READ), (0, 2, (8, 0)))


def test_messages_of_a_flush(machine, tmp_path):
    """Changed data go home. Other copies are dropped without a message, so the home asks for them in vain later."""
    assert sent(machine, tmp_path, 16, "1w", "1f", "0f", "0w", "1r", "1f", "1f", "0w") == expect(
        (1, 0, READ), (0, 1, (8, 0)), (1, 0, (8, 0)), (1, 0, READ), (0, 1, (8, 0)), (0, 1, INVALIDATE),
        (1, 0, ACKNOWLEDGE))


def test_messages_of_an_operation_that_is_open(machine, tmp_path):
    """A demand waits for the end of the operation: the next node's barrier, and its operation, come after it."""
    assert sent(machine, tmp_path, 16, "1R", "1e", "1u", "1m", "1r") == expect((1, 0, READ), (0, 1, (8, 0)))


def test_messages_of_deleting(machine, tmp_path):
    """The home makes all nodes forget the region: those that have mapped it once."""
    unmaps = [f"{node}u" for node in range(4)]
    assert sent(machine, tmp_path, 16, *unmaps, "2d") == expect(
        (2, 0, DELETE), *((0, node, FORGET) for node in (1, 2, 3)), *((node, 0, FORGOTTEN) for node in (1, 2, 3)),
        (0, 2, DELETED))
    assert sent(machine, tmp_path, 16, *unmaps, "0d") == expect(
        *((0, node, FORGET) for node in (1, 2, 3)), *((node, 0, FORGOTTEN) for node in (1, 2, 3)))


# ---- statistics ------------------------------------------------------------------

def statistics(machine, size, *steps, **options):
    """{node: the statistics it prints}"""
    done = machine(built("libos/steps"), size, *steps, nodes=4, timeout="100M", **options).check(0)
    return {int(node): text for node, text in re.findall(r"^node (\d):(?: (.*))?$", done.stdout, re.MULTILINE)}


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_statistics(machine, atomicity):
    """Operations that hit have code for either atomicity, which counts by itself."""
    assert statistics(machine, 800, "0r", "0w", "1r", "1r", "2w", "2w", "2f", "1u", "1m", "0f", "3w", "1r", atomicity=atomicity) == {
        0: "start-read 1+0 start-write 1+0 flush 1+0 grants 4 invalidations 1 recalls 1 bytes 3200",
        1: "map 1+0 unmap 1+0 start-read 1+2 requests 2 acknowledgements 1",
        2: "start-write 1+1 flush 0+1 requests 1 flushes 1 bytes 800",
        3: "start-write 0+1 requests 1 writebacks 1 bytes 800"}


def test_statistics_of_long_data(machine):
    """What does not leave with the first body, a thread sends."""
    assert statistics(machine, 9000, "1r")[0] == "grants 1 bytes 9000 deferred 1"
    assert statistics(machine, 4096, "1r")[0] == "grants 1 bytes 4096"


# ---- cache, memory ---------------------------------------------------------------

def test_cache_of_unmapped_regions(machine):
    """The copies of 1024 regions stay, and those that were unmapped first go: the changed ones home."""
    machine(built("libos/manyregions"), "cache", nodes=2, timeout="100M").finished(2)


def test_deleted_regions_give_their_memory_back(machine):
    machine(built("libos/manyregions"), "delete", nodes=3, ram="2M", low_water=0, timeout="400M").finished(3)


def test_deleting_what_is_just_evicted(machine):
    """The node forgets the region when its data have left: the home has room for them until then."""
    machine(built("libos/manyregions"), "race", nodes=3, timeout="100M").finished(3)


def test_first_data_of_a_copy_fault_in_no_handler(machine):
    machine(built("libos/manyregions"), "fresh", nodes=2, timeout="100M").finished(2)


# ---- costs -----------------------------------------------------------------------

def test_costs(machine):
    """Of a start and an end that hit, to the cycle. Misses: the figures remembered for CRL on Alewife are a ceiling."""
    done = machine(built("libos/regioncosts"), 16, nodes=8, cache="off", timeout="100M").check(0)
    costs = {kind: float(mean) for kind, mean in re.findall(r"^(\S+) cycles (\S+)$", done.stdout, re.MULTILINE)}
    assert (costs["read-hit"], costs["write-hit"]) == (44, 46)
    assert costs["read-miss"] < 959 and costs["write-miss-1"] < 1620 and costs["write-miss-6"] < 3009


# ---- mistakes --------------------------------------------------------------------

@pytest.mark.parametrize(("steps", "call", "what"), [
    (("1R", "1W"), "rgn_start_write(data)", "rgn_start_write(): region 0x400: a read operation is open"),
    (("1W", "1R"), "rgn_start_read(data)", "rgn_start_read(): region 0x400: a write operation is open"),
    (("1R", "1u"), "rgn_unmap(data)", "rgn_unmap(): region 0x400: an operation is open"),
    (("2d",), "rgn_delete(rid)", "rgn_delete(): region 0x400: this node has it mapped")])
def test_mistake_names_call_region_and_caller(machine, steps, call, what):
    done = machine(built("libos/steps"), 16, *steps, nodes=3, timeout="10M").check(118)
    line = next(number for number, text in enumerate(STEPS, 1) if call in text)
    assert re.fullmatch(rf"glaze: steps \(job 1\) on node {steps[0][0]} is ended: {re.escape(what)}; "
                        rf"pc 0x\w{{8}} in operate \(steps.c:{line}\)\n", done.stdout), done.report()


def test_mistake_of_another_node(machine):
    """The handler that finds it has no caller to name."""
    done = machine(built("libos/steps"), 16, "2u", "2d", nodes=3, timeout="10M").check(118)
    assert "rgn_delete(): region 0x400: deleted while this node has it mapped\n" in done.stdout


# ---- the report of a deadlock ----------------------------------------------------

def test_deadlock_names_call_and_region(machine):
    """Node 2 waits for node 1, which ends no operation; the others wait for both in the barrier."""
    done = machine(built("libos/steps"), 16, "0b", "1b", "2b", "3b", "1W", "2w", nodes=4, timeout="10M").check(125)
    line = next(number for number, text in enumerate(STEPS, 1) if "rgn_start_write(data)" in text)
    assert f"steps (job 1): is in rgn_start_write() of region 0x400 in operate (steps.c:{line})\n" in done.stderr
    assert done.stderr.count("steps (job 1): is in rgn_barrier() in main (steps.c:") == 3


# ---- the page --------------------------------------------------------------------

def test_example_runs(tmp_path):
    program = PAGE.partition("```c\n")[2].partition("```")[0]
    (tmp_path / "count.c").write_text(program)
    done = run_sh("cc", "-Wall", "-Werror", "count.c", "-o", "count.elf", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run_sh("-n", "4", "./count.elf", cwd=tmp_path)
    assert sorted(done.stdout.splitlines()) == [f"node {node}: 400" for node in range(4)], done.stderr


def test_each_call_is_on_the_page():
    names = re.findall(r"\b((?:rgn|crl)_\w+)\(", HEADER)
    assert len(set(names)) > 20
    assert [name for name in names if f"`{name}(" not in PAGE] == []


def test_each_mistake_is_on_the_page():
    """The words of each line that the library prints."""
    said = [text for path in LIBRARY.rglob("*.c") for text in
            re.findall(r'crl_mistake(?:_of)?\([^;]*?"([^"]+)"', path.read_text())]
    assert len(said) > 15
    assert [text for text in said if text not in re.sub(r"\s+", " ", PAGE)] == []


@pytest.mark.parametrize(("open_", "later", "waits"), [
    ("0R", "1w", True), ("0W", "1w", True), ("0W", "1r", True), ("1R", "0w", True), ("1W", "0w", True),
    ("1W", "0r", True), ("1R", "2w", True), ("1W", "2w", True), ("1W", "2r", True), ("0R", "1r", False),
    ("1R", "0r", False), ("1R", "2r", False)])
def test_operations_exclude_each_other(machine, open_, later, waits):
    """An operation waits for one that is open on another node, if one of them writes."""
    done = machine(built("libos/steps"), 16, "0b", "1b", "2b", open_, later, f"{open_[0]}e", nodes=3, timeout="10M")
    call = {"r": "read", "w": "write"}[later[1]]
    assert done.check(125 if waits else 0).stderr.count(f"is in rgn_start_{call}() of region 0x400 in") == waits


# ---- the library -----------------------------------------------------------------

def test_handlers_use_no_fpu(cross):
    """Only reduce.c and report.c, whose code threads alone run, have FPU instructions."""
    archive = build_dir() / "guest-os" / "lib" / "crl" / "crl.a"
    code = subprocess.run([cross("objdump"), "-d", archive], capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^(\S+)\.[cS]\.o: ", code, flags=re.MULTILINE)[1:]
    with_fpu = {name for name, text in zip(parts[::2], parts[1::2], strict=True) if re.search(r"%f\d", text)}
    sources = {path.stem for path in (ROOT / "guest-os" / "lib" / "crl").rglob("*.[cS]")}
    assert len(parts) == 2 * len(sources)
    assert {re.split(r"[/_]", name)[-1] for name in with_fpu} <= {"reduce", "report"}

"""Collective operations: results, messages, mistakes, on any number of nodes.

The programs check themselves and print a line for each check.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from guest_programs import built
from launches import launches
from machine_runs import long_rounds

from fugu.paths import build_dir

NODES = [*range(1, 18), 64]
PROGRAMS = ("collective", "quiescence")
WAITS = ("spin", "block", "mixed")


def program(name: str) -> Path:
    return built(f"libos/{name}")


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_any_number_of_nodes(machine, name, nodes):
    """Random delays; messages straight from the network, or out of the buffer, by every way to wait."""
    rounds = 8 if nodes == 64 else 30
    machine(program(name), rounds, nodes, WAITS[nodes % 3], *["divert"] * (nodes % 2), nodes=nodes,
            timeout="400M").finished(nodes)


@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("options", [{"timeslice": 20_000}, {"atomicity": "soft"}, {"atomicity_timeout": 200},
                                     long_rounds(3)], ids=lambda options: next(iter(options)))
@pytest.mark.parametrize("name", PROGRAMS)
def test_beside_another_job(machine, name, options, wait):
    machine(program(name), 20, 1, wait, "+", "null", 3_000_000, nodes=5, timeout="1000M",
            **options).finished(5)


def test_same_run_split_over_processes(machine):
    runs = [machine(program("collective"), 20, 7, "mixed", "divert", nodes=6, digest=True, timeout="100M", **options)
            for options in (long_rounds(1), long_rounds(3), long_rounds(2) | {"transport": "tcp"})]
    assert len({run.check(0).digest for run in runs}) == 1


# ---- messages -------------------------------------------------------------------

def messages(machine, tmp_path, nodes, calls, *words):
    """(from, to, words, bytes of the body) of each message that this many calls send, in a Counter."""
    def all_messages(calls):
        return launches(machine, tmp_path, program("counts"), calls, *words, nodes=nodes, timeout="100M")
    at_the_end = all_messages(0)
    assert at_the_end == Counter((node, (node + way * 2 ** k) % nodes, 3, 0) for node in range(nodes)
                                 for k in range(rounds(nodes)) for way in (1, -1))
    return all_messages(calls) - at_the_end


def rounds(nodes):
    """log2 of the number of nodes, rounded up."""
    return (nodes - 1).bit_length()


def edges(nodes, root):
    """(child, parent) in the tree."""
    relative = [(node, node & node - 1) for node in range(1, nodes)]
    return [((child + root) % nodes, (parent + root) % nodes) for child, parent in relative]


@pytest.mark.parametrize("nodes", [1, 2, 3, 8, 13])
def test_messages_of_a_barrier(machine, tmp_path, nodes):
    """Each node sends log2 N messages of one argument a barrier: 24 on eight nodes, as in the paper."""
    assert messages(machine, tmp_path, nodes, 5, "barrier") == {
        (node, (node + 2 ** k) % nodes, 3, 0): 5 for node in range(nodes) for k in range(rounds(nodes))}


@pytest.mark.parametrize(("size", "bodies"), [(0, []), (8, []), (12, [12]), (4096, [4096]), (8200, [4096, 4096, 8])])
def test_messages_of_a_broadcast(machine, tmp_path, size, bodies):
    """N - 1 messages of three arguments to the root; then N - 1 of these, or for each body, back."""
    want = Counter((child, parent, 5, 0) for child, parent in edges(6, 4))
    for child, parent in edges(6, 4):
        want.update([(parent, child, 4, body) for body in bodies] or [(parent, child, 5, 0)])
    assert messages(machine, tmp_path, 6, 1, "broadcast", 4, size) == want


@pytest.mark.parametrize("nodes", [1, 2, 3, 8, 13])
def test_messages_of_a_tree(machine, tmp_path, nodes):
    """2 (N - 1) messages for a reduction, and for each of two waves of quiescence."""
    up = Counter((child, parent, 5, 0) for child, parent in edges(nodes, 0))
    down = Counter((parent, child, 5, 0) for child, parent in edges(nodes, 0))
    assert messages(machine, tmp_path, nodes, 1, "reduce-all") == up + down
    assert messages(machine, tmp_path, nodes, 1, "quiesce") == up + up + down + down


@pytest.mark.parametrize("nodes", [2, 3, 8])
def test_messages_of_a_reduction_to_one_node(machine, tmp_path, nodes):
    """The way back is part of the next call. After the last call, the root alone has sent its part of it."""
    root = nodes - 1
    up = [(child, parent, 5, 0) for child, parent in edges(nodes, root)]
    down = [(parent, child, 5, 0) for child, parent in edges(nodes, root)]
    want = Counter(up * 3 + down * 2 + [message for message in down if message[0] == root])
    assert messages(machine, tmp_path, nodes, 3, "reduce", root) == want


# ---- mistakes -------------------------------------------------------------------

MISTAKES = {
    "handler": r"udm_barrier\(\): called in a handler",
    "handler-endatom": r"udm_reduce_all_int\(\): called in a handler",
    "atomic": r"udm_quiesce\(\): called in an atomic section",
    "root": r"udm_broadcast\(\): the root does not exist",
    "address": r"udm_broadcast\(\): the data are not aligned to 4 bytes",
    "bytes": r"udm_broadcast\(\): the data are not aligned to 4 bytes",
    "operation": r"udm_reduce_double\(\): there is no such operation",
    "threads": r"udm_barrier\(\): another thread is in a call",
    "other-call": r"(udm_barrier\(\): node 1 calls udm_broadcast\(\)|udm_broadcast\(\): node 0 calls udm_barrier\(\))",
    "other-call-late": r"udm_barrier\(\): node 1 calls udm_reduce_int\(\)",
    "other-root": r"udm_reduce_int\(\): node . calls udm_reduce_int\(\) with another operation or root",
    "other-operation": r"udm_reduce_all_int\(\): node . calls udm_reduce_all_int\(\) with another operation or root",
    "other-bytes": r"udm_broadcast\(\): the nodes pass different numbers of bytes",
    "left-before": r"udm_barrier\(\): node 1 has ended after 0 such calls",
    "left-while": r"udm_barrier\(\): node 1 has ended after 3 such calls",
}


@pytest.mark.parametrize("what", MISTAKES)
def test_mistake_ends_the_job(machine, what):
    result = machine(program("mistakes"), what, nodes=2, timeout="10M").check(118)
    assert re.search(rf"mistakes \(job 1\) on node . is ended: {MISTAKES[what]}", result.stdout), result.report()


def test_right_use_ends_well(machine):
    assert machine(program("mistakes"), "none", nodes=2, timeout="10M").check(0).stdout == "nothing has happened\n" * 2


# ---- the library ----------------------------------------------------------------

def test_handlers_use_no_fpu(cross):
    """Only reduce.c, whose code threads alone run, has FPU instructions."""
    archive = build_dir() / "guest-os" / "lib" / "collective" / "collective.a"
    code = subprocess.run([cross("objdump"), "-d", archive], capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^(\S+)\.c\.o: ", code, flags=re.MULTILINE)[1:]
    with_fpu = {name for name, text in zip(parts[::2], parts[1::2], strict=True) if re.search(r"%f\d", text)}
    assert len(parts) == 2 * 9 and {Path(name).name for name in with_fpu} == {"reduce"}


def test_programs_hold_what_they_call(cross):
    def symbols(name):
        return subprocess.run([cross("nm"), program(name)], capture_output=True, text=True, check=True).stdout
    assert "collective_begin" in symbols("counts")
    assert "collective" not in symbols("messages")

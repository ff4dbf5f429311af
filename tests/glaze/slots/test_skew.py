"""--skew: clocks, and so slots, that differ from node to node (docs/glaze.md, "Scheduling")."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

from fugu.abi import REGS
from fugu.api import Machine

OFFSET = REGS["NI_KERNEL_BASE"] + REGS["K_OFFSET"]


def offsets(nodes, **options):
    """The cycle-offset of each node, at the first system call of a program."""
    with Machine("hello", nodes=nodes, history="1M", **options) as machine:
        machine.to_symbol("call", node=0, program="kernel")
        return [machine.value(OFFSET, node, 8, program="kernel", signed=True) for node in range(nodes)]


@pytest.mark.parametrize(("nodes", "timeslice", "skew"), [
    (8, 500_000, 5), (2, 500_000, 1), (3, 1001, 99), (7, 4294967295, 100), (64, 20_000, 40),
])
def test_offsets_are_even(nodes, timeslice, skew):
    """They are at equal distances from 0 to the skew, each at one node."""
    most = timeslice * skew // 100
    found = offsets(nodes, skew=skew, timeslice=timeslice)
    assert sorted(found) == [most * k // (nodes - 1) for k in range(nodes)]
    assert max(found) - min(found) == most


def test_seed_permutes_the_nodes():
    orders = [tuple(offsets(8, skew=10, seed=seed)) for seed in (0, 0, 1, 2, 4294967295)]
    assert orders[0] == orders[1]
    assert len(set(orders)) == 4
    assert len({tuple(sorted(order)) for order in orders}) == 1


def mixed(x):
    """The finalizer of MurmurHash3."""
    x = (x ^ x >> 16) * 0x85ebca6b & 0xffffffff
    x = (x ^ x >> 13) * 0xc2b2ae35 & 0xffffffff
    return x ^ x >> 16


@pytest.mark.parametrize("seed", [0, 1, 4294967295])
def test_order_of_the_nodes_is_that_of_a_known_hash(seed):
    """A seed gives the same run in every version: nodes are sorted by a number that the hash makes of both."""
    order = sorted(range(8), key=lambda node: mixed(mixed(seed) + mixed(node) & 0xffffffff))
    assert offsets(8, skew=7, timeslice=100_000, seed=seed) == [1000 * order.index(node) for node in range(8)]


@pytest.mark.parametrize(("nodes", "options"), [(4, {"skew": 0}), (4, {"seed": 3}), (1, {"skew": 50})])
def test_no_offset(nodes, options):
    """Neither without skew, nor on one node."""
    assert offsets(nodes, **options) == [0] * nodes


def test_skew_without_an_effect_changes_no_cycle(machine):
    runs = [machine("hello", nodes=1, digest=True, seed=seed) for seed in (0, 7)]
    assert runs[0].check(0).stdout != "" and runs[0].stdout.splitlines()[:-1] == runs[1].check(0).stdout.splitlines()[:-1]


# ---- slots ------------------------------------------------------------------------

def test_slots_go_by_the_nodes_clocks(machine):
    """By its node's clock each job has the same slots on each node, whatever the skew."""
    slot, until = 20_000, 60
    job = [built("glaze/slots/slots"), "when", slot, until]
    result = machine(*job, "+", *job, nodes=4, timeslice=slot, timeout="10M", skew=40).check(0)
    seen = re.findall(r"^when: job (\d) node \d: ([x-]+)$", result.stdout, re.MULTILINE)
    assert len(seen) == 8
    begin, end = 16, until - 4          # slots in which all jobs run
    for job, marks in seen:
        assert [k for k in range(begin, end) if marks[k] == "x"] == [k for k in range(begin, end)
                                                                    if k % 2 == int(job) - 1]


def share(machine, skew, **options):
    """The share of messages that come out of a buffer, of round trips beside null."""
    result = machine(built("glaze/slots/skew"), 3000, "+", "null", 20_000_000, nodes=2, timeslice=50_000, skew=skew,
                     timeout="100M", **options).check(0)
    messages, buffered = map(int, re.search(r"^skew: (\d+) messages, (\d+) buffered$", result.stdout,
                                            re.MULTILINE).groups())
    assert messages == 6000
    return buffered / messages


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_share_of_buffered_messages_rises(machine, atomicity):
    shares = [share(machine, skew, atomicity=atomicity) for skew in (0, 20, 40, 80)]
    assert shares == sorted(set(shares)), shares


# ---- elsewhere ----------------------------------------------------------------------

def test_snapshot_keeps_the_skew(machine, tmp_path):
    snap = tmp_path / "skew.snap"
    whole = machine(built("glaze/slots/skew"), 500, "+", "null", 1_000_000, nodes=2, timeslice=50_000, skew=30, seed=5,
                    timeout="100M", digest=True, save=[f"{snap}@700K"]).check(0)
    loaded = machine(None, load=snap, timeout="100M", digest=True).check(0)
    assert loaded.digest == whole.digest and whole.digest


@pytest.mark.parametrize("word", ["glaze.skew=101", "glaze.skew=", "glaze.seed=4294967296"])
def test_kernel_refuses_bad_values(machine, word):
    result = machine("hello", nodes=2, qemu_arg=["-append", f"{word} hello"]).check(103)
    assert f"glaze: there is no such parameter, or not with such a value: {word}" in result.stdout

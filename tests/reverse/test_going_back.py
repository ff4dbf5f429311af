"""Reverse execution: each place that the machine goes back to is the place that it was."""

from __future__ import annotations

import time

import pytest
from history_machine import RAM, with_history

from fugu.options.table import BY_KEY
from fugu.run import rsp as remote
from fugu.run.rsp import Stop

QUANTUM = BY_KEY["quantum"].default
BEGIN = Stop(remote.SIGTRAP, 0, None, True)


def trap(node, watched=None):
    return Stop(remote.SIGTRAP, node, watched)


def value_at(there, node, address):
    return int.from_bytes(there.client.read(node, address, 4), "big")


def start_at(there, symbols, name, node=0):
    """Runs to a function of a node."""
    address = symbols("ring")[name][0]
    there.client.insert(node, remote.BREAKPOINT, address)
    assert there.client.run() == trap(node)
    there.client.remove(node, remote.BREAKPOINT, address)


def test_steps_back_undo_steps(traveller, symbols):
    """A node steps 300 times, over rounds, traps and waits, and back again: each state is the same."""
    there = traveller("ring", "rounds=8", nodes=4)
    start_at(there, symbols, "exchange_arrives", 1)
    states = [there.state()]
    for _ in range(300):
        assert there.client.step(1) == trap(1)
        states.append(there.state())
    for state in reversed(states[:-1]):
        assert there.client.back(1) == trap(1)
        # The first stop is that of a breakpoint: the events of that moment have fired. A step stops before.
        now = there.state()
        assert now == state or (state is states[0] and now[1] == state[1]), (now[0], state[0])


def test_alternating_nodes(traveller, symbols):
    """Steps back on one node and on another: each one's last instruction is undone, whatever the others do."""
    there = traveller("ring", "rounds=8", nodes=4)
    start_at(there, symbols, "exchange_arrives", 2)
    cycles = {node: [] for node in range(4)}
    for _ in range(40):
        for node in (3, 0, 2, 1):
            assert there.client.step(node) == trap(node)
    for _ in range(40):
        for node in (2, 1, 3, 0):
            before = there.place()
            assert there.client.back(node) == trap(node)
            assert there.place() < before
            assert there.place().node == node
            cycles[node].append(there.place().cycle)
    assert all(found == sorted(found, reverse=True) for found in cycles.values())


def test_history_begins(traveller):
    """At the first instruction there is nothing to go back to, and the stub says so."""
    there = traveller("ring", "rounds=8", nodes=2)
    assert there.client.back(0) == BEGIN
    for _ in range(5):
        assert there.client.step(0) == trap(0)
    for _ in range(5):
        assert there.client.back(0) == trap(0)
    assert there.client.back(0) == BEGIN
    assert there.client.back() == BEGIN
    assert there.client.register(0, remote.PC) == 0
    assert there.client.run().signal == remote.SIGQUIT


def test_breakpoints_come_again_backwards(traveller, symbols):
    """All hits of a breakpoint on all nodes, forward and then backward, are the same places."""
    there = traveller("ring", "rounds=8", nodes=4)
    address = symbols("ring")["exchange_arrives"][0]
    for node in range(4):
        there.client.insert(node, remote.BREAKPOINT, address)
    hits = []
    while (stop := there.client.run()).signal == remote.SIGTRAP:
        hits.append((stop, there.state()))
        there.client.remove(stop.node, remote.BREAKPOINT, address)
        assert there.client.step(stop.node).signal == remote.SIGTRAP
        there.client.insert(stop.node, remote.BREAKPOINT, address)
    assert len(hits) >= 4 * 2 * 8
    assert there.get("state") == "ended with status 0"
    for stop, state in reversed(hits):
        assert there.client.back() == stop
        assert there.state() == state
    assert there.client.back().begin


def test_watchpoints_stop_before_the_store(traveller, symbols):
    """Backward, a watchpoint stops before the instruction that stores; forward, after it."""
    there = traveller("ring", "rounds=8", nodes=3)
    address = symbols("ring")["token_seen"][0]
    for node in range(3):
        there.client.insert(node, remote.WATCH_WRITE, address)
    written = []
    while (stop := there.client.run()).signal == remote.SIGTRAP:
        assert stop.watched == address
        written.append((stop.node, there.state(), value_at(there, stop.node, address)))
    assert len(written) == 3 * 4            # the start-up code clears the counter; the token comes three times
    for node, after, value in reversed(written):
        assert there.client.back() == trap(node, address)
        assert value_at(there, node, address) == max(value - 1, 0)
        for one in range(3):
            there.client.remove(one, remote.WATCH_WRITE, address)
        assert there.client.step(node) == trap(node)
        assert there.state() == after
        assert there.client.back(node) == trap(node)
        for one in range(3):
            there.client.insert(one, remote.WATCH_WRITE, address)
    assert there.client.back().begin


def test_end_is_undone(traveller, run):
    """After the end the machine goes back, and on to the same end. Its output appears once."""
    usual = run("ring", "rounds=8", nodes=4, digest=True, ram=RAM)
    there = traveller("ring", "rounds=8", nodes=4)
    assert there.client.run().signal == remote.SIGQUIT
    end = there.get("state")
    assert end == "ended with status 0"
    there.go_to(5000, 2)
    assert there.get("state") == "runs"
    assert there.end() == usual.stdout


def test_checkpoints_passed_again_are_compared(traveller):
    """A run that goes back passes checkpoints again, and is what it was."""
    there = traveller("alltoall", "messages=100000", nodes=4)
    there.go_to(20_000_000, 0)
    state = there.state()
    before = there.history()
    assert before["checkpoints"] >= 3
    there.go_to(1000, 3)
    there.go_to(20_000_000, 0)
    assert there.state() == state
    assert not there.history()["differs"]


def test_search_that_is_interrupted_leaves_the_run_alone(traveller, symbols):
    """Control-C ends a search somewhere on its way. From there the run goes on as it did."""
    there = traveller("alltoall", "messages=20000", nodes=4)
    there.go_to(5_000_000, 0)
    address = symbols("alltoall")["main"][0]          # which is only at the beginning
    for _ in range(5):
        there.client.insert(3, remote.BREAKPOINT, address)
        there.client.send("bc")
        time.sleep(0.02)
        assert isinstance(there.client.interrupt(), Stop)
        if there.client.late:       # the search was over: the stub keeps the interrupt for the next start
            there.client.late = False
            there.client.send("vCont;c")
            assert isinstance(there.client.wait(), Stop)
        there.client.remove(3, remote.BREAKPOINT, address)
    assert there.end() == there.plain_output()


STORE = "an address, a number of bytes and a node"


@pytest.mark.parametrize("value, message", [
    ("5", STORE), ("0x40000000 4", STORE), ("0x40000000 x 0", STORE), ("0x40000000 4 2", STORE),
    ("-4 4 0", STORE), ("0x140000000 4 0", STORE), ("0x40000000 0 0", "not a part of a page"),
    ("0x40000000 4 0 ", "the mask"), ("0x40000000 4 0 ffff", "the mask"), ("0x40000000 4 0 fffffffg", "the mask"),
    ("0x40000ffe 4 0", "not a part of a page"), ("0x80000000 4 1", "node 1 has no memory at 0x80000000"),
    ("0x40040000 4 1", "node 1 has no memory at 0x40040000")])
def test_bad_stores_are_refused(traveller, value, message):
    there = traveller("ring", nodes=2)
    assert message in there.client.monitor(f'qom-set /machine/rounds store {value}')


@pytest.mark.parametrize("value, message", [
    ("5", "a cycle and a node"), ("x 1", "a cycle and a node"), ("5 9", "the nodes are 0 to 1"),
    ("-5 1", "a cycle and a node")])
def test_bad_goals_are_refused(traveller, value, message):
    there = traveller("ring", nodes=2)
    assert message in there.client.monitor(f'qom-set /machine/rounds goto {value}')


def test_without_history_there_is_no_way_back(debug):
    machine, client = debug("ring", nodes=2)
    assert "keeps no history" in client.monitor("qom-get /machine/rounds place")
    assert "ReverseStep" not in client.features


# ---- changes by the debugger ---------------------------------------------------------

def test_change_starts_another_future(traveller, symbols):
    """What the debugger writes stays when the machine goes back to a later place, and not to an earlier one."""
    there = traveller("ring", "rounds=8", nodes=3)
    address = symbols("ring")["token_seen"][0]
    start_at(there, symbols, "token_arrives", 1)
    for _ in range(3):
        assert there.client.step(1) == trap(1)
    place, count = there.place(), there.history()["checkpoints"]
    there.client.select(1)
    there.client.expect_ok(f"M{address:x},4:00000155")
    for _ in range(4):
        assert there.client.step(1) == trap(1)
    assert there.history()["checkpoints"] == count + 1
    later = there.state()
    for _ in range(3):
        assert there.client.step(1) == trap(1)
    for _ in range(3):
        assert there.client.back(1) == trap(1)
    assert there.place() == later[0]
    assert there.state() == later
    for _ in range(4):
        assert value_at(there, 1, address) >= 0x155
        assert there.client.back(1) == trap(1)
    assert there.place() == place
    assert there.client.back(1) == trap(1)          # before the change
    assert there.place() < place
    assert value_at(there, 1, address) < 0x155
    for _ in range(3):
        assert there.client.step(1) == trap(1)
    assert value_at(there, 1, address) < 0x155      # that future is forgotten


def test_change_in_the_past_forgets_the_future(traveller, symbols):
    """Checkpoints of the run that was are no longer compared with the run that is."""
    there = traveller("alltoall", "messages=1000000", nodes=4)
    there.go_to(100_000_000, 0)
    count = there.history()["checkpoints"]
    there.go_to(30_000_000, 0)
    sp = there.client.register(2, remote.SP)
    there.client.select(2)
    there.client.expect_ok(f"M{sp - 256:x},4:00000001")
    assert there.client.step(0) == trap(0)
    assert there.history()["checkpoints"] < count
    there.go_to(100_000_000, 0)
    assert not there.history()["differs"]


# ---- memory for history --------------------------------------------------------------

def test_history_stays_within_its_bytes(traveller):
    """With little memory, checkpoints are dropped where they are dense; the first one stays, and all is as it was."""
    size = 3 << 20
    there = traveller("alltoall", "messages=1000000", nodes=4, **with_history(size))
    for cycle in range(10_000_000, 60_000_001, 10_000_000):
        there.go_to(cycle, 1)
    history = there.history()
    assert size / 2 < history["bytes"] <= size
    assert history["first"]["cycle"] == 0
    there.go_to(30_000_000, 2)
    state = there.state()
    there.go_to(50_000_000, 2)
    there.go_to(30_000_000, 2)
    assert there.state() == state
    assert there.history()["bytes"] <= size
    assert not there.history()["differs"]


def test_goto_finds_the_turn_that_passed_long_before(traveller):
    """Node 0 comes to cycle 110,000 in the round of cycle 50,000. A cycle in between is in that turn."""
    there = traveller("stops", "from=50000", "at=150000", nodes=2)
    there.go_to(105000, 1)
    for cycle in (60000, 100000, 49000, 104000, 60000):
        there.go_to(cycle, 0)
        place = there.place()
        assert cycle <= place.cycle < cycle + 65
        assert place.round < 50000 + 16 * QUANTUM


def test_breakpoint_at_an_access_that_awaits_its_turn_comes_once(traveller, symbols):
    """Node 0's store at the end of its straight code is tried in two rounds, and is one place to stop at."""
    there = traveller("stops", "from=50000", "at=150000", nodes=2)
    address = symbols("stops")["ahead_stop"][0] + 4 * (900 + 1)       # the store
    there.client.insert(0, remote.BREAKPOINT, address)
    assert there.client.run() == trap(0)
    first = there.place()
    assert first.round < 50000 + 16 * QUANTUM and first.cycle > 108500
    there.client.remove(0, remote.BREAKPOINT, address)
    assert there.client.run().signal == remote.SIGQUIT
    there.client.insert(0, remote.BREAKPOINT, address)
    assert there.client.back() == trap(0)
    assert there.place() == first
    assert there.client.back() == BEGIN

"""Debugging changes nothing in a run.

A client of QEMU's GDB stub stops the machine, steps nodes, sets breakpoints
and watchpoints, and reads registers, memory and devices. The run must end
with the digest of the undisturbed run. The client's choices come from a fixed
seed; Control-C comes at any moment of the host's time.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter

import pytest
from cases import Case, call, pick

from fugu.abi import REGS
from fugu.run import rsp as remote
from fugu.run.rsp import Ended, Gone, Stop

CASES = pick(
    "backpressure", "dma", "idle", "places", "slots", "atomicity", "traps", "contexts", "second",
    "alltoall, small queues", "deliberate", "full", "snooped",
) | {
    "ring": Case(("rounds=8",), {"nodes": 4}),
    "ring, 13 nodes, quantum 7": Case(("rounds=4",), {"nodes": 13, "quantum": 7}),
    "alltoall": Case(("messages=20",), {"nodes": 4}),
    "alltoall, no cache": Case(("messages=20",), {"nodes": 3, "cache": False}),
}

# (address, bytes) of registers that can be read: node control, console, timer;
# the kernel page of the network interface; its user page.
DEVICES = [(REGS[base] + REGS[first], length) for base, first, length in (
    ("CONTROL_BASE", "CONTROL_FETCH_MISS", 8), ("CONSOLE_BASE", "CONSOLE_DATA", 8), ("TIMER_BASE", "TIMER_COMPARE", 24),
    ("NI_KERNEL_BASE", "K_OUT", REGS["K_OFFSET"] + 8), ("NI_KERNEL_BASE", "K_HEAD", REGS["HEAD_SIZE"]),
    ("NI_KERNEL_BASE", "K_USER_OUT", 4 * REGS["MSG_WORDS"] + 4), ("NI_KERNEL_BASE", "K_SECOND_HEAD", REGS["HEAD_GID"]),
    ("NI_USER_BASE", "U_OUT", REGS["U_BODY_SPACE"] + 4), ("NI_USER_BASE", "U_CYCLES", 8),
    ("NI_USER_BASE", "U_RECORD", REGS["REC_SIZE"]))]


def finish(machine, client, stopped):
    """Lets the machine run to its end. Returns (status, output)."""
    while not isinstance(stopped, Ended):
        stopped = client.run()
    status = machine.end()
    assert stopped.status in (status, None)
    return status, machine.stdout


class Visitor:
    """Does at random what a debugger may do to a machine."""

    def __init__(self, client, nodes, symbols, seed):
        self.client, self.nodes = client, nodes
        self.random = random.Random(seed)
        self.code = [(address, size) for address, size, kind in symbols.values() if kind in "tT"]
        self.data = [(address, size) for address, size, kind in symbols.values() if kind in "bBdD"]
        self.stopped: Stop | Ended = Stop(remote.SIGTRAP, 0)
        self.done: Counter[str] = Counter()

    def visit(self, places):
        """Acts `places` times, or until the run ends."""
        acts = [self.interrupt, self.steps, self.steps, self.step_alone, self.resume_alone,
                self.breakpoint, self.breakpoint, self.watchpoint, self.look]
        while sum(self.done.values()) < places and not isinstance(self.stopped, Ended):
            act = self.random.choice(acts)
            self.done[act.__name__] += 1
            try:
                act()
            except Gone:
                self.stopped = Ended(None)
        return self.stopped

    def node(self):
        return self.random.randrange(self.nodes)

    def go_on(self, actions="c"):
        """Runs for a moment of host time, or to a stop."""
        self.client.go(actions)
        time.sleep(10 ** self.random.uniform(-6, -3))
        self.stopped = self.client.interrupt()

    def interrupt(self):
        self.go_on()

    def resume_alone(self):
        node = self.node() + 1
        self.go_on(f"c:p{node:x}.{node:x}")

    def steps(self):
        node = self.node()
        for _ in range(self.random.randrange(1, 8)):
            if not isinstance(self.stopped, Ended):
                self.step(node, others=True)

    def step_alone(self):
        self.step(self.node(), others=False)

    def step(self, node, others):
        """Steps a node, but gives up if the node waits for long or has ended."""
        self.client.go(f"s:p{node + 1:x}.{node + 1:x}" + (";c" if others else ""))
        self.client.socket.settimeout(0.05)
        try:
            self.stopped = self.client.wait()
        except TimeoutError:
            self.client.socket.settimeout(remote.BOUND)
            self.stopped = self.client.interrupt()
        self.client.socket.settimeout(remote.BOUND)

    def breakpoint(self):
        address, size = self.random.choice(self.code)
        self.at(remote.BREAKPOINT, address + 4 * self.random.randrange(min(size, 64) // 4 or 1), 4)

    def watchpoint(self):
        address, size = self.random.choice(self.data)
        kind = self.random.choice((remote.WATCH_WRITE, remote.WATCH_READ, remote.WATCH_ACCESS))
        self.at(kind, address & ~3, min(max(size, 4), 64))

    def at(self, kind, address, length):
        """Sets a breakpoint or watchpoint in some nodes, runs to a stop, and removes it."""
        where = self.random.sample(range(self.nodes), self.random.randint(1, self.nodes))
        for node in where:
            self.client.insert(node, kind, address, length)
        self.go_on()
        if isinstance(self.stopped, Ended):
            return
        for node in where:
            self.client.remove(node, kind, address, length)

    def look(self):
        """Reads registers, memory and devices, which must change nothing."""
        node = self.node()
        self.client.select(node)
        assert len(self.client.ask("g")) == 72 * 8
        self.client.expect_ok("Qqemu.PhyMemMode:1")
        for address, length in DEVICES:
            self.client.read(node, address, length)
        self.client.read(node, 0x40000000, 256)
        self.client.expect_ok("Qqemu.PhyMemMode:0")


def visits(run, debug, symbols, case, seeds, places):
    """Runs with a visitor for each seed until the visitors have acted `places` times. Returns how often each act was
    done."""
    args, options = call(case, CASES[case])
    usual = run(*args, digest=True, **options)
    done: Counter[str] = Counter()
    for seed in seeds:
        machine, client = debug(*args, **options)
        visitor = Visitor(client, options["nodes"], symbols(args[0]), seed)
        ended = finish(machine, client, visitor.visit(places))
        assert ended == (usual.returncode, usual.stdout), (seed, visitor.done)
        done += visitor.done
        if sum(done.values()) >= places:
            break
    return done


@pytest.mark.parametrize("case", CASES)
def test_random_debugging_changes_nothing(run, debug, symbols, case):
    """Some programs end before they have been stopped often, so several seeds add up."""
    assert sum(visits(run, debug, symbols, case, range(10), places=100).values()) > 20


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_much_random_debugging_changes_nothing(run, debug, symbols, case):
    for first in range(1000, 21000, 1000):
        visits(run, debug, symbols, case, range(first, first + 1000), places=100)


# ---- what the stub promises ------------------------------------------------

def test_registers_have_names(debug):
    """The target description lists the registers in the order in which packets have them."""
    machine, client = debug("whoami", nodes=2)
    pages = re.findall(r'<xi:include href="([^"]+)"', client.ask("qXfer:features:read:target.xml:0,fff"))
    text = "".join(client.ask(f"qXfer:features:read:{page}:0,fff") for page in pages)
    names = re.findall(r'<reg name="(\w+)"', text)
    assert names == [
        *"g0 g1 g2 g3 g4 g5 g6 g7 o0 o1 o2 o3 o4 o5 sp o7 l0 l1 l2 l3 l4 l5 l6 l7 i0 i1 i2 i3 i4 i5 fp i7".split(),
        *(f"f{k}" for k in range(32)),
        *"y psr wim tbr pc npc fsr csr".split(),
        # Call frame information refers to these by their numbers, 72 to 87.
        *(f"trap_{kind}{k}" for kind in "li" for k in range(8))]
    assert re.findall(r'feature name="org.gnu.gdb.sparc.(\w+)"', text) == ["cpu", "fpu", "cp0"]
    assert re.findall(r'feature name="org.qemu.gdb.sparc.(\w+)"', text) == ["trap"]
    # At reset: pc, npc, and a PSR with supervisor mode alone.
    assert [client.register(1, number) for number in (remote.PC, remote.NPC)] == [0, 4]
    assert client.register(1, remote.PSR) & 0xFFF == 0xC0


def test_steps_cannot_mask_interrupts(debug):
    machine, client = debug("whoami", nodes=1)
    assert client.ask("qqemu.sstepbits") == "ENABLE=1"
    assert client.ask("qqemu.sstep") == "0x1"
    assert client.ask("Qqemu.sstep=7").startswith("E")


def test_step_takes_an_interrupt(run, debug, symbols):
    """Steps node 0 until its pc is the vector of a message's interrupt."""
    usual = run("ring", "rounds=8", nodes=4, digest=True)
    machine, client = debug("ring", "rounds=8", nodes=4)
    send = symbols("ring")["am_send"][0]
    client.insert(0, remote.BREAKPOINT, send)
    assert client.run() == Stop(remote.SIGTRAP, 0)
    client.remove(0, remote.BREAKPOINT, send)
    vector = client.register(0, remote.TBR) & 0xFFFFF000 | REGS.call("TT_IRQ", REGS["IRQ_MESSAGE"]) << 4
    for _ in range(20000):
        assert client.step(0) == Stop(remote.SIGTRAP, 0)
        if client.register(0, remote.PC) == vector:
            break
    else:
        pytest.fail("the node took no interrupt in 20000 steps")
    assert finish(machine, client, client.run()) == (0, usual.stdout)


@pytest.mark.parametrize("actions", ["c:p1.1", "c:p1.-1", "c:p3.3", "c", "s:p2.2;c:p1.1", "s:p3.3;s:p2.2"])
def test_one_resumed_is_all_resumed(run, debug, actions):
    """All nodes go on to the end, whichever nodes the packet names."""
    usual = run("ring", "rounds=8", nodes=4, digest=True)
    machine, client = debug("ring", "rounds=8", nodes=4)
    stopped = client.run(actions)
    if actions.startswith("s"):
        assert stopped == Stop(remote.SIGTRAP, 1)
        assert client.register(1, remote.PC) == 4
        stopped = client.run("c:p1.1")
    assert stopped == Ended(0)
    assert finish(machine, client, stopped) == (0, usual.stdout)


def local_times(client, nodes):
    """The cycle counters of all nodes."""
    clock = REGS["NI_USER_BASE"] + REGS["U_CYCLES"]
    return [int.from_bytes(client.read(node, clock, 8), "big") for node in range(nodes)]


LONGEST = 4     # cycles of an access to a device


def test_stop_freezes_all_nodes_at_once(debug, symbols):
    """Nodes before the stopped one have run their round, and nodes after it have not.

    A node may be before an access to a device that would end in a later round.
    """
    nodes, quantum = 6, 64
    machine, client = debug("alltoall", "messages=20", nodes=nodes, quantum=quantum)
    address = symbols("alltoall")["am_poll"][0]
    seen = set()
    for k in range(200):
        node = k % nodes
        client.insert(node, remote.BREAKPOINT, address)
        stopped = client.run()
        if isinstance(stopped, Ended):
            break
        assert stopped == Stop(remote.SIGTRAP, node)
        assert client.register(node, remote.PC) == address
        times = local_times(client, nodes)
        round_end = (times[node] // quantum + 1) * quantum
        assert all(time >= round_end - LONGEST for time in times[:node]), (node, times)
        assert all(time < round_end for time in times[node + 1:]), (node, times)
        time.sleep(0.001)
        assert local_times(client, nodes) == times
        client.remove(node, remote.BREAKPOINT, address)
        seen.add(node)
    assert seen == set(range(nodes))


def step_over(client, node, address):
    """Goes on from a breakpoint as GDB does: removes it, and resumes the node alone to the next instruction.

    The other nodes run meanwhile. If the instruction traps, another node may
    come to a breakpoint first; the step then ends with the node where it was.
    Returns whether the instruction was executed.
    """
    client.remove(node, remote.BREAKPOINT, address)
    client.insert(node, remote.BREAKPOINT, address + 4)
    stopped = client.run(f"c:p{node + 1:x}.{node + 1:x}")
    place = client.register(node, remote.PC)
    # After the trap, the node may be back at the instruction, which is no step.
    assert stopped == Stop(remote.SIGIO if place == address else remote.SIGTRAP, node)
    client.remove(node, remote.BREAKPOINT, address + 4)
    client.insert(node, remote.BREAKPOINT, address)
    return place == address + 4


@pytest.mark.parametrize("nodes", [1, 4, 7])
def test_no_breakpoint_hit_is_missed(run, debug, symbols, nodes):
    """All nodes hit the same breakpoint again and again, at nearly the same time."""
    rounds = 8
    usual = run("ring", f"rounds={rounds}", nodes=nodes, digest=True)
    machine, client = debug("ring", f"rounds={rounds}", nodes=nodes)
    address = symbols("ring")["exchange_arrives"][0]
    for node in range(nodes):
        client.insert(node, remote.BREAKPOINT, address)
    hits: Counter[int] = Counter()
    trapped = set()             # nodes that will hit the same breakpoint again after a trap
    while isinstance(stopped := client.run(), Stop):
        node = stopped.node
        assert stopped.signal == remote.SIGTRAP
        assert client.register(node, remote.PC) == address
        hits[node] += node not in trapped
        trapped.discard(node)
        if not step_over(client, node, address):
            trapped.add(node)
    # There are two exchanges, and in each a node receives as many messages as it sends.
    assert [hits[node] for node in range(nodes)] == [2 * rounds] * nodes
    assert finish(machine, client, stopped) == (0, usual.stdout)


@pytest.mark.parametrize("function", ["far_leaf", "far_pause", "main"])
def test_breakpoint_in_code_that_the_processor_knows(debug, symbols, function):
    """After Control-C, a breakpoint stops the next call of a function, or the next return to one, although the
    processor has gone there from another page before."""
    machine, client = debug("far", "pauses=4000000000", nodes=1)
    far_leaf, far_pause = (symbols("far")[name][0] for name in ("far_leaf", "far_pause"))
    client.insert(0, remote.BREAKPOINT, far_pause)
    assert client.run() == Stop(remote.SIGTRAP, 0)
    address = {"far_leaf": far_leaf, "far_pause": far_pause, "main": client.register(0, 15) + 8}[function]
    client.remove(0, remote.BREAKPOINT, far_pause)
    client.go()
    time.sleep(0.05)
    assert client.interrupt() == Stop(remote.SIGINT, 0)
    client.insert(0, remote.BREAKPOINT, address)
    assert client.run() == Stop(remote.SIGTRAP, 0)
    assert client.register(0, remote.PC) == address


def test_node_that_cannot_move_is_reported(run, debug, symbols):
    """GDB resumes a waiting node alone while another stands at a breakpoint: the stub reports that the waiting node
    cannot move."""
    usual = run("ring", "rounds=8", nodes=4, digest=True)
    machine, client = debug("ring", "rounds=8", nodes=4)
    # Node 3 waits for the token at an instruction that executes when the token comes.
    address = symbols("ring")["token_arrives"][0]
    client.insert(1, remote.BREAKPOINT, address)
    assert client.run() == Stop(remote.SIGTRAP, 1)
    client.insert(2, remote.BREAKPOINT, address)
    waits = client.register(3, remote.PC)
    assert step_over(client, 1, address)
    # Node 3 has not moved when node 2 gets the token. The stub tells GDB first, and then the user.
    assert client.run("c:p4.4") == Stop(remote.SIGIO, 3) and client.said == []
    assert client.register(3, remote.PC) == waits
    assert client.run("C17:p4.4") == Stop(remote.SIGINT, 3)
    assert client.register(3, remote.PC) == waits
    assert client.said == ["Thread p03.03 has come to a breakpoint, and must go on first: select it, then continue.\n"]
    assert client.register(2, remote.PC) == address
    # The stop of node 2 is not lost: the stub reports it when the machine is resumed.
    assert client.run() == Stop(remote.SIGTRAP, 2)
    client.remove(2, remote.BREAKPOINT, address)
    client.remove(1, remote.BREAKPOINT, address)
    assert finish(machine, client, client.run()) == (0, usual.stdout)


def test_breakpoint_belongs_to_one_node(debug, symbols):
    machine, client = debug("ring", "rounds=4", nodes=4)
    client.insert(2, remote.BREAKPOINT, symbols("ring")["exchange_arrives"][0])
    for _ in range(3):
        assert client.run() == Stop(remote.SIGTRAP, 2)
        assert client.step(2) == Stop(remote.SIGTRAP, 2)


def test_watchpoint_names_the_node_that_wrote(run, debug, symbols):
    """When the counters of all nodes are watched at once, each store causes one hit, which names the store's node."""
    usual = run("ring", "rounds=8", nodes=3, digest=True)
    machine, client = debug("ring", "rounds=8", nodes=3)
    address = symbols("ring")["token_seen"][0]
    for node in range(3):
        client.insert(node, remote.WATCH_WRITE, address)
    written = {node: [] for node in range(3)}
    while isinstance(stopped := client.run(), Stop):
        assert stopped.watched == address
        # The node stops after the store.
        written[stopped.node].append(int.from_bytes(client.read(stopped.node, address, 4), "big"))
    # The start-up code clears the counter; then the token comes three times.
    assert written == {node: [0, 1, 2, 3] for node in range(3)}
    assert finish(machine, client, stopped) == (0, usual.stdout)


def stores(client, node, address, size):
    """The addresses of the ST instructions in a function."""
    words = client.read(node, address, size)
    return [address + k for k in range(0, size, 4)
            if (word := int.from_bytes(words[k:k + 4], "big")) >> 30 == 3 and word >> 19 & 0x3F == 4]


def test_watchpoint_stops_where_a_step_does(debug, symbols):
    """A watchpoint stops the machine right after the store, before other nodes go on, even where the store ends the
    node's turn."""
    node, nodes, hits = 1, 3, 200
    names = symbols("ring")
    counter, function = names["check_quiet_passed"][0], names["exchange_arrives"]

    def arrive():
        machine, client = debug("ring", nodes=nodes)
        client.insert(node, remote.BREAKPOINT, function[0])
        assert client.run() == Stop(remote.SIGTRAP, node)
        client.remove(node, remote.BREAKPOINT, function[0])
        return client

    def count(client):
        return int.from_bytes(client.read(node, counter, 4), "big")

    watched, client = {}, arrive()
    client.insert(node, remote.WATCH_WRITE, counter)
    while len(watched) < hits:
        assert client.run() == Stop(remote.SIGTRAP, node, counter)
        watched[count(client)] = local_times(client, nodes)

    stepped, client = {}, arrive()
    for place in stores(client, node, *function[:2]):
        client.insert(node, remote.BREAKPOINT, place)
    before = count(client)
    while len(stepped) < hits:
        assert client.run().node == node
        assert client.step(node) == Stop(remote.SIGTRAP, node)
        if count(client) != before:
            before = count(client)
            stepped[before] = local_times(client, nodes)

    both = watched.keys() & stepped.keys()
    assert len(both) > hits / 2
    assert {value: watched[value] for value in both} == {value: stepped[value] for value in both}


def test_mode_that_a_debugger_sets_reaches_the_interface(debug, symbols):
    """What user mode does counts as a handler's, and a debugger that clears PSR.S puts the processor into that mode."""
    handler = {}
    for supervisor in (0x80, 0):
        machine, client = debug("timed", nodes=1)
        entry = symbols("timed")["user_code"][0]
        client.insert(0, remote.BREAKPOINT, entry)
        assert client.run() == Stop(remote.SIGTRAP, 0)
        client.remove(0, remote.BREAKPOINT, entry)
        psr = client.register(0, remote.PSR)
        assert psr & 0x80
        client.expect_ok(f"P{remote.PSR:x}={psr & ~0x80 | supervisor:08x}")
        status, output = finish(machine, client, client.run())
        assert status == 0
        handler[supervisor], code = map(int, re.search(r"handler (\d+), code (\d+)", output).groups())
        assert code > 500
    assert handler[0x80] == 0
    assert code <= handler[0] < code + 500

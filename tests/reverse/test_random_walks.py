"""Random walks through a run, back and forth, compared with a machine that only goes forward."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from cases import Case, call, pick
from guest_programs import built

from fugu.image import elf
from fugu.options.table import BY_KEY
from fugu.paths import build_dir
from fugu.run import rsp as remote
from fugu.run.parse import parse
from fugu.run.programs import find_app, find_kernel
from fugu.run.rsp import Stop

# Programs on the bare machine.
CASES = pick("ahead", "backpressure", "dma", "atomicity", "traps", "second", "alltoall, small queues", "none", "deliberate",
             "automatic", "full", "snooped", "arrivals", "consumers", "storm", "storm, slow words", "spaces") | {
    "relay": Case(("messages=10",), {"nodes": 4, "ni": "none"}),
    "ring": Case(("rounds=8",), {"nodes": 4}),
    "alltoall": Case(("messages=20",), {"nodes": 4}),
    "alltoall, no cache": Case(("messages=20",), {"nodes": 3, "cache": False}),
}

STRESS, FLOOD, MESSAGELESS, SHOOT = (built(name) for name in (
    "glaze/udmstress", "glaze/paging/flood", "kinds/messageless", "kinds/mapshoot"))

# Jobs under Glaze: the words after ./run.sh. DISK is an empty image.
DISK = "DISK"
SMALL = ("-n", 2, "--ram", "512K")
JOBS = {
    "messages": ("-n", 4, "synth", "--messages", 20, 10),
    "two jobs": ("-n", 3, "--timeslice", 20_000, "pingpong", 2, "+", STRESS, 5, 10),
    "paging": (*SMALL, "--disk", f"1={DISK}", FLOOD, 150, 1),
    "paging beside a job": (*SMALL, "--timeslice", 50_000, "--disk", f"0={DISK}", FLOOD, 100, 1, "+", "null", 1_000_000),
    "without messages": (*SMALL, "--ni", "none", "--timeslice", 20_000, "--disk", f"1={DISK}", MESSAGELESS, "+",
                         "null@100K", 500_000),
    "mapped pages that go out": ("-n", 2, "--ram", "1M", "--ni", "shrimp", "--shrimp-paging", "shoot-down",
                                 "--disk", f"0={DISK}", SHOOT, 1, 20, 40),
    "soft atomicity": ("-n", 3, "--atomicity", "soft", STRESS, 5, 10),
    "soft atomicity, two jobs": ("-n", 3, "--atomicity", "soft", "--timeslice", 20_000, STRESS, 7, 10, "+",
                                 "pingpong", 2),
}
WALKS = 1000            # of --long, over all cases
STEPS, STEPS_THERE = 1000, 50   # single steps of --long in one run, and those before it seeks another place
QUANTUM = BY_KEY["quantum"].default
ACTS = 12               # of a walk
LONG = 3600             # seconds of host time for one case of --long


class Walk:
    """Goes at random through a run, and notes the state at each place."""

    def __init__(self, there, symbols, span, seed):
        self.there, self.client = there, there.client
        self.random = random.Random(seed)
        self.code, self.data = symbols
        self.span = span
        self.seen = {}              # place -> state
        self.done = Counter()

    def node(self):
        return self.random.randrange(self.there.nodes)

    def note(self):
        """Notes the state here. It must be the one that was here before."""
        state = self.there.state()
        assert self.seen.setdefault(state[0], state) == state

    def act(self):
        act = self.random.choice((self.seek, self.step, self.back, self.back, self.breakpoint, self.breakpoint_back,
                                  self.watchpoint_back))
        self.done[act.__name__] += 1
        act()
        self.note()

    def seek(self):
        """Not into the last round after its start: not all nodes have a place there."""
        self.there.go_to(self.random.randrange(self.span - QUANTUM + 1), self.node())

    def step(self, most=7):
        """Steps a node, unless it waits: then the step might take for ever."""
        node = self.node()
        for _ in range(self.random.randint(1, most)):
            if "runs" in self.client.monitor(f"qom-get /machine/node[{node}] state"):
                assert self.client.step(node).signal in (remote.SIGTRAP, remote.SIGQUIT)

    def back(self, most=7):
        node = self.node()
        for _ in range(self.random.randint(1, most)):
            assert self.client.back(node).signal == remote.SIGTRAP

    def at(self, kind, address, length, go):
        where = self.random.sample(range(self.there.nodes), self.random.randint(1, self.there.nodes))
        for node in where:
            self.client.insert(node, kind, address, length)
        stop = go()
        assert isinstance(stop, Stop) and stop.signal in (remote.SIGTRAP, remote.SIGQUIT)
        for node in where:
            self.client.remove(node, kind, address, length)

    def some_code(self):
        address, size = self.random.choice(self.code)
        return address + 4 * self.random.randrange(min(size, 64) // 4 or 1)

    def breakpoint(self):
        self.at(remote.BREAKPOINT, self.some_code(), 4, self.client.run)

    def breakpoint_back(self):
        self.at(remote.BREAKPOINT, self.some_code(), 4, self.client.back)

    def watchpoint_back(self):
        address, size = self.random.choice(self.data)
        kind = self.random.choice((remote.WATCH_WRITE, remote.WATCH_READ, remote.WATCH_ACCESS))
        self.at(kind, address & ~3, min(max(size, 4), 64), self.client.back)


def bare_symbols(symbols):
    """Functions and data of a program on the bare machine, each as (address, size)."""
    return tuple([(address, size) for address, size, kind in symbols.values() if kind in kinds]
                 for kinds in ("tT", "bBdD"))


def jobs_symbols(words):
    """Functions and data of the kernel and of the jobs' programs."""
    run = parse(words)
    files = [find_kernel(build_dir()), *(find_app(job.program, build_dir()) for job in run.jobs)]
    found = [symbol for file in files for symbol in elf.read(file, file.read_bytes()).symbols if symbol.size]
    return tuple([(one.address, one.size) for one in found if one.is_function == functions]
                 for functions in (True, False))


def span_of(there):
    """The cycles of the whole run, from its end back."""
    assert there.client.run().signal == remote.SIGQUIT
    return there.place().cycle


def compare_with_a_fresh_run(make, seen):
    """Another machine goes forward through the places, and must have the same states."""
    fresh = make()
    for place, state in sorted(seen.items()):
        if place.node < fresh.nodes:        # not after the end
            fresh.come_to(place)
            if fresh.history()["compared"]:
                # It went back, to an earlier round in which the node had the same local time.
                fresh.end()
                fresh = make()
                fresh.come_to(place)
            assert fresh.history()["compared"] == 0         # it has passed no place twice
            assert fresh.state() == state


def walk(make, symbols, name, walks):
    """Walks through a machine that make() starts. Returns how often each act was done."""
    there = make()
    span = span_of(there)
    done, seen = Counter(), {}
    for seed in walks:
        way = Walk(there, symbols, span, f"{name} {seed}")
        way.seen = seen
        for _ in range(ACTS):
            way.act()
        done += way.done
    assert not there.history()["differs"]
    compare_with_a_fresh_run(make, seen)
    printed = there.end()
    if not there.disks:     # which the machine has written
        assert printed == there.plain_output()
    return done


@pytest.fixture
def walk_bare(traveller, symbols):
    def make(name, walks):
        program, options = call(name, CASES[name])
        return walk(lambda: traveller(*program, **options), bare_symbols(symbols(program[0])), name, walks)
    return make


@pytest.fixture
def walk_jobs(jobs_traveller, disk):
    def make(name, walks):
        def words():
            return [word.replace(DISK, disk(1024)) if DISK in (word := str(one)) else word for one in JOBS[name]]
        return walk(lambda: jobs_traveller(*words()), jobs_symbols(words()), name, walks)
    return make


@pytest.mark.parametrize("name", CASES)
def test_walks(walk_bare, name):
    """Each place is what it is in a run that never went back."""
    assert walk_bare(name, range(3)).total() == 3 * ACTS


@pytest.mark.parametrize("name", JOBS)
def test_walks_under_glaze(walk_jobs, name):
    assert walk_jobs(name, range(3)).total() == 3 * ACTS


def test_back_across_shoot_downs(jobs_traveller, disk):
    """From the end to before the first page goes out, and on: each place is the same, and so are output and digest."""
    def make():
        return jobs_traveller(*(str(word).replace(DISK, disk(1024)) for word in JOBS["mapped pages that go out"]))
    there, other = make(), make()
    assert other.end() == (usual := other.plain_output())       # its disk is free now
    span, states = span_of(there), {}
    for part in (9, 2, 5, 3, 7, 1, 9, 5, 2, 7, 3):
        there.go_to(span * part // 10, part % 2)
        assert states.setdefault(part, there.state()) == there.state()
    assert not there.history()["differs"]
    assert there.end() == usual


@pytest.mark.long
@pytest.mark.timeout(LONG)
@pytest.mark.parametrize("words", [
    ("-n", 3, "--ni", "none", "--timeslice", 20_000, MESSAGELESS, "+", "null@100K", 500_000),
    ("-n", 3, "--timeslice", 20_000, "pingpong", 2, "+", "null@100K", 500_000)], ids=["without messages", "messages"])
def test_a_thousand_steps_change_nothing(jobs_traveller, words):
    """Single steps back and forward at random nodes: the run ends with the output and the digest of one without them."""
    there = jobs_traveller(*words)
    way = Walk(there, ((), ()), span_of(there), "steps")
    for number in range(STEPS):
        if number % STEPS_THERE == 0:
            way.seek()
        way.random.choice((way.step, way.back))(most=1)
        way.note()
    assert not there.history()["differs"]
    assert there.end() == there.plain_output()


MANY = range(3, 3 + -(-WALKS // (len(CASES) + len(JOBS))))


@pytest.mark.long
@pytest.mark.timeout(LONG)
@pytest.mark.parametrize("name", CASES)
def test_many_walks(walk_bare, name):
    walk_bare(name, MANY)


@pytest.mark.long
@pytest.mark.timeout(LONG)
@pytest.mark.parametrize("name", JOBS)
def test_many_walks_under_glaze(walk_jobs, name):
    walk_jobs(name, MANY)

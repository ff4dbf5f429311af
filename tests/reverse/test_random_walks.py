"""Random walks through a run, back and forth, compared with a machine that only goes forward."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from cases import Case, call, pick

from fugu.run import rsp as remote
from fugu.run.rsp import Stop

CASES = pick("backpressure", "dma", "atomicity", "traps", "second", "alltoall, small queues") | {
    "ring": Case(("rounds=8",), {"nodes": 4}),
    "alltoall": Case(("messages=20",), {"nodes": 4}),
    "alltoall, no cache": Case(("messages=20",), {"nodes": 3, "cache": False}),
}
WALKS = 1000            # of --long, over all cases
ACTS = 12               # of a walk


class Walk:
    """Goes at random through a run, and notes the state at each place."""

    def __init__(self, there, symbols, span, seed):
        self.there, self.client = there, there.client
        self.random = random.Random(seed)
        self.code = [(address, size) for address, size, kind in symbols.values() if kind in "tT"]
        self.data = [(address, size) for address, size, kind in symbols.values() if kind in "bBdD"]
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
        self.there.go_to(self.random.randrange(self.span), self.node())

    def step(self):
        """Steps a node, unless it waits: then the step might take for ever."""
        node = self.node()
        for _ in range(self.random.randrange(1, 8)):
            if "runs" in self.client.monitor(f"qom-get /machine/node[{node}] state"):
                assert self.client.step(node).signal in (remote.SIGTRAP, remote.SIGQUIT)

    def back(self):
        node = self.node()
        for _ in range(self.random.randrange(1, 8)):
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


def span_of(there):
    """The cycles of the whole run, from its end back."""
    assert there.client.run().signal == remote.SIGQUIT
    return there.place().cycle


def compare_with_a_fresh_run(fresh, seen):
    """Another machine goes forward through the places, and must have the same states."""
    for place, state in sorted(seen.items()):
        if place.node < fresh.nodes:        # not after the end
            fresh.come_to(place)
            assert fresh.state() == state
    assert fresh.history()["compared"] == 0         # it has passed no place twice


def walk(traveller, symbols, name, walks):
    program, options = call(name, CASES[name])
    there = traveller(*program, **options)
    span = span_of(there)
    done, seen = Counter(), {}
    for seed in walks:
        way = Walk(there, symbols(program[0]), span, f"{name} {seed}")
        way.seen = seen
        for _ in range(ACTS):
            way.act()
        done += way.done
    assert not there.history()["differs"]
    compare_with_a_fresh_run(traveller(*program, **options), seen)
    return done


@pytest.mark.parametrize("name", CASES)
def test_walks(traveller, symbols, name):
    """Each place is what it is in a run that never went back."""
    assert sum(walk(traveller, symbols, name, range(3)).values()) == 3 * ACTS


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_many_walks(traveller, symbols, name):
    walk(traveller, symbols, name, range(3, 3 + -(-WALKS // len(CASES))))

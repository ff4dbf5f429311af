"""The hub goes on alone while its peers have nothing to do. A script stands in for the only peer."""

import struct
from contextlib import contextmanager

import link_protocol as wire
import pytest

from fugu.abi import LINK_HUB

QUANTUM = 64
SPIN = ("spin", "waiters=1")        # node 0 runs for ever, the others wait
OPTIONS = {"nodes": 2, "processes": 2, "transport": "unix", "quantum": QUANTUM}
IDLE = 0                            # flags of a ROUND: no node runs


@contextmanager
def hub_of(begin, **options):
    """A connection to the hub of that machine, in the place of process 1."""
    with begin(SPIN, without=0, **OPTIONS, **options) as running:
        running.link.settimeout(20)
        params = wire.Link(running.link.accept()[0]).expect(wire.HELLO)[8 + wire.NONCE:]
    with begin(SPIN, without=1, **OPTIONS, **options) as running:
        link = wire.Link(running.link)
        wire.join(link, 1, params, running.secret)
        yield link


def meet(link, start, **fields):
    """Sends the ROUND that began at `start`. Returns the kind of the answer and the start in it."""
    link.send(wire.ROUND, wire.round_payload(start, **{"flags": IDLE} | fields))
    kind, payload = link.receive()
    return kind, struct.unpack(">q", payload[:8])[0] if kind in (wire.GO, wire.EARLY) else None


def test_hub_meets_idle_peers_from_time_to_time(begin):
    """Nothing is known of the peer in the first round, which the hub answers as usual. After that it meets the peer
    once in ALONE_MAX rounds and one."""
    with hub_of(begin) as link:
        assert meet(link, 0) == (wire.EARLY, QUANTUM)
        at = QUANTUM
        for _ in range(3):
            later = at + (LINK_HUB["ALONE_MAX"] + 1) * QUANTUM
            assert meet(link, at) == (wire.GO, later)
            at = later


@pytest.mark.parametrize("event", [10 * QUANTUM, 10 * QUANTUM + 1, 11 * QUANTUM - 1])
def test_peer_runs_the_round_of_its_next_event(begin, event):
    with hub_of(begin) as link:
        assert meet(link, 0) == (wire.EARLY, QUANTUM)
        assert meet(link, QUANTUM, upcoming=event) == (wire.GO, 10 * QUANTUM)
        assert meet(link, 10 * QUANTUM, flags=wire.BUSY)[1] == 11 * QUANTUM


def test_busy_peer_misses_no_round(begin):
    with hub_of(begin) as link:
        for number in range(5):
            assert meet(link, number * QUANTUM, flags=wire.BUSY)[1] == (number + 1) * QUANTUM


def test_peer_runs_the_last_round(begin):
    """The time limit is within the rounds that the hub runs alone."""
    last = 100
    with hub_of(begin, timeout=last * QUANTUM + 1) as link:
        assert meet(link, 0) == (wire.EARLY, QUANTUM)
        assert meet(link, QUANTUM) == (wire.GO, last * QUANTUM)
        assert meet(link, last * QUANTUM)[0] == wire.FINISH

"""What QEMU's monitor may read of a running machine. The monitor cannot change the machine's options."""

import contextlib
import json
import subprocess

import pytest
from qmp import Qmp

from fugu.abi import REGS

NODES = 4
ENDLESS = ("alltoall", "messages=100000000")
ROUNDS = "/machine/rounds"


@pytest.fixture
def monitored(line, tmp_path):
    """monitored() -> (process, monitor) of a running machine with an endless program."""
    with contextlib.ExitStack() as stack:
        def make():
            path = tmp_path / "qmp"
            words = line(*ENDLESS, nodes=NODES, more=("-qmp", f"unix:{path},server=on,wait=off"))
            process = stack.enter_context(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                                           stderr=subprocess.DEVNULL))
            stack.callback(process.kill)
            return process, Qmp(path)
        yield make


MOVING = [(ROUNDS, "flight"), *((f"/machine/node[{node}]", name) for node in range(NODES)
                                for name in ("state", "counters"))]


@pytest.mark.parametrize("path, name", MOVING)
def test_messages_can_be_read_only_when_stopped(monitored, path, name):
    """Lists of messages belong to the machine's thread while it runs, so they can be read only when it is stopped."""
    _, monitor = monitored()
    assert "stop it first" in monitor.refusal("qom-get", path=path, property=name)
    monitor.ask("stop")
    first = monitor.ask("qom-get", path=path, property=name)
    assert monitor.ask("qom-get", path=path, property=name) == first
    monitor.ask("cont")
    assert "stop it first" in monitor.refusal("qom-get", path=path, property=name)


def test_messages_in_flight_are_in_known_places(monitored):
    """A machine that is stopped often has messages in flight, each in a known place."""
    _, monitor = monitored()
    found = []
    for _ in range(1000):
        monitor.ask("stop")
        found += json.loads(monitor.ask("qom-get", path=ROUNDS, property="flight"))
        monitor.ask("cont")
        if len(found) > 20:
            break
    assert len(found) > 20
    assert {message["where"] for message in found} <= {"queue", "blocked", "mesh", "sent", "departing"}
    assert all(message["from"] < NODES and message["to"] < NODES for message in found)


def test_counters(monitored):
    """Of each GID that has counted anything. Here a program runs as a kernel, and takes messages as a kernel does."""
    _, monitor = monitored()
    counts: list[list[list[dict]]] = []
    for _ in range(1000):
        monitor.ask("stop")
        now = [json.loads(monitor.ask("qom-get", path=f"/machine/node[{node}]", property="counters"))
               for node in range(NODES)]
        monitor.ask("cont")
        if all(now):                    # else the machine has not started yet
            counts.append(now)
        if len(counts) == 2:
            break
    for first, second in zip(*counts, strict=True):
        [before], [after] = first, second
        assert set(before) == {"gid", *(name.lower() for name in REGS.group("METER_") if name not in ("COUNTERS", "GIDS"))}
        assert before["cycles"] <= after["cycles"]
        assert before["inserted"] <= after["inserted"]
        assert after == {**dict.fromkeys(after, 0), **{name: after[name] for name in ("cycles", "inserted")}}


OPTIONS = {
    "nodes": 1024, "quantum": 1, "mesh": "2x2", "mesh-base": 1, "mesh-hop": 1, "mesh-word": 1, "second-base": 1,
    "second-hop": 1, "second-word": 1, "input-queue": 65536, "source-space": 65536, "dma-word": 7, "atomicity": "soft",
    "packet-max": 8, "incoming-word": 2, "write-through": 3, "pin-cycles": 4,
    "cache": False, "cache-size": 4096, "cache-miss": 1, "node-ram": 1 << 30, "timeout": 1, "digest": True,
    "label": True, "network-interface": "other", "console": "other", "load": "other", "reporter": "other",
    "observe": "other", "progress": True,
    "processes": 64, "process": 63, "link": "unix:other",
    "transport": "tcp", "link-timeout": 1, "link-secret": "other", "link-quiet": True,
    "link-build": 7, "link-children": "7",
    "network-interface": "other", "raw": True, "output": "other", "output-max": 4096, "terminals": 7,
    "history": 1 << 20, "check": "mmu",
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options_cannot_be_changed(monitored, name):
    """The machine was built with its options, so none can change while it exists."""
    process, monitor = monitored()

    def value():
        return monitor.ask("qom-get", path="/machine", property=name)
    before = value()
    assert before != OPTIONS[name]
    assert f"{name} stays" in monitor.refusal("qom-set", path="/machine", property=name, value=OPTIONS[name])
    assert value() == before
    assert process.poll() is None


def test_all_options_are_tested(monitored):
    """OPTIONS has all options that this machine adds to QEMU's."""
    _, monitor = monitored()

    def names(kind):
        return {one["name"] for one in monitor.ask("qom-list-properties", typename=kind)}
    assert names("fugu-machine") - names("machine") - {"rounds"} == OPTIONS.keys()

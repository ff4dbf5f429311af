"""QEMU's stub refuses packets that make no sense or name something that does not exist, and goes on.

GDB sends no such packets, but another client may.
"""

from __future__ import annotations

import random

import pytest

from fugu.run import rsp as remote
from fugu.run.rsp import Ended, Stop

# Packets and the stub's answers. The machine has two nodes, which are processes 1 and 2.
REFUSED = {
    "bs": "E22", "bc": "E22", "b": "E22", "bx": "E22",                         # no history to go back in
    "D": "E22", "D;3e7": "E22", "vAttach;3e7": "E22",                          # no such process
    "vCont;c:p3e7.-1": "E22", "vCont;s:p3e7.-1": "E22", "vCont;c:p3e7.1": "E22", "vCont;c:p1.3e7": "E22",
    "Hgp3e7.1": "E22", "Hgp1.2": "E22", "Tp3e7.1": "E22", "qThreadExtraInfo,p3e7.1": "E22",
    "p3e7": "E14", "pffffffff": "E14", "p80000000": "E14", "p123456789abcdef0": "E14",     # no such register
    "Pffffffff=00000000": "E22", "P80000000=00000000": "E22", "Pfffffffffffffff0=00000000": "E22",
    "m0,ffffffff": "E22", "M0,4:00": "E22", "Z0": "E22", "z0,0": "E22", "P0": "E22",       # no operand, or a bad one
    "vCont;x": "", "vCont;": "", "vCont,": "", "vNothing": "", "qNothing": "", "QNothing": "", "j": "",
    "Z9,0,4": "", "z9,0,4": "", "qXfer:features:read:nothing.xml:0,4": "E00",
    "qXfer:features:read:target.xml:ffffff,4": "E00", "Qqemu.sstep=ff": "E22",
}

# Packets that are about a process, and first letters of packets that change or end the run.
OF_A_PROCESS = ["?", "g", "G00000000", "p0", "P0=00000000", "m0,4", "M40000000,1:00", "Z0,0,4", "z0,0,4", "c", "C5",
                "s", "bs", "bc", "F0", "qC", "qXfer:features:read:target.xml:0,4"]
NOT_AT_RANDOM = ("k", "vK", "vC", "c", "C", "s", "D", "M", "P", "G", "F", "Z", "qR")


def test_impossible_packets_are_refused(run, debug):
    """Each packet gets its answer, and the run ends as usual."""
    usual = run("ring", "rounds=8", nodes=2, digest=True)
    machine, client = debug("ring", "rounds=8", nodes=2)
    assert {packet: client.ask(packet) for packet in REFUSED} == REFUSED
    assert client.run() == Ended(0)
    assert machine.end() == 0
    assert machine.stdout == usual.stdout


def test_packets_without_a_process_are_refused(debug):
    """The machine goes on. Packets about a process are refused until one is attached again."""
    machine, client = debug("spin", nodes=2)
    client.expect_ok("D;1")
    client.expect_ok("D;2")
    client.socket.sendall(b"+\x03")        # acknowledges the answer, and stops the machine
    answers = {packet: client.ask(packet) for packet in OF_A_PROCESS}
    assert answers == dict.fromkeys(OF_A_PROCESS, "E01")
    assert client.ask("vAttach;2").startswith("T05thread:p02.02")
    assert client.register(1, remote.TBR) == 0
    client.go()
    assert client.interrupt() == Stop(remote.SIGINT, 1)


def test_interrupt_of_a_stopped_machine_is_kept(run, debug):
    """An interrupt that comes after a stop stops the machine as soon as it is resumed, once."""
    usual = run("ring", "rounds=8", nodes=2, digest=True)
    machine, client = debug("ring", "rounds=8", nodes=2)
    assert client.step(1).signal == remote.SIGTRAP
    pc = client.register(1, remote.PC)
    client.socket.sendall(b"\x03")
    assert client.run() == Stop(remote.SIGINT, 1)
    assert client.register(1, remote.PC) == pc
    assert client.run() == Ended(0)
    assert machine.end() == 0
    assert machine.stdout == usual.stdout


def noise(choose: random.Random) -> str:
    """A random packet, made of pieces of known packets, that cannot change or end the run."""
    pieces = [*REFUSED, *OF_A_PROCESS, "Hgp1.1", "Hcp-1.-1", "Hg0", "T1", "qsThreadInfo", "qfThreadInfo",
              "vMustReplyEmpty",
              "qSupported:x", "!", "p-1.-1", "-1", "0", "ffffffffffffffff", "p", ".", ",", ";", ":", "="]
    while True:
        packet = "".join(choose.choice(pieces)[:choose.randrange(1, 40)] for _ in range(choose.randrange(1, 4)))
        if not packet.startswith(NOT_AT_RANDOM):
            return packet


@pytest.mark.parametrize("seed", range(4))
def test_random_packets_change_nothing(run, debug, seed):
    """Some random packets get no answer; a known packet gets its answer after each of them."""
    usual = run("ring", "rounds=8", nodes=2, digest=True)
    machine, client = debug("ring", "rounds=8", nodes=2)
    choose = random.Random(seed)
    for _ in range(500):
        client.send(noise(choose))
        client.send("qqemu.sstepbits")
        while client.receive() != "ENABLE=1":
            pass
    client.selected = None
    assert client.run() == Ended(0)
    assert machine.end() == 0
    assert machine.stdout == usual.stdout

"""Watchpoints stop the machine when DMA reads or writes, as they do for loads and stores."""

from __future__ import annotations

from fugu.run import rsp as remote
from fugu.run.rsp import Ended, Rsp, Stop

CODE = 0x40080000                       # where the programs write code
MOV_O0 = 0x90102000                     # the instruction that ramcode writes, with a value to add


def word(client: Rsp, node: int, address: int) -> int:
    return int.from_bytes(client.read(node, address, 4), "big")


def watch(client: Rsp, node: int, kind: int, address: int) -> list[int]:
    """Sets a watchpoint and runs to the end. Returns what the word held at each stop."""
    client.insert(node, kind, address)
    held = []
    while not isinstance(stopped := client.run(), Ended):
        assert stopped == Stop(remote.SIGTRAP, node, address)
        held.append(word(client, node, address))
    return held


def test_watchpoint_sees_storebacks(run, debug):
    """`ramcode` changes a routine fifty times by a store and by a storeback."""
    usual = run("ramcode", nodes=2, digest=True)
    machine, client = debug("ramcode", nodes=2)
    expected = [MOV_O0 | value for k in range(50) for value in (1 + 7 * k, (1 + 7 * k) ^ 0x800)]
    assert watch(client, 1, remote.WATCH_WRITE, CODE + 4) == expected
    assert (machine.end(), machine.stdout) == (0, usual.stdout)


def test_watchpoint_sees_dispose(run, debug):
    """`rewrite` has pieces of code overwritten by storebacks and by the kernel's dispose."""
    usual = run("rewrite", nodes=1, digest=True)
    machine, client = debug("rewrite", nodes=1)
    distances, others = 41, 6
    built = distances + others + 2 * distances
    assert len(watch(client, 0, remote.WATCH_WRITE, CODE)) == built + 2 * distances
    assert (machine.end(), machine.stdout) == (0, usual.stdout)


def test_watchpoint_sees_a_body_being_read(run, debug, symbols):
    """Only DMA reads the second word of the body."""
    usual = run("ramcode", nodes=1, digest=True)
    machine, client = debug("ramcode", nodes=1)
    held = watch(client, 0, remote.WATCH_READ, symbols("ramcode")["code.0"][0] + 4)
    assert held == [MOV_O0 | (7 * k) ^ 0x800 for k in range(50)]
    assert (machine.end(), machine.stdout) == (0, usual.stdout)

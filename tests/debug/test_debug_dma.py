"""Watchpoints see what DMA writes and reads, as they see loads and stores."""

from __future__ import annotations

from fugu.run import rsp as remote
from fugu.run.rsp import Ended, Rsp, Stop

CODE = 0x40080000                       # where the programs write code
MOV_O0 = 0x90102000                     # what ramcode writes, plus a value


def word(client: Rsp, node: int, address: int) -> int:
    return int.from_bytes(client.read(node, address, 4), "big")


def watch(client: Rsp, node: int, kind: int, address: int) -> list[int]:
    """Runs to the end; what the word held at each stop."""
    client.insert(node, kind, address)
    held = []
    while not isinstance(stopped := client.run(), Ended):
        assert stopped == Stop(remote.SIGTRAP, node, address)
        held.append(word(client, node, address))
    return held


def test_storebacks(run, debug):
    """A routine that is changed by a store and by DMA in turn, fifty times."""
    usual = run("ramcode", nodes=2, digest=True)
    machine, client = debug("ramcode", nodes=2)
    expected = [MOV_O0 | value for k in range(50) for value in (1 + 7 * k, (1 + 7 * k) ^ 0x800)]
    assert watch(client, 1, remote.WATCH_WRITE, CODE + 4) == expected
    assert (machine.end(), machine.stdout) == (0, usual.stdout)


def test_dispose(run, debug):
    """rewrite builds pieces of code, and has some overwritten by storebacks and some by the kernel's dispose."""
    usual = run("rewrite", nodes=1, digest=True)
    machine, client = debug("rewrite", nodes=1)
    distances, others = 41, 6
    built = distances + others + 2 * distances
    assert len(watch(client, 0, remote.WATCH_WRITE, CODE)) == built + 2 * distances
    assert (machine.end(), machine.stdout) == (0, usual.stdout)


def test_bodies_are_read(run, debug, symbols):
    """The second word of the body is loaded by DMA alone."""
    usual = run("ramcode", nodes=1, digest=True)
    machine, client = debug("ramcode", nodes=1)
    held = watch(client, 0, remote.WATCH_READ, symbols("ramcode")["code.0"][0] + 4)
    assert held == [MOV_O0 | (7 * k) ^ 0x800 for k in range(50)]
    assert (machine.end(), machine.stdout) == (0, usual.stdout)

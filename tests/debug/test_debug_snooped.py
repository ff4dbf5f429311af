"""Watchpoints on pages whose stores a network interface snoops (--ni shrimp): each store stops the machine once, after it."""

import pytest
from test_debug_dma import watch

from fugu.run import rsp as remote

BURST, WORDS = 10000, 1024          # of tests/guest/shrimp/automatic.c: stores, words of a page


@pytest.mark.parametrize("word", [300, 1023])
def test_a_store_that_waits_stops_once(run, debug, symbols, word):
    """The FIFO is full from the 341st store on, so nearly all stores wait for room, and some await their turn."""
    usual = run("automatic", nodes=1, ni="shrimp", digest=True)
    machine, client = debug("automatic", nodes=1, ni="shrimp")
    held = watch(client, 0, remote.WATCH_WRITE, symbols("automatic")["out"][0] + 4 * word)
    burst = [value for value in range(word, BURST, WORDS)]
    start = held.index(burst[0])
    assert held[start:start + len(burst)] == burst
    assert (machine.end(), machine.stdout) == (0, usual.stdout)

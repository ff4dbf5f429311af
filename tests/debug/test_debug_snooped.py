"""Debuggers of a machine with SHRIMP's network interface: watchpoints on pages whose stores it snooped, and on what its
hardware reads and writes; looks and stores that must change nothing."""

import pytest
from test_debug_dma import watch, word

from fugu import abi
from fugu.run import rsp as remote
from fugu.run.rsp import Ended

BURST, WORDS = 10000, 1024          # of tests/guest/shrimp/automatic.c: stores, words of a page
REGS = abi.REGS
COMMANDS = REGS["COMMAND_OFFSET"]
LOOKS = [*(REGS["NI_USER_BASE"] + REGS[name] for name in ("U_SENT", "U_CREDITED")),
         *(REGS["NI_KERNEL_BASE"] + REGS[name] for name in ("K_PENDING", "K_OUT_WORDS", "K_ENGINE_LEFT", "K_NIPT_SPLIT"))]


@pytest.mark.parametrize("at", [300, 1023])
def test_a_store_that_waits_stops_once(run, debug, symbols, at):
    """The FIFO is full from the 341st store on, so nearly all stores wait for room, and some await their turn."""
    usual = run("automatic", nodes=1, ni="shrimp", digest=True)
    machine, client = debug("automatic", nodes=1, ni="shrimp")
    held = watch(client, 0, remote.WATCH_WRITE, symbols("automatic")["out"][0] + 4 * at)
    burst = list(range(at, BURST, WORDS))
    start = held.index(burst[0])
    assert held[start:start + len(burst)] == burst
    assert (machine.end(), machine.stdout) == (0, usual.stdout)


def test_hardware_that_reads_and_stores_stops(run, debug, symbols):
    """The engine reads the word with the page and with eight words; both updates store it."""
    usual = run("deliberate", nodes=1, ni="shrimp", digest=True)
    for array, kind in (("out", remote.WATCH_READ), ("in", remote.WATCH_WRITE)):
        machine, client = debug("deliberate", nodes=1, ni="shrimp")
        held = watch(client, 0, kind, symbols("deliberate")[array][0] + 4 * 512)
        assert [value for value in held if value] == [0x8200, 0x8001]       # the start of the program clears the array
        assert (machine.end(), machine.stdout) == (0, usual.stdout)


def test_a_look_changes_nothing(run, debug, symbols):
    """Here a packet is open: a load of U_SENT would close it. What a debugger stores to the page is not sent."""
    usual = run("automatic", nodes=1, ni="shrimp", digest=True)
    machine, client = debug("automatic", nodes=1, ni="shrimp")
    out, asked = (symbols("automatic")[name][0] for name in ("out", "asked"))
    client.insert(0, remote.WATCH_WRITE, out + 4 * 500)
    stops = 0
    while not isinstance(client.run(), Ended):
        stops += 1
        for address in LOOKS:
            word(client, 0, address)
        # An error, as long as the page is not mapped.
        client.ask(f"m{asked + COMMANDS:x},4")
        held = client.read(0, out + 4 * 1022, 4)
        client.expect_ok(f"M{out + 4 * 1022:x},4:{b'what'.hex()}")
        client.expect_ok(f"M{out + 4 * 1022:x},4:{held.hex()}")
    assert stops == 1 + 2 * ((BURST - 500) // WORDS + 1)
    assert (machine.end(), machine.stdout) == (0, usual.stdout)

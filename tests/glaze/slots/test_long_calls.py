"""How long a system call that takes long holds up messages. hold.c says what the program does."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

from fugu.abi import Header

TIMEOUT = 10_000            # cycles: the kernel's atomicity-timeout
ENTRY = Header("guest-os/kernel/machine/pending.h")["KERNEL_MOST"]
READ_MOST = 256             # bytes, docs/glaze.md
WAYS = ["write", "map", "count", "flush", "nothing", "read", "windows"]


def program():
    return built("glaze/slots/hold")


def held(result):
    """(cycles in the section, cycles of the longest call or trap, number of timeouts)."""
    found = re.search(r"held for (\d+) cycles, (\d+) at a time, (\d+) timeouts$", result.stdout, re.MULTILINE)
    assert found, result.report()
    return map(int, found.groups())


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("way", [*WAYS, "next"])
def test_section_of_calls_holds_up_a_message_for_the_timeout(machine, way, atomicity):
    """A message waits no longer than for a section that computes: the timeout, plus the call in which it expires."""
    cycles, longest, timeouts = held(machine(program(), "section", way, nodes=1, timeout="100M",
                                             atomicity=atomicity).check(0))
    assert timeouts == 1
    assert cycles < 2 * TIMEOUT + longest


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("way", WAYS)
def test_section_without_a_waiting_message_goes_on(machine, way, atomicity):
    """Without a waiting message, a section may call the kernel for any time."""
    cycles, _, timeouts = held(machine(program(), "free", way, nodes=1, timeout="100M", atomicity=atomicity).check(0))
    assert timeouts == 0 and cycles > 50 * TIMEOUT


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("after", [1000, 5000, 9000])
def test_handler_ends_in_time_whatever_interrupts_it(machine, after, atomicity):
    """While it runs, another job ends: the kernel then decides anew which process runs, and this one is alone. The timeout is
    for what the program does; what the kernel does meanwhile for the other job, an entry long at most, comes on top."""
    cycles, _, timeouts = held(machine(program(), "handler", 3_000_000, "+", program(), "end", 2, 3_000_000 + after,
                                       nodes=3, scheduler="none", timeout="100M", atomicity=atomicity).check(0))
    assert timeouts == 1
    assert TIMEOUT / 2 < cycles < TIMEOUT + ENTRY


def test_read_returns_while_input_goes_on(machine, tmp_path):
    """READ ends although input comes as fast as it is read."""
    script = tmp_path / "input"
    script.write_text("".join(f'0 {300_000 + k} "{"x" * 64}"\n' for k in range(300)))
    result = machine(program(), "read", 50_000, nodes=1, timeout="60M",
                     qemu_arg=["-global", f"fugu-console.script={script}"]).check(0)
    got, cycles = map(int, re.search(r"^read: (\d+) bytes in (\d+) cycles$", result.stdout, re.MULTILINE).groups())
    assert got == READ_MOST and cycles < 40 * READ_MOST

"""Arithmetic on the host's FPU gives the same results, traps and FSR as arithmetic in software.

`host-fpu=off` makes QEMU do all arithmetic in software.
"""

import re

import pytest
from qmp import Qmp

from fugu.run.rsp import BREAKPOINT, Ended

SOFTWARE = ("-global", "sparc-cpu.host-fpu=off")
NODES = 8
FSR = 70                # the stub's number of the register


def arithmetic(run, more, ops):
    done = run("arithmetic", f"ops={ops}", nodes=NODES, digest=True, more=more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def compare(run, ops):
    """Compares both kinds of arithmetic. Returns how many FSRs showed (inexact, exact, other) on all nodes."""
    host, software = arithmetic(run, (), ops), arithmetic(run, SOFTWARE, ops)
    assert host == software
    counts = re.findall(r"^node \d+: (\d+) inexact, (\d+) exact, (\d+) other$", host, re.MULTILINE)
    assert len(counts) == NODES
    return tuple(sum(map(int, column)) for column in zip(*counts, strict=True))


def test_host_computes_what_software_computes(run):
    """16,000 operations."""
    assert all(count > 500 for count in compare(run, 2000))


@pytest.mark.long
def test_ten_million_operations(run):
    assert all(count > 500_000 for count in compare(run, 1_250_000))


def test_debugger_reads_flags_that_no_program_has_read(debug, symbols, tmp_path):
    """GDB and QEMU's monitor see cexc and aexc after the last operation, before the program stores the FSR."""
    def read(*more):
        """The FSR at each stop."""
        path = tmp_path / f"qmp{len(more)}"
        machine, client = debug("arithmetic", "ops=200", nodes=1,
                                more=(*more, "-qmp", f"unix:{path},server=on,wait=off"))
        monitor = Qmp(path)
        client.insert(0, BREAKPOINT, symbols("arithmetic")["fpu_drain"][0])
        values = []
        while not isinstance(client.run(), Ended):
            values.append(client.register(0, FSR))
            shown = monitor.ask("human-monitor-command", **{"command-line": "print /x $fsr"})
            assert int(shown, 16) & 0xffffffff == values[-1]
            client.step(0)          # off the breakpoint
        assert machine.end() == 0
        return values
    host = read()
    assert host == read(*SOFTWARE)
    assert len({value & 0x1f for value in host}) > 3

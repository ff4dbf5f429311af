"""A message stub of the library that is interrupted after it has checked for wanted actions, and ends by TRAP_RETURN.

On this machine an interrupt can come there only if a page ends between the
check and TRAP_RETURN (docs/machine.md). The programs here are linked so that
one does.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from debugged import Debugged
from guest_programs import built

from fugu.abi import GLAZE
from fugu.commands import cc
from fugu.image import elf
from fugu.paths import ROOT, build_dir
from fugu.run import qemu_command as qemu_line
from fugu.run.parse import parse
from fugu.run.ready import boot_file
from fugu.run.rsp import BREAKPOINT, O0, Ended

L1 = 17
PAGE = GLAZE["PAGE"]
STOPS_MAX = 20_000
PAGES = 877                 # for `arrivals`: most of the node's memory
MISSES = (10, 12, 7, 5, 15, 14, 9, 11, 8, 13, 6, *range(16, 30))        # cycles of a cache miss: each another timing
SOURCES = ROOT / "tests" / "libos" / "interrupted"


@dataclass(frozen=True)
class Program:
    """A program, with addresses in the last part of its message stub."""

    path: Path
    look: int                   # the load that checks what is wanted
    rest: int                   # the first instruction of the next page
    trap: int                   # TRAP_RETURN
    fault_stub: int

    def interrupted(self, pc: int) -> bool:
        """Whether the stub at `pc` has made the check and not yet returned."""
        return self.look < pc <= self.trap


def load(path: Path) -> Program:
    found = elf.read(path, path.read_bytes())
    return Program(path, *(found.symbol(name) for name in ("stub_look", "stub_return", "stub_trap",
                                                           "fault_stub")))


@pytest.fixture
def link(tmp_path):
    """link(name) -> Program: one of tests/libos, linked so that a page ends between the check and the trap."""
    def make(name):
        skip = -load(built(f"libos/{name}")).rest % PAGE
        path = tmp_path / f"{name}.elf"
        words = [str(SOURCES / f"{name}.c"), str(SOURCES / "ends_code.S"), f"-I{SOURCES.parent}", f"-DSKIP={skip}",
                 "-o", str(path)]
        subprocess.run(cc.command(Path(os.environ["FUGU_TOOLCHAIN_PREFIX"]), words, build_dir()), check=True)
        program = load(path)
        assert program.rest % PAGE == 0
        return program
    return make


KINDS = 7                   # of handlers that ends.c lets interrupt the stub


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_stub_interrupted_by_a_message(machine, link, atomicity):
    """Another handler interrupts the stub, puts FPU values into its frame, and makes threads ready."""
    program = link("ends")
    result = machine(program.path, hex(program.look), hex(program.trap), nodes=1, timeout="200M", atomicity=atomicity)

    assert "FAIL" not in result.stdout, result.report()
    result.check(0)
    came = [int(count) for count in re.findall(r"^ok .*; (\d+) past the look$", result.stdout, re.MULTILINE)]
    assert len(came) == KINDS and min(came) > 0, result.report()
    anywhere = len(re.findall(r"^ok .*; at the look \+ \d+$", result.stdout, re.MULTILINE))
    assert anywhere == KINDS * ((program.trap - program.look) // 4 + 1), result.report()


def arrivals(program: Program, miss: int, atomicity: str, disk: str, stub: Path) -> int:
    """Runs `arrivals`, and counts the pages that arrive while a stub is between its check and its return.

    A client of GDB's protocol sees where each page interrupts; `stub` is the path of its socket.
    """
    run = parse(["--nodes=1", "--ram=4M", f"--disk=0={disk}", f"--atomicity={atomicity}",
                 f"--cache-miss={miss}", "--timeout=1000M", "--",
                 str(program.path), str(PAGES), "+", str(program.path), "hog", str(PAGES)])
    image = boot_file(run, build_dir(), os.environ["FUGU_TOOLCHAIN_PREFIX"])
    machine = Debugged(qemu_line.command(os.environ["FUGU_QEMU"], image, run), stub, 1)
    try:
        rsp = machine.connect(stub)
        rsp.insert(0, BREAKPOINT, program.fault_stub)
        came = 0
        for _ in range(STOPS_MAX):
            if isinstance(rsp.run(), Ended):
                break
            came += rsp.register(0, O0) == 0 and program.interrupted(rsp.register(0, L1))
            rsp.remove(0, BREAKPOINT, program.fault_stub)
            rsp.step(0)
            rsp.insert(0, BREAKPOINT, program.fault_stub)
        else:
            pytest.fail(f"the machine stopped {STOPS_MAX} times and did not end")
        status = machine.end()
    finally:
        machine.kill()
    report = machine.stdout + machine.stderr
    assert "FAIL" not in report and status == 0, report
    return came


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_stub_interrupted_by_a_page(link, disk, tmp_path, atomicity):
    """A page that arrives interrupts the stub and makes a thread ready.

    In a run, some hundreds of pages arrive. Whether one of them arrives while the stub is at that place depends on each
    cycle of the kernel. So the test makes runs of other timings until a page has arrived there.
    """
    program = link("arrivals")
    assert any(arrivals(program, miss, atomicity, disk(4096), tmp_path / f"gdb{miss}") for miss in MISSES)

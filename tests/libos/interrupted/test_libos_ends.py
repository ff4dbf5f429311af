"""No page ends within a message stub of the library.

On this machine an interrupt can come between the stub's check for wanted actions and
its TRAP_RETURN only if a page ends there (docs/machine.md). The stub begins at a
multiple of 256 (guest-os/include/section.h) and is shorter than that, so none does,
wherever a program's stubs lie.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from guest_programs import built

from fugu.abi import GLAZE
from fugu.commands import cc
from fugu.image import elf
from fugu.paths import ROOT, build_dir

STUB = ("trapping_stub", "stub_look", "stub_return", "stub_trap")
UNIT = 256
SOURCES = ROOT / "tests" / "libos" / "interrupted"


def places(path: Path) -> list[int]:
    found = elf.read(path, path.read_bytes())
    return [found.symbol(name) for name in STUB]


@pytest.mark.parametrize("skip", [0, 4, 200, 252, 3900, GLAZE["PAGE"] - 4])
def test_stub_lies_in_a_page(tmp_path, skip):
    """Code before the stubs moves them by whole units."""
    path = tmp_path / "moved.elf"
    words = [str(SOURCES / "returns.c"), str(SOURCES / "returns_code.S"), str(SOURCES / "ends_code.S"), f"-I{ROOT / 'tests' / 'glaze' / 'lib'}",
             f"-DSKIP={skip}", "-o", str(path)]
    subprocess.run(cc.command(Path(os.environ["FUGU_TOOLCHAIN_PREFIX"]), words, build_dir()), check=True)
    stub, *inside = places(path)
    assert stub % UNIT == 0
    assert all(stub < place < stub + UNIT for place in inside)
    assert stub >= places(built("libos/returns"))[0]

"""Fixtures of the certifier's tests: programs made of assembly."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fugu.paths import ROOT

# A program of handlers alone.
REST = "\n        .text\n        .global main\nmain:   retl\n         nop\n"


@pytest.fixture(scope="session")
def assembled(cross: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """assembled(text) -> the ELF file of a program for Glaze with this assembly."""
    def make(text: str) -> Path:
        folder = tmp_path_factory.mktemp("certify")
        (folder / "my.S").write_text(text + REST)
        subprocess.run([cross("gcc"), "-mcpu=v7", "-nostdlib", f"-I{ROOT / 'guest-os' / 'include'}", f"-I{ROOT / 'hw'}",
                        "-T", ROOT / "guest-os" / "libos" / "program.ld", "-Wl,-e,main,--fatal-warnings",
                        folder / "my.S", "-o", folder / "my.elf"], check=True)
        return folder / "my.elf"
    return make


@pytest.fixture(scope="session")
def stock(assembled: Callable[[str], Path]) -> Path:
    """The program with the usual handlers."""
    return assembled((Path(__file__).parent / "handlers.S").read_text())

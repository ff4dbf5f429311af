"""Runs of QEMU with a command line that tests can change beyond the options of run.sh."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fugu.run import qemu_command as qemu_line
from fugu.run.parse import Run


@pytest.fixture(scope="session")
def line() -> Callable[..., list[str]]:
    """line(program, *args, accel="", more=(), nodes=4, ...) -> QEMU's command line.

    `accel` is appended to the accelerator's options, `more` to the command
    line. Options go to QEMU without the launcher's checks.
    """
    def make(program: str | Path, *args: object, accel: str = "", more: tuple[str, ...] = (),
             **options: Any) -> list[str]:
        kernel = program if isinstance(program, Path) else Path(os.environ["FUGU_GUEST_DIR"], f"{program}.elf")
        run = Run({key.replace("_", "-"): value for key, value in options.items()}, args=[*map(str, args)])
        words = qemu_line.command(os.environ["FUGU_QEMU"], kernel, run)
        words[words.index("-accel") + 1] += accel
        return [*words, *more]
    return make


@pytest.fixture(scope="session")
def run(line: Callable[..., list[str]]) -> Callable[..., subprocess.CompletedProcess[str]]:
    """run(program, ...) -> the ended process that line(program, ...) starts."""
    def end(*args: Any, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(line(*args, **options), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=300)
    return end


@pytest.fixture(scope="session")
def digest_of() -> Callable[[str], str]:
    """digest_of(stdout) -> the digest on the last line."""
    def find(stdout: str) -> str:
        found = re.fullmatch(r"digest: ([0-9a-f]{16})", stdout.rstrip().rpartition("\n")[2])
        assert found, stdout
        return found[1]
    return find


@pytest.fixture
def busy_host() -> Iterator[None]:
    """Runs two processes for each core that only use processor time."""
    burners = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"])
               for _ in range(2 * (os.cpu_count() or 1))]
    yield
    for burner in burners:
        burner.kill()
        burner.wait()

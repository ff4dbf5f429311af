"""Machines that a client of GDB's remote protocol stops and reads.

The client speaks with QEMU's stub directly, so that tests can do what GDB
would not do.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fugu.run.rsp import BOUND, Rsp

Symbols = dict[str, tuple[int, int, str]]


class Debugged:
    """A machine that waits for a client before its first instruction."""

    def __init__(self, command: list[str], path: Path, nodes: int) -> None:
        self.process = subprocess.Popen([*command, "-S", "-gdb", f"unix:{path},server=on,wait=off"],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, errors="replace")
        self.nodes = nodes
        self.stdout = self.stderr = ""

    def connect(self, path: Path) -> Rsp:
        """Attaches to all nodes."""
        rsp = Rsp(path)
        rsp.attach(range(self.nodes))
        return rsp

    def end(self) -> int:
        """Waits for the end. Returns QEMU's status."""
        self.stdout, self.stderr = self.process.communicate(timeout=BOUND)
        return self.process.returncode

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


@pytest.fixture
def debug(line: Callable[..., list[str]], tmp_path: Path) -> Iterator[Callable[..., tuple[Debugged, Rsp]]]:
    """debug(program, *args, nodes=N) -> (machine, client), before the first instruction."""
    machines = []

    def start(program: str, *args: object, **options: Any) -> tuple[Debugged, Rsp]:
        path = tmp_path / f"gdb{len(machines)}"
        machine = Debugged(line(program, *args, digest=True, **options), path, options.get("nodes", 8))
        machines.append(machine)
        return machine, machine.connect(path)
    yield start
    for machine in machines:
        machine.kill()


@pytest.fixture(scope="session")
def symbols(cross: Callable[[str], str], guest_dir: Path) -> Callable[[str], Symbols]:
    """symbols(program) -> {name: (address, size, kind)} of its functions and data."""
    def read(program: str) -> Symbols:
        listed = subprocess.run([cross("nm"), "-S", "--defined-only", guest_dir / f"{program}.elf"],
                                capture_output=True, text=True, check=True).stdout
        found = re.findall(r"^([0-9a-f]{8}) ([0-9a-f]{8}) (\w) (\S+)$", listed, re.MULTILINE)
        return {name: (int(address, 16), int(size, 16), kind) for address, size, kind, name in found}
    return read

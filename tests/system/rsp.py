"""A machine that a client of GDB's remote protocol stops at will.

The client speaks with QEMU's stub directly, so that tests can do what GDB
itself never would.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from fugu.rsp import BOUND, Rsp


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
        """Waits for the end, and returns QEMU's status."""
        self.stdout, self.stderr = self.process.communicate(timeout=BOUND)
        return self.process.returncode

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

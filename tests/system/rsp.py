"""A small client of GDB's remote protocol, and a machine that it stops at will.

It speaks with QEMU's stub directly, so that tests can do what GDB itself
never would, and know exactly what was asked. Node k is thread pK.K, K = k + 1.
"""

from __future__ import annotations

import re
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

BOUND = 60.0        # seconds of host time that anything may take

# Numbers of registers, as the target description has them.
O0, SP, PSR, TBR, PC, NPC = 8, 14, 65, 67, 68, 69

BREAKPOINT = 0
WATCH_WRITE, WATCH_READ, WATCH_ACCESS = 2, 3, 4
SIGINT, SIGTRAP, SIGIO = 2, 5, 23


@dataclass(frozen=True)
class Stop:
    """Why the machine stands: a signal of a node, and the watched address."""

    signal: int
    node: int
    watched: int | None = None


@dataclass(frozen=True)
class Ended:
    """The machine has come to its end, with this status if the stub had a chance to say so."""

    status: int | None


class Gone(Exception):
    """The machine was at its end when it was stopped: the stub has hung up."""


class Rsp:
    """A connection to QEMU's stub."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(BOUND)
        deadline = time.monotonic() + BOUND
        while True:
            try:
                self.socket.connect(str(path))
                break
            except (FileNotFoundError, ConnectionRefusedError):
                assert time.monotonic() < deadline, "QEMU does not listen"
                time.sleep(0.01)
        self.buffer = b""
        self.said: list[str] = []       # what the stub has told the user
        self.selected: int | None = None
        self.features = self.ask("qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+")
        assert "multiprocess+" in self.features

    # ---- packets ----

    def send(self, body: str) -> None:
        """Sends one packet. Gone."""
        data = body.encode()
        try:
            self.socket.sendall(b"$%s#%02x" % (data, sum(data) & 0xFF))
        except BrokenPipeError:
            raise Gone from None

    def receive(self) -> str:
        """The next packet. Gone."""
        while not (found := re.search(rb"\$([^#]*)#..", self.buffer)):
            try:
                data = self.socket.recv(65536)
            except ConnectionResetError:
                data = b""
            if not data:
                raise Gone
            self.buffer += data
        self.buffer = self.buffer[found.end():]
        return found[1].decode("latin-1")

    def ask(self, body: str) -> str:
        """Sends a packet and returns the answer."""
        self.send(body)
        return self.receive()

    def expect_ok(self, body: str) -> None:
        answer = self.ask(body)
        assert answer == "OK", (body, answer)

    # ---- nodes ----

    def attach(self, nodes: range) -> None:
        """Attaches to these nodes; the first one is the stub's own doing."""
        for node in nodes:
            if node:
                assert self.ask(f"vAttach;{node + 1:x}").startswith("T05")
        self.selected = None

    def select(self, node: int) -> None:
        """What follows is about this node."""
        if self.selected != node:
            self.expect_ok(f"Hgp{node + 1:x}.{node + 1:x}")
            self.selected = node

    def register(self, node: int, number: int) -> int:
        """The value of a register."""
        self.select(node)
        return int(self.ask(f"p{number:x}"), 16)

    def read(self, node: int, address: int, length: int) -> bytes:
        """Memory, as the node's processor would see it."""
        self.select(node)
        answer = self.ask(f"m{address:x},{length:x}")
        assert not answer.startswith("E"), answer
        return bytes.fromhex(answer)

    def insert(self, node: int, kind: int, address: int, length: int = 4) -> None:
        """Sets a breakpoint or watchpoint in one node."""
        self.select(node)
        self.expect_ok(f"Z{kind},{address:x},{length:x}")

    def remove(self, node: int, kind: int, address: int, length: int = 4) -> None:
        """Takes it out again."""
        self.select(node)
        self.expect_ok(f"z{kind},{address:x},{length:x}")

    # ---- going on ----

    def go(self, actions: str = "c") -> None:
        """vCont; the machine runs until it stops by itself or stop() is called."""
        self.selected = None
        self.send(f"vCont;{actions}")

    def wait(self) -> Stop | Ended:
        """Why it has stopped."""
        while (answer := self.receive()).startswith("O"):
            self.said.append(bytes.fromhex(answer[1:].rstrip("\0")).decode(errors="replace").rstrip("\0"))
        if found := re.match(r"W([0-9a-f]{2})", answer):
            return Ended(int(found[1], 16))
        found = re.match(r"T([0-9a-f]{2})thread:p([0-9a-f]+)\.[0-9a-f]+;(?:[ra]?watch:([0-9a-f]+);)?", answer)
        assert found, answer
        return Stop(int(found[1], 16), int(found[2], 16) - 1, int(found[3], 16) if found[3] else None)

    def run(self, actions: str = "c") -> Stop | Ended:
        """Goes on, and waits for the next stop."""
        self.go(actions)
        return self.wait()

    def interrupt(self) -> Stop | Ended:
        """Control-C. The machine may have stopped, or ended, by itself just before."""
        try:
            self.socket.sendall(b"\x03")
        except BrokenPipeError:
            pass
        return self.wait()

    def step(self, node: int, others: bool = True) -> Stop | Ended:
        """One instruction of one node; `others` says whether GDB lets the others run."""
        return self.run(f"s:p{node + 1:x}.{node + 1:x}" + (";c" if others else ""))


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

"""A small client of GDB's remote protocol, for QEMU's stub.

It stops the machine at will and looks at it, and knows exactly what it has
asked for. Node k is thread pK.K, K = k + 1. What it does changes nothing in a
run (docs/debugging.md).
"""

from __future__ import annotations

import re
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import SetupError

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
                if time.monotonic() > deadline:
                    raise SetupError(f"QEMU does not listen at {path} after {BOUND:.0f} seconds.") from None
                time.sleep(0.01)
        self.buffer = b""
        self.said: list[str] = []       # what the stub has told the user
        self.selected: int | None = None
        self.features = self.ask("qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+")
        _check("multiprocess+" in self.features, "qSupported", self.features)

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
        _check(answer == "OK", body, answer)

    # ---- nodes ----

    def attach(self, nodes: range) -> None:
        """Attaches to these nodes; the first one is the stub's own doing."""
        for node in nodes:
            if node:
                answer = self.ask(f"vAttach;{node + 1:x}")
                _check(answer.startswith("T05"), "vAttach", answer)
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
        _check(not answer.startswith("E"), f"m{address:x}", answer)
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
        if not found:
            raise SetupError(f"QEMU's stub says {answer!r} instead of why the machine stands.")
        return Stop(int(found[1], 16), int(found[2], 16) - 1, int(found[3], 16) if found[3] else None)

    def run(self, actions: str = "c") -> Stop | Ended:
        """Goes on, and waits for the next stop."""
        self.go(actions)
        return self.wait()

    def interrupt(self) -> Stop | Ended:
        """Control-C. The machine may have stopped, or ended, by itself just before."""
        with suppress(BrokenPipeError):
            self.socket.sendall(b"\x03")
        return self.wait()

    def step(self, node: int, others: bool = True) -> Stop | Ended:
        """One instruction of one node; `others` says whether GDB lets the others run."""
        return self.run(f"s:p{node + 1:x}.{node + 1:x}" + (";c" if others else ""))


def _check(good: bool, asked: str, answer: str) -> None:
    """SetupError if the stub has answered something else than it does."""
    if not good:
        raise SetupError(f"QEMU's stub answers {answer!r} to {asked!r}.")

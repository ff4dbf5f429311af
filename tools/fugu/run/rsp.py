"""A small client of GDB's remote protocol, for QEMU's stub.

It stops the machine at any time and reads its state. Unlike GDB, it sends only
the packets that its caller asks for. Node k is thread pK.K, K = k + 1. None of
its requests changes a run (docs/debugging.md).
"""

from __future__ import annotations

import re
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import FuguError, SetupError

BOUND = 60.0        # seconds of host time that an answer may take

# Numbers of registers in the stub's target description.
O0, SP, PSR, TBR, PC, NPC = 8, 14, 65, 67, 68, 69

PART = 0x800        # bytes of memory that the stub gives at once

BREAKPOINT = 0
WATCH_WRITE, WATCH_READ, WATCH_ACCESS = 2, 3, 4
SIGINT, SIGQUIT, SIGTRAP, SIGIO = 2, 3, 5, 23


@dataclass(frozen=True)
class Stop:
    """Why the machine stopped: a node's signal and, for a watchpoint, the address."""

    signal: int
    node: int
    watched: int | None = None
    begin: bool = False             # the machine went back to where its history begins, and found nothing


@dataclass(frozen=True)
class Ended:
    """The machine has ended. The status is None if the stub could not send it."""

    status: int | None


class Gone(FuguError):
    """The stub has closed the connection: the machine ended before it could be stopped."""

    def __init__(self) -> None:
        super().__init__("QEMU has ended: the connection to its stub is closed.")


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
        self.said: list[str] = []       # the stub's messages for the user
        self.selected: int | None = None
        self.late = False               # an interrupt came after a stop: the stub keeps it for the next go()
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
        """Attaches to these nodes, except node 0, which the stub attaches by itself."""
        for node in nodes:
            if node:
                answer = self.ask(f"vAttach;{node + 1:x}")
                _check(answer.startswith("T05"), "vAttach", answer)
        self.selected = None

    def select(self, node: int) -> None:
        """Makes a node the one that the following requests are about."""
        if self.selected != node:
            self.expect_ok(f"Hgp{node + 1:x}.{node + 1:x}")
            self.selected = node

    def register(self, node: int, number: int) -> int:
        """The value of a register."""
        self.select(node)
        return int(self.ask(f"p{number:x}"), 16)

    def read(self, node: int, address: int, length: int) -> bytes:
        """Memory as the node's processor sees it."""
        self.select(node)
        data = b""
        while len(data) < length:
            at, part = address + len(data), min(length - len(data), PART)
            answer = self.ask(f"m{at:x},{part:x}")
            _check(not answer.startswith("E"), f"m{at:x}", answer)
            data += bytes.fromhex(answer)
        return data

    def insert(self, node: int, kind: int, address: int, length: int = 4) -> None:
        """Sets a breakpoint or watchpoint in one node."""
        self.select(node)
        self.expect_ok(f"Z{kind},{address:x},{length:x}")

    def remove(self, node: int, kind: int, address: int, length: int = 4) -> None:
        """Removes a breakpoint or watchpoint."""
        self.select(node)
        self.expect_ok(f"z{kind},{address:x},{length:x}")

    # ---- running ----

    def go(self, actions: str = "c") -> None:
        """Sends vCont. The machine runs until it stops by itself or interrupt() is called."""
        self.selected = None
        if self.late:
            self.late = False
            self.send("vCont;c")
            self.wait()
        self.send(f"vCont;{actions}")

    def wait(self) -> Stop | Ended:
        """Waits for the machine to stop, and returns why it did."""
        while (answer := self.receive()).startswith("O"):
            self.said.append(bytes.fromhex(answer[1:].rstrip("\0")).decode(errors="replace").rstrip("\0"))
        if found := re.match(r"W([0-9a-f]{2})", answer):
            return Ended(int(found[1], 16))
        found = re.match(r"T([0-9a-f]{2})thread:p([0-9a-f]+)\.[0-9a-f]+;(?:[ra]?watch:([0-9a-f]+);)?(replaylog:begin;)?",
                         answer)
        if not found:
            raise SetupError(f"QEMU's stub says {answer!r} instead of why the machine has stopped.")
        return Stop(int(found[1], 16), int(found[2], 16) - 1, int(found[3], 16) if found[3] else None,
                    bool(found[4]))

    def run(self, actions: str = "c") -> Stop | Ended:
        """Lets the machine run, and waits for the next stop."""
        self.go(actions)
        return self.wait()

    def interrupt(self) -> Stop | Ended:
        """Control-C. Returns why the machine stopped: it may have stopped or ended by itself just before."""
        with suppress(BrokenPipeError):
            self.socket.sendall(b"\x03")
        stop = self.wait()
        self.late = isinstance(stop, Stop) and stop.signal != SIGINT
        return stop

    def step(self, node: int, others: bool = True) -> Stop | Ended:
        """Executes one instruction on one node. With `others`, the other nodes may run meanwhile."""
        return self.run(f"s:p{node + 1:x}.{node + 1:x}" + (";c" if others else ""))


    def back(self, node: int | None = None) -> Stop | Ended:
        """Goes back: one instruction of the node, or without a node to the last breakpoint or watchpoint."""
        self.selected = None
        if node is None:
            self.send("bc")
        else:
            self.expect_ok(f"Hcp{node + 1:x}.{node + 1:x}")
            self.send("bs")
        return self.wait()

    def monitor(self, command: str) -> str:
        """What QEMU's monitor answers to a command, without blanks around it."""
        self.send(f"qRcmd,{command.encode().hex()}")
        said = b""
        while (answer := self.receive()) != "OK":
            said += bytes.fromhex(answer[1:])
        return said.decode().strip()


def _check(good: bool, asked: str, answer: str) -> None:
    """Raises SetupError if the stub's answer is not the expected one."""
    if not good:
        raise SetupError(f"QEMU's stub answers {answer!r} to {asked!r}.")

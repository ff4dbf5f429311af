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
INTERRUPT = 10.0    # and that the machine may take to stop when it is told to

# Numbers of registers in the stub's target description.
O0, SP, PSR, TBR, PC, NPC = 8, 14, 65, 67, 68, 69

RESUMES = ("vCont;", "bc", "bs")        # how packets begin that let the machine run
STOPS = (b"T", b"W")                    # and those that say that it has stopped

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
        self.running = False            # a stop is to come
        self.patience = BOUND           # seconds that wait() waits
        self.sent = self.received = 0   # packets
        self.last = b""                 # that was received
        self.features = self.ask("qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+")
        _check("multiprocess+" in self.features, "qSupported", self.features)

    # ---- packets ----

    def send(self, body: str) -> None:
        """Sends one packet. Gone."""
        data = body.encode()
        packet = b"$%s#%02x" % (data, sum(data) & 0xFF)
        resumes = body.startswith(RESUMES)
        try:
            # A signal's handler does not run from here to the call, nor after it without the marks.
            self.running = resumes
            self.sent += 1
            self.socket.sendall(packet)
        except BrokenPipeError:
            self.running = False
            raise Gone from None

    def receive(self) -> str:
        """The next packet. Gone."""
        while not (found := re.search(rb"\$([^#]*)#..", self.buffer)):
            try:
                data = self.socket.recv(65536, socket.MSG_PEEK)
            except ConnectionResetError:
                data = b""
            if not data:
                raise Gone
            # A signal's handler may run behind each call, and its exception loses what the call returns: the data stay
            # in the socket until the buffer has them.
            count, take = len(data), self.socket.recv
            self.buffer += data
            take(count)
        end, stops = found.end(), found[1].startswith(STOPS)
        # No call, so no signal's handler, comes between these.
        self.buffer = self.buffer[end:]
        self.received += 1
        self.last = found[1]
        if stops:
            self.running = False
        return found[1].decode("latin-1")

    def ask(self, body: str) -> str:
        """Sends a packet and returns the answer. An exception from outside, such as KeyboardInterrupt, leaves no answer
        behind that the next request would take for its own."""
        sent, received = self.sent, self.received
        try:
            self.send(body)
            return self.receive()
        except (FuguError, TimeoutError):
            raise
        except BaseException:
            if self.sent > sent and self.received == received:
                self.receive()
            raise

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
        self.take_late()
        self.send(f"vCont;{actions}")

    def take_late(self) -> None:
        """Lets the stub use up an interrupt that came after a stop. The machine stays where it is."""
        if self.late:
            self.late = False
            self.send("vCont;c")
            self.wait()

    def wait(self) -> Stop | Ended:
        """Waits for the machine to stop, and returns why it did. TimeoutError if it runs on."""
        self.socket.settimeout(self.patience)
        try:
            while (answer := self.receive()).startswith("O"):
                self.said.append(bytes.fromhex(answer[1:].rstrip("\0")).decode(errors="replace").rstrip("\0"))
        finally:
            self.socket.settimeout(BOUND)
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
        self.patience = INTERRUPT
        try:
            stop = self.wait()
        except TimeoutError:
            # It came between a stop and its report, which the stub then forgets. It has kept the interrupt.
            self.patience = BOUND
            self.send("vCont;c")
            return self.wait()
        finally:
            self.patience = BOUND
        self.late = isinstance(stop, Stop) and stop.signal != SIGINT
        return stop

    def step(self, node: int, others: bool = True) -> Stop | Ended:
        """Executes one instruction on one node. With `others`, the other nodes may run meanwhile."""
        return self.run(f"s:p{node + 1:x}.{node + 1:x}" + (";c" if others else ""))

    def back(self, node: int | None = None) -> Stop | Ended:
        """Goes back: one instruction of the node, or without a node to the last breakpoint or watchpoint."""
        self.selected = None
        self.take_late()
        if node is None:
            self.send("bc")
        else:
            self.expect_ok(f"Hcp{node + 1:x}.{node + 1:x}")
            self.send("bs")
        return self.wait()

    def monitor(self, command: str) -> str:
        """What QEMU's monitor answers to a command, without blanks around it."""
        said = b""
        sent, received = self.sent, self.received
        try:
            self.send(f"qRcmd,{command.encode().hex()}")
            while (answer := self.receive()) != "OK":
                said += bytes.fromhex(answer[1:])
        except (FuguError, TimeoutError):
            raise
        except BaseException:               # as in ask()
            while self.sent > sent and (self.received == received or self.last != b"OK"):
                self.receive()
            raise
        return said.decode().strip()


def _check(good: bool, asked: str, answer: str) -> None:
    """Raises SetupError if the stub's answer is not the expected one."""
    if not good:
        raise SetupError(f"QEMU's stub answers {answer!r} to {asked!r}.")

"""A machine that a script stops, reads, and takes on or back.

It is the machine of `./run.sh debug`, with the script in GDB's place: nothing that a script reads or waits for changes
the run (docs/debugging.md).
"""

from __future__ import annotations

import atexit
import json
import os
import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from socket import socketpair
from types import TracebackType
from typing import Any

from ..errors import FuguError, SetupError, UsageError
from ..host import children, scratch
from ..options import types
from ..report.memory import Memory, Missing
from ..run import monitor, parse, qemu_command, ready, rsp
from . import whole
from .symbols import NotThere, Symbols

PATIENCE = 60.0             # seconds of host time that the machine may take to reach a place
HISTORY = "512M"            # memory for going back, as for ./run.sh debug
HISTORY_MAX = 1 << 40
CLOCK_BITS = 64             # of a node's time
STEP = 10_000               # cycles between two looks at the output
REGISTERS = tuple(f"{kind}{number}" for kind in "goli" for number in range(8))
CONTROL = {"y": 64, "psr": 65, "wim": 66, "tbr": 67, "pc": 68, "npc": 69}
WORD = 4                    # bytes
SHOWN = 2000                # letters of the output, at the end of a message
ROUNDS = "/machine/rounds"


@dataclass(frozen=True)
class Place:
    """Where the machine is: the node whose turn it is, its local time in cycles, and the cycle that its round began with.

    The nodes of a round take their turns one after the other, so the others' times differ by part of a round. Behind the
    last turn of a round, `node` is the number of nodes.
    """

    node: int
    cycle: int
    round: int


@dataclass(frozen=True)
class Message:
    """A message that no node has taken yet."""

    sender: int
    receiver: int
    network: int            # 0: the programs'; 1: the kernels'
    words: tuple[int, ...]  # header, handler, arguments
    body: int               # bytes that follow by DMA
    launched: int           # cycle of the sender
    arrives: int | None     # cycle of the receiver; None: it is not routed before the round's end
    where: str              # "queue", "blocked", "mesh", "sent", or "departing"


class NotReached(FuguError):
    """The machine is not where it should go: it has ended on the way, or has taken too long."""


class Ended(NotReached):
    """The machine has ended on the way. It can still be read, and go back."""


class Machine:
    """A machine before its first instruction. Use it in a `with` statement, which ends it.

    `program` is a name or a path, as for ./run.sh, or None with load=FILE; more jobs follow after a word "+". `options`
    are those of ./run.sh, with underscores. The machine may take `patience` seconds of host time each time that it runs,
    and has `history` bytes to go back in ("0" for none). UsageError; SetupError if it does not start.
    """

    def __init__(self, program: str | PathLike[str] | None, *args: object, stdin: str | bytes = b"",
                 history: str = HISTORY, patience: float = PATIENCE, **options: Any) -> None:
        self.words = whole.command(program, args, options)
        run = parse.parse(self.words)
        if int(run.options.get("processes", 1)) > 1 or "hosts" in run.options or "join" in run.options:
            raise UsageError("a machine that a script stops has one process: leave processes, hosts and join out.\n"
                             "The run is the same one, cycle for cycle.")
        try:
            room = types.size(0, HISTORY_MAX)(history)
        except ValueError as error:
            raise UsageError(f"history={history!r}: {error}.") from None
        self.nodes: int = run.value("nodes")
        self.patience = patience
        self._stop: rsp.Stop | rsp.Ended | None = None
        self._seen = 0                  # bytes of output that to_output() has passed
        self._held: tuple[int, int] | None = None       # (node, address) of the breakpoint that it stands at
        self._last: dict[Path, str] = {}
        self._closed = ExitStack()
        try:
            qemu, boot = ready.ready(run)
            self.symbols = Symbols(str(boot) or _booted(run))
            self._start(qemu_command.command(qemu, boot, run), room,
                        stdin.encode() if isinstance(stdin, str) else stdin)
        except BaseException:
            self._closed.close()
            raise
        # A script that does not close it still leaves nothing behind.
        atexit.register(self.close)

    def _start(self, line: list[str], history: int, stdin: bytes) -> None:
        folder = self._closed.enter_context(scratch.folder())
        self._out, self._err, data = (Path(folder, name) for name in ("out", "err", "in"))
        data.write_bytes(stdin)
        stub = Path(self._closed.enter_context(monitor.usable(folder)), "gdb")
        self._monitor, qemus = socketpair()
        self._closed.callback(self._monitor.close)
        with qemus, self._out.open("wb") as out, self._err.open("wb") as err, data.open("rb") as given:
            self._qemu = monitor.start([*line, *monitor.stopped(stub, history)], qemus, stdin=given, stdout=out, stderr=err)
        self._closed.callback(self._kill)
        if not monitor.listens(self._monitor):
            raise SetupError(f"the machine has not started.\n{self.errors}")
        self._client: rsp.Rsp | None = rsp.Rsp(stub)
        self._closed.callback(self._disconnect)
        self._rsp.attach(range(self.nodes))

    @property
    def _rsp(self) -> rsp.Rsp:
        if not self._client:
            raise UsageError("this machine is closed: close(), finish() or the end of its `with` statement has ended it.")
        return self._client

    def _disconnect(self) -> None:
        client, self._client = self._rsp, None
        client.socket.close()

    def _text(self, file: Path) -> str:
        """What a file of the machine's has so far; what it had at the end, if the machine is closed."""
        return self._last[file] if file in self._last else file.read_bytes().decode(errors="replace")

    def _kill(self) -> None:
        if self._qemu.poll() is None:
            monitor.end(self._qemu, self._monitor)

    # ---- its end ----

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the machine wherever it is."""
        atexit.unregister(self.close)
        if self._client:
            self._last = {file: self._text(file) for file in (self._out, self._err)}
        self._closed.close()

    def finish(self) -> whole.Result:
        """Runs to the end, and ends the machine. Returns how the run has ended. NotReached."""
        if not self.ended:
            self.to_end()
        status = children.as_status(monitor.end(self._qemu, self._monitor))
        found = whole.result(status, self._text(self._out), self.errors)
        self.close()
        return found

    @property
    def ended(self) -> bool:
        """Whether the run has come to its end. Going back undoes it."""
        return "ended" in self._rsp.monitor(f"qom-get {ROUNDS} state")

    # ---- where it is ----

    @property
    def place(self) -> Place:
        """Where the machine is."""
        found = self._property(f"{ROUNDS} place")
        return Place(found["node"], found["cycle"], found["round"])

    @property
    def output(self) -> str:
        """What the programs have printed so far. Nothing is printed twice: going back takes no output away."""
        return whole.result(0, self._text(self._out), "").output

    @property
    def errors(self) -> str:
        """What the machine has said: notes, and its report at the end."""
        return self._text(self._err)

    def summary(self) -> str:
        """The machine's command, where it is, and what it has printed, for people."""
        command = f"$ {shlex.join(['./run.sh', *self.words])}"
        try:
            return f"{command}\n{self._here()}\n{self.output}{self.errors}"
        except FuguError as error:
            return f"{command}\n{error}"

    # ---- running ----

    def to_end(self) -> None:
        """Runs to the end of the run, where the machine can still be read, and go back. NotReached."""
        with suppress(Ended):
            self._go(set(), "its end")

    def to_cycle(self, cycle: int, node: int = 0) -> Place:
        """Goes to the first place of a node at or after a cycle of its local time, on or back. Ended."""
        self._check_node(node)
        if not 0 <= cycle < 1 << CLOCK_BITS:
            raise UsageError(f"there is no cycle {cycle}: a node's time has {CLOCK_BITS} bits.")
        self._travel("goto", f"{cycle} {node}", f"cycle {cycle} of node {node}")
        return self.place

    def to_symbol(self, where: str | int, node: int | None = None, program: str | None = None) -> Place:
        """Runs until a node, or this one, is about to execute a function's first instruction, or the instruction at an
        address. Under Glaze, only the process of `program` counts, or of the first program that has the function;
        "kernel" is the kernel. NotReached."""
        program, address, _ = self._resolve(where, program)
        nodes = self._nodes(node)
        with self._breakpoints(nodes, rsp.BREAKPOINT, address):
            while True:
                stop = self._go({(one, address) for one in nodes}, f"{where}")
                if self._runs(stop.node, program):
                    return self.place

    def to_output(self, text: str, every: int = STEP) -> str:
        """Runs until the programs have printed a text, after what an earlier call has found, and returns the line.

        The machine looks each `every` cycles of node 0, so it stops at the same cycle in each run. NotReached.
        """
        if not text or every < 1:
            raise UsageError(f"to_output({text!r}, every={every}): it needs a text, and at least one cycle between two looks.")
        while (at := self.output.find(text, self._seen)) < 0:
            self._travel("goto", f"{self._time(0) + every} 0", f"the output {text!r}")
        self._seen = at + len(text)
        found = self.output
        return found[found.rfind("\n", 0, at) + 1:].partition("\n")[0]

    def to_store(self, where: str | int, node: int | None = None, size: int = 0, program: str | None = None) -> Place:
        """Runs until a node, or this one, has stored to a variable, or to so many bytes (4 if 0) at an address.
        NotReached."""
        program, address, length = self._resolve(where, program, size)
        nodes = self._nodes(node)
        with self._breakpoints(nodes, rsp.WATCH_WRITE, address, length):
            while True:
                stop = self._go(set(), f"a store to {where}")
                if self._runs(stop.node, program):
                    return self.place

    def step(self, node: int = 0) -> Place:
        """One instruction of a node; the others may run meanwhile. Ended."""
        self._check_node(node)
        self._settle(self._rsp.step(node), f"the next instruction of node {node}")
        return self.place

    def back(self, node: int = 0) -> Place:
        """Undoes one instruction of a node. NotReached if there is none."""
        self._check_node(node)
        self._settle(self._rsp.back(node), f"an instruction of node {node} before this one")
        return self.place

    def back_to_symbol(self, where: str | int, node: int | None = None, program: str | None = None) -> Place:
        """Goes back to where a node, or this one, was last about to execute a function's first instruction. NotReached."""
        program, address, _ = self._resolve(where, program)
        with self._breakpoints(self._nodes(node), rsp.BREAKPOINT, address):
            while True:
                stop = self._settle(self._rsp.back(), f"{where}, before this place")
                if self._runs(stop.node, program):
                    self._held = stop.node, address
                    return self.place

    def back_to_store(self, where: str | int, node: int = 0, size: int = 0, program: str | None = None) -> Place:
        """Goes back to before the instruction of a node that last stored to a variable, or to so many bytes (4 if 0) at
        an address. NotReached."""
        self._check_node(node)
        program, address, length = self._resolve(where, program, size)
        memory = self.symbols.memory(self._physical(node), program)
        try:
            physical = memory.physical(address) if hasattr(memory, "physical") else address
        except Missing:
            raise NotThere(f"{where} is not in the memory of node {node} now.") from None
        self._travel("store", f"{physical:#x} {length} {node}", f"a store to {where} before this place")
        return self.place

    # ---- reading ----

    def read(self, where: str | int, node: int = 0, size: int = 0, program: str | None = None) -> bytes:
        """The bytes of a variable, or so many (4 if 0) at an address, in a program's memory or the kernel's. NotThere."""
        self._check_node(node)
        program, address, length = self._resolve(where, program, size)
        try:
            return self.symbols.memory(self._physical(node), program).read(address, length)
        except Missing:
            raise NotThere(f"{where} is not in the memory of node {node} now.") from None

    def value(self, where: str | int, node: int = 0, size: int = 0, program: str | None = None, signed: bool = False) -> int:
        """The number in a variable, or in so many bytes (4 if 0) at an address. NotThere."""
        return int.from_bytes(self.read(where, node, size, program), "big", signed=signed)

    def address(self, name: str, program: str | None = None) -> int:
        """The address of a function or variable."""
        return self._resolve(name, program)[1]

    def registers(self, node: int = 0) -> dict[str, int]:
        """The registers of a node's processor, of the present window: "g0" to "i7", "sp", "fp", "y", "psr", "wim", "tbr",
        "pc", "npc"."""
        self._check_node(node)
        self._rsp.select(node)
        data = bytes.fromhex(self._rsp.ask("g"))
        words = [int.from_bytes(data[at:at + WORD], "big") for at in range(0, len(data), WORD)]
        found = dict(zip(REGISTERS, words, strict=False)) | {name: words[number] for name, number in CONTROL.items()}
        return found | {"sp": found["o6"], "fp": found["i6"]}

    def messages(self) -> list[Message]:
        """The messages that no node has taken yet, by receiver, in the order of delivery."""
        return [Message(one["from"], one["to"], one["network"], tuple(one["words"]), one["body"], one["launched"],
                        one.get("arrives"), one["where"]) for one in self._property(f"{ROUNDS} flight")]

    def counters(self, node: int = 0) -> dict[int, dict[str, int]]:
        """What a node has counted so far for each GID: messages sent, received, handled and inserted, bodies and their
        bytes, cycles, cycles of handling."""
        self._check_node(node)
        return {one.pop("gid"): one for one in self._property(f"/machine/node[{node}] counters")}

    def function(self, node: int = 0) -> str:
        """The function that a node executes; empty if it is not known."""
        pc = self.registers(node)["pc"]
        program = self.symbols.running(self._physical(node)) if self.symbols.is_glaze else ""
        return self.symbols.function(pc, program)

    # ---- the machine's answers ----

    def _property(self, name: str) -> Any:
        said = self._rsp.monitor(f"qom-get {name}")
        try:
            return json.loads(json.loads(said))
        except ValueError:
            raise FuguError(said.removeprefix("Error: ")) from None

    def _time(self, node: int) -> int:
        """The local time of a node, about: that of the place, if it is the node's turn, or its round's beginning."""
        place = self.place
        return place.cycle if place.node == node else place.round

    def _physical(self, node: int) -> Memory:
        """The memory of a node. The kernel's addresses are physical ones, and every process has them in its tables."""
        def reader(address: int, length: int) -> bytes | None:
            try:
                return self._rsp.read(node, address, length)
            except SetupError:
                return None
        return Memory(reader)

    def _check_node(self, node: int) -> None:
        if not 0 <= node < self.nodes:
            raise UsageError(f"there is no node {node}; the nodes are 0 to {self.nodes - 1}.")

    def _nodes(self, node: int | None) -> list[int]:
        if node is None:
            return list(range(self.nodes))
        self._check_node(node)
        return [node]

    def _resolve(self, where: str | int, program: str | None, size: int = 0) -> tuple[str, int, int]:
        """(program, address, bytes) of a name or an address. UsageError."""
        if size < 0:
            raise UsageError(f"size={size}: there is no such number of bytes.")
        if isinstance(where, int):
            return self.symbols.owner(where, program), where, size or WORD
        program, symbol = self.symbols.find(where, program)
        return program, symbol.address, size or symbol.size or WORD

    def _runs(self, node: int, program: str) -> bool:
        """Whether a node that has stopped runs this program, or the kernel, whose addresses no program has."""
        return not self.symbols.is_glaze or program == "kernel" or self.symbols.running(self._physical(node)) == program

    @contextmanager
    def _breakpoints(self, nodes: list[int], kind: int, address: int, length: int = WORD) -> Iterator[None]:
        for node in nodes:
            self._rsp.insert(node, kind, address, length)
        try:
            yield
        finally:
            with suppress(FuguError):
                for node in nodes:
                    self._rsp.remove(node, kind, address, length)

    def _go(self, breakpoints: set[tuple[int, int]], goal: str) -> rsp.Stop:
        """Runs to the next stop. A node that has been found at a breakpoint before executes its instruction first."""
        held, self._held = self._held, None
        if held in breakpoints:
            stop = self._settle(self._rsp.step(held[0]), goal)
            at = stop.node, self._rsp.register(stop.node, rsp.PC)
            if at in breakpoints:
                self._held = at
                return stop
        stop = self._run("c", goal)
        at = stop.node, self._rsp.register(stop.node, rsp.PC)
        self._held = at if at in breakpoints else None
        return stop

    def _travel(self, name: str, goal: str, words: str) -> None:
        """Gives the machine a goal and resumes it. NotReached."""
        self._held = None
        said = self._rsp.monitor(f"qom-set {ROUNDS} {name} {goal}")
        if said:
            raise UsageError(said.removeprefix("Error: "))
        self._run("c", words)

    def _run(self, actions: str, goal: str) -> rsp.Stop:
        self._rsp.go(actions)
        self._rsp.socket.settimeout(self.patience)
        try:
            stop = self._rsp.wait()
        except TimeoutError:
            self._rsp.socket.settimeout(rsp.BOUND)
            self._rsp.interrupt()
            raise NotReached(f"the machine has run for {self.patience:g} seconds of host time, and has not reached {goal}: "
                             f"{self._here()}.\nGive it more: Machine(..., patience=...)") from None
        finally:
            self._rsp.socket.settimeout(rsp.BOUND)
        return self._settle(stop, goal)

    def _settle(self, stop: rsp.Stop | rsp.Ended, goal: str) -> rsp.Stop:
        """The stop, if the machine has not ended and has found what it looked for. NotReached."""
        if isinstance(stop, rsp.Ended) or stop.signal == rsp.SIGQUIT:
            raise Ended(f"the run has ended before {goal}: {self._here()}.\n{(self.output + self.errors)[-SHOWN:]}")
        if stop.begin:
            raise NotReached(f"there is no {goal.removeprefix('a ')}: the machine stands where its history begins.")
        return stop

    def _here(self) -> str:
        """Where the machine is, in words."""
        place = self.place
        if self.ended:
            return f"it is at its end, cycle {place.cycle}"
        return f"it is at cycle {place.cycle} of node {place.node}" if place.node < self.nodes else \
            f"it is at the end of a round, cycle {place.cycle}"


def _booted(run: parse.Run) -> str:
    """The file that a snapshot's machine has booted, for its symbols."""
    from ..run import snapshot

    return str(snapshot.read_head(run.options["load"]).program.get("file", os.devnull))

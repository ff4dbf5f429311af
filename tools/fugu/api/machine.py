"""A machine that a script stops, reads, and takes on or back.

It is the machine of `./run.sh debug`, with the script in GDB's place: nothing that a script reads or waits for changes
the run (docs/debugging.md).
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from socket import socket, socketpair
from types import TracebackType
from typing import Any

from ..abi import MACHINE
from ..errors import FuguError, SetupError, UsageError
from ..host import children, scratch
from ..options import types
from ..options.table import BY_KEY, OBSERVE
from ..observe import symbols
from ..report.memory import Memory, Missing
from ..run import monitor, parse, qemu_command, ready, rsp, snapshot
from . import whole
from .symbols import NotThere, Symbols

PATIENCE = 60.0             # seconds of host time that the machine may take to reach a place
HISTORY = "512M"            # memory for going back, as for ./run.sh debug
HISTORY_MIN, HISTORY_MAX = 1 << 20, 1 << 40       # where the machine is, is a place of its history
ADDRESS_BITS = 32
LOOK = 1.0                  # seconds that each run may take at least: a short one ends by itself, without an interrupt
SHORT = 0.2                 # seconds of a short run
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
    and has `history` bytes to go back in. UsageError; SetupError if it does not start.
    """

    def __init__(self, program: str | PathLike[str] | None, *args: object, stdin: str | bytes = b"",
                 history: str = HISTORY, patience: float = PATIENCE, **options: Any) -> None:
        given = whole.content(stdin)
        self.patience = whole.seconds(patience)
        self.words = whole.command(program, args, options)
        run = parse.parse(self.words)
        for key in run.options:
            if key == "dry-run" or BY_KEY[key].group == OBSERVE:
                raise UsageError(f"a machine that a script stops has no {key.replace('-', '_')}: leave it out.\n"
                                 "fugu.api.run() has it, and the run is the same one, cycle for cycle.")
        if int(run.options.get("processes", 1)) > 1 or "hosts" in run.options or "join" in run.options:
            raise UsageError("a machine that a script stops has one process: leave processes, hosts and join out.\n"
                             "The run is the same one, cycle for cycle.")
        try:
            room = types.size(HISTORY_MIN, HISTORY_MAX)(str(history))
        except ValueError as error:
            raise UsageError(f"history={history!r}: {error}.") from None
        self.nodes: int = run.value("nodes")
        self._until = 0.0               # when the call that runs has taken its patience
        self._was_ended = False         # once: the last line of the output is the digest
        self._seen = 0                  # bytes of output that to_output() has passed
        self._held: tuple[int, int] | None = None       # (node, address) of the breakpoint that it stands at
        self._last: dict[Path, str] = {}
        self._closed_at = ""            # a sentence
        self._client: rsp.Rsp | None = None
        held = ExitStack()
        # A machine that nobody has any more, or that a script does not close, ends too.
        self._release = weakref.finalize(self, held.close)
        try:
            qemu, boot = ready.ready(run)
            self.symbols = Symbols(str(boot) or _booted(run))
            self._start(qemu_command.command(qemu, boot, run), room, given, held)
        except BaseException:
            self._release()
            raise

    def _start(self, line: list[str], history: int, stdin: bytes, held: ExitStack) -> None:
        """Starts QEMU. `held` gets what ends it."""
        folder = held.enter_context(scratch.folder())
        self._out, self._err, data = (Path(folder, name) for name in ("out", "err", "in"))
        data.write_bytes(stdin)
        stub = Path(held.enter_context(monitor.usable(folder)), "gdb")
        self._monitor, qemus = socketpair()
        held.callback(self._monitor.close)
        with qemus, self._out.open("wb") as out, self._err.open("wb") as err, data.open("rb") as given:
            self._qemu = monitor.start([*line, *monitor.stopped(stub, history)], qemus, stdin=given, stdout=out, stderr=err)
        held.callback(_end, self._qemu, self._monitor, os.getpid())
        if not monitor.listens(self._monitor):
            raise SetupError(f"the machine has not started.\n{self.errors}")
        self._client = rsp.Rsp(stub)
        held.callback(self._client.socket.close)
        self._rsp.attach(range(self.nodes))

    @property
    def _rsp(self) -> rsp.Rsp:
        if not self._client:
            raise UsageError("this machine is closed: close(), finish() or the end of its `with` statement has ended it.")
        return self._client

    def _text(self, file: Path) -> str:
        """What a file of the machine's has so far; what it had at the end, if the machine is closed."""
        return self._last[file] if file in self._last else file.read_bytes().decode(errors="replace")

    # ---- its end ----

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the machine wherever it is."""
        if self._client:
            with suppress(FuguError, OSError):
                self._closed_at = f"it was closed: {self._here()}"
            with suppress(OSError):
                self._last = {file: self._text(file) for file in (self._out, self._err)}
            self._client = None
        self._release()

    def finish(self) -> whole.Result:
        """Runs to the end, and ends the machine. Returns how the run has ended. NotReached."""
        if not self.ended:
            self.to_end()
        self._closed_at = f"it was closed: {self._here()}"
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
        text = self._text(self._out)
        return whole.result(0, text, "").output if self._was_ended else text

    @property
    def errors(self) -> str:
        """What the machine has said: notes, and its report at the end."""
        return self._text(self._err)

    def summary(self) -> str:
        """The machine's command, where it is, and what it has printed, for people."""
        command = f"$ {shlex.join(['./run.sh', *self.words])}"
        try:
            where = self._closed_at or self._here()
        except FuguError as error:
            where = str(error)
        return f"{command}\n{where}\n{self.output}{self.errors}"

    # ---- running ----

    def to_end(self) -> None:
        """Runs to the end of the run, where the machine can still be read, and go back. NotReached."""
        self._begin()
        with suppress(Ended):
            while True:
                self._go(set(), "its end")

    def to_cycle(self, cycle: int, node: int = 0) -> Place:
        """Goes to the first place of a node at or after a cycle of its local time, on or back. Ended."""
        self._begin()
        self._check_node(node)
        if not _is_whole(cycle) or not 0 <= cycle <= MACHINE["TIME_MAX"]:
            raise UsageError(f"there is no cycle {cycle!r}; they are 0 to {MACHINE['TIME_MAX']}.")
        self._travel("goto", f"{cycle} {node}", f"cycle {cycle} of node {node}")
        return self.place

    def to_symbol(self, where: str | int, node: int | None = None, program: str | None = None) -> Place:
        """Runs until a node, or this one, is about to execute a function's first instruction, or the instruction at an
        address. Under Glaze, only the process of `program` counts, or of the first program that has the function;
        "kernel" is the kernel. NotReached."""
        self._begin()
        program, address = self._instruction(where, program)
        nodes = self._nodes(node)
        with self._breakpoints(nodes, rsp.BREAKPOINT, address):
            while True:
                stop = self._go({(one, address) for one in nodes}, _shown(where))
                if self._runs(stop.node, program):
                    return self.place

    def to_output(self, text: str, every: int = STEP) -> str:
        """Runs until the programs have printed a text, after what an earlier call has found. Returns the line, as far as
        it has been printed.

        The machine looks each `every` cycles of node 0, so it stops at the same cycle in each run. NotReached.
        """
        self._begin()
        if not isinstance(text, str) or not text or not _is_whole(every) or every < 1:
            raise UsageError(f"to_output({text!r}, every={every}): it needs a text, and at least one cycle between two looks.")
        while (at := self.output.find(text, self._seen)) < 0:
            try:
                self._travel("goto", f"{min(self._time(0) + every, MACHINE['TIME_MAX'])} 0", f"the output {text!r}")
            except Ended:
                if self.output.find(text, self._seen) < 0:
                    raise
        self._seen = at + len(text)
        found = self.output
        return found[found.rfind("\n", 0, at) + 1:].partition("\n")[0]

    def to_store(self, where: str | int, node: int | None = None, size: int = 0, program: str | None = None) -> Place:
        """Runs until a node, or this one, has stored to a variable, or to so many bytes (4 if 0) at an address.
        NotReached."""
        self._begin()
        program, address, length = self._resolve(where, program, size)
        nodes = self._nodes(node)
        with self._breakpoints(nodes, rsp.WATCH_WRITE, address, length):
            while True:
                stop = self._go(set(), f"a store to {_shown(where)}")
                if self._runs(stop.node, program):
                    return self.place

    def step(self, node: int = 0) -> Place:
        """One instruction of a node; the others may run meanwhile. Ended."""
        self._begin()
        self._check_node(node)
        self._held = None
        self._resume(lambda: self._rsp.step(node), f"the next instruction of node {node}")
        return self.place

    def back(self, node: int = 0) -> Place:
        """Undoes one instruction of a node. NotReached if there is none."""
        self._begin()
        self._check_node(node)
        self._held = None
        self._resume(lambda: self._rsp.back(node), f"an instruction of node {node} before this one")
        return self.place

    def back_to_symbol(self, where: str | int, node: int | None = None, program: str | None = None) -> Place:
        """Goes back to where a node, or this one, was last about to execute a function's first instruction. NotReached."""
        self._begin()
        program, address = self._instruction(where, program)
        self._held = None
        with self._breakpoints(self._nodes(node), rsp.BREAKPOINT, address):
            while True:
                stop = self._resume(self._rsp.back, f"{_shown(where)}, before this place")
                if self._runs(stop.node, program):
                    self._held = stop.node, address
                    return self.place

    def back_to_store(self, where: str | int, node: int = 0, size: int = 0, program: str | None = None) -> Place:
        """Goes back to before the instruction of a node that last stored to a variable, or to so many bytes (4 if 0) at
        an address. NotReached."""
        self._begin()
        self._check_node(node)
        program, address, length = self._resolve(where, program, size)
        memory = self.symbols.memory(self._physical(node), program)
        try:
            physical = memory.physical(address) if hasattr(memory, "physical") else address
        except Missing:
            raise NotThere(f"{_shown(where)} is not in the memory of node {node} now.") from None
        self._travel("store", f"{physical:#x} {length} {node}", f"a store to {_shown(where)} before this place")
        return self.place

    # ---- reading ----

    def read(self, where: str | int, node: int = 0, size: int = 0, program: str | None = None) -> bytes:
        """The bytes of a variable, or so many (4 if 0) at an address, in a program's memory or the kernel's. NotThere."""
        self._check_node(node)
        program, address, length = self._resolve(where, program, size)
        try:
            return self.symbols.memory(self._physical(node), program).read(address, length)
        except Missing:
            raise NotThere(f"{_shown(where)} is not in the memory of node {node} now.") from None

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

    def _begin(self) -> None:
        """A call begins, which may take the machine's patience."""
        self._until = time.monotonic() + self.patience

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
        if not _is_whole(node) or not 0 <= node < self.nodes:
            raise UsageError(f"there is no node {node!r}; the nodes are 0 to {self.nodes - 1}.")

    def _nodes(self, node: int | None) -> list[int]:
        if node is None:
            return list(range(self.nodes))
        self._check_node(node)
        return [node]

    def _resolve(self, where: str | int, program: str | None, size: int = 0) -> tuple[str, int, int]:
        """(program, address, bytes) of a name or an address. UsageError."""
        if not _is_whole(size) or size < 0:
            raise UsageError(f"size={size!r}: there is no such number of bytes.")
        if isinstance(where, str):
            program, symbol = self.symbols.find(where, program)
            address, length = symbol.address, size or symbol.size or WORD
        elif _is_whole(where):
            address, length = where, size or WORD
        else:
            raise UsageError(f"{where!r} is neither a name nor an address.")
        if not 0 <= address <= (1 << ADDRESS_BITS) - length:
            raise UsageError(f"there are no {length} bytes at {_shown(address)}: an address has {ADDRESS_BITS} bits.")
        return program if program and isinstance(where, str) else self.symbols.owner(address, program), address, length

    def _instruction(self, where: str | int, program: str | None) -> tuple[str, int]:
        """(program, address) of an instruction. UsageError."""
        program, address, _ = self._resolve(where, program)
        if address % WORD:
            raise UsageError(f"there is no instruction at {_shown(address)}: their addresses are multiples of {WORD}.")
        return program, address

    def _runs(self, node: int, program: str) -> bool:
        """Whether a node that has stopped runs this program, or the kernel, whose addresses no program has."""
        return not self.symbols.is_glaze or program == "kernel" or self.symbols.running(self._physical(node)) == program

    @contextmanager
    def _breakpoints(self, nodes: list[int], kind: int, address: int, length: int = WORD) -> Iterator[None]:
        with ExitStack() as inserted:
            for node in nodes:
                inserted.callback(self._remove, node, kind, address, length)
                self._rsp.insert(node, kind, address, length)
            yield

    def _remove(self, node: int, kind: int, address: int, length: int) -> None:
        with suppress(FuguError):
            self._rsp.remove(node, kind, address, length)

    def _go(self, breakpoints: set[tuple[int, int]], goal: str) -> rsp.Stop:
        """Runs to the next stop. A node that has been found at a breakpoint before executes its instruction first."""
        held, self._held = self._held, None
        if held in breakpoints:
            stop = self._resume(lambda: self._rsp.step(held[0]), goal)
            at = stop.node, self._rsp.register(stop.node, rsp.PC)
            if at in breakpoints:
                self._held = at
                return stop
        stop = self._resume(self._rsp.run, goal)
        at = stop.node, self._rsp.register(stop.node, rsp.PC)
        self._held = at if at in breakpoints else None
        return stop

    def _travel(self, name: str, goal: str, words: str) -> None:
        """Gives the machine a goal and resumes it. NotReached."""
        self._held = None
        self._rsp.take_late()
        said = self._rsp.monitor(f"qom-set {ROUNDS} {name} {goal}")
        if said:
            raise UsageError(said.removeprefix("Error: "))
        self._resume(self._rsp.run, words)

    def _resume(self, move: Callable[[], rsp.Stop | rsp.Ended], goal: str) -> rsp.Stop:
        """Lets the machine move, on or back, until it stops by itself, or the call has taken its patience. NotReached."""
        client = self._rsp
        if time.monotonic() > self._until:
            raise self._late(goal)
        client.patience = max(self._until - time.monotonic(), LOOK)
        try:
            stop = move()
        except TimeoutError:
            if not client.running:
                raise FuguError("QEMU's stub does not answer.") from None
            stop = self._halt()
            if isinstance(stop, rsp.Stop) and stop.signal == rsp.SIGINT:
                raise self._late(goal) from None
        except FuguError:
            raise
        except BaseException:       # KeyboardInterrupt: the machine stands still for what the script does then
            self._calm()
            raise
        finally:
            client.patience = rsp.BOUND
        return self._settle(stop, goal)

    def _late(self, goal: str) -> NotReached:
        return NotReached(f"the machine has run for {self.patience:g} seconds of host time, and has not reached {goal}: "
                          f"{self._here()}.\nGive it more: Machine(..., patience=...)")

    def _halt(self) -> rsp.Stop | rsp.Ended:
        """Stops the machine, which runs. It may have stopped by itself just before."""
        self._rsp.patience = rsp.BOUND
        return self._rsp.interrupt()

    def _calm(self) -> None:
        """Has the machine stand still. Most runs are short: an interrupt then would meet their stop."""
        if self._rsp.running:
            self._rsp.patience = SHORT
            try:
                self._rsp.wait()
            except TimeoutError:
                self._halt()

    def _settle(self, stop: rsp.Stop | rsp.Ended, goal: str) -> rsp.Stop:
        """The stop, if the machine has not ended and has found what it looked for. NotReached."""
        if isinstance(stop, rsp.Ended) or stop.signal == rsp.SIGQUIT:
            self._was_ended = True
            raise Ended(f"the run has ended before {goal}: {self._here()}.\n{(self.output + self.errors)[-SHOWN:]}")
        if stop.begin:
            what = goal.removeprefix("an ").removeprefix("a ")
            raise NotReached(f"there is no {what}: the machine stands where its history begins.")
        return stop

    def _here(self) -> str:
        """Where the machine is, in words."""
        place = self.place
        if self.ended:
            return f"it is at its end, cycle {place.cycle}"
        return f"it is at cycle {place.cycle} of node {place.node}" if place.node < self.nodes else \
            f"it is at the end of a round, cycle {place.cycle}"


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shown(where: str | int) -> str:
    """A name, or an address as people write it."""
    return where if isinstance(where, str) else f"{where:#x}"


def _end(qemu: subprocess.Popen[bytes], control: socket, maker: int) -> None:
    """Ends QEMU, unless this is a fork of the process that has started it."""
    if os.getpid() == maker and qemu.poll() is None:
        monitor.end(qemu, control)


def _booted(run: parse.Run) -> str:
    """The file that a snapshot's machine has booted, for its symbols. UsageError if it is not what it was then."""
    symbols.of_snapshot(run.options["load"], "a script")
    return str(snapshot.read_head(run.options["load"]).program.get("file") or os.devnull)

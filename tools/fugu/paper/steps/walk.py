"""Executes a program on a machine instruction by instruction.

QEMU's GDB stub stops the machine. That does not change the run
(docs/debugging.md). A walk is a list of steps. Each step is an instruction or
an interrupt, with its cycles and cache misses.
"""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ...abi import PAPER, REGS
from ...errors import SetupError
from ...host import children, scratch
from ...image import elf
from ...paths import build_dir
from ...run import qemu_command
from ...run.parse import parse
from ...run.programs import find_kernel
from ...run.ready import ready
from ...run.rsp import BREAKPOINT, PC, TBR, Gone, Rsp, Stop

WALK_MAX = 20_000       # instructions of a walk
SENDER, RECEIVER = PAPER["SENDER"], PAPER["RECEIVER"]      # nodes

ROWS = ".debug_rows"            # guest-os/include/rows.h
NO_ROW = "none"


@dataclass(frozen=True)
class Step:
    """An instruction, or an interrupt that was taken instead of the instruction at `pc`."""

    pc: int
    cycles: int
    misses: int                 # of the cache


Walk = list[Step]


def cycles(walk: Sequence[Step]) -> int:
    """The cycles of a walk."""
    return sum(step.cycles for step in walk)


def misses(walk: Sequence[Step]) -> int:
    """The cache misses of a walk."""
    return sum(step.misses for step in walk)


class Code:
    """The code of kernel and program: symbols, instructions, and rows of the paper's tables."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.elves = [elf.read(path, path.read_bytes()) for path in files]
        self.symbols = {symbol.name: symbol.address for one in self.elves for symbol in one.symbols}
        # Of two rows at one address the later one counts. Sorting keeps their order.
        self.rows = sorted((row for path in files for row in _rows(elf.section(path.read_bytes(), ROWS))),
                           key=lambda row: row[0])

    def address(self, name: str) -> int:
        """The address of a symbol. SetupError."""
        if name not in self.symbols:
            raise SetupError(f"neither kernel nor program has a symbol {name}, which is to be measured.")
        return self.symbols[name]

    def function(self, pc: int) -> str:
        """The name of the C function at an address, or an empty text."""
        return next((symbol.name for one in self.elves for symbol in one.symbols
                     if symbol.is_function and symbol.address <= pc < symbol.address + symbol.size), "")

    def place(self, pc: int) -> str:
        """SYMBOL+OFFSET, for messages."""
        address, name = max((address, name) for name, address in self.symbols.items() if address <= pc)
        return f"{name}+0x{pc - address:x}"

    def instruction(self, pc: int) -> int:
        """The instruction word at an address. SetupError."""
        for one in self.elves:
            for segment in one.segments:
                if segment.address <= pc < segment.address + len(segment.data):
                    return int(struct.unpack_from(">I", segment.data, pc - segment.address)[0])
        raise SetupError(f"there is no code at 0x{pc:x}.")

    def is_operation(self, pc: int, name: str) -> bool:
        """Whether the instruction is this operation of the network interface, such as LAUNCH."""
        bare = REGS.call("INSN", REGS[f"OPC_{name}"], 0, 0, 0)
        operands = REGS.call("INSN", 0, 0x1F, 0x1F, 0x1F) & ~REGS.call("INSN", 0, 0, 0, 0)
        return self.instruction(pc) & ~operands == bare

    def row(self, pc: int) -> str:
        """The row of the table that an instruction's cycles belong to. SetupError if the code names none."""
        name = next((name for address, name in reversed(self.rows) if address <= pc), NO_ROW)
        if name == NO_ROW:
            raise SetupError(f"{self.place(pc)} was executed, but belongs to no row of the table.\n"
                             "guest-os/include/rows.h says how the code names its row.")
        return name


def _rows(data: bytes) -> Iterator[tuple[int, str]]:
    """The pairs (address, row) in a section."""
    at = 0
    while at < len(data):
        (address,) = struct.unpack_from(">I", data, at)
        end = data.index(b"\0", at + 4)
        yield address, data[at + 4:end].decode()
        at = end + 4 & ~3


class Measured:
    """A program on a machine of two nodes, before its first instruction."""

    def __init__(self, client: Rsp, code: Code) -> None:
        self.client, self.code = client, code

    # ---- where and when ----

    def pc(self, node: int) -> int:
        """The address of the node's next instruction."""
        return self.client.register(node, PC)

    def _device(self, node: int, address: int) -> int:
        return int.from_bytes(self.client.read(node, address, 4), "big")

    def time(self, node: int) -> int:
        """The node's local time plus cycle-offset, as its program reads it."""
        data = self.client.read(node, REGS["NI_USER_BASE"] + REGS["U_CYCLES"], 8)
        return int.from_bytes(data, "big")

    def misses(self, node: int) -> int:
        """The misses of the node's cache since reset."""
        return sum(self._device(node, REGS["CONTROL_BASE"] + REGS[name])
                   for name in ("CONTROL_FETCH_MISS", "CONTROL_DATA_MISS"))

    def interface(self, node: int, name: str) -> int:
        """A register of the kernel's page of the network interface."""
        return self._device(node, REGS["NI_KERNEL_BASE"] + REGS[name])

    def words(self, node: int, name: str, count: int) -> list[int]:
        """An array in the program's memory."""
        self.client.expect_ok("Qqemu.PhyMemMode:0")
        data = self.client.read(node, self.code.address(name), 4 * count)
        self.client.expect_ok("Qqemu.PhyMemMode:1")
        return list(struct.unpack(f">{count}I", data))

    # ---- running ----

    def run_to(self, node: int, place: str, times: int = 1) -> None:
        """Runs until the node has reached a symbol `times` times. If the node is there now, that does not count."""
        address = self.code.address(place)
        for _ in range(times):
            if self.pc(node) == address:
                self._step(node)
            self.client.insert(node, BREAKPOINT, address)
            stop = self._bounded(lambda: self.client.run(), f"node {node} did not reach {place}")
            if stop.node != node:
                raise SetupError(f"node {stop.node} has stopped the machine, not node {node}.")
            self.client.remove(node, BREAKPOINT, address)

    def run_to_either(self, node: int, *addresses: int) -> int:
        """Runs until the node has reached one of the addresses. Returns it."""
        if self.pc(node) in addresses:
            self._step(node)
        for address in addresses:
            self.client.insert(node, BREAKPOINT, address)
        self._bounded(lambda: self.client.run(), f"node {node} reached none of {', '.join(map(self.code.place, addresses))}")
        for address in addresses:
            self.client.remove(node, BREAKPOINT, address)
        return self.pc(node)

    def vector(self, node: int, level: int) -> int:
        """The address of an interrupt's entry in the trap table that the node uses."""
        return (self.client.register(node, TBR) & ~0xFFF) + 16 * REGS.call("TT_IRQ", level)

    def _step(self, node: int) -> None:
        self._bounded(lambda: self.client.step(node), f"node {node} did not go on")

    @staticmethod
    def _bounded(action: Callable[[], object], otherwise: str) -> Stop:
        try:
            stop = action()
        except (Gone, TimeoutError):
            stop = None
        if not isinstance(stop, Stop):
            raise SetupError(f"a measured program ended or stopped: {otherwise}.")
        return stop

    def trap_table(self) -> int:
        """The address of the receiver's trap table."""
        soft = self._device(RECEIVER, REGS["PARAM_BASE"] + REGS["PARAM_ATOMICITY"]) == REGS["ATOMICITY_SOFT"]
        return self.code.address("soft_trap_table" if soft else "trap_table")

    def walk_interrupt(self, trap: str) -> Walk:
        """The receiver's next interrupt of this level, from the interrupted instruction until it returns there."""
        vector = self.trap_table() + 16 * REGS.call("TT_IRQ", REGS[f"IRQ_{trap}"])
        before = self.walk(RECEIVER, vector)
        return [before[-1], *self.walk(RECEIVER, before[-1].pc)]

    def walk(self, node: int, end: int) -> Walk:
        """Executes at least one step, and goes on until the node is about to execute the instruction at `end`."""
        return self.walk_until(node, lambda pc: pc == end, self.code.place(end))

    def walk_until(self, node: int, there: Callable[[int], bool], place: str) -> Walk:
        """Executes at least one step, and goes on until the node's pc is there; `place` is the name of that place."""
        steps: Walk = []
        pc, time, missed = self.pc(node), self.time(node), self.misses(node)
        while not steps or not there(pc):
            if len(steps) == WALK_MAX:
                raise SetupError(f"node {node} did not reach {place} in {WALK_MAX} instructions; "
                                 f"it is at {self.code.place(pc)}.")
            self._step(node)
            new_time, new_missed = self.time(node), self.misses(node)
            steps.append(Step(pc, new_time - time, new_missed - missed))
            pc, time, missed = self.pc(node), new_time, new_missed
        return steps


@contextmanager
def measured(program: str, *words: str, options: Sequence[str] = (), bare: bool = False,
             parameters: Sequence[str] = ()) -> Iterator[Measured]:
    """Runs a program of tests/paper with these arguments on two nodes; with `bare`, one of tests/guest.

    `parameters` are the kernel's (parameter.h), including those that no option sets.
    """
    path = build_dir() / "tests" / ("guest" if bare else "paper") / f"{program}.elf"
    run = parse(["--nodes", "2", *options, "--", str(path), *words])
    qemu, image = ready(run)
    with scratch.folder() as folder:
        stub = Path(folder, "gdb")
        line = [*qemu_command.command(qemu, image, run), "-S", "-no-shutdown",
                "-gdb", f"unix:{stub},server=on,wait=off"]
        if parameters:
            append = line.index("-append") + 1
            line[append] = " ".join([*parameters, line[append]])
        process = children.start(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True, errors="replace")
        failed = ""
        try:
            client = Rsp(stub)
            client.attach(range(2))
            client.expect_ok("Qqemu.PhyMemMode:1")
            yield Measured(client, Code([path] if bare else [find_kernel(build_dir()), path]))
        except SetupError as error:
            failed = str(error)
        finally:
            process.kill()
            said = process.communicate()[0].strip()
        if failed:
            raise SetupError(f"{failed}\n{said}" if said else failed)

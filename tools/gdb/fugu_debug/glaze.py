"""What Glaze's kernel on a node knows: processes, their programs and memory.

Everything is read by physical addresses, which are also the kernel's virtual
ones, with the layout in the kernel's debug information. So it works wherever
the node has stopped and whatever its MMU maps.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import gdb
from fugu.abi import GLAZE, PSR, REGS, SPACE
from fugu.report.memory import Memory, Missing, Virtual
from fugu.report.places import Tables

from .base import physical_memory, select

PAGE = GLAZE["PAGE"]

# The modes of a process.
MODES = {GLAZE[mode]: mode.lower() for mode in ("FAST", "BUFFERED", "MESSAGELESS")}

# Why a process is in buffered mode, by GLAZE_IN_*.
CAUSES = {number: name.lower() for name, number in GLAZE.group("IN_").items() if name != "CAUSES"}


def is_program(address: int) -> bool:
    """Whether an address is in the code or data of a program."""
    return GLAZE["PROGRAM"] <= address < GLAZE["PROGRAM_END"]


def kernel_file() -> gdb.Objfile | None:
    """The kernel of the selected inferior, or None."""
    for objfile in gdb.objfiles():
        if objfile.is_valid() and Path(objfile.filename or "").name == "kernel.elf" and \
                objfile.lookup_global_symbol("kernel_trap"):
            return objfile
    return None


def physical(address: int, length: int) -> bytes:
    """Bytes of the selected node's memory."""
    with physical_memory():
        return bytes(gdb.selected_inferior().read_memory(address, length))


def _reader(address: int, length: int) -> bytes | None:
    try:
        return physical(address, length)
    except gdb.MemoryError:
        return None


NODE = Memory(_reader)      # of the selected node; the boot image is the same on all nodes


def fetched(value: gdb.Value) -> gdb.Value:
    """The value, which is read from physical memory now."""
    with physical_memory():
        value.fetch_lazy()
    return value


# ---- programs --------------------------------------------------------------------

class Program(Tables):
    """A program of the boot image, with its functions and lines."""

    def __init__(self, address: int) -> None:
        self.known: dict[int, str] = {}
        super().__init__(NODE, address)

    def _string(self, offset: int) -> str:
        if offset not in self.known:
            self.known[offset] = super()._string(offset)
        return self.known[offset]

    def symbol(self, address: int) -> str:
        """FUNCTION+OFFSET, or an empty text if there is no function."""
        found = self.function_at(address)
        return (found[0] + (f"+{found[1]}" if found[1] else "")) if found else ""

    def place(self, address: int) -> str:
        """FUNCTION at FILE:LINE, as GDB writes it, or as much of that as is known."""
        file = self.line_at(address)
        return (self.function(address) or f"0x{address:08x}") + (f" at {file[0]}:{file[1]}" if file else "")


PROGRAMS: dict[str, Program] = {}       # the programs read so far; they do not change


# ---- processes -------------------------------------------------------------------

@dataclass
class Process:
    """A process, as read from the node that was selected at that time."""

    address: int                # struct process
    gid: int
    value: gdb.Value            # contents of struct process
    info: gdb.Value             # contents of its information page
    program: Program

    @property
    def state(self) -> str:
        """The state, as enum process_state names it."""
        return str(self.value["state"]).removeprefix("PROCESS_").lower()

    @property
    def mode(self) -> str:
        """fast, buffered or messageless."""
        return MODES.get(int(self.info["mode"]), "no")

    @property
    def memory(self) -> Virtual:
        """Its memory, by the tables that it has now. Its methods raise Missing."""
        return Virtual(NODE, int(self.value["regions"]))

    def translate(self, address: int) -> int | None:
        """The physical address of a virtual one. None if it is not in memory."""
        with suppress(Missing):
            return self.memory.physical(address)
        return None

    def entry(self, address: int) -> int:
        """The physical address of the table entry for a page."""
        return self.memory.entry(address)[0]

    def entry_if_out(self, address: int) -> int | None:
        """The physical address of the entry for a page that is in backing store. None if the page is not there."""
        at, entry, _ = self.memory.entry(address)
        return at if entry & (PSR["PTE_TYPE"] | SPACE["PTE_OUT"]) == SPACE["PTE_OUT"] else None

    def read(self, address: int, length: int) -> bytes | None:
        """Bytes at a virtual address. None if some of them are not in memory."""
        with suppress(Missing):
            return self.memory.read(address, length)
        return None

    def word(self, address: int) -> int | None:
        """The word at a virtual address, or None."""
        data = self.read(address, 4)
        return None if data is None else int.from_bytes(data, "big")

    def struct(self, kind: gdb.Type, address: int) -> gdb.Value | None:
        """The struct at a virtual address, or None."""
        data = self.read(address, kind.sizeof)
        return None if data is None else gdb.Value(data, kind)


class Kernel:
    """The kernel of the selected node. gdb.GdbError if Glaze does not run there."""

    def __init__(self) -> None:
        found = kernel_file()
        if not found:
            raise gdb.GdbError("This is for machines that run Glaze.")
        self.objfile = found
        self.processes: dict[int, Process] = {}
        pointers = fetched(self.variable("processes"))
        first, last = pointers.type.range()
        for gid in range(first, last + 1):
            if int(pointers[gid]):
                self.processes[gid] = self._process(gid, pointers[gid])
        address = int(fetched(self.variable("current")))
        self.current = next((p for p in self.processes.values() if p.address == address), None)

    def variable(self, name: str) -> gdb.Value:
        """A global variable of the kernel, which is not read yet. gdb.GdbError if there is none."""
        symbol = self.objfile.lookup_global_symbol(name)
        if not symbol:
            raise gdb.GdbError(f"The kernel's debug information has no {name}: it must be that of this checkout.")
        return symbol.value()

    @staticmethod
    def _process(gid: int, pointer: gdb.Value) -> Process:
        value = fetched(pointer.dereference())
        return Process(int(pointer), gid, value, fetched(value["info"].dereference()),
                       program_at(value["program"]))

    def title(self, process: Process | None) -> str:
        """PROGRAM (job N)."""
        return f"{process.program.name} (job {process.gid})" if process else "no job"

    def handler(self, gid: int, address: int, kernel: bool) -> str:
        """The name of a message's handler, or an empty text."""
        if kernel:
            return kernel_symbol(address)
        return self.processes[gid].program.symbol(address) if gid in self.processes else ""


def kernel_symbol(address: int) -> str:
    """The kernel function at an address, or an empty text."""
    block = gdb.block_for_pc(address) if not is_program(address) else None
    while block and not block.function:
        block = block.superblock
    if block:
        return str(block.function.name)
    text = gdb.execute(f"info symbol {address}", to_string=True)
    return "" if text.startswith("No symbol") else text.split()[0]


def kernel_of(node: int) -> Kernel:
    """Selects a node. Returns its kernel. gdb.GdbError."""
    select(node)
    return Kernel()


def record_words(data: bytes) -> list[int]:
    """The words of the message in a receive record."""
    length = int.from_bytes(data[REGS["REC_LENGTH"]:REGS["REC_LENGTH"] + 4], "big")
    return [int.from_bytes(data[4 * k:4 * k + 4], "big") for k in range(min(length, REGS["MSG_WORDS"]))]


def running() -> gdb.Value | None:
    """The struct process whose address space is on at the selected node. None if there is none, or no Glaze."""
    objfile = kernel_file()
    symbol = objfile.lookup_global_symbol("current") if objfile else None
    process = fetched(symbol.value()) if symbol else None
    return process.dereference() if process is not None and int(process) else None


def running_job() -> int:
    """The GID of that process. 0 if the node is idle."""
    process = running()
    return int(fetched(process["gid"])) if process is not None else 0


def running_program() -> Program | None:
    """The program of that process. None if the node is idle."""
    process = running()
    program = fetched(process["program"]) if process is not None else None
    return program_at(program) if program is not None and int(program) else None


def program_at(pointer: gdb.Value) -> Program:
    """The program that a pointer into the boot image's directory points to."""
    value = fetched(pointer.dereference())
    name = f"{int(pointer):x} {value['name'].string()}"
    if name not in PROGRAMS:
        PROGRAMS[name] = Program(int(pointer))
    return PROGRAMS[name]

"""What a store is to: a variable or some of its bits, and whose memory; for commands that go back to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

import gdb
from fugu.abi import REGS, SPARCLE

from . import programs
from .base import selected_node
from .glaze import Kernel, Process, kernel_file, record_words
from .processes import buffered


@dataclass
class Variable:
    """A place in the memory of the selected node, as the user has named it."""

    name: str
    kind: gdb.Type
    address: int
    size: int                           # bytes
    process: Process | None             # that has the memory; None: the kernel, or a program of the bare machine
    bits: tuple[int, int] | None = None     # of a bit-field: its first bit in the bytes, from the left, and their number

    def mask(self) -> str:
        """The bits that are the variable's, as the machine takes them."""
        if not self.bits:
            return "all"
        first, count = self.bits
        return f"{((1 << count) - 1) << 8 * self.size - first - count:0{2 * self.size}x}"

    def memory(self) -> int | None:
        """The physical address now. None if it is not in memory. The kernel's addresses are physical ones."""
        return self.process.translate(self.address) if self.process else self.address

    def read(self) -> bytes | None:
        """The bytes now. None if they are not in memory."""
        if self.process:
            return self.process.read(self.address, self.size)
        try:
            return bytes(gdb.selected_inferior().read_memory(self.address, self.size))
        except gdb.MemoryError:
            return None

    def text(self, data: bytes | None) -> str:
        """The value that these bytes are, as GDB prints it on one line."""
        if data is None:
            return "(not in memory)"
        value = gdb.Value(data, self.kind) if not self.bits else gdb.Value(self._number(data)).cast(self.kind)
        return str(value.format_string(max_elements=8, pretty_structs=False))

    def same(self, one: bytes | None, other: bytes | None) -> bool:
        """Whether the variable has the same value in both."""
        if one is None or other is None or not self.bits:
            return one == other
        return self._number(one) == self._number(other)

    def _number(self, data: bytes) -> int:
        """The value of a bit-field."""
        assert self.bits
        first, count = self.bits
        value = int.from_bytes(data, "big") >> 8 * self.size - first - count & (1 << count) - 1
        return value - (1 << count) if self.kind.is_signed and value >> count - 1 else value


def variable(expression: str) -> Variable:
    """What an expression names on the selected node. gdb.GdbError."""
    try:
        value = gdb.parse_and_eval(expression)
        found = bit_field(expression)
    except gdb.error as error:
        raise gdb.GdbError(str(error)) from None
    kind = value.type.strip_typedefs().unqualified()
    if found:
        address, first, count = found
        address, first = address + first // 8, first % 8
        return Variable(expression, kind, address, (first + count + 7) // 8, owner(address), (first, count))
    if value.address is None:
        raise gdb.GdbError(f"{expression} is not in memory: nothing stores to it.")
    address = int(value.address)
    return Variable(expression, kind, address, kind.sizeof, owner(address))


def bit_field(expression: str) -> tuple[int, int, int] | None:
    """(address of the struct, first bit in it, number of bits) of a bit-field; None for all else."""
    parts = re.fullmatch(r"(.+?)\s*(\.|->)\s*([A-Za-z_]\w*)\s*", expression, re.DOTALL)
    if not parts:
        return None
    whole = gdb.parse_and_eval(parts[1])
    whole = whole.dereference() if parts[2] == "->" else whole
    found = member(whole.type.strip_typedefs(), parts[3])
    if not found or whole.address is None:
        return None
    return (int(whole.address), *found)


def member(kind: gdb.Type, name: str) -> tuple[int, int] | None:
    """(first bit, bits) of a bit-field of a struct or union, or of one without a name in it."""
    if kind.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return None
    for field in kind.fields():
        if field.name == name:
            return (field.bitpos, field.bitsize) if field.bitsize else None
        inner = member(field.type.strip_typedefs(), name) if not field.name else None
        if inner:
            return field.bitpos + inner[0], inner[1]
    return None


def owner(address: int) -> Process | None:
    """The process of the selected node that a program's address is about: one that runs the program in view.

    None for the kernel's memory, and without Glaze. gdb.GdbError if there is no such process, or if there are several
    and none of them is current.
    """
    if not kernel_file() or REGS["RAM_BASE"] <= address < REGS["RAM_BASE"] + REGS["RAM_MAX"]:
        return None
    kernel = Kernel()
    found = [process for process in kernel.processes.values() if process.state not in ("doomed", "ended")
             and (not programs.FILES or process.program.name == programs.in_view())]
    current = next((process for process in found if process is kernel.current), None)
    if current or len(found) == 1:
        return current or found[0]
    node, what = selected_node(), programs.in_view() if programs.FILES else "the program"
    if not found:
        raise gdb.GdbError(f"No process on node {node} runs {what}: the address is in no memory there.")
    jobs = " and ".join(str(process.gid) for process in found)
    raise gdb.GdbError(f"Jobs {jobs} run {what} on node {node}, and the node runs neither of them now: go to where it "
                       "does, such as by break FUNCTION if $_job() == JOB.")


def oldest_record() -> tuple[Process, int, list[int]] | None:
    """(process, address, words) of the buffered message that the selected node's program reads. None if it reads from
    the network interface."""
    if not kernel_file() or int(gdb.parse_and_eval("$psr")) & SPARCLE["PSR_S"]:
        return None
    process = Kernel().current
    if not process or process.mode != "buffered":
        return None
    for record in buffered(process):
        data = process.read(record, REGS["REC_SIZE"])
        if data is None:
            raise gdb.GdbError(f"The record at 0x{record:08x} is in backing store: let the program read it first.")
        return process, record, record_words(data)
    return None


def entry_if_out(process: Process, address: int) -> int | None:
    """The physical address of the table entry for a page of the process, if the page is in backing store now."""
    now = Kernel().processes.get(process.gid)
    return now.entry_if_out(address) if now and now.address == process.address else None

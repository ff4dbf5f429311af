"""Whose memory a store is to, for commands that go back to it."""

from __future__ import annotations

import gdb
from fugu.abi import REGS, SPARCLE

from .glaze import Kernel, Process, kernel_file, record_words
from .processes import buffered


def owner(address: int) -> Process | None:
    """The process that has a page at this address, in the address space that is on at the selected node. None for the
    kernel's memory, and without Glaze."""
    if not kernel_file() or REGS["RAM_BASE"] <= address < REGS["RAM_BASE"] + REGS["RAM_MAX"]:
        return None
    return Kernel().current


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

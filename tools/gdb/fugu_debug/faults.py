"""Stops before the kernel ends a job for a mistake, while its process can still be looked at."""

from __future__ import annotations

import gdb

from .base import node_of
from .glaze import Kernel

# The kernel's functions that end a job so (kernel/buffer/end.c), and their parameter that names the cause.
ENDS = {"job_fault": "cause", "job_fault_at": "cause", "job_abort": "text"}


class BeforeEnd(gdb.Breakpoint):
    """An internal breakpoint on one of these functions: lists and `delete` leave it out."""

    def __init__(self, function: str, parameter: str) -> None:
        super().__init__(function, internal=True)
        self.silent = True
        self.parameter = parameter

    def stop(self) -> bool:
        """Prints who is about to be ended, and why. Stops unless the process has ended already."""
        address = int(gdb.parse_and_eval("p"))
        kernel = Kernel()
        process = next((p for p in kernel.processes.values() if p.address == address), None)
        if process is None or process.state in ("doomed", "ended"):
            return False
        cause = gdb.parse_and_eval(self.parameter).string(errors="replace")
        print(f"{kernel.title(process)} on node {node_of(gdb.selected_inferior())} is about to be ended: {cause}.\n"
              "\"backtrace\" shows where, \"continue\" ends the job.")
        return True


def watch() -> None:
    """Sets these breakpoints. Caller must have attached all nodes."""
    for function, parameter in ENDS.items():
        BeforeEnd(function, parameter)

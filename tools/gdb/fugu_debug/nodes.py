"""fugu nodes: what all nodes do."""

from __future__ import annotations

import gdb

from .base import attached, local_time, no_arguments, select, selection_kept, state, table
from .programs import code_symbol


class Nodes(gdb.Command):
    """All nodes: state, program counter, function, local time.

    The star marks the selected node. Local times differ by up to a round,
    because a stop freezes all nodes where they are."""

    def __init__(self) -> None:
        super().__init__("fugu nodes", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        no_arguments(argument, "fugu nodes")
        current = gdb.selected_thread()
        rows = [("", "node", "thread", "state", "pc", "function", "cycle")]
        with selection_kept():
            for node, thread in attached().items():
                select(node)
                pc = int(gdb.parse_and_eval("(unsigned long)$pc"))
                mark = "*" if current and thread.ptid == current.ptid else ""
                number = f"{thread.inferior.num}.{thread.num}" if len(gdb.inferiors()) > 1 else str(thread.num)
                rows.append((mark, str(node), number, state(node), f"0x{pc:08x}", code_symbol(pc), str(local_time())))
        if len(rows) == 1:
            raise gdb.GdbError("There is no machine.")
        print("\n".join(table(rows, (1, 6))))

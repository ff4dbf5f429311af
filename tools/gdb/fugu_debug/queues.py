"""fugu queues: the remote queues of a node's current process, and the items that wait in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import gdb

from .base import local_time, numbers, selected_node, selection_kept, table
from .glaze import Process, kernel_of

WORD = 4
ITEMS_MAX = 100_000     # of a queue; a longer list is damaged


class Library:
    """The library's variables in a process. gdb.GdbError if the program does not use rq.h."""

    def __init__(self, process: Process) -> None:
        self.process = process
        found = next((o for o in gdb.objfiles() if o.is_valid() and Path(o.filename or "").stem == process.program.name
                      and o.lookup_global_symbol("rq_queue_find")), None)
        if not found:
            raise gdb.GdbError(f"GDB knows no remote queues of {process.program.name}: does it use rq.h?")
        block = found.lookup_global_symbol("rq_queue_find").symtab.static_block()
        types = {symbol.name: symbol.type for symbol in block if not symbol.is_variable}
        self.queue, self.element, self.shelf = types["queue"], types["element"], types["shelf"]
        shelves = found.lookup_global_symbol("rq_shelves").value()
        self.shelves = [int(shelves.address) + WORD * k for k in range(shelves.type.range()[1] + 1)]

    def queues(self) -> Iterator[gdb.Value]:
        """The contents of each queue, by names."""
        for place in self.shelves:
            address = self.process.word(place)
            shelf = self.process.struct(self.shelf, address) if address else None
            if shelf is None:
                continue
            for name in range(shelf["queue"].type.range()[1] + 1):
                queue = self.process.struct(self.queue, int(shelf["queue"][name])) if shelf["queue"][name] else None
                if queue is not None:
                    yield queue

    def items(self, queue: gdb.Value) -> Iterator[gdb.Value]:
        """The items that wait in a queue, the first one first."""
        element = self.process.struct(self.element, int(queue["taken"]))
        for _ in range(ITEMS_MAX):
            element = self.process.struct(self.element, int(element["next"])) if element and element["next"] else None
            if element is None:
                return
            yield element["item"]


class Queues(gdb.Command):
    """The remote queues (rq.h) of the process that is current on a node: fugu queues [NODE [QUEUE]].

    A row has the queue's name, its kind, how many items have come and how many
    wait, and the first item that waits: its sender, words, and bytes of the
    body. With QUEUE, all items that wait in that queue. Items that are still in
    the network interface or in the kernel's buffer are in fugu flight and fugu
    buffer."""

    def __init__(self) -> None:
        super().__init__("fugu queues", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        given = numbers(argument, "fugu queues [NODE [QUEUE]]", 2)
        node = given[0] if given else selected_node()
        with selection_kept():
            kernel = kernel_of(node)
            if not kernel.current:
                raise gdb.GdbError(f"No process is current on node {node}: see fugu processes.")
            library = Library(kernel.current)
            queues = list(library.queues())
            rows = self.waiting(library, queues, given[1]) if len(given) > 1 else self.rows(library, queues)
            print(f"Remote queues of {kernel.title(kernel.current)} on node {node}, at cycle {local_time()}")
        print("\n".join("  " + line for line in table(rows, (0, 2, 3, 4) if len(given) < 2 else (0, 1))))

    @staticmethod
    def rows(library: Library, queues: list[gdb.Value]) -> list[tuple[str, ...]]:
        """A row for each queue."""
        rows = [("queue", "kind", "came", "wait", "from", "first item")]
        for queue in queues:
            first = next(library.items(queue), None)
            kind = str(queue["kind"]).removeprefix("RQ_").lower()
            waits = (int(queue["put"]) - int(queue["got"])) % (1 << 32)
            rows.append((str(int(queue["name"])) if queue["name"] else "NI", kind, str(int(queue["put"])), str(waits),
                         *(item(first) if first is not None else ("", ""))))
        return rows

    @staticmethod
    def waiting(library: Library, queues: list[gdb.Value], name: int) -> list[tuple[str, ...]]:
        """A row for each item of a queue. gdb.GdbError if there is no such queue."""
        queue = next((one for one in queues if int(one["name"]) == name), None)
        if queue is None:
            raise gdb.GdbError(f"There is no queue {name}: see fugu queues.")
        return [("", "from", "item")] + [(str(k), *item(one)) for k, one in enumerate(library.items(queue))]


def item(value: gdb.Value) -> tuple[str, str]:
    """The sender of an item, and its contents as text."""
    words = " ".join(f"0x{int(value['word'][k]):x}" for k in range(min(int(value["words"]), value["word"].type.range()[1] + 1)))
    body = int(value["bytes"])
    return str(int(value["source"])), words + (f", {body} bytes" if body else "")

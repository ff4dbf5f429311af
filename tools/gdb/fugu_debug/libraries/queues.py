"""fugu queues: the remote queues of a node's current process, and the items that wait in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import gdb
from fugu.paths import program_name

from ..base import local_time, numbers, selected_node, selection_kept, table
from ..glaze import Process, kernel_of

WORD = 4
ITEMS_MAX = 100_000     # of a queue; a longer list is damaged


class Library:
    """The library's variables in a process. gdb.GdbError if the program does not use rq.h."""

    def __init__(self, process: Process) -> None:
        self.process = process
        found = next((o for o in gdb.objfiles() if o.is_valid() and program_name(o.filename or "") == process.program.name
                      and o.lookup_global_symbol("rq_queue_find")), None)
        if not found:
            raise gdb.GdbError(f"GDB knows no remote queues of {process.program.name}: does it use rq.h?")
        types = {symbol.name: symbol.type for function in ("rq_queue_find", "ring_make")
                 for symbol in found.lookup_global_symbol(function).symtab.static_block() if not symbol.is_variable}
        shelves = found.lookup_global_symbol("rq_shelves")
        self.shelves, self.shelf_count = int(shelves.value().address), shelves.type.range()[1] + 1
        self.queue, self.element = types["queue"], types["element"]
        self.shelf, self.ring = types["shelf"], types["ring"]

    def queues(self) -> Iterator[gdb.Value]:
        """The contents of each queue, by names."""
        for number in range(self.shelf_count):
            address = self.process.word(self.shelves + WORD * number)
            shelf = self.process.struct(self.shelf, address) if address else None
            if shelf is None:
                continue
            for name in range(shelf["queue"].type.range()[1] + 1):
                address = int(shelf["queue"][name])
                queue = self.process.struct(self.queue, address) if address else None
                if queue is not None:
                    yield queue

    def items(self, queue: gdb.Value) -> Iterator[Item]:
        """The items that wait in a queue, the first one first: those of its list, then those in its slots."""
        element = self.process.struct(self.element, int(queue["taken"]))
        for _ in range(ITEMS_MAX):
            element = self.process.struct(self.element, int(element["next"])) if element and element["next"] else None
            if element is None:
                break
            yield Item.of(element["item"], int(element["item"]["source"]), int(element["item"]["words"]), 0)
        yield from self.in_slots(queue)

    def in_slots(self, queue: gdb.Value) -> Iterator[Item]:
        """The items in a queue's slots (RQ_BY_FETCH)."""
        ring = int(queue["ring"])
        fields = {field.name: field for field in self.ring.fields()}
        slots, kind = ring + fields["slot"].bitpos // 8, fields["slot"].type.target()
        at = self.process.word(ring + fields["tail"].bitpos // 8) or 0 if ring else 0
        while ring and at <= fields["slot"].type.range()[1]:
            slot = self.process.struct(kind, slots + at * kind.sizeof)     # pages that are untouched are not there
            if slot is None or not slot["present"]:
                return
            present = int(slot["present"])      # as present_word() of rq-state.h makes it
            words = present >> 4 & 15
            if words:
                yield Item.of(slot, present >> 16, words, slot["word"].type.range()[1] + 1 - words)
            at += max(present >> 8 & 0xff, 1)


@dataclass(frozen=True)
class Item:
    source: int
    words: list[int]
    bytes: int

    @classmethod
    def of(cls, value: gdb.Value, source: int, words: int, before: int) -> Item:
        """The item in a list's element or in a slot, whose words begin after some others."""
        most = value["word"].type.range()[1] + 1
        return cls(source, [int(value["word"][k]) for k in range(max(before, 0), min(before + words, most))],
                   int(value["bytes"]))

    def text(self) -> tuple[str, str]:
        """The sender, and the contents."""
        return str(self.source), " ".join(map(hex, self.words)) + (f", {self.bytes} bytes" if self.bytes else "")


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
            items = list(library.items(queue))
            kind = str(queue["kind"]).removeprefix("RQ_").lower()
            came = int(queue["put"]) + sum(1 for _ in library.in_slots(queue))
            waits = (came - int(queue["got"])) % (1 << 32)
            rows.append((str(int(queue["name"])) if queue["name"] else "NI", kind, str(came), str(waits),
                         *(items[0].text() if items else ("", ""))))
        return rows

    @staticmethod
    def waiting(library: Library, queues: list[gdb.Value], name: int) -> list[tuple[str, ...]]:
        """A row for each item of a queue. gdb.GdbError if there is no such queue."""
        queue = next((one for one in queues if int(one["name"]) == name), None)
        if queue is None:
            raise gdb.GdbError(f"There is no queue {name}: see fugu queues.")
        return [("", "from", "item")] + [(str(k), *one.text()) for k, one in enumerate(library.items(queue))]

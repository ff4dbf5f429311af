"""fugu mbcf: the tasks of MBCF on a node, and what waits: requests, commands, invocations, messages, replies."""

from __future__ import annotations

from collections.abc import Iterator

import gdb
from fugu.abi import REGS, Header

from ..base import local_time, numbers, selected_node, selection_kept, table
from ..glaze import PAGE, Kernel, fetched, kernel_of, physical

MBCF = Header("guest-os/include/glaze-mbcf.h", "MBCF_")
WORD = 4
REPLIES_MAX = 10_000    # that wait; a longer queue is damaged
BYTES = ("WRITE", "READ", "FIFO", "FIFOE", "FIFOE_RETRY", "SIGNAL", "WRITE_QUEUE", "UPDATE")   # that move bytes


def _names(first: str, end: str) -> dict[int, str]:
    """The names of the header's numbers from `first` on, as far as `end`, by number."""
    numbers_of = MBCF.group("")
    names = list(numbers_of)
    return {numbers_of[name]: name for name in names[names.index(first):names.index(end)]}


NUMBERS = MBCF.group("")
COMMANDS = _names("WRITE", "COMMANDS")
STATUSES = _names("PENDING", "STATUSES")

Rows = list[tuple[str, ...]]


class Tasks:
    """What the kernel of the selected node knows of MBCF."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.tasks = {gid: fetched(process.value["mbcf"].dereference()) for gid, process in kernel.processes.items()
                      if int(process.value["mbcf"])}

    def rows(self) -> Rows:
        """A row for each task."""
        rows: Rows = [("", "job", "program", "free", "aside", "invoke", "first", "wakes", "done", "refused", "cycles")]
        for gid, task in self.tasks.items():
            process, page = self.kernel.processes[gid], task["page"]
            rows.append(("*" if process is self.kernel.current else "", str(gid), process.program.name,
                         *(str(int(value)) for value in (
                             page["free"], task["aside_count"], task["invocations"], task["queue_count"],
                             page["wakes"], page["commands"], page["refused"], page["cycles"]))))
        return rows

    def slots(self) -> Rows:
        """A row for each request whose end its task's kernel does not know, the oldest first."""
        rows: Rows = [("job", "ticket", "to node", "task", "bytes", "local", "state")]
        for gid, task in self.tasks.items():
            used = [slot for slot in elements(task["slot"]) if int(slot["ticket"])]
            for slot in sorted(used, key=lambda slot: int(slot["ticket"])):
                state = "reply waits for a page" if slot["arrived"] else "silent" if slot["silent"] else "under way"
                rows.append((str(gid), str(int(slot["ticket"])), str(int(slot["node"])), str(int(slot["target"])),
                             str(int(slot["bytes"])), f"0x{int(slot['local']):08x}", state))
        return rows

    def aside(self) -> Rows:
        """A row for each command that waits for a page of its target, or for the network, the oldest first."""
        rows: Rows = [("job", "from node", "task", "command", "address", "bytes")]
        for gid, task in self.tasks.items():
            size, first = length(task["aside"]), int(task["aside_first"])
            for k in range(min(int(task["aside_count"]), size)):
                rows.append((str(gid), *command(task["aside"][(first + k) % size])))
        return rows

    def casts(self) -> Rows:
        """A row for each multicast that the copies' tasks have not all replied to, the oldest first."""
        rows: Rows = [("job", "from node", "task", "command", "address", "bytes", "copies", "sent", "replied", "status")]
        for gid, task in self.tasks.items():
            for cast in sorted(_places(int(task["casts"])), key=lambda cast: int(cast["number"])):
                copies, failed = int(cast["copies"]), int(cast["first_failed"])
                status = int(cast["status"]) if failed < NUMBERS["COPIES"] else NUMBERS["DONE"]
                rows.append((str(gid), *command(cast["command"]), str(copies), str(int(cast["sent"])),
                             str(copies - int(cast["waits"]).bit_count()), STATUSES.get(status, str(status))))
        return rows

    def replies(self) -> Rows:
        """A row for each reply that waits for space in the network, the oldest first."""
        return [("to node", "task", "status"),
                *((str(int(reply["node"])), str(int(reply["word"][2]) & 0xFF),
                   STATUSES.get(int(reply["word"][3]), str(int(reply["word"][3])))) for reply in self._queue())]

    def _queue(self) -> Iterator[gdb.Value]:
        """The packets of the queue for replies."""
        first, last = (fetched(self._static("replies_none", name)) for name in ("queue_first", "queue_next"))
        notes = int(fetched(self._static("frame_note", "notes")))
        frame, index = int(first["frame"]), int(first["index"])
        kind = gdb.lookup_type("struct packet")
        # If the node has stopped inside the kernel, the ends may not agree. The bound ends the loop.
        for _ in range(REPLIES_MAX):
            if not frame or (frame, index) == (int(last["frame"]), int(last["index"])):
                return
            yield gdb.Value(physical(frame + index * kind.sizeof, kind.sizeof), kind)
            index += 1
            if index == PAGE // kind.sizeof:
                at = notes + WORD * ((frame - REGS["RAM_BASE"]) // PAGE)
                frame, index = int.from_bytes(physical(at, WORD), "big"), 0

    def _static(self, function: str, name: str) -> gdb.Value:
        """A static variable of the source file that defines a function."""
        block = self.kernel.objfile.lookup_global_symbol(function).symtab.static_block()
        return next(symbol for symbol in block if symbol.name == name and symbol.is_variable).value()


def command(packet: gdb.Value) -> tuple[str, ...]:
    """A command that has come: its node, task, name, address and bytes."""
    word = [int(packet["word"][at]) for at in range(length(packet["word"]))]
    name = COMMANDS.get(word[2] >> 24, f"{word[2] >> 24}")
    return (str(int(packet["node"])), str(word[7] >> 24), name, f"0x{word[5]:08x}",
            str(word[7] & 0xFFFF) if name in BYTES else "")


def _places(frame: int) -> Iterator[gdb.Value]:
    """The places of a task that multicasts have taken. `frame`: theirs; 0: the task has none."""
    kind = gdb.lookup_type("struct cast")
    for k in range(NUMBERS["CASTS"] if frame else 0):
        cast = gdb.Value(physical(frame + k * kind.sizeof, kind.sizeof), kind)
        if int(cast["number"]):
            yield cast


def length(array: gdb.Value) -> int:
    """The number of elements of an array."""
    return int(array.type.range()[1]) + 1


def elements(array: gdb.Value) -> list[gdb.Value]:
    """The elements of an array."""
    return [array[k] for k in range(length(array))]


class Mbcf(gdb.Command):
    """The tasks of MBCF on a node, and what waits there: fugu mbcf [NODE].

    A row has the task's free slots for requests, the commands that are set
    aside, the programs to be invoked, the first messages that wait, and the
    counts of its page. Tables for slots in use, commands set aside, multicasts
    under way and replies that wait for the network follow, unless they are empty. The star marks the
    current process."""

    def __init__(self) -> None:
        super().__init__("fugu mbcf", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        node = (numbers(argument, "fugu mbcf [NODE]", 1) or [selected_node()])[0]
        with selection_kept():
            found = Tasks(kernel_of(node))
            if not found.tasks:
                raise gdb.GdbError(f"No process on node {node} is a task of MBCF: has one called mbcf_open()?")
            show(f"Tasks of MBCF on node {node}, at cycle {local_time()}", found.rows(), (1, *range(3, 11)))
            for title, rows, right in (("Slots in use", found.slots(), (0, 1, 2, 3, 4)),
                                       ("Commands set aside", found.aside(), (0, 1, 2, 5)),
                                       ("Multicasts under way", found.casts(), (0, 1, 2, 5, 6, 7, 8)),
                                       ("Replies that wait for the network", found.replies(), (0, 1))):
                if len(rows) > 1:
                    show(title, rows, right)


def show(title: str, rows: Rows, right: tuple[int, ...]) -> None:
    """Prints a table with its title."""
    print(title)
    print("\n".join("  " + line for line in table(rows, right)))

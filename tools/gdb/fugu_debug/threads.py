"""fugu threads: threads and handlers of a node's current process, as the library knows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import gdb
from fugu.abi import GLAZE, LIBRARY
from fugu.paths import ROOT, program_name
from fugu.report import stacks
from fugu.report.processes import WAITS

from .base import local_time, numbers, selected_node, selection_kept, table
from .frames import MESSAGE, upcall
from .glaze import Kernel, Process, is_program, kernel_of

# Source files of the library. The boot image names files without their folders.
SOURCES = {path.name for path in (ROOT / "guest-os" / "libos").iterdir()}
SWITCH = "switch.S"
THREAD_SIZE = LIBRARY["THREAD_SIZE"]


@dataclass
class Activation:
    """A frame of the current process, as GDB unwinds it."""

    pc: int
    sp: int
    is_stub: bool               # the stub of an upcall


def unit(address: int) -> int:
    """The lowest address of the stack that contains an address."""
    return address & -GLAZE["STACK_SIZE"] if address >= GLAZE["STACKS"] else GLAZE["MAIN_STACK"]


def activations() -> Iterator[Activation]:
    """The frames of program code on the selected node, innermost first."""
    frame: gdb.Frame | None = gdb.newest_frame()
    for _ in range(stacks.FRAMES_MOST):
        if frame is None:
            return
        if is_program(frame.pc()) and frame.type() != gdb.INLINE_FRAME:
            sp = int(frame.read_register("sp")) & 0xFFFFFFFF
            yield Activation(frame.pc(), sp, frame.type() == gdb.SIGTRAMP_FRAME)
        frame = frame.older()


def in_library(process: Process, pc: int) -> bool:
    """Whether an address is code of the library or of the C library."""
    file = process.program.line_at(pc)
    return file is None or file[0] in SOURCES or file[0].endswith(".S")


def place(process: Process, pcs: list[int]) -> str:
    """The place of the innermost frame in the program's own code, or of the innermost frame if there is none."""
    own = next((pc for pc in pcs if not in_library(process, pc)), None)
    if own is not None:
        return process.program.place(own)
    return process.program.place(pcs[0]) if pcs else ""


class NoThreads(Exception):
    """The program has been linked without the library's threads."""


class Library:
    """The library's variables in a process. gdb.GdbError if GDB has no symbols of its program with the library's."""

    def __init__(self, process: Process) -> None:
        self.process = process
        found = next((o for o in gdb.objfiles() if o.is_valid() and program_name(o.filename or "") == process.program.name
                      and o.lookup_global_symbol("unit_take")), None)
        if not found:
            raise gdb.GdbError(f"GDB has no symbols of {process.program.name} with the library's.")
        first = found.lookup_global_symbol("first_thread")
        self.kind = first.type.strip_typedefs()
        try:
            self.first = int(first.value().address)
        except gdb.error:           # it is in the debug information alone
            raise NoThreads from None
        statics = {s.name: s for s in found.lookup_global_symbol("unit_take").symtab.static_block()}
        self.unused = process.word(int(statics["unused"].value().address)) or GLAZE["STACKS"]
        self.free = set(self.chain(process.word(int(statics["free_units"].value().address)) or 0))
        page = GLAZE["UPCALL"]
        self.current = process.word(page + self.own(found, "current")) or 0
        self.handlers = {unit(process.word(page + self.own(found, "spare")) or 0),
                         *self.interrupted(unit(process.word(page) or 0))}

    @staticmethod
    def own(objfile: gdb.Objfile, name: str) -> int:
        """The offset of one of the library's words in the upcall page."""
        symtab = objfile.lookup_global_symbol("handler_detach").symtab
        kind = next(s.type for s in symtab.static_block() if s.name == "library_page")
        return next(int(f.bitpos) // 8 for f in kind.fields() if f.name == name)

    def chain(self, address: int) -> Iterator[int]:
        """The addresses of the threads in a list that `next` links."""
        for _ in range((GLAZE["STACKS_END"] - GLAZE["STACKS"]) // GLAZE["STACK_SIZE"]):
            thread = self.thread(address) if address else None
            if thread is None:
                return
            yield address
            address = int(thread["next"])

    def interrupted(self, stack: int) -> Iterator[int]:
        """The stack of handlers, and those of the handlers that the one there has interrupted, directly or not."""
        for _ in range((GLAZE["STACKS_END"] - GLAZE["STACKS"]) // GLAZE["STACK_SIZE"]):
            yield stack
            thread = self.thread(stack + GLAZE["STACK_SIZE"] - THREAD_SIZE)
            if thread is None or not thread["below"]:
                return
            stack = unit(int(thread["below"]))

    def thread(self, address: int) -> gdb.Value | None:
        """The struct udm_thread at an address, or None."""
        return self.process.struct(self.kind, address)

    def threads(self) -> Iterator[tuple[int, int, gdb.Value]]:
        """Stack, address and contents of each thread in use, beginning with the program's first thread."""
        size = GLAZE["STACK_SIZE"]
        places = [(GLAZE["MAIN_STACK"], self.first)]
        places += [(stack, stack + size - THREAD_SIZE) for stack in range(GLAZE["STACKS"], self.unused, size)
                   if stack not in self.handlers]
        for stack, address in places:
            thread = None if address in self.free else self.thread(address)
            if thread is not None:
                yield stack, address, thread


class Threads(gdb.Command):
    """Threads and handlers of the process that is current on a node: fugu threads [NODE].

    The star marks the thread that runs or is interrupted. Handlers come first,
    the running handler before those that it has interrupted. `where` is a
    place in the program's own code. Use `thread apply` and `backtrace` to see
    the library's frames of the thread that runs."""

    def __init__(self) -> None:
        super().__init__("fugu threads", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        node = (numbers(argument, "fugu threads [NODE]", 1) or [selected_node()])[0]
        with selection_kept():
            kernel = kernel_of(node)
            if not kernel.current:
                raise gdb.GdbError(f"No process is current on node {node}: see fugu processes.")
            if kernel.current.state == "ended":
                raise gdb.GdbError(f"{kernel.title(kernel.current)} has ended on node {node}.")
            rows = self.rows(kernel)
            print(f"Threads of {kernel.title(kernel.current)} on node {node}, at cycle {local_time()}")
        print("\n".join("  " + line for line in table(rows)))

    @staticmethod
    def rows(kernel: Kernel) -> list[tuple[str, ...]]:
        """The table's rows: its head, handlers, threads."""
        process = kernel.current
        assert process
        live = list(activations())
        rows = [("", "thread", "priority", "state", "stack", "where")]
        rows += handlers(process, live)
        try:
            library = Library(process)
        except NoThreads:
            return [*rows, first_alone(process, live)]
        for stack, address, thread in library.threads():
            current = address == library.current
            pcs = own_frames(live, stack) if current else context(process, thread)
            rows.append(("*" if current else "", "first" if address == library.first else f"0x{address:08x}",
                         str(thread["priority"]).removeprefix("UDM_").lower(), state(process, thread, current, live),
                         f"0x{stack:08x}", where(process, thread, pcs)))
        return rows


def first_alone(process: Process, live: list[Activation]) -> tuple[str, ...]:
    """The row of the thread of main() in a program that has no other, and no memory that describes it."""
    doing = "interrupted" if any(frame.is_stub for frame in live) else "runs"
    return ("*", "first", "normal", doing, f"0x{GLAZE['MAIN_STACK']:08x}",
            place(process, own_frames(live, GLAZE["MAIN_STACK"])))


def own_frames(live: list[Activation], stack: int) -> list[int]:
    """The pcs of the current thread's frames, without those of upcalls on its stack, which begin with a stub."""
    frames = [frame for frame in live if unit(frame.sp) == stack]
    inner = max((k + 1 for k, frame in enumerate(frames) if frame.is_stub), default=0)
    return [frame.pc for frame in frames[inner:]]


def where(process: Process, thread: gdb.Value, pcs: list[int]) -> str:
    """Where a thread is, in words."""
    if thread["done"]:
        return ""
    file = process.program.line_at(pcs[0]) if pcs else None
    if file and file[0] == SWITCH and len(pcs) == 1:
        return f"has not begun: {process.program.symbol(int(thread['start']))}"
    return place(process, pcs)


def handlers(process: Process, live: list[Activation]) -> list[tuple[str, ...]]:
    """The rows of handlers and other upcalls, innermost first. A stub has called each of them."""
    rows, frames = [], []
    for frame in live:
        if frame.is_stub:
            text = place(process, [one.pc for one in frames])
            what = upcall(frame.pc)
            rows.append(("", "handler" if what == MESSAGE else what, "", "interrupted" if rows else "runs",
                         f"0x{unit(frame.sp):08x}",
                         text if frames else f"about to call its handler, or back: {process.program.place(frame.pc)}"))
            frames = []
        else:
            frames.append(frame)
    return rows


def state(process: Process, thread: gdb.Value, current: bool, live: list[Activation]) -> str:
    """What a thread does, in words."""
    if current:
        return "interrupted" if any(frame.is_stub for frame in live) else "runs"
    if thread["done"]:
        return "has ended"
    text = "ready" if thread["ready"] or thread["woken"] else waits(process, context(process, thread))
    return text + (" in a section" if thread["section"] else "")


def waits(process: Process, pcs: list[int]) -> str:
    """What a thread waits for, by the library's function that it has called."""
    names = (process.program.symbol(pc).partition("+")[0].partition(".")[0] for pc in pcs)
    return next((f"waits for {WAITS[name]}" for name in names if name in WAITS), "waits")


def context(process: Process, thread: gdb.Value) -> list[int]:
    """The pcs of the frames of a thread that does not run. All its windows are on its stack."""
    at = thread["context"]
    return list(stacks.frames(process.memory, process.program, int(at["pc"]) + 8, int(at["sp"])))

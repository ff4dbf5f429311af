"""Processes of a node, their threads, and what they wait for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from ..abi import GLAZE, LIBRARY, PROCESS, REGS, VIEW
from ..image.store import sources
from ..paths import program_name
from . import stacks
from .memory import Memory, Missing, Virtual
from .places import File, Tables
from .stacks import WINDOW, is_stub

FRAMES_MOST = 64            # of a stack, for one line of text
THREADS_MOST = 40           # of a process
NAME_MOST = 32              # bytes of a call's name
UNITS = (GLAZE["STACKS_END"] - GLAZE["STACKS"]) // GLAZE["STACK_SIZE"]
STATES = PROCESS.group("PROCESS_")

# What a thread waits for, by the library's function that waits.
WAITS = {"udm_mutex_lock": "a mutex", "udm_cond_wait": "a condition", "udm_thread_join": "the end of a thread",
         "udm_thread_block": "udm_thread_wake()", "page_wait": "a page", "work_take": "deferred work",
         "shm_sleep": "another node"}
# Operations of all nodes, which wait in functions of WAITS.
COLLECTIVES = {"udm_barrier", "udm_broadcast", "udm_quiesce", "udm_reduce_int", "udm_reduce_double",
               "udm_reduce_all_int", "udm_reduce_all_double"}
# The same by updates (guest-os/lib/collective/updates/names.h).
COLLECTIVES_OF = {name.replace("udm", "updates", 1): name for name in COLLECTIVES} | {name: name for name in COLLECTIVES}
# Functions of shrimp.h and mm.h that wait with the kernel's help, and the argument of the system call that is the address.
STORE_WAITS = {"mm_wait_"}
UPDATE_WAITS = {"shrimp_wait", "shrimp_wait_change", "wait_for", "nx_wait", *STORE_WAITS}
UPDATE_WAIT_ARGUMENT = 1
MAP_WAITS = {"shrimp_map", "shrimp_map_to"}
MAP_NODE, MAP_NUMBER = 8, 16          # in the structure that is the call's argument


class View:
    """The members of a view (guest-os/include/view.h)."""

    def __init__(self, name: str, words: tuple[int, ...]) -> None:
        self.words = dict(zip(VIEW.members(name), words, strict=True))

    def __getattr__(self, name: str) -> int:
        return self.words[name]


def view(file: File, name: str) -> View | None:
    """The view of that name in an ELF file, or None."""
    words = file.words(name, VIEW.struct(name).size // 4)
    return View(name, words) if words else None


@dataclass
class Section:
    """What a node's network interface knows of an atomic section."""

    uac: int
    queued: int             # messages in the input queue
    since: int | None       # the cycle at which it began, if that is known


class Kernel:
    """The kernel, or the program of a bare machine, that was booted from a file."""

    def __init__(self, boot: str) -> None:
        first, *programs = sources(boot)
        self.file = File(first)
        self.view = view(self.file, "kernel_view")
        self.paths = {program_name(path): path for path in reversed(programs)}     # the scheduler's server is last
        self.files: dict[str, File | None] = {}
        self.views: dict[tuple[str, str], View | None] = {}
        self.tables: dict[int, Tables] = {}

    def text(self, node: Memory, pc: int, sp: int, windows: list[bytes], section: Section) -> str:
        """What follows the machine's own line about a node: the place of the pc, and a line for each thread.

        The processor has the pc, the stack pointer, and the register windows that it has not saved on the stack.
        """
        processes = list(self.processes(node)) if self.view else []
        running = next((p for p in processes if p.is_current), None)
        place = self.file.function(pc)
        if GLAZE["PROGRAM"] <= pc < GLAZE["PROGRAM_END"] and self.view:
            place = running.runs(pc, sp, windows) if running else ""
        lines = [f" in {place}"] if place else [""]
        for process in processes:
            if process is running and section.uac & REGS["UAC_INTERRUPT_DISABLE"]:
                with suppress(Missing):
                    lines.append(f"    {process.title}{process.section(section)}")
            lines += [f"    {process.title}{line}" for line in process.lines()]
        return "\n".join(lines)

    def processes(self, node: Memory) -> Iterator[Process]:
        """The node's processes that have not ended."""
        assert self.view
        for gid in range(1, PROCESS["JOBS_MAX"] + 1):
            with suppress(Missing):
                address = node.word(self.view.processes + 4 * gid)
                if address:
                    process = Process(self, node, gid, address)
                    if process.state < STATES["DOOMED"]:
                        yield process

    def tables_at(self, node: Memory, address: int) -> Tables:
        """The tables of a program. The boot image has them, which is the same on all nodes. Missing."""
        if address not in self.tables:
            self.tables[address] = Tables(node, address)
        return self.tables[address]

    def view_of(self, program: str, name: str) -> View | None:
        """A program's view of that name, or None."""
        if (program, name) not in self.views:
            file = self.file_of(program)
            self.views[program, name] = view(file, name) if file else None
        return self.views[program, name]

    def file_of(self, program: str) -> File | None:
        """A program's file, or None."""
        if program not in self.files:
            path = self.paths.get(program)
            self.files[program] = File(path) if path else None
        return self.files[program]


class Process:
    """A process of a node. Missing."""

    def __init__(self, kernel: Kernel, node: Memory, gid: int, address: int) -> None:
        assert kernel.view
        at = kernel.view
        self.node, self.address = node, address
        self.is_current = node.word(at.current) == address
        self.state = node.word(address + at.state)
        self.wanted = node.word(address + at.wanted)
        self.suspended = node.read(address + at.suspended, 1) != b"\0"
        self.tables = kernel.tables_at(node, node.word(address + at.program))
        self.memory = Virtual(node, node.word(address + at.regions))
        self.file = kernel.file_of(self.tables.name)
        self.library = kernel.view_of(self.tables.name, "library_view")
        self.crl = kernel.view_of(self.tables.name, "crl_view")
        self.shm = kernel.view_of(self.tables.name, "shm_view")
        self.info, self.tail = node.word(address + at.info), at.tail
        self.title = f"{self.tables.name} (job {gid}): "

    def runs(self, pc: int, sp: int, windows: list[bytes]) -> str:
        """Where the process runs, and the operation of all nodes that it spins in. Empty if nothing is known."""
        place = ""
        with suppress(Missing):
            place = self.tables.place(pc)
            frames = list(self.walk(pc, sp, windows))
            names = [self.tables.function(pc).partition(".")[0] for pc in frames]
            if call := self.collective(frames, names, 0):
                place += f", for {call[1]} in {self.tables.place(frames[call[0]])}"
        return place

    def lines(self) -> Iterator[str]:
        """A line about the process, if all of it waits, and one for each thread that does not run."""
        if self.suspended:
            yield "suspended by overflow control"
        if self.state == STATES["PAGING"]:
            yield f"waits for the page 0x{self.wanted:08x}"
        with suppress(Missing):
            for _, thread in zip(range(THREADS_MOST), self.threads(), strict=False):
                with suppress(Missing):
                    if line := self.line(thread):
                        yield line
        with suppress(Missing):
            if line := self.region_call():
                yield line
        with suppress(Missing):
            if line := self.shm_call():
                yield line

    def section(self, found: Section) -> str:
        """A line about the atomic section that the running process is in. Missing."""
        mode = self.node.word(self.info + GLAZE["I_MODE"])
        buffered = mode == GLAZE["BUFFERED"]
        count = self.buffered() if buffered else found.queued
        what = "an atomic section" if found.since is not None else "an atomic section or a handler"
        since = f" since cycle {found.since}" if found.since is not None else ""
        if mode == GLAZE["MESSAGELESS"]:
            return f"is in an atomic section{since}"
        waiting = f"{count or 'no'} message{'' if count == 1 else 's'} wait{'s' if count == 1 else ''}"
        return f"is in {what}{since}, in {'buffered' if buffered else 'fast'} mode: {waiting}"

    def buffered(self) -> int:
        """The number of messages in the buffer. Missing."""
        size, page = PROCESS["RECORD_SIZE"], GLAZE["PAGE"]
        at, tail = self.node.word(self.info + GLAZE["I_HEAD"]), self.node.word(self.address + self.tail)
        first = GLAZE["BUFFER"]
        if not (first <= at < GLAZE["BUFFER_END"] and first <= tail < GLAZE["BUFFER_END"]):
            return 0
        # A page has room for a number of records, and a rest.
        number = [(address - first) // page * (page // size) + (address - first) % page // size for address in (at, tail)]
        return (number[1] - number[0]) % ((GLAZE["BUFFER_END"] - first) // page * (page // size))

    def region_call(self) -> str:
        """A line about the call of CRL that a thread is in; an empty text if there is none. Missing."""
        at = self.crl
        if not at:
            return ""
        call, rid, caller = (self.memory.word(at.now + member) for member in (at.call, at.rid, at.caller))
        if not 0 < call <= at.calls:
            return ""
        name = self.memory.string(self.memory.word(at.names + 4 * (call - 1)), NAME_MOST)
        return f"is in {name}{f' of region 0x{rid:x}' if rid else ''} in {self.tables.place(caller)}"

    def shm_call(self) -> str:
        """A line about the call of shared memory that the process is in; an empty text if there is none. Missing."""
        at = self.shm
        if not at:
            return ""
        call, address, caller = (self.memory.word(at.now + member) for member in (at.call, at.address, at.caller))
        if not 0 < call <= at.calls:
            return ""
        name = self.memory.string(self.memory.word(at.names + 4 * (call - 1)), NAME_MOST)
        place = f" in {self.tables.place(caller)}" if caller else ""
        return f"is in {name}{f' of 0x{address:08x}' if address else ''}{place}"

    def line(self, thread: int) -> str:
        """A line about a thread; an empty text if it runs. Missing."""
        if thread == self.current():
            return self.own_wait(self.name(thread), list(self.own_frames())) if self.state == STATES["WAITING"] else ""
        if self.library and self.memory.read(thread + self.library.ready, 1) != b"\0":
            return f"{self.name(thread)} is ready"
        return self.waits(self.name(thread), list(self.frames(thread)), "")

    def own_wait(self, thread: str, frames: list[int]) -> str:
        """A line about the thread with which the process waits. Missing."""
        names = [self.tables.function(pc).partition(".")[0] for pc in frames]
        if names and names[0] in UPDATE_WAITS:
            caller = next((k for k, name in enumerate(names) if name not in UPDATE_WAITS), 0)
            what = "a store to" if names[0] in STORE_WAITS else "an update of"
            return f"{thread} waits for {what} {self.update_awaited()} in {self.tables.place(frames[caller])}"
        if names and names[0] in MAP_WAITS:
            caller = next((k for k, name in enumerate(names) if name not in MAP_WAITS), 0)
            return f"{thread} waits for {self.export_awaited()} in {self.tables.place(frames[caller])}"
        if call := self.collective(frames, names, 0):
            return f"{thread} waits for {call[1]} in {self.tables.place(frames[call[0]])}"
        return self.waits(thread, frames, self.awaited())

    def update_awaited(self) -> str:
        """The address of which the process awaits an update, with the variable's name. Missing."""
        address = self.node.word(self.address + PROCESS["P_OUT"] + 4 * UPDATE_WAIT_ARGUMENT)
        variable = self.file.variable(address) if self.file else ""
        return f"0x{address:08x}{f' ({variable})' if variable else ''}"

    def export_awaited(self) -> str:
        """The export to which the process maps. Missing."""
        argument = self.node.word(self.address + PROCESS["P_OUT"] + 4 * UPDATE_WAIT_ARGUMENT)
        node, number = (self.memory.word(argument + member) for member in (MAP_NODE, MAP_NUMBER))
        return f"export {number} of node {node}"

    def awaited(self) -> str:
        """What ends the system call WAIT besides a signal, which is a message too. Missing."""
        messageless = self.node.word(self.info + GLAZE["I_MODE"]) == GLAZE["MESSAGELESS"]
        return "an alarm or a page" if messageless else "a message"

    # ---- threads ----

    def current(self) -> int:
        """The address of the running thread; 0 if it is not known."""
        with suppress(Missing):
            return self.memory.word(GLAZE["UPCALL"] + LIBRARY["U_CURRENT"]) if self.library else 0
        return 0

    def name(self, thread: int) -> str:
        """A thread in words: by its first function, if it has one."""
        if not self.library or thread in (0, self.library.first_thread):
            return "first thread"
        with suppress(Missing):
            start = self.memory.word(thread + self.library.start)
            return f"thread of {self.tables.function(start) or f'0x{start:08x}'}" if start else "thread of a handler"
        return f"thread 0x{thread:08x}"

    def threads(self) -> Iterator[int]:
        """The addresses of the threads in use that have not ended. Missing."""
        if not self.library:
            yield self.current()
            return
        yield self.library.first_thread
        size, read = GLAZE["STACK_SIZE"], self.memory.word
        upcall = GLAZE["UPCALL"]
        handlers = {unit & -size for unit in (read(upcall), read(upcall + LIBRARY["U_SPARE"]))}
        free = set(self.free_units())
        for stack in range(GLAZE["STACKS"], min(read(self.library.unused), GLAZE["STACKS_END"]), size):
            thread = stack + size - LIBRARY["THREAD_SIZE"]
            with suppress(Missing):
                if stack not in handlers and thread not in free and \
                        self.memory.read(thread + self.library.done, 1) == b"\0":
                    yield thread

    def free_units(self) -> Iterator[int]:
        """The addresses of the free units. Missing."""
        assert self.library
        unit = self.memory.word(self.library.free_units)
        for _ in range(UNITS):
            if not unit:
                return
            yield unit
            unit = self.memory.word(unit + self.library.next)

    # ---- stacks ----

    def own_frames(self) -> Iterator[int]:
        """The pcs of the frames of the thread whose registers the kernel has saved, innermost first. Missing.

        The pc of a frame that has called another one is that of the call.
        """
        saved = min(self.node.word(self.address + PROCESS["P_WINDOWS"]), 8)
        windows = [self.node.read(self.address + PROCESS["P_WINDOW"] + WINDOW * k, WINDOW) for k in range(saved)]
        pc = self.node.word(self.address + PROCESS["P_PC"])
        yield from self.walk(pc, self.node.word(self.address + PROCESS["P_OUT"] + 4 * 6), windows)

    def frames(self, thread: int) -> Iterator[int]:
        """The same of a thread that does not run. Missing."""
        sp, pc = (self.memory.word(thread + LIBRARY[f"CONTEXT_{name}"]) for name in ("SP", "PC"))
        yield from self.walk(pc + 8, sp, [])

    def walk(self, pc: int, sp: int, windows: list[bytes]) -> Iterator[int]:
        """The pcs of frames. `windows` are the first frames' register windows; the others are on the stack."""
        return islice(stacks.frames(self.memory, self.tables, pc, sp, windows), FRAMES_MOST)

    def waits(self, thread: str, frames: list[int], otherwise: str) -> str:
        """A line about a thread that waits: where in the program, and for what."""
        names = [self.tables.function(pc).partition(".")[0] for pc in frames]
        at = next((k for k, name in enumerate(names) if name in WAITS), None)
        if at is None:
            place = self.tables.place(frames[0]) if frames else "?"
            return f"{thread} waits{f' for {otherwise}' if otherwise else ''} in {place}"
        # The caller of the library; a page is waited for below the library's stub.
        stubs = [k for k, pc in enumerate(frames) if is_stub(self.tables, pc)]
        caller = stubs[0] + 1 if names[at] == "page_wait" and stubs else at + 1
        what = WAITS[names[at]]
        if names[at] == "udm_thread_block":
            caller, what = self.collective(frames, names, caller) or (caller, what)
        place = self.tables.place(frames[caller]) if caller < len(frames) else "?"
        return f"{thread} waits for {what} in {place}"

    def collective(self, frames: list[int], names: list[str], first: int) -> tuple[int, str] | None:
        """The frame that has called an operation of all nodes, from `first` outward, and what it waits for."""
        for k in range(first, len(frames) - 1):
            if is_stub(self.tables, frames[k]):
                return None         # a handler; the interrupted code may wait
            if names[k] in COLLECTIVES_OF and names[k + 1] not in COLLECTIVES_OF:
                return k + 1, f"other nodes in {COLLECTIVES_OF[names[k]]}()"
        return None

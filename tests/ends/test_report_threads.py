"""Lines of the report about the threads of a process, and the calls that they are in, for stacks that are known."""

from __future__ import annotations

import struct
from types import SimpleNamespace

import pytest

from fugu.abi import GLAZE, LIBRARY, PROCESS, REGS
from fugu.report import processes, stacks
from fugu.report.memory import Missing
from fugu.report.processes import STATES, Kernel, Process, Section

CODE, STACKS, SIZE, UPCALL = GLAZE["PROGRAM"], GLAZE["STACKS"], GLAZE["STACK_SIZE"], GLAZE["UPCALL"]
FIRST = 0x20000000              # the first thread
UNUSED, FREE = 0x20001000, 0x20001004
VIEW = SimpleNamespace(first_thread=FIRST, unused=UNUSED, free_units=FREE, next=0x08, done=0x0c, ready=0x0d, start=0x10)
INFO, ADDRESS = 0x1000, 0x2000
CALLS = SimpleNamespace(names=0x3000, calls=2, now=0x3100, call=0, rid=4, address=4, caller=8)


class Words:
    """Memory that has only these words and texts."""

    def __init__(self, words):
        self.words = dict(words)

    def read(self, address, length):
        data, at = b"", address & ~3
        while len(data) < length + address % 4:
            if at not in self.words:
                raise Missing
            data += struct.pack(">I", self.words[at])
            at += 4
        return data[address % 4:address % 4 + length]

    def word(self, address):
        return int.from_bytes(self.read(address, 4), "big")

    def string(self, address, most):
        assert most == 32
        return {0x3200: "rgn_start_read", 0x3300: "shm_lock"}[address]


class Program:
    """The tables of a program: each function has 16 bytes, in the order of names."""

    def __init__(self, *names):
        self.names = names

    def function(self, pc):
        return self.names[(pc - CODE) // 16] if 0 <= pc - CODE < 16 * len(self.names) else ""

    def line_at(self, pc):
        return ("upcall.S" if self.function(pc) == "stub" else "a.c", 1)

    def place(self, pc):
        return f"<{self.function(pc) or hex(pc)}>"


def stack(*names):
    """A process whose program has these functions, and their addresses as a stack's frames, innermost first."""
    made = object.__new__(Process)
    made.tables, made.library, made.file = Program(*names), VIEW, None
    made.memory, made.node = Words({}), Words({INFO + GLAZE["I_MODE"]: GLAZE["FAST"]})
    made.info, made.address, made.state, made.crl, made.shm = INFO, ADDRESS, STATES["RUNNABLE"], None, None
    return made, [CODE + 16 * k for k in range(len(names))]


@pytest.mark.parametrize("names, line", [
    (["udm_mutex_lock", "work", "main"], "t waits for a mutex in <work>"),
    (["wait", "udm_mutex_lock.part.0", "work"], "t waits for a mutex in <work>"),
    (["udm_cond_wait", "work"], "t waits for a condition in <work>"),
    (["udm_thread_join", "work"], "t waits for the end of a thread in <work>"),
    (["udm_thread_block", "work"], "t waits for udm_thread_wake() in <work>"),
    (["work_take", "work"], "t waits for deferred work in <work>"), (["shm_sleep", "work"], "t waits for another node in <work>"),
    (["udm_mutex_lock"], "t waits for a mutex in ?"),
    (["page_wait", "fault", "stub", "work", "main"], "t waits for a page in <work>"),
    (["page_wait", "stub"], "t waits for a page in ?"), (["page_wait", "work", "main"], "t waits for a page in <work>"),
    (["udm_mutex_lock", "handler", "stub", "work"], "t waits for a mutex in <handler>"),
    (["udm_thread_block", "wait", "udm_barrier", "work"], "t waits for other nodes in udm_barrier() in <work>"),
    (["udm_thread_block", "udm_barrier", "udm_quiesce", "work"], "t waits for other nodes in udm_quiesce() in <work>"),
    (["udm_thread_block", "updates_broadcast.part.3", "work"], "t waits for other nodes in udm_broadcast() in <work>"),
    (["udm_thread_block", "wait", "stub", "udm_barrier", "work"], "t waits for udm_thread_wake() in <wait>"),
    (["udm_thread_block", "udm_barrier"], "t waits for udm_thread_wake() in <udm_barrier>"),
    (["udm_mutex_lock", "udm_barrier", "work"], "t waits for a mutex in <udm_barrier>"),
    (["work", "main"], "t waits in <work>"), ([], "t waits in ?")])
def test_what_a_thread_waits_for(names, line):
    """The function that waits may have parts; the place is that of its caller."""
    process, frames = stack(*names)
    assert process.waits("t", frames, "") == line


@pytest.mark.parametrize("name", ["barrier", "broadcast", "quiesce", "reduce_int", "reduce_double", "reduce_all_int",
                                  "reduce_all_double"])
@pytest.mark.parametrize("library", ["udm", "updates"])
def test_operations_of_all_nodes(library, name):
    process, frames = stack(f"{library}_{name}", "main")
    assert process.collective(frames, [f"{library}_{name}", "main"], 0) == (1, f"other nodes in udm_{name}()")
    assert process.collective(frames, [f"{library}_{name}", "main"], 1) is None


@pytest.mark.parametrize("names, line", [
    (["work", "main"], "t waits for a message in <work>"), ([], "t waits for a message in ?"),
    (["wait", "udm_barrier", "main"], "t waits for other nodes in udm_barrier() in <main>"),
    (["udm_mutex_lock", "main"], "t waits for a mutex in <main>"),
    (["shrimp_wait", "wait_for", "work"], "t waits for an update of 0x00000077 in <work>"),
    (["shrimp_wait_change", "work"], "t waits for an update of 0x00000077 in <work>"),
    (["nx_wait"], "t waits for an update of 0x00000077 in <nx_wait>"),
    (["mm_wait_", "work"], "t waits for a store to 0x00000077 in <work>"),
    (["work", "shrimp_wait", "main"], "t waits for a message in <work>"),
    (["shrimp_map_to", "shrimp_map", "work"], "t waits for export 5 of node 3 in <work>"),
    (["shrimp_map"], "t waits for export 5 of node 3 in <shrimp_map>")])
def test_what_a_process_waits_for(names, line):
    process, frames = stack(*names)
    process.node.words[ADDRESS + PROCESS["P_OUT"] + 4] = 0x77
    if "map" in "".join(names):
        process.node.words[ADDRESS + PROCESS["P_OUT"] + 4] = 0x78
        process.memory.words |= {0x78 + processes.MAP_NODE: 3, 0x78 + processes.MAP_NUMBER: 5}
    assert process.own_wait("t", frames) == line


def test_the_variable_that_is_awaited():
    process, frames = stack("shrimp_wait", "work")
    process.node.words[ADDRESS + PROCESS["P_OUT"] + 4] = 0x77
    process.file = SimpleNamespace(variable=lambda address: f"flag+{address:x}")
    assert process.own_wait("t", frames) == "t waits for an update of 0x00000077 (flag+77) in <work>"
    process.file = SimpleNamespace(variable=lambda address: "")
    assert process.own_wait("t", frames) == "t waits for an update of 0x00000077 in <work>"


@pytest.mark.parametrize("mode, what", [("FAST", "a message"), ("BUFFERED", "a message"), ("MESSAGELESS", "an alarm or a page")])
def test_what_ends_a_wait(mode, what):
    process, _ = stack("main")
    process.node.words[INFO + GLAZE["I_MODE"]] = GLAZE[mode]
    assert process.awaited() == what


@pytest.mark.parametrize("call, rid, caller, crl, shm", [
    (0, 0x10, CODE, "", ""), (1, 0x10, CODE, "is in rgn_start_read of region 0x10 in <main>", "is in rgn_start_read of 0x00000010 in <main>"),
    (2, 0, CODE, "is in shm_lock in <main>", "is in shm_lock in <main>"),
    (2, 0x20, 0, "is in shm_lock of region 0x20 in <0x0>", "is in shm_lock of 0x00000020"),
    (3, 0x10, CODE, "", ""), (0xffffffff, 0x10, CODE, "", "")])
def test_the_call_of_crl_or_of_shared_memory(call, rid, caller, crl, shm):
    """The first name, the last one, and numbers that no call has."""
    process, _ = stack("main")
    assert process.region_call() == process.shm_call() == ""        # a program without these libraries
    process.crl = process.shm = CALLS
    process.memory = Words({CALLS.now: call, CALLS.now + 4: rid, CALLS.now + 8: caller, 0x3000: 0x3200, 0x3004: 0x3300})
    assert process.region_call() == crl and process.shm_call() == shm
    process.threads = lambda: iter(())
    process.suspended = False
    assert list(process.lines()) == [line for line in (crl, shm) if line]


@pytest.mark.parametrize("start, name", [(CODE, "thread of main"), (CODE + 16, f"thread of 0x{CODE + 16:08x}"), (0, "thread of a handler")])
def test_the_name_of_a_thread(start, name):
    process, _ = stack("main")
    process.memory.words[STACKS + VIEW.start] = start
    assert process.name(STACKS) == name
    assert process.name(STACKS + 4) == f"thread 0x{STACKS + 4:08x}"      # its memory is not there
    assert process.name(0) == process.name(FIRST) == "first thread"
    process.library = None
    assert process.name(STACKS) == "first thread"


def threads(count):
    """A process with so many units of stacks that were taken, and the thread of each."""
    process, _ = stack("main")
    process.memory.words |= {UNUSED: STACKS + count * SIZE, FREE: 0, UPCALL: 0, UPCALL + LIBRARY["U_SPARE"]: 0}
    found = [STACKS + (k + 1) * SIZE - LIBRARY["THREAD_SIZE"] for k in range(count)]
    process.memory.words |= {thread + VIEW.done: 0 for thread in found}
    return process, found


@pytest.mark.parametrize("count", [0, 1, 5])
def test_threads_that_were_begun(count):
    process, found = threads(count)
    assert list(process.threads()) == [FIRST, *found]


def test_stacks_that_no_thread_has():
    """Those of handlers, free ones, those of threads that have ended, and those whose memory is not there."""
    process, found = threads(8)
    process.memory.words[UPCALL] = STACKS + SIZE - 8               # somewhere in the first
    process.memory.words[UPCALL + LIBRARY["U_SPARE"]] = STACKS + SIZE
    process.memory.words |= {FREE: found[2], found[2] + VIEW.next: found[4], found[4] + VIEW.next: 0}
    process.memory.words[found[5] + VIEW.done] = 0x01000000
    del process.memory.words[found[6] + VIEW.done]
    assert list(process.threads()) == [FIRST, found[3], found[7]]


def test_a_number_of_stacks_that_means_nothing():
    process, _ = threads(0)
    process.memory.words[UNUSED] = 0xfffffff0
    last = GLAZE["STACKS_END"] - LIBRARY["THREAD_SIZE"]
    process.memory.words |= {last + VIEW.done: 0, last + SIZE + VIEW.done: 0}
    assert list(process.threads()) == [FIRST, last]


def test_a_list_of_free_stacks_without_end():
    process, found = threads(1)
    process.memory.words |= {FREE: found[0], found[0] + VIEW.next: found[0]}
    assert list(process.free_units()) == [found[0]] * ((GLAZE["STACKS_END"] - STACKS) // SIZE)


def test_a_process_without_the_library():
    process, _ = stack("main")
    process.library = None
    assert list(process.threads()) == [0] and process.current() == 0


def test_the_running_thread():
    process, _ = stack("main")
    assert process.current() == 0
    process.memory.words[UPCALL + LIBRARY["U_CURRENT"]] = STACKS
    assert process.current() == STACKS


@pytest.mark.parametrize("state", ["RUNNABLE", "WAITING", "PAGING"])
@pytest.mark.parametrize("ready", [False, True])
def test_the_line_of_a_thread(ready, state):
    """The running one has a line where the process waits; others are ready, or wait."""
    process, _ = stack("main", "work")
    process.memory.words |= {UPCALL + LIBRARY["U_CURRENT"]: FIRST, STACKS + VIEW.done: ready << 16, STACKS + VIEW.start: CODE}
    process.state = STATES[state]
    process.own_frames = lambda: iter([CODE + 16])
    process.frames = lambda thread: iter([CODE])
    assert process.line(FIRST) == ("first thread waits for a message in <work>" if state == "WAITING" else "")
    assert process.line(STACKS) == ("thread of main is ready" if ready else "thread of main waits in <main>")


@pytest.mark.parametrize("count", [40, 41])
def test_so_many_threads_have_lines(count):
    process, _ = stack("main")
    process.suspended, process.threads, process.line = False, lambda: iter(range(1, count + 1)), lambda thread: f"line {thread}"
    assert list(process.lines()) == [f"line {thread}" for thread in range(1, 41)]


def test_threads_without_a_line():
    """One that runs, and one whose memory is not there."""
    process, _ = stack("main")

    def line(thread):
        if thread == 2:
            raise Missing
        return "" if thread == 1 else f"line {thread}"
    process.suspended, process.threads, process.line = False, lambda: iter((1, 2, 3)), line
    assert list(process.lines()) == ["line 3"]


@pytest.mark.parametrize("saved, count", [(0, 0), (1, 1), (8, 8), (9, 8), (0xffffffff, 8)])
def test_frames_of_the_registers_that_the_kernel_has_saved(saved, count, monkeypatch):
    process, _ = stack("main")
    asked = []
    process.node = Words({ADDRESS + PROCESS["P_WINDOWS"]: saved, ADDRESS + PROCESS["P_PC"]: CODE,
                          ADDRESS + PROCESS["P_OUT"] + 24: 0x5000}
                         | {ADDRESS + PROCESS["P_WINDOW"] + at: at for at in range(0, 64 * 8, 4)})
    monkeypatch.setattr(stacks, "frames", lambda *words: iter(asked.append(words) or [7]))
    assert list(process.own_frames()) == [7]
    [(memory, tables, pc, sp, windows)] = asked
    assert (memory, tables, pc, sp) == (process.memory, process.tables, CODE, 0x5000)
    assert [int.from_bytes(one[:4], "big") for one in windows] == [64 * k for k in range(count)]
    assert {len(one) for one in windows} <= {64}


def test_frames_of_a_thread_that_does_not_run(monkeypatch):
    """It goes on behind the call of what has taken its registers."""
    process, _ = stack("main")
    process.memory.words |= {STACKS + LIBRARY["CONTEXT_SP"]: 0x5000, STACKS + LIBRARY["CONTEXT_PC"]: CODE}
    monkeypatch.setattr(stacks, "frames", lambda memory, tables, pc, sp, windows: iter([(pc, sp, windows)]))
    assert list(process.frames(STACKS)) == [(CODE + 8, 0x5000, [])]


def test_a_line_looks_at_so_many_frames(monkeypatch):
    process, _ = stack("main")
    monkeypatch.setattr(stacks, "frames", lambda *words: iter(range(1000)))
    assert len(list(process.walk(CODE, 0, []))) == 64


def test_where_a_process_runs():
    process, frames = stack("wait", "udm_barrier", "main")
    process.walk = lambda pc, sp, windows: iter(frames)
    assert process.runs(CODE, 0, []) == "<wait>, for other nodes in udm_barrier() in <main>"
    process.walk = lambda pc, sp, windows: iter(frames[:1])
    assert process.runs(CODE, 0, []) == "<wait>"


PROCESSES = 0x6000


def kernel(processes=()):
    """A kernel, with processes in place of those that it finds."""
    made = object.__new__(Kernel)
    made.file = SimpleNamespace(function=lambda pc: "schedule" if pc == 0x100 else "")
    made.view = SimpleNamespace(processes=PROCESSES)
    if processes:
        made.processes = lambda node: iter(processes)
    return made


def one_of(title, current=False, runs="main (a.c:3)"):
    return SimpleNamespace(title=title, is_current=current, runs=lambda *words: runs, lines=lambda: iter(["waits"]),
                           section=lambda section: f"section {section.queued}")


@pytest.mark.parametrize("uac, section", [(0, []), (REGS["UAC_INTERRUPT_DISABLE"], ["    b: section 4"])])
@pytest.mark.parametrize("pc, place", [(0x100, " in schedule"), (0x104, ""), (CODE, " in main (a.c:3)"), (CODE - 4, ""),
                                       (GLAZE["PROGRAM_END"] - 4, " in main (a.c:3)"), (GLAZE["PROGRAM_END"], "")])
def test_the_text_about_a_node(pc, place, uac, section):
    found = kernel([one_of("a: "), one_of("b: ", True), one_of("c: ")])
    lines = found.text(None, pc, 0, [], Section(uac, 4, None)).split("\n")
    assert lines == [place, "    a: waits", *section, "    b: waits", "    c: waits"]


def test_the_text_about_a_node_of_a_bare_machine():
    found = kernel()
    found.view = None
    assert found.text(None, 0x100, 0, [], Section(REGS["UAC_INTERRUPT_DISABLE"], 4, None)) == " in schedule"
    found.file.function = lambda pc: "main"
    assert found.text(None, CODE, 0, [], Section(0, 0, None)) == " in main"


def test_no_process_runs():
    found = kernel([one_of("a: ")])
    assert found.text(None, CODE, 0, [], Section(REGS["UAC_INTERRUPT_DISABLE"], 4, None)) == "\n    a: waits"


def test_processes_that_have_not_ended(monkeypatch):
    """GIDs count from 1 to the last. Those without a process, whose process has ended, and whose memory is not there."""
    last = PROCESS["JOBS_MAX"]

    def made(kernel, node, gid, address):
        if address == 4:
            raise Missing
        return SimpleNamespace(gid=gid, address=address, state={2: STATES["DOOMED"] - 1, 3: STATES["DOOMED"]}.get(address, 0))
    monkeypatch.setattr(processes, "Process", made)
    words = {PROCESSES + 4 * gid: 0 for gid in range(last + 2)} | {
        PROCESSES: 1, PROCESSES + 4: 1, PROCESSES + 8: 2, PROCESSES + 12: 3, PROCESSES + 16: 4, PROCESSES + 4 * last: 5,
        PROCESSES + 4 * last + 4: 6}
    assert [(one.gid, one.address) for one in kernel().processes(Words(words))] == [(1, 1), (2, 2), (last, 5)]


def test_what_the_kernel_knows_of_files(tmp_path, monkeypatch):
    """Each is read once, by a program's name; of two programs with the same name, the first. No view: no such constant."""
    read = []

    class File:
        def __init__(self, path):
            read.append(path)

        def words(self, name, count):
            return tuple(range(1, count + 1)) if name in ("kernel_view", "crl_view") else None
    monkeypatch.setattr(processes, "File", File)
    monkeypatch.setattr(processes, "Tables", lambda node, address: SimpleNamespace(at=address))
    monkeypatch.setattr(processes, "sources", lambda boot: ["kernel.elf", "a/lu.elf", "sched.elf", "b/lu.elf"])
    found = Kernel("image")
    assert (found.view.processes, found.view.current, found.view.state, found.view.tail) == (1, 2, 3, 9)
    for _ in range(2):
        assert found.view_of("lu", "library_view") is None and found.view_of("lu", "crl_view").caller == 6
        assert found.view_of("other", "crl_view") is None and found.file_of("other") is None
        assert found.file_of("sched") is not None
        assert (found.tables_at(None, 8).at, found.tables_at(None, 4).at) == (8, 4)
    assert found.tables_at(None, 8) is found.tables_at(None, 8)
    assert read == ["kernel.elf", "a/lu.elf", "sched.elf"]


def test_calls_that_wait_are_looked_at_from_the_first_frame():
    process, frames = stack("udm_barrier", "main")
    assert process.own_wait("t", frames) == "t waits for other nodes in udm_barrier() in <main>"
    process, frames = stack("udm_barrier", "stub", "udm_barrier", "main")
    assert process.collective(frames, ["udm_barrier", "stub", "udm_barrier", "main"], 1) is None

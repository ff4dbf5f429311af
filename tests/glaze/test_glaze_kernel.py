"""Conditions that hold inside Glaze's kernel, where no program can check them.

A client of QEMU's GDB stub stops the machine in the kernel and reads the
network interface and the kernel's memory. This changes nothing in the run. The
programs check themselves as well (tests/glaze/contract).
"""

from __future__ import annotations

import os
import struct
from collections import Counter
from dataclasses import dataclass, field

import pytest
from debugged import Debugged
from guest_programs import built

from fugu.abi import GLAZE, PROCESS, REGS
from fugu.image import elf
from fugu.paths import build_dir
from fugu.run import qemu_command as qemu_line
from fugu.run.parse import parse
from fugu.run.programs import find_kernel
from fugu.run.ready import boot_file
from fugu.run.rsp import BREAKPOINT, O0, PC, WATCH_WRITE, Ended, Rsp, Stop

STOPS_MAX = 20_000
TIMEOUT = 10_000            # the kernel's default
O7 = O0 + 7


NI_RECORD = REGS["NI_USER_BASE"] + REGS["U_RECORD"]
EMPTY = GLAZE["INFO"] + GLAZE["I_EMPTY"]
SECTION = REGS["UAC_INTERRUPT_DISABLE"] | REGS["UAC_TIMER_FORCE"]


@dataclass
class Watched:
    """Node 0 of a machine that the client stops and reads."""

    machine: Debugged
    rsp: Rsp
    symbols: dict[str, elf.Symbol]
    breakpoints: set[int] = field(default_factory=set)

    def word(self, address):
        return int.from_bytes(self.rsp.read(0, address, 4), "big")

    def ni(self, name):
        """A register of the NI's kernel page."""
        return self.word(REGS["NI_KERNEL_BASE"] + REGS[f"K_{name}"])

    def head(self, name):
        return self.word(REGS["NI_KERNEL_BASE"] + REGS["K_HEAD"] + REGS[f"HEAD_{name}"])

    def info(self, name):
        """A word of the information page of the process whose address space is loaded."""
        return self.word(GLAZE["INFO"] + GLAZE[f"I_{name}"])

    def process(self, offset):
        """A word of the kernel's page for that process."""
        return self.word(GLAZE["PROCESS"] + offset)

    def head_is_mine(self):
        """Whether the head of the queue is a user message for the process whose GID is loaded."""
        return bool(self.head("PRESENT") and not self.head("KERNEL") and self.head("GID") == self.ni("GID"))

    def caller(self):
        """The name of the caller of a function, when the function's first instruction is next."""
        o7 = self.rsp.register(0, O7)
        functions = (symbol for symbol in self.symbols.values() if symbol.is_function)
        return next((one.name for one in functions if one.address <= o7 < one.address + one.size), "")

    def stops(self, *names):
        """Stops at these kernel functions until the machine ends; yields the name of each."""
        at = {self.symbols[name].address: name for name in names}
        for address in at:
            self.rsp.insert(0, BREAKPOINT, address)
        self.breakpoints = set(at)
        for _ in range(STOPS_MAX):
            if isinstance(self.rsp.run(), Ended):
                return
            here = self.rsp.register(0, PC)
            yield at[here]
            self.pass_by()
        pytest.fail(f"the machine stopped {STOPS_MAX} times and did not end")

    def pass_by(self):
        """Steps over a breakpoint at the pc, at which the machine would stop again."""
        here = self.rsp.register(0, PC)
        if here in self.breakpoints:
            self.rsp.remove(0, BREAKPOINT, here)
            self.rsp.step(0)
            self.rsp.insert(0, BREAKPOINT, here)

    def end(self):
        status = self.machine.end()
        assert status == 0, self.machine.stdout + self.machine.stderr


@pytest.fixture
def watch(tmp_path):
    """watch(word..., options=[...], parameters=[...]) -> Watched.

    The words name jobs. The jobs run on one node, which stands before its first instruction. `parameters` are the
    kernel's own, for which run.sh has no options.
    """
    machines = []

    def start(*words, options=(), parameters=()):
        path = tmp_path / f"gdb{len(machines)}"
        run = parse(["--nodes=1", "--timeout=100M", *options, "--", *map(str, words)])
        image = boot_file(run, build_dir(), os.environ["FUGU_TOOLCHAIN_PREFIX"])
        line = qemu_line.command(os.environ["FUGU_QEMU"], image, run)
        append = line.index("-append") + 1
        line[append] = " ".join([*parameters, line[append]])
        machine = Debugged(line, path, 1)
        machines.append(machine)
        rsp = machine.connect(path)
        kernel = find_kernel(build_dir())
        return Watched(machine, rsp, {s.name: s for s in elf.read(kernel, kernel.read_bytes()).symbols})
    yield start
    for machine in machines:
        machine.kill()


# ---- on the way back to a user -----------------------------------------------

def check_return(watched):
    """Checks what holds whenever the kernel's C code returns to a user. Returns the name of the case."""
    mode, hold, head = watched.info("MODE"), watched.info("HOLD"), watched.info("HEAD")
    uac, g6 = watched.ni("UAC"), watched.process(PROCESS["P_G"] + 4 * 6)
    extended = bool(uac & REGS["UAC_ATOMICITY_EXTEND"])
    waits = GLAZE["BUFFER"] <= head < GLAZE["BUFFER_END"]

    assert watched.ni("GID") == watched.info("GID")
    assert watched.ni("DIVERT") == mode
    assert watched.ni("TIMEOUT") == (0 if mode == GLAZE["BUFFERED"] else TIMEOUT)
    if mode == GLAZE["FAST"]:
        assert (g6, head, hold, extended) == (NI_RECORD, NI_RECORD, 0, False)
        return "fast"
    assert waits or head == EMPTY
    if not hold:
        assert g6 == head
        if waits:
            assert uac & REGS["UAC_INTERRUPT_DISABLE"] and extended
        return "head" if waits else "empty"
    assert g6 in (head, EMPTY)
    if g6 == head and waits:
        assert uac & REGS["UAC_INTERRUPT_DISABLE"] and extended
        return "held, reads"
    return "held"


@pytest.mark.parametrize(("words", "cases"), [
    (("enter",), {"fast", "head", "empty"}),
    (("hold",), {"fast", "head", "empty", "held", "held, reads"}),
    (("jobs-quantum", "+", built("glaze/contract"), "jobs-quantum"), {"fast", "head", "empty"}),
])
def test_state_is_right_on_the_way_back(watch, words, cases):
    """GID, divert-mode, timer, %g6 and atomicity-extend are right for the process that the kernel returns to."""
    watched = watch(built("glaze/contract"), *words)
    seen = Counter(check_return(watched) for _ in watched.stops("registers_load"))
    watched.end()
    assert set(seen) == cases


# ---- before a fault is served, or a process suspended ---------------------------

def test_head_is_moved_before_a_fault_is_served(watch):
    """In an atomic section, a page comes in only after the head was moved to the buffer and divert-mode was set."""
    watched = watch(built("glaze/contract"), "enter")
    served = Counter()
    for _ in watched.stops("memory_fill"):
        section = bool(watched.ni("UAC") & SECTION)
        assert not watched.head_is_mine()
        assert watched.ni("DIVERT") or not section
        served[section] += 1
    watched.end()
    assert served[True] >= 8 and served[False] >= 1


def test_waiting_kernel_handles_its_messages(watch):
    """The handler of a kernel message runs when C code finds it at the head, without an interrupt."""
    watched = watch(built("glaze/ping/ping"), 5, options=["--mesh-base=20000"],
                    parameters=["glaze.ping=1"])
    callers = [watched.caller() for _ in watched.stops("message_null")]
    watched.end()
    assert len(callers) == 5


def test_head_is_moved_before_a_process_is_suspended(watch):
    """A process with an open section is suspended only after the head was moved and divert-mode was set."""
    # Without the scheduler's server, whose sections would be counted too.
    watched = watch(built("glaze/contract"), "jobs-quantum", "+", built("glaze/contract"), "jobs-quantum",
                    options=["--scheduler=none"])
    switches = Counter()
    for _ in watched.stops("space_switch"):         # the NI still belongs to the old process
        section = bool(watched.ni("UAC") & SECTION)
        assert not watched.head_is_mine() or watched.ni("DIVERT")
        assert watched.ni("DIVERT") or not section
        switches[section] += 1
    watched.end()
    assert switches[True] == 3 and switches[False] > 5


# ---- insertion ----------------------------------------------------------------------

RECORD = REGS["REC_SIZE"]
FLAG = REGS["REC_AVAILABLE"]
WORDS = REGS["MSG_WORDS"]
FAST_INSERTIONS = 60        # insertions to look at; all others are like them


def record_of_head(watched):
    """The record that the buffer must have for the message at the NI's head."""
    words = watched.rsp.read(0, REGS["NI_KERNEL_BASE"] + REGS["K_HEAD"], 4 * WORDS)
    return words + struct.pack(">3I", 1, watched.head("LENGTH"), watched.head("BODY"))


def fits(watched, process, body):
    """Whether the page of the newest body has room for a body. Bodies begin at doublewords."""
    return -(-body // 8) * 8 <= -watched.word(process + PROCESS["P_BODY"]) % GLAZE["PAGE"]


@pytest.mark.parametrize(("case", "kinds"), [
    ("pages", {("message_insert", False): FAST_INSERTIONS}),
    ("bodies", {("message_insert", False): FAST_INSERTIONS, ("message_insert", True): FAST_INSERTIONS,
                ("delivery_take_head", True): 26}),
])
def test_record_is_whole_when_its_flag_is_written(watch, case, kinds):
    """The kernel writes a record's flag after its words and lengths. Bodies in a page that is there need no C."""
    watched = watch(built("glaze/contract"), case)
    seen = Counter()
    for name in watched.stops("message_insert", "delivery_take_head"):
        process = watched.word(watched.symbols["processes"].address + 4 * watched.head("GID"))
        slot, end = struct.unpack(">2I", watched.rsp.read(0, process + PROCESS["P_INSERT"], 8))
        body = watched.head("BODY")
        kind = name, body > 0
        if slot >= end or (name == "message_insert" and (not fits(watched, process, body)
                                                         or seen[kind] == FAST_INSERTIONS)):
            continue                    # C code inserts this message: its place is not known yet, or the next stop is
                                        # for it too
        want = record_of_head(watched)
        assert watched.rsp.read(0, slot, RECORD) == bytes(RECORD)
        watched.rsp.insert(0, WATCH_WRITE, slot + FLAG)
        watched.pass_by()
        stop = watched.rsp.run()
        assert isinstance(stop, Stop) and stop.watched == slot + FLAG
        watched.rsp.remove(0, WATCH_WRITE, slot + FLAG)
        assert watched.rsp.read(0, slot, RECORD) == want
        seen[kind] += 1
    watched.end()
    assert seen == kinds


def test_long_storeback_lets_messages_in(watch):
    """Three messages come while the kernel copies a page. It inserts them before it goes on copying."""
    watched = watch(built("glaze/contract"), "parts")
    order = [{"message_insert": "i", "delivery_storeback": "s"}[name]
             for name in watched.stops("message_insert", "delivery_storeback")]
    watched.end()
    assert "".join(order) == "isiiis"

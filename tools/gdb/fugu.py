"""GDB's side of ./run.sh debug: start-up, and commands that know the machine.

A GDB of your own takes it as well, started on the program's ELF file:
    source tools/gdb/fugu.py
    fugu connect localhost:1234 0-7
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import gdb

HEADER = Path(__file__).resolve().parents[2] / "hw" / "fugu-regs.h"


# ---- what the machine's header says -------------------------------------------

def read_header() -> dict[str, int]:
    """The plain numbers of fugu-regs.h, by name without FUGU_."""
    found = re.findall(r"^#define FUGU_(\w+)\s+(0x[0-9a-f]+|\d+)\b", HEADER.read_text(), re.MULTILINE)
    return {name: int(value, 0) for name, value in found}


REGS = read_header()


def field(value: int, name: str) -> int:
    """A field of a header word: HDR_GID of FUGU_HDR_GID_MASK."""
    mask = REGS[f"{name}_MASK"]
    return (value & mask) // (mask & -mask)


def bits(value: int, prefix: str, *names: str) -> str:
    """The names of the bits that are set."""
    return ", ".join(name.lower().replace("_", "-") for name in names if value & REGS[prefix + name]) or "none"


# ---- nodes, inferiors, threads ------------------------------------------------

def node_of(inferior: gdb.Inferior) -> int:
    """The stub calls the nodes processes, from 1."""
    return inferior.pid - 1


def attached() -> dict[int, gdb.InferiorThread]:
    """The thread of each node that GDB is attached to."""
    inferiors = sorted((i for i in gdb.inferiors() if i.pid > 0 and i.threads()), key=node_of)
    return {node_of(inferior): inferior.threads()[0] for inferior in inferiors}


@contextmanager
def selection_kept() -> Iterator[None]:
    """Whatever is selected inside, the user's thread and frame are what they were."""
    thread = gdb.selected_thread()
    frame = gdb.selected_frame() if thread and thread.is_valid() and not thread.is_running() else None
    try:
        yield
    finally:
        if thread and thread.is_valid():
            thread.switch()
            if frame and frame.is_valid():
                frame.select()


@contextmanager
def quietly() -> Iterator[None]:
    """GDB says little inside, and does not stop for the user to read."""
    pagination = gdb.parameter("pagination")
    gdb.execute("set pagination off")
    with suppress(gdb.error):           # GDB 13 has it
        gdb.execute("set suppress-cli-notifications on")
    try:
        yield
    finally:
        with suppress(gdb.error):
            gdb.execute("set suppress-cli-notifications off")
        gdb.execute(f"set pagination {'on' if pagination else 'off'}")


def select(node: int) -> None:
    """Makes a node the selected thread. gdb.GdbError if it cannot be looked at."""
    threads = attached()
    if node not in threads:
        raise gdb.GdbError(f"GDB is not attached to node {node}." if threads else "There is no machine.")
    if threads[node].is_running():
        raise gdb.GdbError("The machine is running: interrupt it first.")
    threads[node].switch()


# The registers that can be read, (first, bytes): a page has holes.
USER_PAGE = ("NI_USER_BASE", (("U_OUT", REGS["U_NODES"] + 4), ("U_CYCLES", 8), ("U_RECORD", REGS["REC_SIZE"])))
KERNEL_PAGE = ("NI_KERNEL_BASE", (("K_OUT", REGS["K_OFFSET"] + 8), ("K_HEAD", REGS["HEAD_SIZE"]),
                                  ("K_USER_OUT", 4 * REGS["MSG_WORDS"] + 4), ("K_SECOND_SPACE", 4),
                                  ("K_SECOND_HEAD", REGS["HEAD_GID"])))
PARAMETERS = ("PARAM_BASE", (("PARAM_ATOMICITY", 4),))


class Page:
    """Registers of the selected node as they are now; devices do not notice."""

    def __init__(self, page: tuple[str, tuple[tuple[str, int], ...]]) -> None:
        base, spans = page
        self.words: dict[int, int] = {}
        with physical_memory():
            for first, length in spans:
                start = REGS[first]
                data = bytes(gdb.selected_inferior().read_memory(REGS[base] + start, length))
                self.words |= {start + at: int.from_bytes(data[at:at + 4], "big") for at in range(0, length, 4)}

    def __getitem__(self, name: str) -> int:
        return self.words[REGS[name]]

    def word(self, offset: int) -> int:
        """The register at that offset."""
        return self.words[offset]

    def long(self, name: str) -> int:
        """A register of 64 bits."""
        return self[name] << 32 | self.words[REGS[name] + 4]


@contextmanager
def physical_memory() -> Iterator[None]:
    """Addresses inside are physical: the program may have mapped nothing there."""
    packet = "maintenance packet Qqemu.PhyMemMode:"
    gdb.execute(packet + "1", to_string=True)
    try:
        yield
    finally:
        gdb.execute(packet + "0", to_string=True)


def local_time() -> int:
    """Of the selected node, in cycles: what it shows its program, less its offset."""
    user, kernel = Page(USER_PAGE), Page(KERNEL_PAGE)
    return (user.long("U_CYCLES") - kernel.long("K_OFFSET")) % (1 << 64)


def state(node: int) -> str:
    """What the node does, in the machine's words."""
    said = gdb.execute(f"monitor qom-get /machine/node[{node}] state", to_string=True)
    return str(json.loads(said)).partition(", pc 0x")[0]


def symbol(address: int) -> str:
    """FUNCTION+OFFSET, or nothing where there is no symbol."""
    found = re.match(r"(\S+)(?: \+ (\d+))? in section", gdb.execute(f"info symbol {address}", to_string=True))
    return (found[1] + (f"+{found[2]}" if found[2] else "")) if found else ""


# ---- commands ------------------------------------------------------------------

class Fugu(gdb.Command):
    """Commands for a FUGU machine.

    fugu nodes              all nodes: state, pc, function, local time
    fugu ni [NODE]          a node's network interface, by names
    fugu connect TARGET NODES [APP.elf...]
                            to a machine that waits with QEMU's -gdb"""

    def __init__(self) -> None:
        super().__init__("fugu", gdb.COMMAND_USER, gdb.COMPLETE_COMMAND, prefix=True)


class Nodes(gdb.Command):
    """All nodes: state, program counter, function, local time.

    The star marks the selected one. Local times differ by up to a round: a
    stop freezes the machine wherever it is."""

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
                rows.append((mark, str(node), number, state(node), f"0x{pc:08x}", symbol(pc), str(local_time())))
        if len(rows) == 1:
            raise gdb.GdbError("There is no machine.")
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        for row in rows:
            print(" ".join(cell.rjust(width) if k in (1, 6) else cell.ljust(width)
                           for k, (cell, width) in enumerate(zip(row, widths, strict=True))))


class NI(gdb.Command):
    """A node's network interface, its registers by name: fugu ni [NODE].

    Without NODE, that of the selected thread. docs/machine.md explains them.
    Looking changes nothing."""

    def __init__(self) -> None:
        super().__init__("fugu ni", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        if argument and not argument.isdigit():
            raise gdb.GdbError("fugu ni takes the number of a node.")
        if not argument and not gdb.selected_inferior().pid:
            raise gdb.GdbError("There is no machine.")
        node = int(argument) if argument else node_of(gdb.selected_inferior())
        with selection_kept():
            select(node)
            user, kernel = Page(USER_PAGE), Page(KERNEL_PAGE)
            print(f"Network interface of node {node}, at cycle {local_time()}")
            print("\n".join("  " + line for line in [*self.common(user, kernel), *self.output(user, kernel),
                                                     *self.input(kernel), *self.second(kernel)]))

    @staticmethod
    def common(user: Page, kernel: Page) -> list[str]:
        """What is not about one message."""
        flags = bits(kernel["K_UAC"], "UAC_", "INTERRUPT_DISABLE", "TIMER_FORCE", "DISPOSE_PENDING",
                     "ATOMICITY_EXTEND")
        pending = bits(kernel["K_PENDING"], "PEND_", "MESSAGE", "MISMATCH", "TIMEOUT", "SECOND")
        soft = Page(PARAMETERS)["PARAM_ATOMICITY"] == REGS["ATOMICITY_SOFT"]
        return [f"GID {kernel['K_GID']}, divert-mode {'on' if kernel['K_DIVERT'] else 'off'}",
                f"UAC: {flags}{', of no effect: atomicity is left to software' if soft else ''}",
                f"interrupts asked for: {pending}",
                *([] if soft else [f"atomicity-timeout {kernel['K_TIMEOUT']}, timer {kernel['K_TIMER']}"]),
                f"message-available {user.word(REGS['U_RECORD'] + REGS['REC_AVAILABLE'])}"]

    @staticmethod
    def output(user: Page, kernel: Page) -> list[str]:
        """What is being described, and how much room there is."""
        lines = [f"space-available {user['U_SPACE']}"]
        for whose, page, start, length in (("user's", kernel, "K_USER_OUT", kernel["K_USER_LEN"]),
                                           ("kernel's", kernel, "K_OUT", kernel["K_DESC_LEN"])):
            words = [page.word(REGS[start] + 4 * k) for k in range(length)]
            lines.append(f"{whose} descriptor: " + (message(words, "to") if words else "empty"))
        return lines

    @staticmethod
    def input(kernel: Page) -> list[str]:
        """The head of the input queue, whatever it is."""
        base = REGS["K_HEAD"]
        if not kernel.word(base + REGS["HEAD_PRESENT"]):
            return ["input queue: empty"]
        words = head_words(kernel, base)
        whose = "kernel message" if kernel.word(base + REGS["HEAD_KERNEL"]) else "message"
        body = kernel.word(base + REGS["HEAD_BODY"])
        return [f"head of the input queue: {whose} {message(words, 'from')}" + (f", body {body} bytes" if body else "")]

    @staticmethod
    def second(kernel: Page) -> list[str]:
        """The second network."""
        base = REGS["K_SECOND_HEAD"]
        head = message(head_words(kernel, base), "from") if kernel.word(base + REGS["HEAD_PRESENT"]) else "none"
        return [f"second network: space {kernel['K_SECOND_SPACE']}, head: {head}"]


def head_words(page: Page, base: int) -> list[int]:
    """The words of a head record."""
    return [page.word(base + REGS["HEAD_WORDS"] + 4 * k) for k in range(page.word(base + REGS["HEAD_LENGTH"]))]


def message(words: list[int], which: str) -> str:
    """A message in words: to or from whom, its handler, its arguments."""
    text = f"{which} node {field(words[0], 'HDR_NODE')}, GID {field(words[0], 'HDR_GID')}"
    if len(words) > 1:
        name = symbol(words[1])
        text += f", handler 0x{words[1]:08x}" + (f" <{name}>" if name else "")
    return text + "".join(f"{', arguments' if k == 0 else ''} 0x{word:x}" for k, word in enumerate(words[2:]))


class Connect(gdb.Command):
    """Attaches to the nodes of a waiting machine: fugu connect TARGET NODES [APP.elf...].

    TARGET is what "target extended-remote" takes: localhost:1234, or the path
    of a UNIX socket. NODES are numbers and ranges: 0-7, or 0,5,60-63. The
    symbols of these apps come to those of the program that GDB has, which is
    the kernel's then."""

    def __init__(self) -> None:
        super().__init__("fugu connect", gdb.COMMAND_RUNNING)

    def invoke(self, argument: str, from_tty: bool) -> None:
        words = gdb.string_to_argv(argument)
        if len(words) < 2 or not re.fullmatch(r"\d+(-\d+)?(,\d+(-\d+)?)*", words[1]):
            raise gdb.GdbError("Usage: fugu connect TARGET NODES, such as fugu connect localhost:1234 0-7")
        kernel = gdb.current_progspace().filename
        if not kernel:
            raise gdb.GdbError("Name the program first: file PROGRAM.elf")
        nodes: set[int] = set()
        for part in words[1].split(","):
            first, _, last = part.partition("-")
            nodes.update(range(int(first), int(last or first) + 1))
        with quietly():
            connect(words[0], [kernel, *words[2:]], sorted(nodes))
        banner(words[2:] or [kernel])


def no_arguments(argument: str, command: str) -> None:
    """gdb.GdbError if there are any."""
    if argument:
        raise gdb.GdbError(f"{command} takes no arguments.")


# ---- start and end ---------------------------------------------------------------

def connect(target: str, symbols: list[str], nodes: list[int]) -> None:
    """Attaches to these nodes: node k is process k + 1, an inferior with one thread.

    GDB has the first file of `symbols` already."""
    # One machine: all nodes go on together, whichever GDB names.
    gdb.execute("set schedule-multiple on")
    for quiet in ("inferior-events", "thread-events"):
        gdb.execute(f"set print {quiet} off")
    gdb.execute("set osabi none")
    gdb.execute(f"target extended-remote {target}", to_string=True)
    first = gdb.selected_inferior()     # the stub attaches its first process by itself
    add_symbols(symbols[1:])
    for node in nodes:
        if node != node_of(first):
            attach(node, symbols)
    if node_of(first) not in nodes:
        gdb.execute(f"detach inferiors {first.num}", to_string=True)
        gdb.execute(f"remove-inferiors {first.num}", to_string=True)
    for node, thread in attached().items():
        thread.name = f"node {node}"
    attached()[min(attached())].switch()


def attach(node: int, symbols: list[str]) -> None:
    """Makes an inferior for a node, and selects it."""
    known = {inferior.num for inferior in gdb.inferiors()}
    gdb.execute(f"add-inferior -exec {shlex.quote(symbols[0])}", to_string=True)
    number = next(inferior.num for inferior in gdb.inferiors() if inferior.num not in known)
    gdb.execute(f"inferior {number}", to_string=True)
    add_symbols(symbols[1:])
    gdb.execute(f"attach {node + 1}", to_string=True)


def add_symbols(files: list[str]) -> None:
    """Apps are linked at the addresses that they run at; the selected inferior gets their symbols."""
    for file in files:
        gdb.execute(f"add-symbol-file {shlex.quote(file)}", to_string=True)


def banner(programs: list[str]) -> None:
    """What the user should know."""
    with selection_kept():
        count = Page(USER_PAGE)["U_NODES"]
        time = local_time()
    here = len(attached())
    which = "all attached" if here == count else f"{here} of them attached"
    when = f"at cycle {time}" if time else "before their first instruction"
    print(f"{' + '.join(Path(program).stem for program in programs)} on {count} node{'s' if count > 1 else ''}, {which}, stopped {when}.\n"
          "Node K is the thread \"node K\". Where one stops all do, and nothing that is done here changes the run.\n"
          "  break FUNCTION, continue    stop where any node gets there; Control-C stops anywhere\n"
          "  fugu nodes, fugu ni         what the nodes do, and a network interface; help fugu")


def stopped(event: gdb.StopEvent) -> None:
    """Says so when it is the machine that has come to its end."""
    if getattr(event, "stop_signal", "") != "SIGQUIT":
        return
    with suppress(gdb.error, ValueError):
        said = json.loads(gdb.execute("monitor qom-get /machine/rounds state", to_string=True))
        print(f"The machine has {said}. All of it can still be looked at; \"quit\" leaves.")


def exiting(event: object) -> None:
    """GDB would detach from the nodes, and they would run on until QEMU is ended."""
    with suppress(gdb.error):
        gdb.execute("disconnect", to_string=True)


for command in (Fugu, Nodes, NI, Connect):
    command()
gdb.events.stop.connect(stopped)
if hasattr(gdb.events, "gdb_exiting"):      # GDB 12 has it
    gdb.events.gdb_exiting.connect(exiting)

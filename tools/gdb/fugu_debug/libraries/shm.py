"""fugu shm, fugu page, $_copy(): processes that share memory, what they wait for, and the copies of a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import gdb
from fugu.abi import GLAZE, Header
from fugu.paths import program_name

from ..base import attached, local_time, no_arguments, selection_kept, symbol, table
from ..glaze import PAGE, Kernel, Process, kernel_of

SHM = Header("guest-os/include/lib/shm.h", "SHM_")
STATE = Header("guest-os/lib/shm/shm-state.h")
NAMES = Header("guest-os/lib/shm/names.h")
BELOW = STATE["SHM_PAGES_BELOW"]
WORD = 4
CHAIN_MAX = 100_000     # locks in a slot of the table; a longer list is damaged
RIGHTS = {GLAZE["VIEW_NONE"]: "none", GLAZE["VIEW_READ"]: "read", GLAZE["VIEW_WRITE"]: "read and write"}


class Library:
    """The library's variables in a process. gdb.GdbError if the program does not use shm.h."""

    def __init__(self, process: Process) -> None:
        self.process = process
        found = next((o for o in gdb.objfiles() if o.is_valid() and program_name(o.filename or "") == process.program.name
                      and o.lookup_global_symbol("shm_now")), None)
        if not found:
            raise gdb.GdbError(f"GDB knows no shared memory of {process.program.name}: does it use shm.h?")
        self.file = found
        self.now = self._value("shm_now")
        self.names = self._static("call_enter", "names")
        self.node = int(self._value("shm_self"))

    def _value(self, name: str) -> gdb.Value:
        """A global variable. gdb.GdbError if its page is not in memory."""
        return self._at(self.file.lookup_global_symbol(name))

    def _static(self, function: str, name: str) -> gdb.Value:
        """A static variable of the source file that defines a global symbol."""
        return self._at(self._symbol(function, name))

    def _symbol(self, function: str, name: str) -> gdb.Symbol:
        """That variable's symbol."""
        block = self.file.lookup_global_symbol(function).symtab.static_block()
        return next(found for found in block if found.name == name and found.is_variable)

    def _at(self, found: gdb.Symbol) -> gdb.Value:
        value = self.process.struct(found.type, int(found.value().address))
        if value is None:
            raise gdb.GdbError(f"{found.name} of {self.process.program.name} is not in memory.")
        return value

    @property
    def call(self) -> str:
        """The call that the process is in, or an empty text."""
        call = int(self.now["call"])
        if not call:
            return ""
        if int(self.names[call]) == int(self.names[0]):
            return ""                   # it waits, in no call of this library
        if not int(self.names[call]):
            return "has no process"
        text = self.process.read(int(self.names[call]), 32) or b"?\0"
        return text[:text.index(b"\0")].decode(errors="replace")

    def locks(self) -> Iterator[gdb.Value]:
        """What this node knows of each lock that it has used or manages."""
        found = self._symbol("lock_take", "table").value()
        part_slots = NAMES["PART_SLOTS"]
        block = self.file.lookup_global_symbol("lock_take").symtab.static_block()
        kind = next(found.type for found in block if found.name == "lock" and not found.is_variable)
        # The table may lie on two pages. A node that has used no lock has touched neither, or one of them.
        for slot in range(self.process.word(int(found["slots"].address)) or 0):
            part = self.process.word(int(found["part"][slot // part_slots].address)) or 0
            address = self.process.word(part + slot % part_slots * WORD) or 0
            for _ in range(CHAIN_MAX):
                lock = self.process.struct(kind, address) if address else None
                if lock is None:
                    break
                yield lock
                address = int(lock["name"]["next"])

    def page(self, number: int) -> Page | None:
        """The node's note of a page. None if it has never heard of it."""
        kind = self.file.lookup_global_symbol("pages").type.target()
        value = self.process.struct(kind, int(self._value("pages")) + number * kind.sizeof)
        return Page(self, value) if value is not None else None


@dataclass(frozen=True)
class Page:
    """A node's note of a page."""

    library: Library
    value: gdb.Value

    def has(self, flag: str) -> bool:
        """Whether one of PAGE_* is set."""
        return bool(int(self.value["flags"]) & STATE[f"PAGE_{flag}"])

    @property
    def kind(self) -> str:
        """What the node has of the page, in words."""
        if int(self.value["home"]) == self.library.node:
            return "home" if self.has("SHARED") else "home, no copies"
        if not self.has("MAPPED"):
            return ""
        if int(self.value["twin"]):
            return "copy, written"
        return "copy" if int(self.value["rights"]) else "old copy"


def libraries() -> Iterator[tuple[int, Library]]:
    """The nodes that GDB is attached to, selected in turn, and their processes' libraries."""
    for node in attached():
        for process in kernel_of(node).processes.values():
            try:
                if process.state not in ("doomed", "ended"):
                    yield node, Library(process)
            except gdb.GdbError:
                continue            # another program


def variable(address: int) -> str:
    """An address, with the name of the variable there if it has one."""
    name = symbol(address)
    return f"0x{address:08x}" + (f" <{name}>" if name else "")


class Shm(gdb.Command):
    """Processes that share memory, on all attached nodes: fugu shm.

    A row has the call that a process is in, the variable that the call names (of
    an access: the page), and the place in the program that has called. A process
    without a call computes. A second table has the locks that are locked: which
    node has locked each, and which nodes wait for it."""

    def __init__(self) -> None:
        super().__init__("fugu shm", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        no_arguments(argument, "fugu shm")
        with selection_kept():
            Kernel()                # says so if Glaze does not run
            time = local_time()
            rows: list[tuple[str, ...]] = [("node", "job", "is in", "variable", "called at")]
            held: dict[tuple[int, int], int] = {}
            waits: dict[tuple[int, int], list[int]] = {}
            for node, library in libraries():
                job, address = library.process.gid, int(library.now["address"])
                rows.append(self._row(node, library))
                held |= {(job, int(lock["name"]["address"])): node for lock in library.locks()
                         if lock["held"] and lock["here"]}
                if library.call == "shm_lock()":
                    waits.setdefault((job, address), []).append(node)
            if len(rows) == 1:
                raise gdb.GdbError("No process of an attached node shares memory: has the program begun, and does it "
                                   "use shm.h?")
            locks = [("job", "lock", "locked by node", "wait"),
                     *((str(job), variable(address), str(node),
                        " ".join(str(one) for one in waits.get((job, address), []) if one != node))
                       for (job, address), node in sorted(held.items()))]
            print(f"Processes that share memory, at cycle {time}")
            print("\n".join("  " + line for line in table(rows, (0, 1))))
            if len(locks) > 1:
                print("Locks that are locked")
                print("\n".join("  " + line for line in table(locks, (0, 2))))

    @staticmethod
    def _row(node: int, library: Library) -> tuple[str, ...]:
        """The row of a process."""
        address, caller = int(library.now["address"]), int(library.now["caller"])
        return (str(node), str(library.process.gid), library.call or "computes",
                variable(address) if library.call and address else "",
                library.process.program.place(caller) if library.call and caller else "")


class PageCommand(gdb.Command):
    """What each attached node has of a shared variable and its page: fugu page EXPRESSION.

    `home`: other nodes get their copies from this page. `written`: the process
    has written its copy since its last release. `old copy`: the process will
    fetch the page before it sees a value. The columns show what the process may
    do without a fault, how many changes of the page it has seen, and the value
    in its memory."""

    def __init__(self) -> None:
        super().__init__("fugu page", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument: str, from_tty: bool) -> None:
        if not argument.strip():
            raise gdb.GdbError("Usage: fugu page EXPRESSION")
        address, kind = shared_place(argument)
        number = (address - SHM["START"]) // PAGE
        with selection_kept():
            time = local_time()
            rows: list[tuple[str, ...]] = [("node", "has", "may", "changes", "value")]
            for node, library in libraries():
                page = library.page(number)
                if page is None or not page.kind:
                    rows.append((str(node), "nothing", "", "", ""))
                    continue
                rows.append((str(node), page.kind, RIGHTS.get(int(page.value["rights"]), "?"),
                             str(int(page.value["changes"])),
                             self._value(library, address, kind) if page.has("MAPPED") else ""))
            print(f"{argument} at 0x{address:08x}, page 0x{address & -PAGE:08x}, at cycle {time}")
        print("\n".join("  " + line for line in table(rows, (0, 3))))

    @staticmethod
    def _value(library: Library, address: int, kind: gdb.Type) -> str:
        """The value in the node's memory, on one line."""
        value = library.process.struct(kind, address - BELOW)
        return value.format_string(max_elements=8, pretty_structs=False) if value is not None else "(not in memory)"


def shared_place(expression: str) -> tuple[int, gdb.Type]:
    """Address and type of a shared variable. gdb.GdbError."""
    try:
        value = gdb.parse_and_eval(expression)
        address, kind = value.address, value.type.strip_typedefs()
    except gdb.error as error:
        raise gdb.GdbError(str(error)) from None
    if address is None or not SHM["START"] <= int(address) < SHM["END"]:
        raise gdb.GdbError(f"{expression} is not in shared memory.")
    return int(address), kind


class Copy(gdb.Function):
    """$_copy(X): the selected node's copy of a shared variable, whatever its process may do with it.

    The library writes it where it brings in what other nodes have written; the
    program itself writes X. So `watch -l $_copy(X)` and `watch -l X` stop for both."""

    def __init__(self) -> None:
        super().__init__("_copy")

    def invoke(self, value: gdb.Value) -> gdb.Value:
        address = value.address
        if address is None or not SHM["START"] <= int(address) < SHM["END"]:
            raise gdb.GdbError("$_copy() is for variables in shared memory.")
        return gdb.Value(int(address) - BELOW).cast(value.type.pointer()).dereference()

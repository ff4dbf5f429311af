"""The kernel and the jobs' programs: their marks and functions, and names of addresses."""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..abi import GLAZE, PROCESS, VIEW
from ..errors import SetupError
from ..image import elf, store
from ..paths import program_name
from ..run import snapshot
from ..run.jobs import JOINT
from ..run.parse import Run
from . import names, symbols

SEVERAL = "several jobs"        # the name of a GID that jobs with different programs have had
SECTION = ".debug_marks"        # guest-os/include/marks.h
# Functions that wait for an update of a word, their first argument: of shrimp.h, of nx.h, of collective operations.
WAITS = ("shrimp_wait", "shrimp_wait_change", "nx_wait", "updates_await")
RETURNS = (0x81C7E008, 0x81C3E008)              # ret, retl
REGISTERS = {f"%{kind}{number}": 8 * group + number for group, kind in enumerate("goli") for number in range(8)} \
    | {"%sp": 14, "%fp": 30}


@dataclass(frozen=True)
class Operand:
    """A register, or the word of memory at a register plus an offset."""

    register: int
    offset: int | None = None


@dataclass(frozen=True)
class Mark:
    """A place in a program at which QEMU counts something."""

    address: int
    name: str
    operands: tuple[Operand, ...]


class Program:
    """An ELF file: its marks, its functions by address. Empty if the file cannot be read."""

    def __init__(self, name: str, path: str) -> None:
        self.name, self.path = name, path

    @cached_property
    def data(self) -> bytes:
        """The file's contents; empty if it is not there any more."""
        try:
            return Path(self.path).read_bytes()
        except OSError:
            return b""

    @cached_property
    def file(self) -> elf.Elf | None:
        """What the file has; None if it is not there any more."""
        return elf.read(Path(self.path), self.data) if self.data else None

    @cached_property
    def _code(self) -> list[elf.Segment]:
        """The segments with instructions."""
        return [one for one in self.file.segments if one.flags & elf.CAN_EXECUTE] if self.file else []

    def has_code(self, address: int) -> bool:
        """Whether an instruction is at the address."""
        return any(one.address <= address < one.address + len(one.data) for one in self._code)

    @cached_property
    def labels(self) -> dict[int, str]:
        """Functions, and other global labels of assembly, by address, in order. A function's name comes first."""
        found = sorted((symbol.address, symbol.is_function, symbol.is_global, symbol.name)
                       for symbol in (self.file.symbols if self.file else ())
                       if (symbol.is_function or symbol.is_global) and self.has_code(symbol.address))
        return {address: name for address, _, _, name in found}

    @cached_property
    def _starts(self) -> list[int]:
        return list(self.labels)

    def function(self, address: int) -> str:
        """The name of the function at an address, or the address."""
        at = bisect_right(self._starts, address) - 1
        return self.labels[self._starts[at]] if at >= 0 else f"0x{address:08x}"

    def variable(self, address: int) -> str:
        """VARIABLE+OFFSET of an address, or the address."""
        for one in self.file.symbols if self.file else ():
            if one.size and not one.is_function and one.address <= address < one.address + one.size:
                offset = address - one.address
                return f"{one.name}+0x{offset:x}" if offset else one.name
        return f"0x{address:08x}"

    def modes(self) -> list[int]:
        """Where the kernel has the modes of its processes, as a plan says it; empty if this is no kernel that has any."""
        members = VIEW.members("kernel_view")
        address = self.file.symbol("kernel_view") if self.file else None
        for segment in self.file.segments if self.file and address is not None else ():
            at = (address or 0) - segment.address
            if 0 <= at <= len(segment.data) - 4 * len(members):
                found = dict(zip(members, struct.unpack_from(f">{len(members)}I", segment.data, at), strict=True))
                return [found["processes"], PROCESS["GID_MAX"] + 1, found["info"], GLAZE["I_MODE"], GLAZE["BUFFERED"]]
        return []

    def _waits(self) -> Iterator[Mark]:
        """Begin and end of each function that waits for an update: as marks, so that nothing in them changes."""
        for one in self.file.symbols if self.file else ():
            if one.name not in WAITS or not one.is_function:
                continue
            yield Mark(one.address, "update_wait", (Operand(REGISTERS["%o0"]),))
            for segment in self._code:
                for at in range(max(one.address, segment.address),
                                min(one.address + one.size, segment.address + len(segment.data)), 4):
                    if struct.unpack_from(">I", segment.data, at - segment.address)[0] in RETURNS:
                        yield Mark(at, "update_seen", ())

    def marks(self) -> Iterator[Mark]:
        """The marks of the program. SetupError if one is not as marks.h makes them."""
        yield from self._waits()
        data = elf.section(self.data, SECTION) if self.data else b""
        at = 0
        while at < len(data):
            (address,) = struct.unpack_from(">I", data, at)
            end = data.index(b"\0", at + 4)
            name, *operands = data[at + 4:end].decode().split()
            if name not in names.marks():
                raise SetupError(f"{self.path} has a mark {name}, which hw/observe/names.h does not know.")
            yield Mark(address, name, tuple(_operand(text, name) for text in operands))
            at = end + 4 & ~3


def _operand(text: str, mark: str) -> Operand:
    found = re.fullmatch(r"(?:(%\w+)|\[(%\w+)(?:\+?(-?\w+))?\])", text)
    register = found and REGISTERS.get(found[1] or found[2])
    if not found or register is None:
        raise SetupError(f"the mark {mark} has the operand {text}, which is neither a register nor a word of memory at "
                         "a register plus a constant.\nguest-os/include/marks.h says what a mark can have.")
    return Operand(register, None if found[1] else int(found[3] or "0", 0))


@dataclass(frozen=True)
class Programs:
    """The programs of a run by GID. GID 0 is the kernel, or the program on the bare machine."""

    by_gid: dict[int, Program]
    jobs: dict[int, str]        # names of jobs by GID; none on the bare machine

    def job(self, gid: int) -> str:
        """The name of a GID, for tables."""
        if gid in self.jobs:
            return f"job {gid} {self.jobs[gid]}"
        return "no job" if self.jobs else f"GID {gid}"

    def function(self, gid: int, address: int) -> str:
        """The name of the function at an address of a GID's program."""
        program = self.by_gid.get(gid if self.jobs else 0)
        return program.function(address) if program else f"0x{address:08x}"


    def event(self, gid: int, address: int) -> str:
        """The name of a timeline's event: of a handler at this address, or a wait for an update of it."""
        program = self.by_gid.get(gid if self.jobs else 0)
        if program and not program.has_code(address):
            return f"waits for {program.variable(address)}"
        return self.function(gid, address)


def of(run: Run, boot: str) -> Programs:
    """The programs of a run; `boot` is the file that QEMU boots, empty if a snapshot is loaded."""
    files = store.sources(boot) if boot else symbols.of_snapshot(run.options["load"], "what observes a run")
    jobs = [job.name for job in run.jobs] if "load" not in run.options else _loaded_jobs(run, files)
    by_gid = {0: Program("kernel" if jobs else "program", files[0])}
    by_name = dict(zip(dict.fromkeys(jobs), files[1:], strict=False))       # in this order: store.make()
    names_of = dict(enumerate(jobs, 1))
    if len(jobs) > PROCESS["JOBS_MAX"]:         # each GID may be that of several jobs, one after the other
        one = jobs[0] if len(by_name) == 1 else ""
        names_of = dict.fromkeys(range(1, PROCESS["JOBS_MAX"] + 1), f"jobs of {one}" if one else SEVERAL)
        by_name |= {name: by_name[one] if one else "" for name in names_of.values()}
    for gid, name in names_of.items():
        by_gid[gid] = Program(name, by_name.get(name, ""))
    if len(files) - 1 > len(set(jobs)):         # the last one is the scheduler's server
        server = Program(program_name(files[-1]), files[-1])
        by_gid[PROCESS["GID_SERVER"]] = server
        names_of[PROCESS["GID_SERVER"]] = server.name
    return Programs(by_gid, names_of)


def _loaded_jobs(run: Run, files: Sequence[str]) -> list[str]:
    """The names of the jobs in a snapshot."""
    if len(files) == 1:
        return []
    words = snapshot.read_head(run.options["load"]).program.get("args", "").split()
    while words and words[0].startswith("glaze."):
        del words[0]
    names_of = [job.split()[0] for job in " ".join(words).split(f" {JOINT} ") if job.split()]
    return [name.rpartition("@")[0] or name for name in names_of]      # a job's time of start follows @

"""From names to addresses, and to the memory of programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ..abi import GLAZE
from ..errors import FuguError, UsageError
from ..image import elf
from ..paths import program_name
from ..report.memory import Memory, Missing
from ..report.places import File
from ..report.processes import Kernel
from ..suggest import did_you_mean

KERNEL = "kernel"               # in place of a program's name


class NotThere(FuguError):
    """There is no such memory now: the process has not begun or has ended, or the page is in backing store."""


class Symbols:
    """What is known of the files that a machine has booted. `boot` is the file that QEMU was given."""

    def __init__(self, boot: str) -> None:
        self.kernel = Kernel(boot)
        self.is_glaze = bool(self.kernel.view)
        self.programs = list(reversed(self.kernel.paths)) if self.is_glaze else [program_name(boot)]

    def find(self, name: str, program: str | None) -> tuple[str, elf.Symbol]:
        """The program, or "kernel", that has a symbol, and the symbol. Without `program`, the first that has it, the
        kernel last. A global one goes before static ones. UsageError."""
        if program is not None:
            self._check(program)
        files = [(one, file) for one, file in self._files() if program in (None, one)]
        for one, file in files:
            same = [symbol for symbol in file.elf.symbols if symbol.name == name]
            found = [symbol for symbol in same if symbol.is_global] or same
            places = sorted({symbol.address for symbol in found})
            if len(places) > 1:
                raise UsageError(f"{one} has {len(places)} static functions or variables {name}: give an address, "
                                 f"{', '.join(f'{place:#x}' for place in places)}.")
            if found:
                return one, found[0]
        names = [symbol.name for _, file in files for symbol in file.elf.symbols]
        raise UsageError(f"{files[0][0]} has no function or variable {name}.{did_you_mean(name, names)}\n"
                         "The compiler may have put a static function into its callers: noinline, or -fno-inline.")

    def _files(self) -> Iterator[tuple[str, File]]:
        """Each program with its file, the kernel last."""
        if self.is_glaze:
            for name in self.programs:
                file = self.kernel.file_of(name)
                if file:
                    yield name, file
            yield KERNEL, self.kernel.file
        else:
            yield self.programs[0], self.kernel.file

    def running(self, node: Memory) -> str:
        """The program whose process the node's processor has; empty if it has none. On the bare machine, its program."""
        if not self.is_glaze:
            return self.programs[0]
        return next((process.tables.name for process in self.kernel.processes(node) if process.is_current), "")

    def memory(self, node: Memory, program: str) -> Memory:
        """The memory of a program's process on a node; the node's own for the kernel and on the bare machine. NotThere."""
        if program == KERNEL or not self.is_glaze:
            return node
        with suppress(Missing):
            for process in self.kernel.processes(node):
                if process.tables.name == program:
                    return process.memory
        raise NotThere(f"{program} has no process on this node now.")

    def owner(self, address: int, program: str | None) -> str:
        """The program that an address without a name belongs to: the given one, or the first. Below programs and in
        memory as the kernel sees it, the kernel. UsageError."""
        if program is not None:
            self._check(program)
            return program
        is_programs = address >= GLAZE["PROGRAM"] and not GLAZE["MAIN_STACK_TOP"] <= address < GLAZE["STACKS"]
        return self.programs[0] if not self.is_glaze or is_programs else KERNEL

    def _check(self, program: str) -> None:
        names = [one for one, _ in self._files()]
        if program not in names:
            raise UsageError(f"there is no program {program} in this run, but {', '.join(names)}.")

    def function(self, pc: int, program: str) -> str:
        """The function at an address, of the running program or the kernel. Empty if it is not known."""
        if self.is_glaze and pc >= GLAZE["PROGRAM"]:
            file = self.kernel.file_of(program)
            return file.function(pc) if file else ""
        return self.kernel.file.function(pc)

"""The cost of a process switch: cycles from a slot's end to the next job's first instruction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..abi import GLAZE, REGS
from ..build.everything import up_to_date
from ..errors import SetupError
from ..image import elf, line_table
from ..paths import build_dir
from ..run.programs import find_kernel
from ..run.rsp import BREAKPOINT
from ._command import run
from ._table import Compared, Number
from .steps.walk import RECEIVER, Measured, Walk, cycles, measured, misses

WARM = 12               # switches before the measured ones
WALKED = 8              # switches that are executed step by step: four in each direction
SPREAD = 0.03           # by so much may switches in one direction differ: the kernel's sums of 64 bits carry or do not
TIMESLICE = 20_000
TRAP_SIZE = 16          # bytes of a trap table's entry

# The source files of each row. A header, and the compiler's library, count as the file that uses them.
ROWS = {
    "interrupt_registers_saved": ("vectors.S", "soft_vectors.S", "entry.S", "window_traps.S"),
    "decision": ("trap.c", "schedule.c", "sched_server.c", "settle.c", "timeslot.c", "turns.c", "debts.c", "wait.c", "disk.c",
                 "process.c", "gids.c"),
    "process_network_interface": ("control.c",),
    "floating_point_unit": ("fpu.c", "fpu.S"),
    "address_space": ("space.c",),
    "delivery_mode": ("delivery.c", "buffer.c", "pending.c", "fault.c", "upcall.c", "soft.c"),
    "chores": ("dispatch.c", "pager.c", "evict.c", "backing.c", "overflow.c", "server.c", "message.c", "job.c",
               "job_begin.c", "job_state.c"),
    "registers_restored": ("resume.S",),
}
LIBRARY = ("lb1spc.S", "libgcc2.c")
COLUMNS = {"hard": [], "soft": ["--atomicity", "soft"]}


def main(words: list[str]) -> int:
    """Measures and shows the table."""
    return run("switch", measure, words)


def measure() -> Compared:
    """Measures all rows."""
    walks = {column: switches(options) for column, options in COLUMNS.items()}
    found = {column: max(min(one[0::2], key=cycles), min(one[1::2], key=cycles), key=cycles)
             for column, one in walks.items()}
    files = Files(find_kernel(build_dir()))
    rows = {column: files.rows(walk) for column, walk in found.items()}
    result = Compared("A process switch at the end of a slot, two jobs", list(COLUMNS))
    for name in [*ROWS, "total"]:
        numbers: dict[str, Number] = {column: rows[column][name] for column in COLUMNS}
        if any(numbers.values()):
            result.row("", name, numbers, {})
    result.notes = [
        "The timer has interrupted a loop; the job that comes has run before. The rows are those of the direction that "
        "takes longer.",
        f"{WALKED} switches after {WARM}: " + "; ".join(f"{column} {', '.join(str(cycles(walk)) for walk in one)}"
                                                        for column, one in walks.items()) + ".",
        "Cache misses among them: " + ", ".join(f"{column} {misses(walk)}" for column, walk in found.items()) + ".",
        "The paper has no numbers for this.",
    ]
    return result


def switches(options: Sequence[str]) -> list[Walk]:
    """The steps of each switch, from the interrupt at the end of a job's slot to the other job's next instruction.

    SetupError if switches in the same direction take much different times.
    """
    path = str(build_dir() / "tests" / "paper" / "spin.elf")
    with measured("spin", "+", path, options=["--timeslice", str(TIMESLICE), *options]) as machine:
        walks = []
        for number in range(WARM + WALKED):
            _to_timer(machine)
            if number >= WARM:
                walks.append(_through_kernel(machine))
            else:
                machine.client.step(RECEIVER)
    took = [cycles(walk) for walk in walks]
    if any(max(one) > (1 + SPREAD) * min(one) for one in (took[0::2], took[1::2])):
        raise SetupError(f"switches between the same two jobs take {took} cycles.")
    return walks


def _to_timer(machine: Measured) -> None:
    """Runs to the first instruction of the next interrupt of the cycle timer."""
    vector = machine.trap_table() + TRAP_SIZE * REGS.call("TT_IRQ", REGS["IRQ_TIMER"])
    machine.client.insert(RECEIVER, BREAKPOINT, vector)
    machine.client.run()
    machine.client.remove(RECEIVER, BREAKPOINT, vector)
    if machine.pc(RECEIVER) != vector:
        raise SetupError(f"node {RECEIVER} is at 0x{machine.pc(RECEIVER):x}, and not at the timer's interrupt.")


def _through_kernel(machine: Measured) -> Walk:
    """Executes the kernel until the user's next instruction is next."""
    program = range(GLAZE["PROGRAM"], GLAZE["PROGRAM_END"])
    return machine.walk_until(RECEIVER, lambda pc: pc in program, "the user's code")


class Files:
    """The kernel's source file for each address."""

    def __init__(self, kernel: Path) -> None:
        toolchain = up_to_date(["guest"])["guest"]["toolchain"]
        segments = elf.read(kernel, kernel.read_bytes()).segments
        self.lines = line_table.table(kernel, segments, Path(toolchain, "bin", "sparc-elf-objdump"))

    def rows(self, walk: Walk) -> Counter[str]:
        """The cycles of each row, and `total`."""
        found: Counter[str] = Counter()
        row = next(iter(ROWS))
        for step in walk:
            row = self._row(step.pc) or row
            found[row] += step.cycles
            found["total"] += step.cycles
        return found

    def _row(self, pc: int) -> str:
        """The row of an instruction; empty for code of headers and of the compiler's library. SetupError."""
        file = next((line.file for line in reversed(self.lines) if line.address <= pc), None)
        if not file or file.endswith(".h") or file in LIBRARY:
            return ""
        found = next((row for row, files in ROWS.items() if file in files), "")
        if not found:
            raise SetupError(f"{file} was executed, but belongs to no row: tools/fugu/paper/switch.py has the rows.")
        return found

"""The line table of a program, from objdump's output for its DWARF.

The toolchain's objdump reads every version of DWARF that its compiler writes.
objdump takes milliseconds. Boot images are kept, so the tables need not be.
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ..abi import IMAGE, REGS
from ..errors import SetupError
from ..host import children
from .elf import CAN_EXECUTE, Segment, damaged

# FILE LINE ADDRESS ...; the line of the end of a sequence is "-".
ROW = re.compile(r"(\S.*?)\s+(\d+|-)\s+(0x[0-9a-f]+|0)(?:\[\d+\])?(?:\s|$)")

PATIENCE = 60           # seconds for objdump, which takes some milliseconds
ROWS_MAX = REGS["PARAM_BASE"] // IMAGE.struct("image_line").size    # lines that a boot image has room for


@dataclass(frozen=True)
class Line:
    """File and line of the code from this address to that of the next entry. `file` is None if they are unknown."""

    address: int
    file: str | None
    line: int


def table(program: Path, segments: Iterable[Segment], objdump: Path | str) -> list[Line]:
    """The lines of the code in these segments, by rising address. SetupError, or UsageError for a damaged file.

    Files are named without their folders, so that the image does not depend on
    where the checkout is.
    """
    rows, status, said = _read(program, objdump)
    if status:
        for name in (objdump, os.path.abspath(program)):         # a line may begin with either
            said = said.rpartition(f"{name}: ")[2]
        if not _works(objdump):
            raise SetupError(f"the toolchain's objdump does not work: {objdump}: {said}")
        raise damaged(program, f"objdump cannot read it ({said})")
    return merge(rows, segments)


def _read(program: Path, objdump: Path | str) -> tuple[list[tuple[int, int, str, int]], int, str]:
    """The ranges that objdump finds, its status, and the last line that is no row. SetupError, UsageError."""
    others: list[str] = []

    def lines(opened: Iterable[str]) -> Iterator[str]:
        for line in opened:
            if not ROW.match(line) and line.strip():
                others[:] = [line.strip()]
            yield line

    try:
        child = children.start([objdump, "-w", "--dwarf=decodedline", os.path.abspath(program)], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               env={"LC_ALL": "C"})
    except OSError as error:
        raise SetupError(f"the toolchain's objdump does not start: {objdump}: {error.strerror}.") from None
    late = threading.Event()
    timer = threading.Timer(PATIENCE, lambda: (late.set(), child.kill()))
    timer.start()
    try:
        assert child.stdout
        # A line of the file's program is a byte at least, and becomes some hundred here: not all are kept.
        rows = list(islice(ranges(lines(child.stdout)), ROWS_MAX + 1))
        if len(rows) > ROWS_MAX:
            raise damaged(program, f"it has more than {ROWS_MAX} line numbers, and no boot image has room for them")
        status = child.wait()
    finally:
        timer.cancel()
        child.kill()
        child.wait()
        if child.stdout:
            child.stdout.close()
    if late.is_set():
        raise damaged(program, f"objdump is not done with its line numbers in {PATIENCE} seconds")
    return rows, status, (others or [f"status {status}"])[0]


def _works(objdump: Path | str) -> bool:
    """Whether objdump runs at all. If it does, the file is damaged."""
    return subprocess.run([objdump, "--version"], stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          env={"LC_ALL": "C"}).returncode == 0


def ranges(text: Iterable[str]) -> Iterator[tuple[int, int, str, int]]:
    """(first, end, file, line) of each row that covers code, from the lines of objdump's tables."""
    row: tuple[int, str, int] | None = None
    for text_line in text:
        found = ROW.match(text_line)
        if not found:
            continue
        address = int(found[3], 0)
        if row and address > row[0]:
            yield row[0], address, row[1], row[2]
        row = None if found[2] == "-" else (address, found[1].rpartition("/")[2], int(found[2]))


def merge(rows: Iterable[tuple[int, int, str, int]], segments: Iterable[Segment]) -> list[Line]:
    """The table of those rows that lie in the segments' code.

    Rows of functions that the linker has left out have addresses near 0.
    """
    code = [(segment.address, segment.end) for segment in segments if segment.flags & CAN_EXECUTE]
    found: list[Line] = []
    known_to = 0
    for first, end, file, line in sorted(rows):
        if not any(start <= first and end <= stop for start, stop in code):
            continue
        if found and first > known_to:
            found.append(Line(known_to, None, 0))
        if not found or (found[-1].file, found[-1].line) != (file, line):
            found.append(Line(first, file, line))
        known_to = max(known_to, end)
    return [*found, Line(known_to, None, 0)] if found else []

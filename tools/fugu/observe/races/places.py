"""The lines of a program's own code: what its compilation units have, without those of the libraries here.

A line of a header of the libraries, such as a call that the compiler has put in place, counts as the line of the
program that leads to it.
"""

from __future__ import annotations

import os
import subprocess
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...errors import SetupError
from ...host import children
from ...image.line_table import ROW
from ...paths import ROOT, build_dir

PATIENCE = 60                   # seconds for objdump


class Places:
    """File and line by address; nothing for code of libraries."""

    def __init__(self, rows: Iterable[tuple[int, int, str]]) -> None:
        found = dict(sorted((first, (end, place)) for first, end, place in rows))
        self.starts = list(found)
        self.ends = [end for end, _ in found.values()]
        self.names = [place for _, place in found.values()]

    def of(self, address: int) -> str:
        """FILE:LINE, or an empty text if the code is no program's own."""
        at = bisect_right(self.starts, address) - 1
        return self.names[at] if at >= 0 and address < self.ends[at] else ""


def read(program: Path, objdump: Path) -> Places:
    """The places of a program. Of a program without debugging information, none. SetupError."""
    try:
        done = children.run_group([objdump, "-w", "--dwarf=decodedline", os.path.abspath(program)], PATIENCE, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace",
                                  env={"LC_ALL": "C"})
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetupError(f"the toolchain's objdump does not work: {objdump}: {error}.") from None
    return Places(ranges(done.stdout.splitlines()))


def _libraries() -> tuple[str, ...]:
    """How the names of the libraries' units begin, as their build has them, and those of headers, as `cc` does."""
    folder = ROOT / "guest-os"
    return f"{os.path.relpath(folder, build_dir())}/", f"{folder}/"


def ranges(text: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """(first, end, FILE:LINE) of the code of units that are not the libraries', from objdump's lines."""
    libraries = _libraries()
    own, file, place = False, "", ""
    row: tuple[int, str] | None = None
    for line in text:
        found = ROW.match(line)
        if not found:
            if line.startswith("CU: "):
                own, file, place = not line[4:].startswith(libraries), line[4:].rstrip(":"), ""
            elif line.endswith(":"):
                file = line.rstrip(":")
            continue
        address = int(found[3], 0)
        if row and address > row[0] and row[1]:
            yield row[0], address, row[1]
        if own and not file.startswith(libraries):
            place = f"{found[1].rpartition('/')[2]}:{found[2]}" if found[2] != "-" else place
        row = None if found[2] == "-" else (address, place if own else "")

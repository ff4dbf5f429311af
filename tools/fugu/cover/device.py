"""Which lines of hw/ ran: from the counters of a QEMU that was compiled for gcov."""

from __future__ import annotations

import json
from pathlib import Path

from ..host import execute
from .guest import Lines

FLAGS = ("--coverage", "-Og", "-Wno-invalid-pch")
MARK = "/hw/fugu/"              # the folder of hw/ in QEMU's tree


def reached(counters: Path, objects: Path, lines: Lines) -> None:
    """Adds the lines that ran, from the counters that runs have left below a folder. `objects`: where the notes are."""
    left = sorted(counters.rglob("*.gcda"))
    for counter in left:
        notes = counter.with_suffix(".gcno")
        if not notes.exists():
            notes.symlink_to(objects / notes.name)
    if left:
        _add(execute.output(["gcov", "--json-format", "--stdout", *left]) or "", lines, 1)


def with_code(objects: Path, lines: Lines) -> None:
    """Adds all lines that have code, from the notes in a folder."""
    _add(execute.output(["gcov", "--json-format", "--stdout", *sorted(objects.glob("*.gcno"))]) or "", lines, 0)


def _add(text: str, lines: Lines, least: int) -> None:
    for report in text.splitlines():
        for file in json.loads(report)["files"]:
            _, mark, name = file["file"].rpartition(MARK)
            if mark:
                lines.setdefault(f"hw/{name}", set()).update(
                    line["line_number"] for line in file["lines"] if line["count"] >= least)

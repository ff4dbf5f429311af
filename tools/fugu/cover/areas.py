"""The areas of the source for which coverage and mutants are counted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..build import tree

AREAS = {"hw": ("hw",), "kernel": ("guest-os/kernel",),
         "libraries": ("guest-os/lib", "guest-os/libos", "guest-os/include", "guest-os/anl", "guest-os/sched"),
         "tools": ("tools/fugu", "tools/gdb")}
SOURCES = (".c", ".h", ".S", ".py")


def area_of(file: str) -> str | None:
    """The area of a file, which is given by its path in the checkout. None if it is of none."""
    return next((area for area, folders in AREAS.items() if file.startswith(tuple(f"{one}/" for one in folders))), None)


def files(root: Path, areas: Iterable[str] = AREAS) -> list[str]:
    """The source files of these areas, with their paths in the checkout `root`."""
    return sorted(str(path.relative_to(root)) for area in areas for folder in AREAS[area]
                  for path in tree.files(root / folder) if path.suffix in SOURCES)

"""Is there room on the disk? Asked before a step, not found out in it."""

from __future__ import annotations

import shutil
from pathlib import Path

from .errors import SetupError

# MiB that each part takes at its peak, measured and rounded up. What stays
# is less: build trees of the toolchain are removed.
NEEDS = {"Python tools": 100, "toolchain": 2000, "QEMU": 1000, "QEMU for fuzzing": 1500}


def check(cache: Path, parts: list[str]) -> None:
    """Raises SetupError when the cache's disk has no room for these parts."""
    need = sum(NEEDS[part] for part in parts)
    free = shutil.disk_usage(cache).free >> 20
    if need > free:
        raise SetupError(
            f"there is not enough room in {cache}: {', '.join(parts)} "
            f"need{'s' if len(parts) == 1 else ''} {need} MiB, and {free} MiB are free.\n"
            "Make room there, or name another place: FUGU_CACHE=/some/directory")

"""What this host has for builds: cores, memory, disk space."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ..errors import SetupError

# MiB that each part takes at its peak, measured and rounded up. Less remains
# afterwards: the build trees of the toolchain are removed.
NEEDS = {"Python tools": 100, "toolchain": 2000, "QEMU": 1000, "QEMU for fuzzing": 1500,
         "QEMU for ARM hosts": 700}


def check_room(cache: Path, parts: list[str]) -> None:
    """Raises SetupError if the cache's disk has no room for building these parts."""
    need = sum(NEEDS[part] for part in parts)
    free = shutil.disk_usage(cache).free >> 20
    if need > free:
        raise SetupError(
            f"there is not enough room in {cache}: {', '.join(parts)} "
            f"need{'s' if len(parts) == 1 else ''} {need} MiB, and {free} MiB are free.\n"
            "Make room there, or name another place: FUGU_CACHE=/some/directory")


def jobs() -> int:
    """How many commands to run at once: the number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


def memory() -> int:
    """MiB of memory that are available now; 1 TiB if that is not known."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) >> 10
    except (OSError, ValueError):
        pass
    return 1 << 20

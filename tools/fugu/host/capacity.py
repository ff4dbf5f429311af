"""What this host has for builds and runs: cores, memory, disk space."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from ..errors import SetupError

# MiB that each part takes at its peak, measured and rounded up. Less remains
# afterwards: the build trees of the toolchain are removed.
NEEDS = {"Python tools": 100, "toolchain": 2000, "C++": 1000, "QEMU": 1000, "QEMU for fuzzing": 1500,
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


def cores(root: Path = Path("/")) -> int:
    """How many cores this process can keep busy: those that it may use, within the quotas of its control groups.

    A quota of 2.5 cores counts as 2, and one below a core as 1.
    """
    return max(1, min([jobs(), *(int(quota) for quota in _quotas(root))]))


def idle_cores(root: Path = Path("/")) -> int:
    """How many cores of the host no other thread wants at this moment. All of them if that is not known."""
    count = os.cpu_count() or 1
    try:
        found = re.search(r"^procs_running (\d+)$", (root / "proc/stat").read_text(), re.MULTILINE)
    except OSError:
        found = None
    # This process is among those that run.
    return max(0, count + 1 - int(found[1])) if found else count


def _quotas(root: Path) -> Iterator[float]:
    """The quotas of this process's control groups and of those above them, in cores."""
    try:
        groups = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in groups:
        number, controllers, path = line.split(":", 2)
        if number == "0":
            base, limit = root / "sys/fs/cgroup", _quota
        elif "cpu" in controllers.split(","):
            base, limit = root / "sys/fs/cgroup" / controllers, _old_quota
        else:
            continue
        group = base / path.lstrip("/")
        for folder in (group, *group.parents):
            if folder.is_relative_to(base) and (quota := limit(folder)):
                yield quota


def _quota(folder: Path) -> float:
    """The quota of a group of version 2; 0 if there is none."""
    try:
        most, period = (folder / "cpu.max").read_text().split()
        return int(most) / int(period)
    except (OSError, ValueError, ZeroDivisionError):    # "max" is no number
        return 0


def _old_quota(folder: Path) -> float:
    """The same for version 1, which writes -1 if there is none."""
    try:
        most, period = (int((folder / f"cpu.cfs_{name}_us").read_text()) for name in ("quota", "period"))
        return max(0, most / period)
    except (OSError, ValueError, ZeroDivisionError):
        return 0


def memory() -> int:
    """MiB of memory that are available now; 1 TiB if that is not known."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) >> 10
    except (OSError, ValueError):
        pass
    return 1 << 20

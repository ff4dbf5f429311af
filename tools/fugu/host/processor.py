"""The processor time of a process and of all that it has started, so a limit means the same on a busy host.

Linux adds a child's time to its parent's when the parent waits for it. So the time of a tree is what its processes
have used themselves, and what those have used that they have waited for.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

POLL = 0.2              # seconds between two looks
STILL = 300.0           # seconds of host time, within which processes that go on use BUSY at least
BUSY = 0.5              # seconds of processor time


def spent() -> float:
    """Seconds of processor time of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def spent_by(root: int) -> float:
    """Seconds of processor time of a process, its descendants, and the processes of its session.

    Those are left out that ended while nobody waited for them. 0 if there is no such process.
    """
    found = dict(_processes())
    ours = {number for number, (_, session, _) in found.items() if root in (number, session)}
    more = ours
    while more:
        more = {number for number, (parent, _, _) in found.items() if parent in more} - ours
        ours |= more
    return sum(found[number][2] for number in ours)


def _processes() -> Iterator[tuple[int, tuple[int, int, float]]]:
    """Each process of the host: its number, and its parent, its session and its seconds."""
    tick = os.sysconf("SC_CLK_TCK")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # Behind the name: state, parent, group, session; utime, stime, cutime and cstime are the 12th to the 15th.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:             # it has ended
            continue
        yield int(folder.name), (int(fields[1]), int(fields[3]), sum(map(int, fields[11:15])) / tick)


def wait(child: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Waits for a child, and returns its return code.

    None, and the child goes on, if its tree uses more than `seconds` of processor time, or hardly any at all: less
    than BUSY within STILL. So it returns however busy the host is and whatever the child waits for.
    """
    used, since = 0.0, time.monotonic()
    while True:
        try:
            return child.wait(POLL)
        except subprocess.TimeoutExpired:
            now = spent_by(child.pid)
        if now > seconds:
            return None
        if now >= used + BUSY:
            used, since = now, time.monotonic()
        elif time.monotonic() - since > STILL:
            return None

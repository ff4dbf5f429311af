"""The messages that a program sends, from a trace of the network interfaces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fugu import abi

LAUNCH = re.compile(r"fugu_ni_launch node (\d+): network 0, to (\d+), (\d+) words, body (\d+) bytes, header 0x(\w+)")


def launches(machine: Callable[..., Any], folder: Path, *words: object, **options: Any) -> Counter[tuple[int, ...]]:
    """Runs jobs to their end. Counts the messages of programs by (node, destination, words, bytes of the body).

    Messages of the kernels do not count. The trace is a file in `folder`.
    """
    trace = folder / "launches"
    machine(*words, trace="fugu_ni_launch", trace_file=trace, **options).check(0)
    kernel = abi.REGS["HDR_KERNEL"]
    found = Counter(tuple(map(int, line.groups()[:4])) for line in LAUNCH.finditer(trace.read_text())
                    if not int(line[5], 16) & kernel)
    trace.unlink()
    return found

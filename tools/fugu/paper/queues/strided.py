"""Strided transfers: blocks by messages of a few words and by DMA, and the size at which DMA is faster."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...errors import SetupError
from .._table import Compared
from ..runs.extent import FULL, Extent
from ..runs.sweep import Job, outputs
from .paper import PAPER

JOB = Job("strided", (), ("--nodes", "2", "--timeout", "1G"), 20_000_000)
LINE = re.compile(r"^strided: (\d+) words: messages ([\d.]+), DMA ([\d.]+) cycles a block$", re.MULTILINE)
DOUBLE = 2              # words: the paper's blocks of 8 bytes


def jobs(extent: Extent) -> Iterable[Job]:
    """The run that the table needs, small as it is."""
    return [JOB]


def measure(extent: Extent = FULL) -> Compared:
    """Runs the app. SetupError."""
    output = outputs([JOB], extent.fresh)[JOB]
    found = {int(words): (float(messages), float(dma)) for words, messages, dma in LINE.findall(output)}
    if DOUBLE not in found or ": right\n" not in output:
        raise SetupError(f"{JOB} did not print what it measured:\n{output}")
    result = Compared("Strided transfers: cycles of a block, by its words", ["messages", "DMA"],
                      publication=PAPER["source"], paper=PAPER["name"])
    for words, (messages, dma) in found.items():
        result.row("", str(words), {"messages": round(messages), "DMA": round(dma)}, {})
    messages, dma = found[DOUBLE]
    result.claim("", "Blocks of 8 bytes: messages take fewer cycles than DMA.", f"{messages:.0f} and {dma:.0f}",
                 messages < dma)
    faster = [words for words, (messages, dma) in found.items() if dma < messages]
    last = max((words for words in found if words < min(faster)), default=0) if faster else max(found)
    result.notes = [f"DMA is faster from blocks of {min(faster)} words on; messages are up to {last}."
                    if faster else "DMA is faster for no block."]
    return result

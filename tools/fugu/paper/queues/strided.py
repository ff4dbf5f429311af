"""Strided transfers: blocks by messages of a few words and by DMA, and the size at which DMA is faster."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...errors import SetupError
from .._table import Compared
from ..runs.extent import FULL, Extent
from ..runs.sweep import Job, outputs
from .paper import PAPER

OPTIONS = ("--nodes", "2", "--timeout", "1G")
JOB = Job("strided", (), OPTIONS, 20_000_000)
CUBE = Job("strided", ("planes",), (*OPTIONS, "--ram", "16M"), 20_000_000)
PLANES = "plane"        # the group of the rows of a cube of 100 x 100 x 100 numbers of 8 bytes, the paper's example
APART = {2: "10,000 of 2 words, 800 bytes apart", 200: "100 of 200 words, 80,000 bytes apart"}
LINE = re.compile(r"^strided: (\d+) words: messages ([\d.]+), DMA ([\d.]+) cycles a block$", re.MULTILINE)
DOUBLE = 2              # words: the paper's blocks of 8 bytes


def jobs(extent: Extent) -> Iterable[Job]:
    """The runs that the table needs, small as they are."""
    return [JOB, CUBE]


def measure(extent: Extent = FULL) -> Compared:
    """Runs the app. SetupError."""
    output = outputs([JOB, CUBE], extent.fresh)
    found, planes = _cycles(JOB, output[JOB], [DOUBLE]), _cycles(CUBE, output[CUBE], APART)
    result = Compared("Strided transfers: cycles of a block, by its words", ["messages", "DMA"],
                      publication=PAPER["source"], paper=PAPER["name"])
    for words, (messages, dma) in found.items():
        result.row("", str(words), {"messages": round(messages), "DMA": round(dma)}, {})
    for words, name in APART.items():
        messages, dma = planes[words]
        result.row(PLANES, name, {"messages": round(messages), "DMA": round(dma)}, {})
    for what, (messages, dma) in (("Blocks of 8 bytes", found[DOUBLE]),
                                  ("The plane of 10,000 blocks of 8 bytes in an array of 100x100x100", planes[DOUBLE])):
        result.claim("", f"{what}: messages take fewer cycles than DMA.", f"{messages:.0f} and {dma:.0f}", messages < dma)
    faster = [words for words, (messages, dma) in found.items() if dma < messages]
    last = max((words for words in found if words < min(faster)), default=0) if faster else max(found)
    result.notes = [f"DMA is faster from blocks of {min(faster)} words on; messages are up to {last}."
                    if faster else "DMA is faster for no block."]
    return result


def _cycles(job: Job, text: str, sizes: Iterable[int]) -> dict[int, tuple[float, float]]:
    """The cycles of a block by messages and by DMA, by its words. SetupError if one of these sizes is missing."""
    found = {int(words): (float(messages), float(dma)) for words, messages, dma in LINE.findall(text)}
    if not found.keys() >= set(sizes) or ": right\n" not in text:
        raise SetupError(f"{job} did not print what it measured:\n{text}")
    return found

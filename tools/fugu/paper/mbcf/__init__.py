"""MBCF: latencies and bandwidths of commands, beside messages of UDM and the MBCF paper's ratios."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from ...errors import SetupError
from ...paths import build_dir
from .._command import run_programs
from .._table import Compared
from ..runs.extent import FULL, Extent
from ..runs.sweep import Job, outputs

MBCF_PAPER = json.loads(Path(__file__).with_name("paper.json").read_text())
SIZES = tuple(MBCF_PAPER["one_way_latency_us"]["bytes"])
COMMANDS = {"WRITE": "write", "FIFO": "fifo", "SIGNAL": "signal"}       # the paper's names, and tests/mbcf/costs.c's
ATOMICITY = {"hard": (), "soft": ("--atomicity", "soft")}
BANDWIDTH = (4, 16, 64, 256, 1024, 4096)       # bytes of a command: table 1's sizes, the last for the paper's largest
OF_UDM = 0.95           # the share of what bodies of UDM reach that commands of that size should reach
INLINE = 32             # bytes that need no body
TRANSIT, WORD, HEADER = 66, 4, 10       # cycles between two nodes, and for a word; words of a packet besides its body
TRIPS = {"FETCH_ADD": "trip-fetch-add", "READ": "trip-read", "UPDATE, one copy": "trip-update",
         "INVALIDATE, one copy": "trip-invalidate", "UDM message, answered by its handler": "trip-udm"}
TRIES = 10                              # of each of these, which count what comes of the tries (costs.c)
COPIES = {"upcalls at a view, after INVALIDATE": "upcalls-at-view",
          "upcalls at the page's own address, after INVALIDATE": "upcalls-at-own-address",
          "words stored at a copy that reach the root": "writes-at-copy"}
OWN_ADDRESS = "The kernel has no upcall for an access of a task at a page's own address, so the page stays there."
AT_COPY = "A store at a copy is the program's. For all copies to get it, it names the root's page in an UPDATE."
LINE = re.compile(r"^mbcf ([\w-]+) (\d+): (\d+) \d+ \d+$", re.MULTILINE)
MORE = "The receiver makes a call more, and the network is a smaller part of both latencies than the paper's."
ENDS = ("requester", "target")
TURNS = "One end sends single commands while the other does those before. A combined packet's ends take turns."
BODY = ("The words of a combined packet are in its body, which a DMA has stored: the target loads them with misses of the cache. "
        "Those of a single command are in the network interface.")
PASSAGES = ("A WRITE passes through the kernels of both nodes, some 600 cycles; a message leaves in tens, and its body in "
            "fewer than 600. The network waits for the processors.")
ACKNOWLEDGE = "The reply to each sixteenth WRITE, which the paper's measurement has too, takes as long as half a body."
WORK = 10_000_000                       # cycles of both nodes, about
LIMIT = "1G"


def main(words: list[str]) -> int:
    """Measures and shows the table."""
    return run_programs("mbcf", measure, words)


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the table needs."""
    del extent
    return [_job(options) for options in ATOMICITY.values()]


def measure(extent: Extent = FULL) -> Compared:
    """Measures all rows. SetupError."""
    found = outputs(list(jobs(extent)), extent.fresh)
    costs = {column: {(name, int(size)): int(mean) for name, size, mean in LINE.findall(found[_job(options)])}
             for column, options in ATOMICITY.items()}
    result = Compared("MBCF: one-way latency in cycles, two nodes", list(ATOMICITY), source="MBCF paper",
                      publication=MBCF_PAPER["source"], paper=MBCF_PAPER["name"])

    def row(group: str, name: str, key: tuple[str, int]) -> None:
        if any(key not in one for one in costs.values()):
            raise SetupError(f"{_program()} has not measured {key[0]} of {key[1]} bytes.")
        result.row(group, name, {column: one[key] for column, one in costs.items()}, {})
    for name, ours in [*COMMANDS.items(), ("UDM message", "udm")]:
        for size in SIZES:
            row(name, f"{size} bytes", (ours, size))
    for name, ours in (("WRITE, cycles for each KiB", "write-bandwidth"), ("UDM, cycles for each KiB", "udm-bandwidth")):
        for size in BANDWIDTH:
            row(name, f"{size} bytes", (ours, size))
    row("WRITE, cycles for each KiB", "4096 bytes, over pages", ("write-over-pages", 4096))
    for size in BANDWIDTH:
        if size > INLINE:
            result.row("ceiling, cycles for each KiB", f"{size} bytes", dict.fromkeys(ATOMICITY, ceiling(size)), {})
    for name in ("single", "combined"):
        row("16 WRITEs of a word, each", name, (name, 4))
        for end in ENDS:
            row("16 WRITEs of a word, each", f"{name}, the {end}'s processor", (f"{name}-{end}", 4))
    for name, ours in TRIPS.items():
        row("round trip of a word", name, (ours, 4))
    for name, ours in COPIES.items():
        row(f"{TRIES} tries at a copied page", name, (ours, TRIES))
    for column, one in costs.items():
        _judge(result, column, one)
    return result


def ceiling(size: int) -> int:
    """Cycles for each KiB if a launch waits for nothing but the credit of the body before (docs/mbcf.md, "Costs")."""
    words = size // 4
    return round((words + TRANSIT + WORD * (words + HEADER) + TRANSIT) * 1024 / size)


def _judge(result: Compared, column: str, ours: dict[tuple[str, int], int]) -> None:
    """The paper's numbers as ratios: its processor, network and microseconds are others."""
    theirs = MBCF_PAPER["one_way_latency_us"]
    for name, key in COMMANDS.items():
        ratio = theirs[name][0] / theirs["WRITE"][0]
        mine = ours[key, SIZES[0]] / ours["write", SIZES[0]]
        if name != "WRITE":
            result.aim(column, f"{name} of 4 bytes takes at most {ratio:.2f} times as long as WRITE, as in the paper.",
                       f"{mine:.2f}", mine <= ratio, MORE)
        ratio = theirs[name][-1] / theirs[name][0]
        mine = ours[key, SIZES[-1]] / ours[key, SIZES[0]]
        result.aim(column, f"{name} of 1024 bytes takes at most {ratio:.2f} times as long as of 4 bytes, as in the paper.",
                   f"{mine:.2f}", mine <= ratio)
    for size in BANDWIDTH:
        mine = ours["udm-bandwidth", size] / ours["write-bandwidth", size]
        result.aim(column, f"WRITEs of {size} bytes reach at least {OF_UDM:.0%} of what messages of UDM reach.", f"{mine:.0%}",
                   mine >= OF_UDM, ACKNOWLEDGE if size == 1024 else PASSAGES)
    for end, why in zip(ENDS, ("", BODY)):
        single, combined = ours[f"single-{end}", 4], ours[f"combined-{end}", 4]
        result.claim(column, f"Combined commands take fewer cycles of the {end}'s processor than single ones.",
                     f"{combined} for {single}", combined < single, why)
    single, combined = ours["single", 4], ours["combined", 4]
    result.claim(column, "Combined commands take fewer cycles to the last one's status than single ones.", f"{combined} for {single}",
                 combined < single, TURNS)
    for what, key, why in ((f"INVALIDATE takes a copy away that its task has a view of (all {TRIES} times): the next access faults.",
                            "upcalls-at-view", ""),
                           (f"INVALIDATE takes a copy away that its task uses at its own address (all {TRIES} times).",
                            "upcalls-at-own-address", OWN_ADDRESS),
                           (f"A write at a copy goes to the home page (all {TRIES} times).", "writes-at-copy", AT_COPY)):
        result.claim(column, what, f"{ours[key, TRIES]} of {TRIES}", ours[key, TRIES] == TRIES, why)


def _program() -> str:
    return str(build_dir() / "tests" / "mbcf" / "mbcf-costs.elf")


def _job(options: tuple[str, ...]) -> Job:
    return Job(_program(), (), ("--nodes", "2", "--timeout", LIMIT, *options), WORK)

"""Programs of all libraries at many timings (support/timings.py): what they promise holds in any order of events.

Here are programs that other folders run once in each way. The list says how each shows that it was right.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from guest_programs import built
from machine_runs import Result

from fugu.vary.timings import timing

LIMIT = "4G"            # cycles: what waits for ever ends by them


def checks(count: int) -> Callable[[Result], bool]:
    """Whether so many checks were made, all of them right."""
    def right(result: Result) -> bool:
        lines = result.stdout.splitlines()
        return (result.status == 0 and not any("FAIL" in line for line in lines)
                and sum(line.startswith("ok ") for line in lines) == count)
    return right


def totals(processes: int) -> Callable[[Result], bool]:
    """Whether so many processes have printed their totals, and no check has failed."""
    return lambda result: result.all_right(processes)


def prints(*patterns: str, times: int = 1) -> Callable[[Result], bool]:
    """Whether each pattern is so many of the lines."""
    def right(result: Result) -> bool:
        return result.status == 0 and all(len(re.findall(rf"^{pattern}$", result.stdout, re.MULTILINE)) == times
                                          for pattern in patterns)
    return right


@dataclass
class Program:
    """A program with its arguments, and how its run is judged."""

    words: tuple[object, ...]
    right: Callable[[Result], bool]
    nodes: int = 4
    options: dict[str, Any] = field(default_factory=dict)
    disk: int = 0               # pages of backing store, on node 0


SHM = ("locks", "barriers", "bytes", "weave", "flags", "getsub", "busy", "busy-exchange", "busy-locks", "forks",
       "memory", "some", "first-writers", "fpu")
MBCF = {"words": 16, "options": 11, "sleep": 2, "section": 1, "combined": 19, "lengths": 34, "reads": 34, "wraps": 2,
        "eager": 23, "signals": 21, "during": 26, "interrupted": 5, "fifo": 15, "queue": 10, "agents": 16, "clients": 21}
CASTS = {"update": (4, 54), "colour": (7, 3), "list": (8, 17), "order": (8, 1), "wakes": (8, 1), "invalidate": (7, 69),
         "ways": (8, 8)}

PROGRAMS: dict[str, Program] = {
    **{f"shm-{case}": Program((built("shm/shm-cases"), case), prints(f"{case}: 0 wrong")) for case in SHM},
    **{f"shm-random-{seed}": Program((built("shm/shm-random"), seed, 2, 20),
                                     prints(r"random: 0 wrong, [1-9]\d* locked, 0 lost"), nodes)
       for seed, nodes in ((1, 3), (2, 4), (3, 6))},
    "shm-pressure": Program((built("shm/shm-cases"), "pressure"), prints("pressure: 0 wrong"), 2, {"ram": "4M"}),
    **{f"crl-regions-{wait}": Program((built("libos/regions"), 20, seed, wait, "divert"), totals(4))
       for seed, wait in enumerate(("spin", "block", "mixed"), 1)},
    "crl-many": Program((built("libos/manyregions"), "cache"), totals(2), 2),
    **{f"collective-{wait}": Program((built("libos/collective"), 10, 1, wait), totals(5), 5)
       for wait in ("spin", "block", "mixed")},
    **{f"quiescence-{wait}": Program((built("libos/quiescence"), 10, 1, wait), totals(5), 5)
       for wait in ("spin", "block", "mixed")},
    "transfer": Program((built("libos/transfer"),), totals(3), 3),
    "threads": Program((built("libos/threads"),), totals(2), 2),
    "contexts": Program((built("libos/contexts"),), totals(1), 2),
    "work": Program((built("libos/work"),), totals(1), 1),
    **{f"rq-random-{back_end}": Program((built("rq/rq-random"), 23, 1500, back_end),
                                        prints(r"rq-random: \d+ operations, \d+ taken, \d+ refused: 0 wrong, 0 left"))
       for back_end in ("ni", "memory", "mixed", "fetch")},
    **{f"rq-rules-{back_end}": Program((built("rq/rq-rules"), back_end, "beside"), totals(3), 3)
       for back_end in ("ni", "memory", "fetch")},
    "mbcf-traffic": Program((built("mbcf/mbcf-traffic"), 200, 1, 4),
                            prints(r"node \d: \d+ operations, 0 wrong, \d+ pages came back", times=4)),
    **{f"mbcf-{case}": Program((built("mbcf/mbcf-cases"), case), checks(count), 2, {"ram": "4M"})
       for case, count in MBCF.items()},
    **{f"mbcf-casts-{case}": Program((built("mbcf/mbcf-casts"), case), checks(count), nodes, {"ram": "4M"})
       for case, (nodes, count) in CASTS.items()},
    "workqueue": Program(("workqueue", 24), prints(r"workqueue: \d+ primes: right")),
    "fifos": Program(("fifos", 20), prints("fifos: 0 wrong, 0 bytes left: right")),
    "lock": Program(("lock", 5), prints("lock: counter 20: right")),
    "halo": Program(("halo", 16, 4), prints("halo: checksum [0-9a-f]{16}: right")),
    "signals": Program(("signals", 10), prints("signals: 40 calls, 0 wrong: right")),
    "agent": Program(("agent", "server", "+", "agent", "client"), prints(
        r"agent: 4 orders, sum \d+; 0 words of the server changed: right",
        "agent: 4 clients, 0 commands had another end: right")),
    "barrier": Program(("barrier", 20), prints("barrier: nodes were ahead 0 times in 20 more"), 5),
    "stencil": Program(("stencil", 16, 5), prints("stencil: checksum [0-9a-f]{16}: right"), 5),
    "rpc": Program(("rpc", 16), prints("rpc: 0 results were wrong"), 5),
    "enum": Program(("enum", 5), prints("enum: side 5, hole 4: 1550 solutions"), 4),
    "solve": Program(("solve", "interrupts", 60, 150), prints("solve: checksum [0-9a-f]{16}: right")),
    "solve-polling": Program(("solve", "polling", 60, 150), prints("solve: checksum [0-9a-f]{16}: right")),
    "transpose": Program(("transpose", "messages", 64), prints(".*, right")),
    "strided": Program(("strided", 3), prints("strided: 3 blocks: right"), 3),
    "update": Program(("update", 256, 5), prints("update: all words are right"), 3, {"ni": "shrimp"}),
    **{f"nx-{case}": Program((built("kinds/typed"), case), totals(nodes), nodes, {"ni": "shrimp"})
       for case, nodes in (("everyone", 5), ("waits", 3), ("meets", 2), ("leaves", 5))},
    "nx-random": Program((built("kinds/typed"), "random", 7), totals(4), 4, {"ni": "shrimp"}),
    "nxall": Program(("nxall", 100, 3), prints("nxall: right"), 5, {"ni": "shrimp"}),
    "edges": Program(("edges", 20, 5), prints("edges: checksum [0-9a-f]{16}: right"), 5, {"ni": "shrimp"}),
    "pipeline": Program(("pipeline", 60, 10), prints("pipeline: right"), 5, {"ni": "shrimp"}),
    "rights": Program((built("glaze/rights/places"), "threads"), checks(2), 1),
    "paging": Program((built("libos/faultstress"), 1, 10, "+", built("libos/faultstress"), "hog", 180),
                      lambda result: faultless(result, 2), 2, {"ram": "608K", "timeslice": 100_000}, 4096),
}


def faultless(result: Result, nodes: int) -> bool:
    """Whether each message was handled once, and outside of sections."""
    lines = [{name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", line)}
             for line in result.stdout.splitlines()]
    return (result.status == 0 and len(lines) == nodes and all(line["sections"] == line["hold"] == 0 for line in lines)
            and sum(line["sent"] for line in lines) == sum(line["handled"] for line in lines))


# The ways to run them (support/timings.py), each at timings of its own.
WAYS = {"hard": range(1, 13), "soft": range(13, 25), "short": range(25, 37), "soft-short": range(37, 49),
        "beside": range(49, 61), "soft-beside": range(61, 73)}
WITHOUT_MESSAGES = ("hard", "beside")   # the others are options of FUGU's interface alone
# Those of an ordinary run: one or two programs of each library, at the first timings.
SOME = ("shm-locks", "shm-random-1", "crl-regions-mixed", "collective-mixed", "quiescence-block", "threads", "work",
        "transfer", "rq-random-mixed", "mbcf-traffic", "mbcf-interrupted", "fifos", "rpc")


def run(scan, disk, name: str, way: str, numbers: range) -> None:
    program = PROGRAMS[name]
    store = {"disk": [f"0={disk(program.disk)}"]} if program.disk else {}
    scan(numbers, way, program.right, *program.words, nodes=program.nodes, timeout=LIMIT, **program.options, **store)


@pytest.mark.parametrize("way", ["hard", "soft-beside"])
@pytest.mark.parametrize("name", SOME)
def test_program_at_some_timings(scan, disk, name, way):
    run(scan, disk, name, way, WAYS[way][:3])


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "way"), [(name, way) for name, program in PROGRAMS.items() if name != "paging"
                                           for way in WAYS if "ni" not in program.options or way in WITHOUT_MESSAGES])
def test_program_at_many_timings(scan, disk, name, way):
    run(scan, disk, name, way, WAYS[way])


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("way", ["hard", "soft", "short"])
def test_paging_at_many_timings(scan, disk, way):
    """It has another job beside it already, which waits for its end as `null while-others` does."""
    run(scan, disk, "paging", way, WAYS[way])


def test_timings_differ():
    """So do the cycles of a run; and timing 0 is the machine as it is."""
    options = [timing(number) for numbers in WAYS.values() for number in numbers]
    assert timing(0) == {} and len({tuple(one.values()) for one in options}) == len(options) == 72


def test_a_wrong_run_is_named(scan):
    """The message has the timing, the command, and what the program has printed."""
    with pytest.raises(pytest.fail.Exception, match=r"(?s)wrong at the timings \[1, 2\], the way hard.*pingpong") as failed:
        scan(range(1, 3), "hard", lambda result: False, "pingpong", 1, nodes=2, timeout="10M")
    assert "mesh-base=" in str(failed.value) and "--- stdout" in str(failed.value)

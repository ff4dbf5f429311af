"""The M-Machine: its design space of message interfaces, a hundred latencies and occupancies on the bare machine.

    designs         what the program prints that measures them
    glaze           what apps print that measure the M-Machine's own interface under Glaze
    claims          what the paper claims of them

The paper's numbers are in paper.json.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ...errors import SetupError
from ...paths import build_dir
from .._command import run_programs
from .._table import Compared
from ..runs.extent import FULL, Extent
from ..runs.sweep import Job, outputs
from . import claims, designs, glaze
from .claims import M_MACHINE, MM_PAPER, PINS, Measured, null_rows
from .designs import BENCHMARKS, IDLE, INTERFACES, INTERRUPT, POLL, SOFT, THREAD, WINDOW, Design

# The machines: the default one, and one whose network has the pace of the paper's.
MACHINES = claims.MACHINES
DEFAULT, PACE = MACHINES
COLUMNS = [f"{machine}: {what}" for machine in MACHINES for what in ("latency", "under Glaze", "occupancy")]
TITLES = {"ping": "ping", "rpc": "RPC of 8 arguments", "distribute": "distribute to 8 nodes", "blockwrite": "blockwrite of 1,024 words",
          SOFT: "ping, translation by software"}
# The ways of dispatch: the paper's, and two apart.
WAYS = {THREAD: (THREAD, 0), "polling, best": (f"{POLL}-hit", 0), "polling, worst": (f"{POLL}-miss", 1),
        "interrupt, best": (f"{INTERRUPT}-hit", 0), "interrupt, worst": (f"{INTERRUPT}-miss", 1)}
TRANSLATED = {name: way for name, way in WAYS.items() if not way[0].startswith(POLL)}
APART = {"thread, program waits": (IDLE, 0), "register window, best": (f"{WINDOW}-hit", 0),
         "register window, worst": (f"{WINDOW}-miss", 1)}
LIMIT = "8G"
WORK = 400_000_000      # cycles of all nodes, about
TIMES = 1000            # null messages
NULL_LINE = re.compile(r"^null round trip, (\w+): (\d+) to (\d+) cycles$", re.MULTILINE)


def main(words: list[str]) -> int:
    """Measures and shows the table."""
    return run_programs("mm", measure, words)


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the table needs."""
    del extent
    return [*(_null_job(machine) for machine in MACHINES), *(_job(machine, one) for machine in MACHINES for one in INTERFACES),
            *(_job(PACE, one, pins) for pins in PINS[1:] for one in INTERFACES if one.startswith("memory")),
            *(_glaze_job(machine, app) for machine in MACHINES for app in glaze.APPS)]


def measure(extent: Extent = FULL) -> Compared:
    """Measures all rows. SetupError."""
    found = outputs(list(jobs(extent)), extent.fresh)
    measured = Measured(
        {machine: _null(found[_null_job(machine)]) for machine in MACHINES},
        {machine: {one: designs.parse(found[_job(machine, one)]) for one in INTERFACES} for machine in MACHINES},
        {pins: {one: designs.parse(found[_job(PACE, one, pins if one.startswith("memory") else 0)]) for one in INTERFACES}
         for pins in PINS},
        {machine: glaze.parse({app: found[_glaze_job(machine, app)] for app in glaze.APPS}) for machine in MACHINES})
    result = Compared("M-Machine: five message interfaces, by ways of dispatch", COLUMNS, source="M-Machine paper",
                      publication=MM_PAPER["source"], paper=MM_PAPER["name"])
    _null_table(result, measured)
    for benchmark in BENCHMARKS:
        _rows(result, TITLES[benchmark], benchmark, WAYS, measured)
    for benchmark in (*BENCHMARKS, SOFT):
        _rows(result, f"apart: {TITLES[benchmark]}", benchmark, APART if benchmark != SOFT else TRANSLATED, measured)
    claims.pin_rows(result, measured)
    claims.judge(result, measured)
    result.notes = [
        "Cycles. Latency: from the first instruction that makes the (first) message to the end of the last handler's work. "
        "Occupancy: all cycles of making and handling messages, of all nodes. Best and worst: of all phases between sender and "
        "receivers. =: the best and the worst are equal.",
        f"{PACE}: {' '.join(_options(PACE))}.",
        "In thread, polling and interrupt a program computes on each node; it polls every 100 cycles.",
        "Under Glaze: the apps mmping, mmrpc, distribute and blockwrite, whose programs wait meanwhile.",
    ]
    return result


def _null_table(result: Compared, measured: Measured) -> None:
    rows = {machine: null_rows(machine) for machine in MACHINES}
    for name in rows[PACE]:
        result.row("null round trip", name, {f"{machine}: latency": rows[machine][name] for machine in MACHINES}, {})
    result.row("null round trip", "measured", {f"{machine}: latency": measured.null[machine]["waiting"][0] for machine in MACHINES},
               {f"{PACE}: latency": MM_PAPER["null_round_trip_cycles"]})
    ours: dict[str, int] = {}
    spread: dict[str, tuple[int, int]] = {}
    for machine in MACHINES:
        ours[f"{machine}: latency"], _ = spread[f"{machine}: latency"] = measured.null[machine]["busy"]
        ours[f"{machine}: under Glaze"], _ = spread[f"{machine}: under Glaze"] = measured.glaze[machine][glaze.NULL]
    result.row("null round trip", "measured, beside a program", ours, {}, spread)


def _rows(result: Compared, group: str, benchmark: str, ways: Mapping[str, tuple[str, int]],
          measured: Measured) -> None:
    for interface in INTERFACES:
        for name, (dispatch, which) in ways.items():
            ours, spread, equal = {}, {}, []
            for machine in MACHINES:
                for what in ("latency", "occupancy"):
                    column = f"{machine}: {what}"
                    ends = _best_and_worst(measured.designs[machine][interface], dispatch, benchmark, what)
                    ours[column] = ends[which]
                    if ends[0] == ends[1]:
                        equal.append(column)
                    elif name == THREAD:
                        spread[column] = ends
                if interface == M_MACHINE and name == THREAD and benchmark in measured.glaze[machine]:
                    column = f"{machine}: under Glaze"
                    ours[column], _ = spread[column] = measured.glaze[machine][benchmark]
            result.row(group, f"{interface}: {name}", ours, {}, spread, equal)


def _best_and_worst(design: Design, dispatch: str, benchmark: str, what: str) -> tuple[int, int]:
    """The least if the second look hits, and the most if it misses."""
    way = dispatch.removesuffix("-hit").removesuffix("-miss")
    best, worst = (way, way) if way == dispatch else (f"{way}-hit", f"{way}-miss")
    # Where one message comes, polls that hit and miss at their second look are the same.
    worst = worst if (worst, benchmark) in design else best
    return getattr(design[best, benchmark], what)[0], getattr(design[worst, benchmark], what)[1]


def _null(text: str) -> dict[str, tuple[int, int]]:
    found = {name: (int(least), int(most)) for name, least, most in NULL_LINE.findall(text)}
    if set(found) != {"waiting", "busy"}:
        raise SetupError(f"nullmsg has not printed its round trips:\n{text}")
    return found


# ---- runs --------------------------------------------------------------------------

def _options(machine: str) -> tuple[str, ...]:
    """The options that differ from the default machine's."""
    return tuple(word for name, value in MACHINES[machine].items() for word in (f"--{name}", str(value)))


def _job(machine: str, interface: str, pins: int = 0) -> Job:
    return Job(str(build_dir() / "tests" / "guest" / f"designs-{interface}.elf"), ("phases=1", f"pins={pins}") if pins else (),
               ("--ni", "m-machine", "--nodes", str(designs.NODES), "--timeout", LIMIT, *_options(machine),
                *(("--pin-cycles", str(pins)) if pins else ())), WORK)


def _glaze_job(machine: str, app: str) -> Job:
    nodes, words = glaze.APPS[app]
    return Job(app, words, ("--ni", "m-machine", "--nodes", str(nodes), "--timeout", LIMIT, *_options(machine)), WORK // 20)


def _null_job(machine: str) -> Job:
    return Job(str(build_dir() / "tests" / "guest" / "nullmsg.elf"), (f"times={TIMES}",),
               ("--ni", "m-machine", "--nodes", "2", "--timeout", LIMIT, *_options(machine)), WORK // 10)

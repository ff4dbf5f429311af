"""The picture of each part: which of its numbers are drawn, and what the axes and panels are called."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .._table import PAPER, Compared, Number, Result, plain
from ..figure10 import BETWEEN
from ..mm import BENCHMARKS, INTERFACES, PACE, TITLES, WAYS as DISPATCHES
from ..protection import PERCENT
from ..queues.solve import WAYS
from ..queues.strided import PLANES
from ..runs.figure import Figure
from ..runs.synth import HAND
from ..speedup import ROW
from .drawing import Bars, Lines, Panel, Points

WORDS = {"soft": "Soft atomicity", "hard": "Hard atomicity", "elapsed": "elapsed time", "charged": "charged time",
         "compute": "intervals of the sender's own time", "since": "intervals since the last request",
         "elapsed interval": "intervals by the clock", "each boundary": "for each boundary"}


def words(panel: str, elapsed: str = "elapsed") -> str:
    """A panel's name in words; `elapsed` is the key of what that word means in this figure."""
    return ", ".join(WORDS.get(elapsed if word == "elapsed" else word, word) for word in panel.split(", "))


# ---- figures ---------------------------------------------------------------------------

def _figure(result: Figure, papers: Callable[[str], dict[str, Points]] = lambda panel: {},
            bounds: dict[float, str] | None = None, elapsed: str = "elapsed") -> Lines:
    lines: dict[str, dict[str, Points]] = {}
    for row in result.rows:
        lines.setdefault(row["group"], {})[row["row"]] = [
            (float(x), row["ours"][x], *row["spread"][x]) for x in result.columns]
    # The first place may have several trials even in a report with one: starts without skew.
    spreads = [row["spread"][column] for row in result.rows for column in result.columns[1:]]
    many = any(least != most for least, most in spreads)
    return Lines([Panel(words(panel, elapsed), result.other_axis.get(panel, result.y), one, papers(panel))
                  for panel, one in lines.items()], result.x, many, bounds=bounds or {})


def figure7(result: Figure) -> Lines:
    """Shares, and below them messages for each boundary."""
    return _figure(result)


def figure8(result: Figure) -> Lines:
    """Run times; the paper says that barrier's are the inverse of the overlap."""
    inverse = [(float(x), 1 / (1 - float(x) / 100), 0.0, 0.0) for x in result.columns]
    return _figure(result, lambda panel: {"barrier": inverse} if panel.endswith("elapsed") else {})


def figure9(result: Figure) -> Lines:
    """Shares; the paper says from which interval on they are small."""
    enough = HAND + PAPER["table5"]["minimum_together"]
    return _figure(result, bounds={float(enough): "T_hand + buffering overhead, the paper"}, elapsed="elapsed interval")


def figure10(result: Figure) -> Lines:
    """Shares; the paper says up to which cost they are small."""
    return _figure(result, bounds={float(BETWEEN): "the interval"}, elapsed="elapsed interval")


def schedules(result: Figure) -> Lines:
    """Run times by the skew, beside null and beside the same program."""
    return _figure(result)


def speedups(result: Result) -> Lines:
    """The programs' speed-ups over the numbers of nodes."""
    return _over_nodes({"": {row["group"]: row["ours"] for row in result.rows if row["row"] == ROW}},
                       "times as fast as one node")


def solves(result: Result) -> Lines:
    """Speed-ups of the ways to receive, a panel for each matrix."""
    panels: dict[str, dict[str, dict[str, Number]]] = {}
    for row in result.rows:
        if row["row"] in WAYS:
            panels.setdefault(row["group"], {})[row["row"]] = row["ours"]
    return _over_nodes(panels, "times as fast as one node")


def _over_nodes(panels: dict[str, dict[str, dict[str, Number]]], y: str) -> Lines:
    return Lines([Panel(name, y, {line: _points(numbers.items()) for line, numbers in lines.items()})
                  for name, lines in panels.items()], "nodes", log="xy", ideal=True)


def _points(numbers: Iterable[tuple[str, Number]]) -> Points:
    return [(float(x), float(y), float(y), float(y)) for x, y in numbers if y is not None]


def commands(result: Result) -> Lines:
    """Latencies of commands by their bytes, soft and hard."""
    lines: dict[str, dict[str, dict[str, Number]]] = {}
    for row in result.rows:
        size, _, unit = row["row"].partition(" ")
        if unit == "bytes" and "KiB" not in row["group"]:
            for column, number in row["ours"].items():
                lines.setdefault(column, {}).setdefault(row["group"], {})[size] = number
    return Lines([Panel(words(column), "cycles", {line: _points(numbers.items()) for line, numbers in found.items()})
                  for column, found in lines.items()], "bytes of a command", log="x")


def dispatches(result: Result) -> Lines:
    """Latency and occupancy of each interface by the way of dispatch, at the paper's pace, a row of panels for each benchmark."""
    found = {(row["group"], row["row"]): row for row in result.rows}
    panels = []
    for title in (TITLES[benchmark] for benchmark in BENCHMARKS):
        for what in ("latency", "occupancy"):
            lines: dict[str, list[tuple[float, float, float, float]]] = {}
            for interface in INTERFACES:
                for place, way in enumerate(DISPATCHES):
                    row = found[title, f"{interface}: {way}"]
                    number = row["ours"][f"{PACE}: {what}"]
                    least, most = row.get("spread", {}).get(f"{PACE}: {what}", (number, number))
                    lines.setdefault(interface, []).append((float(place), float(number), float(least), float(most)))
            panels.append(Panel(f"{title}: {what}", f"cycles: {title}", lines))
    return Lines(panels, "way of dispatch", log="y", names=[way.replace(", ", ",\n") for way in DISPATCHES])


def strides(result: Result) -> Lines:
    """Cycles of a block by its words."""
    return Lines([Panel("", "cycles of a block", {column: _points((row["row"], row["ours"][column]) for row in result.rows
                                                                  if row["group"] != PLANES)
                                                  for column in result.columns})], "words of a block", log="xy")


# ---- bars ------------------------------------------------------------------------------

def _bars(result: Result, chosen: Callable[[str, str], bool], mark: str, unit: str) -> Bars:
    """The rows that are chosen by group and name, all columns."""
    rows = [row for row in result.rows if chosen(row["group"], row["row"])]
    marks = [next((float(number) for number in row["paper"].values() if number is not None), None) for row in rows]
    return Bars([_name(row["group"], row["row"]) for row in rows],
                {column: [row["ours"].get(column) for row in rows] for column in result.columns}, marks, mark, unit)


def _name(group: str, row: str) -> str:
    return ": ".join(filter(None, (plain(group), plain(row))))


def message(result: Result) -> Bars:
    """The totals of table 4."""
    rows = [row for row in result.rows if row["row"] == "total"]
    names = [f"{row['group']}, {column}" for row in rows for column in result.columns if row["ours"].get(column)]
    both = [(row["ours"][column], row["paper"].get(column)) for row in rows for column in result.columns
            if row["ours"].get(column)]
    return Bars(names, {"here": [ours for ours, _ in both]}, [paper for _, paper in both], "the paper", "cycles")


def protected(result: Compared) -> Bars:
    """The share of each program."""
    rows = [row for row in result.rows if row["row"] == PERCENT]
    return Bars([row["group"] for row in rows], {column: [row["ours"].get(column) for row in rows]
                                                 for column in result.columns},
                [row["paper"].get("hard") for row in rows], "the paper's numbers", "% of the run time")


def queues(result: Result) -> Bars:
    """What it costs to send and to receive."""
    return _bars(result, lambda group, row: group == "poll" or row in ("total", "item_into_memory",
                                                                       "item_of_interrupt_queue"),
                 "Alewife", "cycles")


def transposes(result: Result) -> Bars:
    """Millions of cycles of each way."""
    return Bars([_name(row["group"], row["row"]) for row in result.rows],
                {"here": [row["ours"]["cycles"] / 1e6 for row in result.rows]}, [None] * len(result.rows), "",
                "millions of cycles")


def shared(result: Result) -> Bars:
    """Cycles of faults, releases, locks and barriers."""
    return _bars(result, lambda group, row: group == "cost", "aim of this project", "cycles")

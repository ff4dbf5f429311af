"""The mesh of a run as an SVG file, for a paper: the load of each link, what each node has done, its jobs and its buffer.

Numbers are those of --stats-json.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from xml.sax import saxutils

from .page import printable

CELL, SIDE = 112, 66            # of a node's place, and of its square
LEADING, MARGIN, FOOT, LEGEND = 16, 24, 112, 520
KEY, ROW = 140, 3               # width of a key of the legend, and keys in a row
PLAIN, BOLD = 6, 8              # about the width of a letter of the legend, and of the title
FONT = "font-family='Helvetica, Arial, sans-serif'"
DOES = {"user": "#3f7fc1", "handlers": "#2f9e62", "kernel": "#ef9b38", "idle, waits": "#e6eaee"}
JOBS = ("#5b6abf", "#2a9d8f", "#c77d33", "#b0467d", "#7f8f2e", "#4c4c4c")       # one after the other
NO_JOB = "#d6dbe1"
BUFFERED, INK, RULE = "#c2185b", "#1d232b", "#9aa4af"
LOADS = ("#e4e8ec", "#b9d4ea", "#7db0d8", "#f2b84b", "#e2662f", "#a50f2a")      # from no load to the most
MOST = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)              # ends of the scale
# By link: direction, and the place of its node in the row and in the column from which it leads nowhere.
WAYS = {"east": (1, 0), "west": (-1, 0), "south": (0, 1), "north": (0, -1)}


def make(figures: Mapping[str, Any], shape: tuple[int, int], title: str) -> str:
    """The picture. `figures` are those of stats.of(), `shape` is width and height of the mesh."""
    width, height = shape
    network = _network(figures["links"])
    cycles = max(1, figures["end"] - figures["start"])
    loads = {(link["node"], link["link"]): link["busy"] / cycles for link in figures["links"] if link["network"] == network}
    most = next(end for end in MOST if end >= min(1.0, max(loads.values(), default=0)))
    names = _jobs(figures)
    across = max(width * CELL, LEGEND) + 2 * MARGIN
    high = MARGIN + 2 * LEADING + height * CELL + FOOT + LEADING * ((len(names) + ROW) // ROW)
    parts = [f"<svg xmlns='http://www.w3.org/2000/svg' width='{across}' height='{high}' viewBox='0 0 {across} {high}' "
             f"{FONT} font-size='11' fill='{INK}'>",
             f"<title>{escape(title)}</title>",
             f"<rect width='{across}' height='{high}' fill='#ffffff'/>",
             _text(MARGIN, MARGIN, _fitted(title, (across - 2 * MARGIN) // BOLD), "font-size='14' font-weight='bold'"),
             _text(MARGIN, MARGIN + LEADING, f"{width * height} nodes, cycles {figures['start']:,} to {figures['end']:,}; "
                   f"links of the {network} network")]
    left, top = (across - width * CELL) / 2, MARGIN + 2 * LEADING
    for y in range(height):
        for x in range(width):
            place = left + (x + 0.5) * CELL, top + (y + 0.5) * CELL
            parts += _links(y * width + x, (x, y), shape, place, loads, most)
    for node in figures["nodes"]:
        place = left + (node["node"] % width + 0.5) * CELL, top + (node["node"] // width + 0.5) * CELL
        parts += _node(node, place, names, loads, most)
    parts += _legend(MARGIN, top + height * CELL + LEADING, most, names)
    return "\n".join([*parts, "</svg>", ""])


def _network(links: Sequence[Mapping[str, Any]]) -> str:
    """The main network, unless only another one has carried words."""
    used = [link["network"] for link in links]
    return "main" if "main" in used or not used else str(used[0])


def _jobs(figures: Mapping[str, Any]) -> dict[int, str]:
    """The names of jobs by GID; none on the bare machine."""
    return {job["gid"]: job["name"] for job in figures["jobs"] if job["name"]}


def shares(jobs: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """What a node has done: cycles by the names of DOES."""
    cycles = [job["cycles"] for job in jobs]
    return {"user": sum(one["user"] for one in cycles), "handlers": sum(one["handlers"] for one in cycles),
            "kernel": sum(sum(one["kernel"].values()) for one in cycles),
            "idle, waits": sum(sum(one["waits"].values()) for one in cycles)}


# ---- parts -----------------------------------------------------------------------------

def _colour(load: float, most: float) -> str:
    """The colour of a load on a scale that ends at `most`."""
    if not load:
        return LOADS[0]
    place = min(1.0, load / most) * (len(LOADS) - 2) + 1
    low = min(int(place), len(LOADS) - 2)
    ends = [[int(colour[k:k + 2], 16) for k in (1, 3, 5)] for colour in LOADS[low:low + 2]]
    return "#" + "".join(f"{round(one + (other - one) * (place - low)):02x}" for one, other in zip(*ends, strict=True))


def _links(node: int, at: tuple[int, int], shape: tuple[int, int], place: tuple[float, float],
           loads: Mapping[tuple[int, str], float], most: float) -> Iterator[str]:
    """The arrows that lead from a node to its neighbours. Traffic keeps to the right."""
    for link, (dx, dy) in WAYS.items():
        if 0 <= at[0] + dx < shape[0] and 0 <= at[1] + dy < shape[1]:
            load = loads.get((node, link), 0)
            x, y = place[0] + dx * (SIDE / 2 + 2) - dy * 8, place[1] + dy * (SIDE / 2 + 2) + dx * 8
            length = CELL - SIDE - 4
            points = [(0, -4), (length - 9, -4), (length - 9, -8), (length, 0), (length - 9, 8), (length - 9, 4), (0, 4)]
            corners = " ".join(f"{x + u * dx - v * dy:g},{y + u * dy + v * dx:g}" for u, v in points)
            yield f"<polygon points='{corners}' fill='{_colour(load, most)}'>" \
                f"<title>node {node} {link}: {100 * load:.2f} %</title></polygon>"


def _node(node: Mapping[str, Any], place: tuple[float, float], names: Mapping[int, str],
          loads: Mapping[tuple[int, str], float], most: float) -> Iterator[str]:
    """A node's square: its number, two bars, its share of buffered messages, its own two links."""
    x, y = place[0] - SIDE / 2, place[1] - SIDE / 2
    number, jobs = node["node"], node["jobs"]
    yield f"<rect x='{x:g}' y='{y:g}' width='{SIDE}' height='{SIDE}' fill='#ffffff' stroke='{RULE}'/>"
    yield _text(x + 5, y + 13, str(number), "font-weight='bold'")
    for k, link in enumerate(("inject", "eject")):
        load, left = loads.get((number, link), 0), x + SIDE - 25 + 12 * k
        low, high = (y + 5, y + 14) if link == "eject" else (y + 14, y + 5)
        yield f"<polygon points='{left:g},{low:g} {left + 10:g},{low:g} {left + 5:g},{high:g}' fill='{_colour(load, most)}'>" \
            f"<title>node {number} {link}: {100 * load:.2f} %</title></polygon>"
    yield from _bar(x + 5, y + 20, 10, [(name, cycles, DOES[name]) for name, cycles in shares(jobs).items()])
    yield from _bar(x + 5, y + 34, 8, [(names.get(job["gid"], "no job"), sum(shares([job]).values()),
                                        job_colour(job["gid"], names)) for job in jobs])
    if not names:
        return                  # the bare machine has no buffer, and no users that receive
    received = sum(job["messages"]["received"] for job in jobs)
    buffered = sum(job["messages"]["inserted"] for job in jobs)
    share = min(1.0, buffered / received) if received else 0
    yield f"<rect x='{x + 5:g}' y='{y + 46:g}' width='{(SIDE - 10) * share:.1f}' height='3' fill='{BUFFERED}'/>"
    yield _text(x + 5, y + 60, f"{_short(buffered)} of {_short(received)}", "font-size='9'")


def _bar(x: float, y: float, high: int, parts: Sequence[tuple[str, int, str]]) -> Iterator[str]:
    whole, width = sum(cycles for _, cycles, _ in parts), SIDE - 10
    for name, cycles, colour in parts:
        if cycles:
            wide = width * cycles / whole
            yield f"<rect x='{x:.2f}' y='{y:g}' width='{wide:.2f}' height='{high}' fill='{colour}'>" \
                f"<title>{escape(name)}: {cycles:,} cycles</title></rect>"
            x += wide


def job_colour(gid: int, names: Mapping[int, str]) -> str:
    """The colour of a job; that of no job is grey."""
    return JOBS[list(names).index(gid) % len(JOBS)] if gid in names else NO_JOB


def _short(count: int) -> str:
    """A count in few letters: 999, 1.0k, 12k, 3.4M."""
    for unit, size in (("M", 10 ** 6), ("k", 10 ** 3)):
        if count >= 0.9995 * size:              # which is rounded to 1.0
            return f"{count / size:.{1 if count < 9.95 * size else 0}f}{unit}"
    return str(count)


def _legend(x: float, y: float, most: float, names: Mapping[int, str]) -> Iterator[str]:
    yield _text(x, y, "load of a link")
    stops = "".join(f"<stop offset='{k / 10:g}' stop-color='{_colour(max(k / 10, 1e-9) * most, most)}'/>" for k in range(11))
    yield f"<defs><linearGradient id='load'>{stops}</linearGradient></defs>"
    yield f"<rect x='{x + 90:g}' y='{y - 9:g}' width='200' height='10' fill='url(#load)'/>"
    yield _text(x + 296, y, f"{100 * most:g} %")
    yield _text(x + 84, y, "0", "text-anchor='end'")
    y += LEADING + 4
    yield _text(x, y, "first bar")
    yield from _keys(x + 90, y, DOES.items(), KEY - 40)
    y += LEADING
    yield _text(x, y, "second bar")
    jobs = [*((f"job {gid} {name}", job_colour(gid, names)) for gid, name in names.items()), ("no job", NO_JOB)]
    for row in range(0, len(jobs), ROW):
        yield from _keys(x + 90, y + LEADING * (row // ROW), jobs[row:row + ROW], KEY)
    y += LEADING * ((len(jobs) + ROW - 1) // ROW)
    if names:
        yield _text(x, y, "third bar")
        yield f"<rect x='{x + 90:g}' y='{y - 6:g}' width='30' height='3' fill='{BUFFERED}'/>"
        yield _text(x + 126, y, "messages that the kernel put into the buffer, of those received")
        y += LEADING
    yield _text(x, y, "triangles")
    yield _text(x + 90, y, "the links from the node's interface into the network, and out of it")


def _keys(x: float, y: float, keys: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    for k, (name, colour) in enumerate(keys):
        yield f"<rect x='{x + width * k:g}' y='{y - 9:g}' width='10' height='10' fill='{colour}'/>"
        yield _text(x + width * k + 14, y, _fitted(name, (width - 20) // PLAIN))


def _fitted(text: str, letters: int) -> str:
    """The text with so many letters at most."""
    return text if len(text) <= letters else f"{text[:letters - 1]}\u2026"


def escape(text: str) -> str:
    """The text as an XML file may have it."""
    return saxutils.escape(printable(text))


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f"<text x='{x:g}' y='{y:g}' {more}>{escape(text)}</text>"

"""Pictures of a part: lines of a figure, or bars of a table, as SVG that takes its colours from the page, or as files.

A picture has panels. Panels whose y axes show the same share one.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# The points of a line: place on the x axis, number, the least and the most of its trials.
Points = Sequence[tuple[float, float, float, float]]

# Colours that stand for variables of the page's style sheet, and those of files.
INK, RULE, FAINT = "#010203", "#010204", "#010205"
LINES = ("#010301", "#010302", "#010303", "#010304", "#010305")
VARIABLES = {INK: "var(--ink)", RULE: "var(--rule)", FAINT: "var(--soft-ink)",
             **{colour: f"var(--line-{number})" for number, colour in enumerate(LINES)}}
PLAIN = {INK: "#1d232b", RULE: "#dfe3e8", FAINT: "#5a6472",
         **dict(zip(LINES, ("#0b62a4", "#c25b00", "#1c8060", "#a3447f", "#7a6a00"), strict=True))}
MARKERS = ("o", "s", "^", "D", "v")
APART = 0.13                    # places of an x axis with names, between the points of two lines
WIDTH, HEIGHT = 4.4, 2.9        # inches of a panel
BAR, MARGIN = 0.30, 1.1         # inches of a bar, and of what is around the bars
REM = 7                         # of the page, for an inch
STYLE = {"svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10, "axes.spines.top": False,
         "axes.spines.right": False, "axes.linewidth": 0.8, "axes.grid": True, "grid.linewidth": 0.8,
         "lines.linewidth": 1.8, "lines.markersize": 5, "legend.frameon": False}


@dataclass(frozen=True)
class Panel:
    """Lines over an x axis."""

    title: str                              # in words; empty if there is one panel
    y: str                                  # what the y axis shows
    lines: Mapping[str, Points]
    papers: Mapping[str, Points] = field(default_factory=dict)      # points that the paper gives, by the line's name


@dataclass(frozen=True)
class Lines:
    """Panels of lines with the same x axis."""

    panels: Sequence[Panel]
    x: str
    spread: bool = False        # whether lines have several trials
    log: str = ""               # the logarithmic axes: x, or xy
    ideal: bool = False         # a line shows y = x
    bounds: Mapping[float, str] = field(default_factory=dict)   # places on the x axis with a line: what they are
    names: Sequence[str] = ()   # of the places 0, 1 and so on of the x axis; then points are not joined


@dataclass(frozen=True)
class Bars:
    """Bars side by side, a group for each row; a mark where a paper or an aim has the number."""

    rows: Sequence[str]
    series: Mapping[str, Sequence[float | None]]        # by their names, such as hard and soft
    marks: Sequence[float | None]
    mark: str                               # what the marks are
    unit: str                               # of all numbers


Picture = Lines | Bars


def is_empty(picture: Picture) -> bool:
    """Whether there is nothing to draw."""
    return not (picture.rows if isinstance(picture, Bars) else picture.panels)


def svg(name: str, title: str, picture: Picture) -> str:
    """The picture as an element for a page. `name` makes its ids unique; `title` is for screen readers."""
    width, text = _draw(name, picture, "svg", {colour: colour for colour in VARIABLES})
    return _element(text.decode(), name, title, width)


def file(name: str, picture: Picture, kind: str) -> bytes:
    """The picture as a file of this kind, svg or pdf, with colours for paper."""
    return _draw(name, picture, kind, PLAIN)[1]


def _draw(name: str, picture: Picture, kind: str, colours: Mapping[str, str]) -> tuple[float, bytes]:
    """The picture's width in inches, and the picture."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    ink = colours[INK]
    style = {"text.color": ink, "axes.edgecolor": ink, "axes.labelcolor": ink, "xtick.color": ink, "ytick.color": ink,
             "grid.color": colours[RULE], "svg.hashsalt": name}
    with rc_context(STYLE | style):
        canvas = Canvas(layout="constrained")
        if isinstance(picture, Bars):
            _bars(canvas, picture, colours)
        else:
            _lines(canvas, picture, colours)
        text = io.BytesIO()
        unknown = ("Date", "Creator", "Format", "Type") if kind == "svg" else ("CreationDate", "Creator", "Producer")
        canvas.savefig(text, format=kind, transparent=True, metadata=dict.fromkeys(unknown))
    return canvas.get_figwidth(), text.getvalue()


# ---- lines -----------------------------------------------------------------------------

def _lines(canvas: Any, picture: Lines, colours: Mapping[str, str]) -> None:
    panels = picture.panels
    across = min(len(panels), 2)
    down = -(-len(panels) // across)
    canvas.set_size_inches(across * WIDTH, down * HEIGHT + 0.4)
    axes = canvas.subplots(down, across, sharex=True, squeeze=False).flatten()
    first: dict[str, Any] = {}
    for place, panel in zip(axes, panels, strict=False):
        if panel.y in first:
            place.sharey(first[panel.y])
        first.setdefault(panel.y, place)
        _panel(place, panel, picture, colours)
    for unused in axes[len(panels):]:
        unused.set_visible(False)
        axes[len(axes) - across - 1].tick_params(labelbottom=True)        # the panel above it is the last one there
    if "y" not in picture.log:
        for place in first.values():
            place.set_ylim(bottom=0)        # of all panels that share it; only once they are drawn
    for number, (place, panel) in enumerate(zip(axes, panels, strict=False)):
        if number % across == 0 or panels[number - 1].y != panel.y:
            place.set_ylabel(panel.y)
    canvas.supxlabel(picture.x, fontsize=10)
    found = dict(entry for place in axes[:len(panels)]
                 for entry in zip(*reversed(place.get_legend_handles_labels()), strict=True))
    canvas.legend(found.values(), found.keys(), loc="outside upper center", ncols=3 if picture.names else 3 * across)


def _panel(place: Any, panel: Panel, picture: Lines, colours: Mapping[str, str]) -> None:
    place.set_title(panel.title, fontsize=10, loc="left", color=colours[INK])
    xs = sorted({x for points in panel.lines.values() for x, *_ in points})
    if picture.names:
        place.set_xticks(range(len(picture.names)), picture.names, fontsize=8)
    elif "x" in picture.log:
        place.set_xscale("log", base=2)
        place.set_xticks(xs, [f"{one:g}" for one in xs])
        place.set_xticks([], minor=True)
    if "y" in picture.log:
        place.set_yscale("log", base=2)
        place.yaxis.set_major_formatter("{x:,g}")
    dashes = {"color": colours[FAINT], "linestyle": (0, (5, 3)), "linewidth": 1.4}
    if picture.ideal:
        place.plot(xs, xs, label="ideal", **dashes)
    for where, what in picture.bounds.items():
        place.axvline(where, label=what, **dashes)
    for number, (line, points) in enumerate(panel.lines.items()):
        at, means, least, most = zip(*points, strict=True)
        colour = colours[LINES[number % len(LINES)]]
        if picture.names:
            beside = [x + APART * (number - (len(panel.lines) - 1) / 2) for x in at]
            place.vlines(beside, least, most, color=colour, linewidth=1.2)
            place.plot(beside, means, color=colour, linestyle="", marker=MARKERS[number % len(MARKERS)], label=line)
            continue
        if picture.spread:
            place.fill_between(at, least, most, color=colour, alpha=0.18, linewidth=0)
        place.plot(at, means, color=colour, marker=MARKERS[number % len(MARKERS)], label=line)
        if line in panel.papers:
            at, numbers, *_ = zip(*panel.papers[line], strict=True)
            place.plot(at, numbers, color=colour, linestyle=":", marker=MARKERS[number % len(MARKERS)], fillstyle="none",
                       markersize=8, label=f"{line}, the paper")


# ---- bars ------------------------------------------------------------------------------

def _bars(canvas: Any, picture: Bars, colours: Mapping[str, str]) -> None:
    many = len(picture.series)
    canvas.set_size_inches(2 * WIDTH, MARGIN + BAR * len(picture.rows) * (0.45 + 0.55 * many))
    place = canvas.subplots()
    place.grid(visible=False, axis="y")
    most = max((number for numbers in [*picture.series.values(), picture.marks] for number in numbers if number), default=1)
    high = 0.8 / many
    for number, (name, numbers) in enumerate(picture.series.items()):
        at = [row + (number - (many - 1) / 2) * high for row in range(len(picture.rows))]
        place.barh(at, [one or 0 for one in numbers], height=0.9 * high, color=colours[LINES[number]], label=name)
        for where, one in zip(at, numbers, strict=True):
            if one is not None:
                place.text(one + most * 0.01, where, f"{one:,.4g}" if one < 100 else f"{one:,.0f}", va="center", fontsize=8)
    marked = [(row, mark) for row, mark in enumerate(picture.marks) if mark is not None]
    if marked:
        at, numbers = zip(*marked, strict=True)
        place.plot(numbers, at, linestyle="", marker="|", markersize=16, markeredgewidth=2.5, color=colours[INK],
                   label=picture.mark)
    place.set_yticks(range(len(picture.rows)), picture.rows)
    place.invert_yaxis()
    place.set_xlim(0, 1.1 * most)
    place.set_xlabel(picture.unit)
    place.xaxis.set_major_formatter("{x:,.0f}")
    canvas.legend(loc="outside upper center", ncols=many + 1)


# ---- the element -----------------------------------------------------------------------

def _element(text: str, name: str, title: str, width: float) -> str:
    """The svg element alone: without a prologue and metadata, which name addresses elsewhere."""
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    text = re.sub(r"font: (?:\S+ )?(\d+)px [^;\"]*", r"font-size: \1px", text)
    head, _, rest = text.partition(">")
    head = re.sub(r' (?:width|height)="[^"]*"', "", head)
    return f'{head} role="img" aria-label="{title}" style="max-width: {width * REM:g}rem">{rest}'

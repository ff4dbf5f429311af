"""Lines of a figure as SVG, which takes its colours from the page: a light and a dark one."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any

from .parts import Panels, Points

# Colours that stand for variables of the page's style sheet.
INK, RULE = "#010203", "#010204"
LINES = ("#010301", "#010302", "#010303", "#010304", "#010305")
VARIABLES = {INK: "var(--ink)", RULE: "var(--rule)",
             **{colour: f"var(--line-{number})" for number, colour in enumerate(LINES)}}
MARKERS = ("o", "s", "^", "D", "v")
WIDTH, HEIGHT = 4.4, 2.9        # inches of a panel
REM = 7                         # of the page, for an inch
STYLE = {"svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10, "text.color": INK,
         "axes.edgecolor": INK, "axes.labelcolor": INK, "axes.spines.top": False, "axes.spines.right": False,
         "axes.linewidth": 0.8, "axes.grid": True, "grid.color": RULE, "grid.linewidth": 0.8,
         "xtick.color": INK, "ytick.color": INK, "lines.linewidth": 1.8, "lines.markersize": 5,
         "legend.frameon": False}


def svg(name: str, title: str, panels: Panels, x: str, y: str, ideal: bool = False) -> str:
    """The panels side by side, as an element for a page. `name` makes its ids unique; `title` is for screen readers.

    With `ideal`, both axes are logarithmic, and a line shows y = x.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    across = min(len(panels), 2)
    down = -(-len(panels) // across)
    width = across * WIDTH
    with rc_context(STYLE | {"svg.hashsalt": name}):
        canvas = Canvas(figsize=(width, down * HEIGHT + 0.4), layout="constrained")
        axes = canvas.subplots(down, across, sharex=True, sharey=True, squeeze=False).flatten()
        for place, (panel, lines) in zip(axes, panels.items(), strict=True):
            _draw(place, panel, lines, ideal)
        if not ideal:
            axes[0].set_ylim(bottom=0)      # of all panels; only once they are drawn
        canvas.supxlabel(x, fontsize=10)
        canvas.supylabel(y, fontsize=10)
        canvas.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3 * across)
        text = io.StringIO()
        canvas.savefig(text, format="svg", transparent=True,
                       metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return _element(text.getvalue(), name, title, width)


def _draw(place: Any, panel: str, lines: Mapping[str, Points], ideal: bool) -> None:
    place.set_title(panel, fontsize=10, loc="left", color=INK)
    xs = sorted({x for points in lines.values() for x, *_ in points})
    if ideal:
        place.set_xscale("log", base=2)
        place.set_yscale("log", base=2)
        place.plot(xs, xs, color=RULE, linestyle="--", label="ideal")
        place.yaxis.set_major_formatter("{x:g}")
        place.set_xticks(xs, [f"{one:g}" for one in xs])
    for number, (line, points) in enumerate(lines.items()):
        at, means, least, most = zip(*points, strict=True)
        colour = LINES[number % len(LINES)]
        place.fill_between(at, least, most, color=colour, alpha=0.18, linewidth=0)
        place.plot(at, means, color=colour, marker=MARKERS[number % len(MARKERS)], label=line)


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

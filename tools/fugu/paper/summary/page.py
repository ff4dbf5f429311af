"""The page of the report: HTML with style sheet and drawings inside, and no reference to another file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...host.progress import duration
from .._table import PAPER, Claim, Result
from ..runs.figure import Figure
from . import drawing
from .collect import Found, Report, said

TEMPLATE, PART, STYLE = "page.html.j2", "part.html.j2", "page.css"


@dataclass(frozen=True)
class Matrix:
    """Claims by their text, a column for each kind of machine."""

    wheres: list[str]
    rows: dict[str, dict[str, Claim]]


def matrix(claims: Sequence[Claim]) -> Matrix:
    """The claims in their order."""
    rows: dict[str, dict[str, Claim]] = {}
    for claim in claims:
        rows.setdefault(claim.text, {})[claim.where] = claim
    return Matrix(list(dict.fromkeys(claim.where for claim in claims)), rows)


def failing(claims: Sequence[Claim]) -> dict[str, list[str]]:
    """The texts of claims that do not hold, each with the kinds of machine for which it does not."""
    found: dict[str, list[str]] = {}
    for claim in claims:
        if not claim.holds:
            found.setdefault(claim.text, []).append(claim.where)
    return found


@dataclass(frozen=True)
class Page:
    """The page, and the parts that it lacks: by name, why they could not be drawn."""

    text: str
    undrawn: dict[str, str]


def make(report: Report) -> Page:
    """The whole page. A part that cannot be drawn says so in its place. python_tools.PAGE must be importable."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    folder = Path(__file__).parent
    shelf = Environment(loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
                        lstrip_blocks=True)
    template = shelf.get_template(PART)
    undrawn: dict[str, str] = {}

    def section(found: Found) -> str:
        return template.render(found=found, drawing=Markup(_drawing(found)), trials=report.extent.trials,  # noqa: S704
                               matrix=matrix, spread=spread, is_figure=isinstance(found.result, Figure), undrawn="")

    def section_or_why(found: Found) -> str:
        try:
            return section(found)
        except Exception as error:      # ours: it must not cost the other parts
            undrawn[found.part.name] = said(error)
            return template.render(found=found, undrawn=undrawn[found.part.name])
    sections = {found.part.name: Markup(section_or_why(found)) for found in report.parts}           # noqa: S704
    return Page(shelf.get_template(TEMPLATE).render(
        report=report, source=PAPER["source"], style=Markup((folder / STYLE).read_text()),     # noqa: S704: our file
        sections=sections, undrawn=undrawn, failing=failing, duration=duration), undrawn)


def spread(result: Result) -> list[list[str]]:
    """The rows of a figure's table: mean, and in brackets the least and the most of the trials if they differ."""
    rows, last = [], ""
    for row in result.rows:
        cells = []
        for column in result.columns:
            ours, (least, most) = row["ours"][column], row["spread"][column]
            cells.append(f"{ours:.2f}" + (f" [{least:.2f}–{most:.2f}]" if f"{least:.2f}" != f"{most:.2f}" else ""))
        rows.append([row["group"] if row["group"] != last else "", row["row"], *cells])
        last = row["group"]
    return rows


def _drawing(found: Found) -> str:
    if not found.result or not found.part.lines:
        return ""
    panels = found.part.lines(found.result)
    if isinstance(found.result, Figure):
        return drawing.svg(found.part.name, found.part.heading, panels, found.result.x, found.result.y)
    return drawing.svg(found.part.name, found.part.heading, panels, "nodes", "times as fast as one node", ideal=True)

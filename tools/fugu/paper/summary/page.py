"""The page of the report: HTML with style sheet and drawings inside, and no reference to another file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...host.progress import duration
from .._table import AIM, PAPER, Claim, Result, matrix
from ..runs.figure import Figure
from . import drawing
from .collect import Found, Report, said

KINDS = ("svg", "pdf")
TEMPLATE, PART, STYLE = "page.html.j2", "part.html.j2", "page.css"


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


def picture_of(found: Found) -> drawing.Picture | None:
    """What is drawn of a part; None: nothing."""
    if not found.result or not found.part.picture:
        return None
    picture = found.part.picture(found.result)
    return None if drawing.is_empty(picture) else picture


def pictures(report: Report, undrawn: Collection[str]) -> dict[str, bytes]:
    """The files beside the page, by their names: each picture that could be drawn, alone."""
    drawn = {found.part.name: picture for found in report.parts
             if found.part.name not in undrawn and (picture := picture_of(found))}
    return {f"{name}.{kind}": drawing.file(name, picture, kind) for name, picture in drawn.items() for kind in KINDS}


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
        picture = picture_of(found)
        drawn = drawing.svg(found.part.name, found.part.heading, picture) if picture else ""
        return template.render(found=found, drawing=Markup(drawn), matrix=matrix, spread=spread,    # noqa: S704: ours
                               is_figure=isinstance(found.result, Figure), undrawn="", aim=AIM,
                               shaded=isinstance(picture, drawing.Lines) and picture.spread)

    def section_or_why(found: Found) -> str:
        try:
            return section(found)
        except Exception as error:      # ours: it must not cost the other parts
            undrawn[found.part.name] = said(error)
            return template.render(found=found, undrawn=undrawn[found.part.name])
    sections = {found.part.name: Markup(section_or_why(found)) for found in report.parts}           # noqa: S704
    return Page(shelf.get_template(TEMPLATE).render(
        report=report, source=PAPER["source"], style=Markup((folder / STYLE).read_text()),     # noqa: S704: our file
        sections=sections, undrawn=undrawn, failing=failing, duration=duration, aim=AIM), undrawn)


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

"""`./run.sh paper` without the name of a table: everything, and a report of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from ...bench._table import Table
from ...host import python_tools
from ...host.progress import duration
from ...paths import build_dir
from ..runs.extent import FULL, QUICK, SMALL, Extent
from . import files, page
from .collect import Report, collect

FOLDER = "paper"        # of the build directory: where the report goes by default
INCOMPLETE = 1          # the status if a part could not be measured, or not drawn


def main(words: list[str], prepare: Callable[[], None]) -> int:
    """Calls prepare(), makes the report, and says what holds and where the report is. UsageError, SetupError."""
    given = _parser().parse_args(words)
    folder = Path(given.output).absolute() if given.output else build_dir() / FOLDER
    files.check(folder)
    prepare()
    if given.page:
        python_tools.on_demand(python_tools.PAGE, "matplotlib and Jinja for the page (--no-page: without them)")
    extent: Extent = given.extent.again(given.fresh)
    report = collect(extent)
    written = files.write(folder, files.numbers(report))
    _table(report).show()
    for found in report.missing:
        print(f"fugu: {found.part.heading} could not be measured:\n{found.error}", file=sys.stderr)
    undrawn, pictures = {}, []
    if given.page:
        made = page.make(report)
        undrawn = made.undrawn
        written = [*files.write(folder, {files.PAGE: made.text}), *written]
        pictures = files.write(folder, page.pictures(report, undrawn))
        for found in report.parts:
            if found.part.name in undrawn:
                print(f"fugu: {found.part.heading} could not be drawn:\n{undrawn[found.part.name]}", file=sys.stderr)
    print(f"{duration(report.seconds)}; {report.ran} of {report.runs} runs were made now. The report:")
    for path in written:
        print(f"  {path}")
    if pictures:
        print(f"  {folder}/*.svg and *.pdf: the pictures, {len(pictures)} files")
    return INCOMPLETE if report.missing or undrawn else 0


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="./run.sh paper")
    extents = made.add_mutually_exclusive_group()
    extents.add_argument("--quick", dest="extent", action="store_const", const=QUICK, default=FULL, help=QUICK.title)
    extents.add_argument("--small", dest="extent", action="store_const", const=SMALL, help=SMALL.title)
    made.add_argument("--output", metavar="DIR",
                      help=f"where the report goes (default: {FOLDER} in the build directory)")
    made.add_argument("--no-page", dest="page", action="store_false", help="JSON and CSV alone, without matplotlib")
    made.add_argument("--fresh", action="store_true", help="run what has been run before, too")
    return made


def _table(report: Report) -> Table:
    """What holds, part by part."""
    table = Table(f"Claims of papers and aims of this project ({report.extent.title})",
                  "part", "hold", "of", "what does not")
    for found in report.parts:
        numbers = ["-", "-", "not measured"] if found.error else \
            [found.hold, len(found.claims), ""] if found.judged else ["-", "-", "not judged: small sizes"]
        table.row(found.part.heading, *numbers)
        for text, wheres in page.failing(found.claims).items():
            table.row("", "", "", text + (f" ({'; '.join(wheres)})" if any(wheres) else ""))
    for score in report.scores:
        table.note(f"{score}.")
    return table

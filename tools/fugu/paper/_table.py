"""Our numbers beside the paper's, as text and as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..bench._table import Table
from ..errors import UsageError

Number = int | float | None
PAPER = json.loads(Path(__file__).with_name("fugu.json").read_text())
NOT_YET = "not yet"


@dataclass
class Result:
    """Rows, each with our number and the paper's for every column."""

    title: str
    columns: list[str]
    rows: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def row(self, group: str, name: str, ours: dict[str, Number], paper: dict[str, Number]) -> None:
        """Adds a row. `ours` lacks columns that cannot be measured yet."""
        self.rows.append({"group": group, "row": name, "ours": ours, "paper": paper})

    def json(self) -> str:
        """The table as JSON, with each row on one line, so that a diff shows rows."""
        rows = ",\n".join("    " + json.dumps(row) for row in self.rows)
        notes = json.dumps(self.notes, indent=2).replace("\n", "\n  ")
        return (f'{{\n  "title": {json.dumps(self.title)},\n  "paper": {json.dumps(PAPER["source"])},\n'
                f'  "rows": [\n{rows}\n  ],\n  "notes": {notes}\n}}\n')

    def heads(self) -> list[str]:
        """The heads of the columns."""
        if len(self.columns) == 1:
            return ["", "", "here", "paper"]
        return ["", "", *(head for column in self.columns for head in (column, "paper"))]

    def cells(self) -> Iterator[list[str]]:
        """The rows as text."""
        last = ""
        for row in self.rows:
            numbers = [cell for column in self.columns
                       for cell in (_cell(row["ours"], column), _cell(row["paper"], column))]
            yield [row["group"] if row["group"] != last else "", row["row"].replace("_", " "), *numbers]
            last = row["group"]

    def table(self) -> Table:
        """The table for a terminal."""
        table = Table(self.title, *self.heads())
        for cells in self.cells():
            table.row(*cells)
        for note in self.notes:
            table.note(note)
        return table

    def markdown(self) -> str:
        """The table for docs/paper.md."""
        rule = ["---", "---", *["--:"] * (2 * len(self.columns))]
        return "".join(f"| {' | '.join(cells)} |\n" for cells in (self.heads(), rule, *self.cells()))


def _cell(numbers: dict[str, Number], column: str) -> str:
    if column not in numbers:
        return NOT_YET
    number = numbers[column]
    return "" if number is None else f"{number:g}"


def paper_rows(table: str) -> Iterator[tuple[str, str, dict[str, Number]]]:
    """(group, row, {column: number}) for each row of a table of several columns."""
    for group, rows in PAPER[table].items():
        for name, numbers in rows.items():
            yield group, name, dict(zip(PAPER["columns"], numbers, strict=True))


def run(name: str, measure: Callable[[], Result], words: list[str]) -> int:
    """Measures a table, and shows it as the words of its command line say."""
    given = _options(name, words)
    _show(measure(), given)
    return 0


def _options(name: str, words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=f"./run.sh paper {name}")
    parser.add_argument("--json", metavar="FILE", help="the numbers as JSON; - for standard output, without the table")
    parser.add_argument("--markdown", action="store_true", help="the table as docs/paper.md has it")
    return parser.parse_args(words)


def _show(result: Result, given: argparse.Namespace) -> None:
    """Prints or writes the table, as the options say. UsageError if the file cannot be written."""
    if given.markdown:
        sys.stdout.write(result.markdown())
    elif given.json != "-":
        result.table().show()
    if given.json == "-":
        sys.stdout.write(result.json())
    elif given.json:
        try:
            Path(given.json).write_text(result.json())
        except OSError as error:
            raise UsageError(f"--json {given.json}: {error.strerror}.") from None

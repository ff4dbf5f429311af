"""Our numbers beside the paper's, as text and as JSON."""

from __future__ import annotations

import argparse
import csv
import io
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

    def csv(self) -> str:
        """The numbers as CSV, one a line."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["group", "row", "column", "ours", "paper"])
        for row in self.rows:
            writer.writerows([row["group"], row["row"], column, row["ours"].get(column), row["paper"].get(column)]
                             for column in self.columns)
        return text.getvalue()

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
        rule = ["---", "---", *["--:"] * (len(self.heads()) - 2)]
        return "".join(f"| {' | '.join(cells)} |\n" for cells in (self.heads(), rule, *self.cells()))


@dataclass
class Compared(Result):
    """Rows whose paper has one number at most, which is compared with our first column."""

    source: str = "paper"           # head of the column of the paper's numbers

    def heads(self) -> list[str]:
        """The heads of the columns."""
        return ["", "", *self.columns, *([self.source, "ratio"] if self._any_paper() else [])]

    def cells(self) -> Iterator[list[str]]:
        """The rows as text."""
        last = ""
        for row in self.rows:
            ours, paper = row["ours"], row["paper"].get(self.columns[0])
            numbers = [_grouped(ours.get(column)) for column in self.columns]
            if self._any_paper():
                ratio = ours[self.columns[0]] / paper if paper and ours.get(self.columns[0]) is not None else None
                numbers += [_grouped(paper), _grouped(ratio)]
            yield [row["group"] if row["group"] != last else "", row["row"].replace("_", " "), *numbers]
            last = row["group"]

    def _any_paper(self) -> bool:
        return any(row["paper"] for row in self.rows)


def _grouped(number: Number) -> str:
    """The number with commas, a float with two digits after the point."""
    if number is None:
        return ""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.2f}"


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
    given = parser(name).parse_args(words)
    show(measure(), given)
    return 0


def parser(name: str) -> argparse.ArgumentParser:
    """The parser of the options that all tables have."""
    made = argparse.ArgumentParser(prog=f"./run.sh paper {name}")
    made.add_argument("--json", metavar="FILE", help="the numbers as JSON; - for standard output, without the table")
    made.add_argument("--csv", metavar="FILE", help="the same as CSV, one number a line")
    made.add_argument("--markdown", action="store_true", help="the table as docs/paper.md has it")
    return made


def show(result: Result, given: argparse.Namespace) -> None:
    """Prints or writes the table, as the options of parser() say. UsageError if a file cannot be written."""
    files = {"--json": (given.json, result.json), "--csv": (given.csv, result.csv)}
    if given.markdown:
        sys.stdout.write(result.markdown())
    elif "-" not in (given.json, given.csv):
        result.table().show()
    for option, (file, text) in files.items():
        if file == "-":
            sys.stdout.write(text())
        elif file:
            _write(option, file, text())


def _write(option: str, file: str, text: str) -> None:
    try:
        Path(file).write_text(text)
    except OSError as error:
        raise UsageError(f"{option} {file}: {error.strerror}.") from None

"""Our numbers beside the paper's, as text and as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..bench._table import Table

Number = int | float | None
PAPER = json.loads(Path(__file__).with_name("fugu.json").read_text())
NOT_YET = "not yet"
AIM = "this project"        # whose the aims are
EQUAL = " ="                # behind a number that is both the best and the worst


@dataclass(frozen=True)
class Claim:
    """A statement about one kind of machine, our numbers for it, and whether it holds for them."""

    where: str          # the kind of machine, such as soft; empty if the statement is about all of them
    text: str           # one sentence, with the tolerance that decides
    ours: str
    holds: bool
    why: str = ""       # the reason, if it does not hold and the reason is known
    of: str = PAPER["name"]     # whose it is: the name of a paper, or AIM

    def __str__(self) -> str:
        verdict = "Holds" if self.holds else "Does NOT hold"
        where = f"{self.where}: " if self.where else ""
        return f"{verdict}: {where}{self.text}\nHere: {self.ours}" + (f"\nWhy: {self.why}" if self.why else "")


@dataclass(frozen=True)
class Matrix:
    """Claims by their text, a column for each kind of machine."""

    wheres: list[str]
    rows: dict[str, dict[str, Claim]]

    def cells(self) -> Iterator[list[str]]:
        """The rows as text: the claim, and for each column the verdict and our numbers; then the reasons."""
        for text, row in self.rows.items():
            verdicts = [f"{'✓' if claim.holds else '✗'} {claim.ours}" if (claim := row.get(where)) else ""
                        for where in self.wheres]
            aim = "Aim: " if next(iter(row.values())).of == AIM else ""
            yield [aim + text, *verdicts, " ".join(dict.fromkeys(claim.why for claim in row.values() if claim.why))]


def matrix(claims: Sequence[Claim]) -> Matrix:
    """The claims in their order."""
    rows: dict[str, dict[str, Claim]] = {}
    for claim in claims:
        rows.setdefault(claim.text, {})[claim.where] = claim
    return Matrix(list(dict.fromkeys(claim.where for claim in claims)), rows)


@dataclass
class Result:
    """Rows, each with our number and the paper's for every column, and what the paper claims of them."""

    title: str
    columns: list[str]
    rows: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    publication: str = PAPER["source"]
    paper: str = PAPER["name"]          # a short name of it

    def row(self, group: str, name: str, ours: Mapping[str, Number], paper: Mapping[str, Number],
            spread: Mapping[str, tuple[Number, Number]] | None = None, equal: Sequence[str] = ()) -> None:
        """Adds a row. `ours` lacks columns that cannot be measured yet.

        A number that is a mean of trials has a `spread`, the least and the most of them. `equal` are the columns whose
        number is both the best and the worst.
        """
        self.rows.append({"group": group, "row": name, "ours": ours, "paper": paper,
                          **({"spread": {column: list(both) for column, both in spread.items()}} if spread else {}),
                          **({"equal": list(equal)} if equal else {})})

    def claim(self, where: str, text: str, ours: str, holds: bool, why: str = "") -> None:
        """Adds a claim of the paper. `why` says why it does not hold, and is left out if it holds."""
        self.claims.append(Claim(where, text, ours, holds, "" if holds else why, self.paper))

    def aim(self, where: str, text: str, ours: str, holds: bool, why: str = "") -> None:
        """Adds an aim of this project: a limit that no paper states, such as a paper's number as the most."""
        self.claims.append(Claim(where, text, ours, holds, "" if holds else why, AIM))

    def data(self) -> dict[str, Any]:
        """What the JSON holds."""
        found: dict[str, Any] = {"title": self.title, "paper": self.publication, "rows": self.rows, "notes": self.notes}
        return found | ({"claims": [asdict(claim) for claim in self.claims]} if self.claims else {})

    def json(self) -> str:
        """The table as JSON, with each row on one line, so that a diff shows rows."""
        def value(name: str, found: Any) -> str:
            if name != "rows":
                return json.dumps(found, indent=2).replace("\n", "\n  ")
            return "[\n" + ",\n".join("    " + json.dumps(row) for row in found) + "\n  ]"
        lines = ",\n".join(f"  {json.dumps(name)}: {value(name, found)}" for name, found in self.data().items())
        return f"{{\n{lines}\n}}\n"

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
            yield [row["group"] if row["group"] != last else "", plain(row["row"]), *numbers]
            last = row["group"]

    def csv(self) -> str:
        """The numbers as CSV, one a line."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["group", "row", "column", "ours", "least", "most", "paper"])
        for row in self.rows:
            spread = row.get("spread", {})
            writer.writerows([row["group"], row["row"], column, row["ours"].get(column),
                              *spread.get(column, (None, None)), row["paper"].get(column)] for column in self.columns)
        return text.getvalue()

    def table(self) -> Table:
        """The table for a terminal."""
        table = Table(self.title, *self.heads())
        for cells in self.cells():
            table.row(*cells)
        for note in (*self.notes, *map(str, self.claims)):
            table.note(note)
        return table

    def markdown(self) -> str:
        """The table for docs/paper.md."""
        rule = ["---", "---", *["--:"] * (len(self.heads()) - 2)]
        return "".join(f"| {' | '.join(cells)} |\n" for cells in (self.heads(), rule, *self.cells()))


@dataclass
class Compared(Result):
    """Rows whose paper has one number at most, which is compared with our number in the same column."""

    source: str = "paper"           # head of the column of the paper's numbers

    def heads(self) -> list[str]:
        """The heads of the columns."""
        return ["", "", *self.columns, *([self.source, "ratio"] if self._any_paper() else [])]

    def cells(self) -> Iterator[list[str]]:
        """The rows as text."""
        last = ""
        for row in self.rows:
            ours = row["ours"]
            column, paper = next(iter(row["paper"].items()), ("", None))
            spread, equal = row.get("spread", {}), row.get("equal", [])
            numbers = [_ranged(ours.get(one), spread.get(one)) + (EQUAL if one in equal else "") for one in self.columns]
            if self._any_paper():
                ratio = ours[column] / paper if paper and ours.get(column) is not None else None
                numbers += [_grouped(paper), _grouped(ratio)]
            yield [row["group"] if row["group"] != last else "", plain(row["row"]), *numbers]
            last = row["group"]

    def _any_paper(self) -> bool:
        return any(row["paper"] for row in self.rows)


def _grouped(number: Number) -> str:
    """The number with commas, a float with two digits after the point."""
    if number is None:
        return ""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.2f}"


def _ranged(number: Number, spread: Sequence[Number] | None) -> str:
    """The number, and in brackets the least and the most of those whose mean it is, if they differ."""
    least, most = (_grouped(type(number)(one)) for one in spread) if spread and number is not None else ("", "")
    return _grouped(number) + (f" [{least}–{most}]" if least != most else "")


def _cell(numbers: dict[str, Number], column: str) -> str:
    if column not in numbers:
        return NOT_YET
    number = numbers[column]
    return "" if number is None else f"{number:g}"


# What rows are called where an underscore is not a blank.
PLAIN = {"t_betw": "T_betw", "t_hand": "T_hand", "gid_check": "GID check", "percent_of_run_time": "% of run time",
         "enqueue_RQ_NI_1_word": "enqueue a word, RQ_NI", "enqueue_memory_1_word": "enqueue a word, queue in memory",
         "dequeue_RQ_NI": "dequeue from RQ_NI", "until_committed_RQ_BY_FETCH": "until committed, RQ_BY_FETCH",
         **{f"queues_{end}": f"queues, {end}" for end in ("RQ_BY_NI", "RQ_BY_MEMORY", "RQ_BY_FETCH")}}


def plain(row: str) -> str:
    """A row's name for readers."""
    return PLAIN.get(row, row.replace("_", " "))


def paper_rows(table: str) -> Iterator[tuple[str, str, dict[str, Number]]]:
    """(group, row, {column: number}) for each row of a table of several columns."""
    for group, rows in PAPER[table].items():
        for name, numbers in rows.items():
            yield group, name, dict(zip(PAPER["columns"], numbers, strict=True))

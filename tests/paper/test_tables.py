"""The paper's tables, measured: each row is the number that is written down here.

TABLE.json is what `./run.sh paper TABLE --json tests/paper/TABLE.json` has
written. A change of a path that a message takes is a change of that file.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fugu.paper import table4, table5
from fugu.paper._table import Result

MEASURE: dict[str, Callable[[], Result]] = {"table4": table4.measure, "table5": table5.measure}

# Rows that must not be above the paper's, with columns that must be there.
CEILINGS = {
    "table4": [("send", "total", ("kernel", "hard", "soft")), ("interrupt", "total", ("kernel", "hard", "soft")),
               ("polling", "total", ("kernel", "hard")), ("send", "per_argument", ("hard", "soft")),
               ("interrupt", "per_argument", ("hard", "soft"))],
    "table5": [("", name, ("cycles",)) for name in ("insert_minimum", "insert_maximum", "null_handler_from_buffer",
                                                    "per_argument_extracted", "minimum_together")],
}


# These go through the kernel's C: some tens of cycles depend on where all of it lies in the cache.
INEXACT = ("insert_new_page", "insert_maximum")

ACCEPT = "If it is to be so: ./run.sh paper {name} --json tests/paper/{name}.json; and --markdown for docs/paper.md"


@pytest.fixture(scope="module", params=sorted(MEASURE))
def result(request: pytest.FixtureRequest) -> tuple[str, Result]:
    """(name, what is measured)."""
    return request.param, MEASURE[request.param]()


@pytest.fixture(scope="module")
def table(result: tuple[str, Result]) -> tuple[str, dict[str, Any]]:
    """(name, what --json writes)."""
    name, measured = result
    return name, json.loads(measured.json())


def test_every_row_is_as_expected(table):
    name, measured = table
    file = Path(__file__).with_name(f"{name}.json")
    expected = {(row["group"], row["row"]): row["ours"] for row in json.loads(file.read_text())["rows"]}
    found = {(row["group"], row["row"]): row["ours"] for row in measured["rows"]}
    changes = [f"  {' '.join(row).strip()}: {found.get(row)} now, {expected.get(row)} expected"
               for row in {**expected, **found} if row[1] not in INEXACT and found.get(row) != expected.get(row)]
    assert not changes, "\n".join([f"{name} is not what it was:", *changes, ACCEPT.format(name=name)])


def test_the_page_has_the_table(result):
    name, measured = result
    page = (Path(__file__).resolve().parents[2] / "docs" / "paper.md").read_text()
    exact = Result(measured.title, measured.columns, [row for row in measured.rows if row["row"] not in INEXACT])
    missing = [line for line in exact.markdown().splitlines() if line not in page]
    assert not missing, "\n".join(["docs/paper.md has not:", *missing, ACCEPT.format(name=name)])


def test_nothing_is_above_the_papers(table):
    name, measured = table
    rows = {(row["group"], row["row"]): row for row in measured["rows"]}
    for group, row, columns in CEILINGS[name]:
        found = rows[group, row]
        assert set(columns) <= set(found["ours"])
        for column, cycles in found["ours"].items():
            paper = found["paper"][column]
            assert cycles is None or paper is None or cycles <= paper, (group, row, column)
            assert cycles is not None or column not in columns, (group, row, column)


def test_rows_are_the_whole():
    """What is measured from first to last is the sum of the rows."""
    rows = [row for row in table4.measure().rows if row["group"] == "interrupt"]
    for column in ("kernel", "hard", "soft"):
        cycles = {row["row"]: row["ours"][column] for row in rows}
        parts = set(cycles) - {"subtotal", "total", "per_argument"}
        assert sum(cycles[part] for part in parts) == cycles["total"]

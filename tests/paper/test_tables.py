"""Each row of the paper's tables, measured anew, has the number that is committed.

`./run.sh paper --update-docs` writes the numbers to TABLE.json and to the pages
of docs/. A change to a message's path changes these files with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import cycle
from typing import Any

import pytest

from fugu.paper import _docs, crl, figures, mm, rq, shrimp, switch, table4, table5
from fugu.paper._table import PAPER, Result
from fugu.paper.queues import costs
from fugu.paper.runs import transcripts
from fugu.paper.runs.extent import FULL
from fugu.paths import ROOT

# Those of whole programs, where lines of the cache move all numbers.
PROGRAMS = ("mbcf", "policies", "quoted", "rq-strided")
# Those of programs at several places of the cache, which take minutes.
PLACED = ("rq-solve", "rq-transpose")
MEASURE: dict[str, Callable[[], Result]] = {"table4": table4.measure, "table5": table5.measure,
                                           "figures": figures.measure, "crl": crl.measure, "rq": rq.measure, "shrimp": shrimp.measure,
                                           "mm": mm.measure, "switch": switch.measure,
                                           **{name: partial(_docs.measure, name) for name in PROGRAMS}}

# Rows that must not exceed the paper's number, and the columns that they must have.
CEILINGS = {
    "table4": [("send", "total", ("kernel", "hard", "soft")), ("interrupt", "total", ("kernel", "hard", "soft")),
               ("polling", "total", ("kernel", "hard")), ("send", "per_argument", ("hard", "soft")),
               ("interrupt", "per_argument", ("hard", "soft"))],
    "table5": [("", name, ("cycles",)) for name in ("insert_minimum", "insert_maximum", "null_handler_from_buffer",
                                                    "per_argument_extracted", "minimum_together")],
    "crl": [("", name, ("hard 16",)) for name in PAPER["crl"]],
    "rq": [("send", "total", ("hard",)), ("poll", "hand_coded_polling", ("hard",)),
           ("poll", "general_polling", ("hard",)), ("system", "handler_entry_while_polling", ("hard",))],
}


# Rows that go through C code. Where that code lies in the cache decides some
# tens of their cycles, or a share of them: the larger of the two. The paths of
# the last two rows are the longest.
TENS = 40               # cycles
SHARE = 0.02
INEXACT = {"insert_new_page": SHARE, "insert_new_page_cleared": SHARE, "insert_maximum": SHARE,
           **dict.fromkeys(crl.ROWS.values(), SHARE), **dict.fromkeys(shrimp.INEXACT, SHARE),
           **dict.fromkeys(("dequeue_that_moves_the_item", "dequeue_from_memory", "dequeue_from_a_slot", *costs.INTERRUPTS,
                            *costs.TRIPS), SHARE),
           "interrupted_handler_more": 0.1, "interrupted_described_more": 0.1, "invoked": 0.1}
OUTPUT_SHARE = 0.05     # of a number in output that a page quotes

ACCEPT = "To accept the new numbers: ./run.sh paper --update-docs"


ONE_PLACE = replace(FULL, places=1)


@pytest.fixture(scope="module", params=sorted(MEASURE))
def result(request: pytest.FixtureRequest) -> tuple[str, Result]:
    """(name, result of the measurement)."""
    return request.param, MEASURE[request.param]()


@pytest.fixture(scope="module")
def table(result: tuple[str, Result]) -> tuple[str, dict[str, Any]]:
    """(name, the result as --json writes it)."""
    name, measured = result
    return name, json.loads(measured.json())


def close(found, expected, share):
    """Whether two numbers differ by no more than what depends on where code lies."""
    return abs(found - expected) <= max(TENS, share * expected)


def same(row, found, expected):
    """Whether a row's numbers agree with the committed ones."""
    if row not in INEXACT or not found or not expected:
        return found == expected
    return all(close(found[column], expected[column], INEXACT[row]) for column in expected)


def near(row, found, expected):
    """Whether all numbers of a row are close."""
    return bool(found and expected) and found.keys() == expected.keys() and all(
        (number is None) == (expected[column] is None) and (number is None or close(number, expected[column], OUTPUT_SHARE))
        for column, number in found.items())


def among(found, least, most):
    """Whether a time is one of those between two, or close to them."""
    return least * (1 - OUTPUT_SHARE) <= found <= most * (1 + OUTPUT_SHARE)


def nearly(found, expected):
    """Whether two texts are the same, except for numbers that are close, and the blanks before them."""
    one, other = ([part.strip() for part in re.split(r"(\d+(?:,\d{3})*)", text)] for text in (found, expected))
    return len(one) == len(other) and all(
        close(int(a.replace(",", "")), int(b.replace(",", "")), OUTPUT_SHARE) if number else a == b
        for a, b, number in zip(one, other, cycle((0, 1)), strict=False))


def test_every_row_has_the_committed_number(table):
    name, measured = table
    expected = {(row["group"], row["row"]): row["ours"] for row in _docs.read()[name]["rows"]}
    found = {(row["group"], row["row"]): row["ours"] for row in measured["rows"]}
    alike = near if name in PROGRAMS else same
    changes = [f"  {' '.join(row).strip()}: {found.get(row)} now, {expected.get(row)} expected"
               for row in {**expected, **found} if not alike(row[1], found.get(row), expected.get(row))]
    assert not changes, "\n".join([f"{name} differs from the committed numbers:", *changes, ACCEPT])


def test_every_claim_has_the_committed_words(table):
    """Also why one does not hold. Its numbers may move, within the bounds of those of the rows."""
    name, measured = table
    found, expected = ([(claim["where"], claim["text"], claim["holds"], claim["why"]) for claim in one.get("claims", [])]
                       for one in (measured, _docs.read()[name]))
    assert found == expected, f"{name} differs from the committed claims. {ACCEPT}"


@pytest.mark.parametrize("name", PLACED)
def test_a_program_at_one_place_has_a_committed_time(name):
    """With its code at one place of the cache, each time is among those that were found at all places."""
    expected = {(row["group"], row["row"]): row["spread"] for row in _docs.read()[name]["rows"]}
    rows = {(row["group"], row["row"]): row["ours"] for row in _docs.measure(name, ONE_PLACE).rows}
    assert rows.keys() == expected.keys()
    changes = [f"  {' '.join(row)}, {column}: {rows[row][column]} now, {least} to {most} expected"
               for row, spread in expected.items() for column, (least, most) in spread.items()
               if not among(rows[row][column], least, most)]
    assert not changes, "\n".join([f"{name} differs from the committed numbers:", *changes, ACCEPT])


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", PLACED)
def test_a_program_at_all_places_has_the_committed_times(name):
    expected = {(row["group"], row["row"]): row["ours"] for row in _docs.read()[name]["rows"]}
    found = {(row["group"], row["row"]): row["ours"] for row in _docs.measure(name).rows}
    assert found.keys() == expected.keys()
    assert all(near(row[1], found[row], numbers) for row, numbers in expected.items()), f"{found}\n{ACCEPT}"


def test_stale_numbers_are_found():
    """Finds differences of 79 and 275 cycles, by which committed numbers were once stale."""
    assert same("insert_new_page", {"cycles": 1276}, {"cycles": 1236})
    assert not same("insert_new_page", {"cycles": 1315}, {"cycles": 1236})
    assert not same("insert_maximum", {"cycles": 2464}, {"cycles": 2189})
    assert not same("insert_minimum", {"cycles": 86}, {"cycles": 85})
    assert not same("insert_maximum", None, {"cycles": 2189})
    assert among(96, 100, 120) and among(125, 100, 120) and not among(94, 100, 120) and not among(127, 100, 120)


def test_what_is_nearly_the_same():
    assert nearly("mean  139 of 8 nodes", "mean 99 of 8 nodes") and nearly("3000", "2900")
    assert nearly("2,001,000", "1,999,000")
    assert not nearly("mean 139", "most 139") and not nearly("mean 3200", "mean 3000") and not nearly("1 2", "1")


def test_docs_have_the_committed_numbers():
    """Tables and sentences of docs/ have the committed numbers."""
    texts = _docs.texts()
    wanted = _docs.pages(_docs.read(), texts)
    changes = [f"  docs/{page}: {line}" for page in texts
               for line in wanted[page].splitlines() if line not in texts[page].splitlines()]
    assert wanted == texts, "\n".join(["docs/ should have:", *changes, ACCEPT])


@pytest.mark.parametrize("page", transcripts.PAGES)
def test_the_output_that_a_page_quotes(page):
    text = (ROOT / page).read_text()
    wanted = transcripts.replay(text, transcripts.output)
    assert nearly(wanted, text), "\n".join([f"{page} should have:", wanted, ACCEPT])


def test_the_bounds_that_a_page_quotes():
    text = " ".join((_docs.DOCS / "paper.md").read_text().split())
    text = text.replace(" %", "%")
    assert f"within {TENS} cycles or {SHARE:.0%};" in text
    assert f"within {max(INEXACT.values()):.0%}; numbers in quoted output," in text
    assert f"the experiments with remote queues, within {OUTPUT_SHARE:.0%}" in text


def test_no_number_exceeds_the_papers(table):
    name, measured = table
    rows = {(row["group"], row["row"]): row for row in measured["rows"]}
    for group, row, columns in CEILINGS.get(name, []):
        found = rows[group, row]
        assert set(columns) <= set(found["ours"])
        for column, cycles in found["ours"].items():
            paper = found["paper"].get(column)
            assert cycles is None or paper is None or cycles <= paper, (group, row, column)
            assert cycles is not None or column not in columns, (group, row, column)


def test_rows_sum_to_the_total():
    """The total, which is measured as a whole, is the sum of the other rows."""
    rows = [row for row in table4.measure().rows if row["group"] == "interrupt"]
    for column in ("kernel", "hard", "soft"):
        cycles = {row["row"]: row["ours"][column] for row in rows}
        parts = set(cycles) - {"subtotal", "total", "per_argument"}
        assert sum(cycles[part] for part in parts) == cycles["total"]

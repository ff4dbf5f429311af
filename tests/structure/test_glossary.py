"""docs/glossary.md: each word once, by alphabet, with code that exists."""

from __future__ import annotations

import re

import pytest
from test_terms import missing

from fugu.paths import ROOT

PAGE = ROOT / "docs" / "glossary.md"
# The words for which a newcomer will look.
WANTED = ["GID", "UAC", "slot, of time", "slot, of backing store", "round", "head, head message", "divert-mode",
          "chore", "fast path", "slow path", "deferred work", "view", "twin", "task", "agent"]


def rows() -> list[list[str]]:
    """The cells of each row: word, the field's term, meaning, places."""
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


ROWS = rows()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_place_exists(row):
    assert len(row) == 4 and "`" in row[3] and missing(row[3], ROOT) == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_meaning_is_one_sentence(row):
    assert row[1] and re.fullmatch(r"[A-Z0-9](?:[^.]|\.\S)+\.", row[2])


def test_words_are_in_order_and_there_is_one_row_for_each():
    words = [row[0].lower() for row in ROWS]
    assert words == sorted(set(words))


@pytest.mark.parametrize("word", WANTED)
def test_each_important_word_has_a_row(word):
    assert word in [row[0] for row in ROWS]

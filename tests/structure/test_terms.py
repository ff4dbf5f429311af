"""docs/paper.md leads from each term of the paper to code that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "paper.md"
REGISTERS = "registers, traps"
# Where the paths of each column start.
FOLDERS = {"machine": "hw", "kernel": "guest-os/kernel", "library": "guest-os", "tests": "."}
# The terms for which a reader of the paper will look.
WANTED = ["GID check", "divert-mode", "dispose-extend", "atomicity timer", "atomicity-timeout",
          "revocable interrupt disable", "transparent access", "virtual buffering", "page-on-demand",
          "overflow control", "second network", "message-handling thread",
          "Network Interface Page Table", "Outgoing FIFO", "blocked-write automatic update", "deliberate update",
          "virtual memory mapped commands", "single buffering", "double buffering"]


def rows() -> list[dict[str, str]]:
    """The rows of the tables, FUGU's and SHRIMP's, by the titles of their columns."""
    found = []
    for whose in ("The paper", "SHRIMP"):
        section = re.search(rf"^## {whose}'s terms.*?(?=^## |\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
        assert section
        head, _, *lines = [line.strip("|").split("|") for line in section[0].splitlines() if line.startswith("|")]
        found += [{title.strip(): cell for title, cell in zip(head, line, strict=True)} for line in lines]
    return found


def missing(cell: str, folder: Path) -> list[str]:
    """The names in a cell that do not exist: paths under `folder`, each with names that the file holds."""
    wrong = []
    text = ""
    for word in re.findall(r"`([^`]+)`", cell):
        if "." in word:
            path = folder / word
            text = path.read_text() if path.is_file() else ""
            found = bool(text)
        else:
            found = bool(re.search(rf"\b{re.escape(word)}\b", text))
        if not found:
            wrong.append(word)
    return wrong


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["term"].strip())
def test_each_name_exists(row):
    registers = (ROOT / "hw" / "fugu-regs.h").read_text()
    wrong = [name for name in re.findall(r"`([^`]+)`", row[REGISTERS])
             if not re.search(rf"^#define FUGU_{name}\b", registers, re.MULTILINE)]
    for column, folder in FOLDERS.items():
        wrong += missing(row[column], ROOT / folder)
    assert not wrong


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["term"].strip())
def test_each_term_has_code_and_a_test(row):
    assert any("`" in row[column] for column in (REGISTERS, "machine", "kernel", "library")) and "`" in row["tests"]


@pytest.mark.parametrize("term", WANTED)
def test_each_important_term_has_a_row(term):
    assert any(term in row["term"] for row in rows())


def test_names_that_do_not_exist_are_found(tmp_path):
    (tmp_path / "a.c").write_text("int one(void);\n")
    assert missing("`a.c` `one` `two` `b.c` `one`", tmp_path) == ["two", "b.c", "one"]

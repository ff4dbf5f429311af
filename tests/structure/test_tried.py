"""docs/testing.md says for each command which tests try bad input, signals and odd environments on it."""

from __future__ import annotations

import re

from fugu.cli.command_table import COMMANDS
from fugu.paths import ROOT

TABLE = (ROOT / "docs" / "testing.md").read_text().partition("## What is tried on the commands\n")[2].partition("\n## ")[0]
ROWS = [row.strip("| ").split(" | ") for row in re.findall(r"^\| .*", TABLE, re.MULTILINE)][2:]


def test_each_command_has_a_row():
    assert all(len(row) == 4 for row in ROWS)
    assert set(COMMANDS) <= set(re.findall(r"`(\w+)`", " ".join(row[0] for row in ROWS)))


def test_the_named_tests_exist():
    named = re.findall(r"`([\w/]+\.py)`", TABLE)
    assert len(named) > 40
    assert [name for name in named if not (ROOT / "tests" / name).exists()] == []

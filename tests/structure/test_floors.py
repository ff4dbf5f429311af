"""The machine is built in floors: no file calls one of a higher floor."""

from __future__ import annotations

from pathlib import Path

import pytest
from floors import Arrow, Tree, circles, floors, upward

ROOT = Path(__file__).resolve().parents[2]
HW = ROOT / "hw"


@pytest.fixture(scope="module")
def tree():
    return Tree(HW)


@pytest.fixture(scope="module")
def floor(tree):
    return floors(tree.root / "README.md")


@pytest.fixture(scope="module")
def arrows(tree):
    return tree.arrows()


def test_each_file_stands_on_one_floor(tree, floor):
    assert sorted(floor) == tree.names()


def test_no_arrow_leads_upward(floor, arrows):
    found = upward(arrows, floor)
    assert not found, f"{len(found)} arrows lead upward:\n" + "\n".join(map(str, found))


def test_no_circle(arrows):
    """Files of one floor may call each other, but not in a circle."""
    assert not circles(arrows)


def test_each_file_needs_another(tree, arrows):
    """Guards against a cross reference that finds nothing."""
    assert {arrow.source for arrow in arrows} | {arrow.target for arrow in arrows} == set(tree.names())


# ---- the cross reference itself -------------------------------------------

def test_an_arrow_upward_is_found(tmp_path):
    (tmp_path / "low.h").write_text("int low(void);\n")
    (tmp_path / "low.c").write_text('#include "low.h"\n/* high_comment() */\nint low(void) { return high(); }\n')
    (tmp_path / "high.h").write_text("int high(void);\nint high_comment(void);\n")
    (tmp_path / "high.S").write_text("    .global high\nhigh:\n    call low\n")
    (tmp_path / "README.md").write_text(
        "# Tree\n\n## Floors\n\n| floor | files |\n| --- | --- |\n| bottom | `low` |\n| top | `high` |\n")
    arrows = Tree(tmp_path).arrows()
    assert arrows == [Arrow("high", "low", ("low",)), Arrow("low", "high", ("high",))]
    assert upward(arrows, floors(tmp_path / "README.md")) == [Arrow("low", "high", ("high",))]
    assert circles(arrows) == [{"low", "high"}]


def test_names_of_a_file_alone_make_no_arrow(tmp_path):
    (tmp_path / "one.c").write_text("static int step(void) { return 1; }\nint one(void) { return step(); }\n")
    (tmp_path / "two.c").write_text('static int step(void) { return 2; }\nint two(void) { puts("one"); return step(); }\n')
    assert Tree(tmp_path).arrows() == []

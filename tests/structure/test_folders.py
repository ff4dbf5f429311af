"""Each folder has an index that names its files."""

from __future__ import annotations

import pytest
from folders import folders, unnamed

from fugu.paths import ROOT

ROOTS = ("apps", "docs", "guest-os", "hw", "tests", "tools")
FOLDERS = {str(folder.relative_to(ROOT)): folder for root in ROOTS for folder in folders(ROOT / root)}


@pytest.mark.parametrize("name", FOLDERS)
def test_folder_names_its_files(name):
    assert unnamed(FOLDERS[name], ROOT / name.partition("/")[0]) == []


# ---- the check itself -----------------------------------------------------------

def test_every_root_has_folders():
    """Guards against a search that finds nothing."""
    assert {name.partition("/")[0] for name in FOLDERS} == set(ROOTS)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "top" / "inner"
    made.mkdir(parents=True)
    for name in ("one.c", "one.h", "two.S", "two_code.S", "data.json", "meson.build"):
        (made / name).touch()
    return made


def test_files_are_named_by_the_page_of_their_folder(folder):
    assert unnamed(folder, folder.parent) == ["one.c", "one.h", "two.S", "two_code.S"]
    (folder / "README.md").write_text("| `one.c` | two |\n")
    assert unnamed(folder, folder.parent) == ["two.S", "two_code.S"]


def test_files_are_named_by_a_section_of_the_page_above(folder):
    page = folder.parent / "README.md"
    page.write_text("# top\n\n`one.c`\n\n## inner/\n\n`two.S`\n\n## other/\n\n`one.c`\n")
    assert unnamed(folder, folder.parent) == ["one.c", "one.h"]
    page.write_text("# top\n\n`one.c two.S`\n")
    assert unnamed(folder, folder.parent) == []
    assert unnamed(folder, folder) == ["one.c", "one.h", "two.S", "two_code.S"]


def test_files_are_named_by_a_header_with_a_list(folder):
    (folder / "one.h").write_text("/*\n * one\n */\n")
    assert unnamed(folder, folder.parent) == ["one.c", "one.h", "two.S", "two_code.S"]
    (folder / "one.h").write_text("/*\n * All of it\n *\n *   one.c   first\n *   two.S   second\n */\n")
    assert unnamed(folder, folder.parent) == []


def test_test_files_have_names_of_their_own():
    """Pytest takes two files of one name for the same module."""
    names = [path.name for path in sorted((ROOT / "tests").rglob("test_*.py"))]
    assert sorted(set(names)) == sorted(names)

"""Files that a run is to write: no program, no input and no other output is lost, and all is known before it begins."""

from __future__ import annotations

import os

import pytest

from fugu.errors import UsageError
from fugu.options import types
from fugu.options.table import Option
from fugu.run.parse import parse
from fugu.run.writable import CannotWrite

STACKS = Option("Profiling", ("--stacks",), "FILE", "", types.word)
KINDS = ("--stats-json", "--picture", "--timeline", "--trace-file", "--stacks")


@pytest.fixture
def files(tmp_path, monkeypatch, elf):
    """A folder with my.elf, a link to it, and an input; a function that parses a command line there."""
    monkeypatch.chdir(tmp_path)
    assert elf == tmp_path / "my.elf"
    (tmp_path / "link").symlink_to("my.elf")
    (tmp_path / "in.txt").write_text("input")
    (tmp_path / "old.json").write_text("{}")
    return lambda *words: parse([*words, "barrier"], [STACKS])


@pytest.mark.parametrize("option", KINDS)
@pytest.mark.parametrize("file", ["./my.elf", "my.elf", "link"])
def test_a_program_is_not_overwritten(files, option, file):
    """As where the file's name was forgotten, and the program's was taken for it."""
    with pytest.raises(UsageError, match=f"{option} {file}: the file is a program, so it is not overwritten.\nName another"):
        files(option, file)


@pytest.mark.parametrize("option", KINDS)
def test_an_input_is_not_overwritten(files, option):
    with pytest.raises(UsageError, match=f"{option} ./in.txt: --input names this file too"):
        files(option, "./in.txt", "--input", "x=in.txt")


@pytest.mark.parametrize("one, other", [("--stats-json", "--timeline"), ("--timeline", "--stacks"),
                                        ("--stats-json", "--trace-file")])
def test_each_output_has_a_file_of_its_own(files, one, other):
    with pytest.raises(UsageError, match="names this file too.\nGive each file a name of its own"):
        files(one, "new", other, "./new")


@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
def test_links_to_one_file(files, tmp_path, link):
    """Also a link to a file that is not there yet."""
    target = "new" if link == "symlink_to" else "old.json"
    getattr(tmp_path / "other", link)(target)
    with pytest.raises(UsageError, match=f"--timeline other: --stats-json names this file too|"
                                         f"--stats-json {target}: --timeline names this file too"):
        files("--stats-json", target, "--timeline", "other")


@pytest.mark.parametrize("number, stream", [(0, "input"), (1, "output"), (2, "error")])
def test_a_standard_file_is_not_overwritten(files, number, stream):
    """As in `run.sh --stats-json out.txt APP > out.txt`."""
    before = os.dup(number)
    try:
        with open("in.txt", "r+") as given:
            os.dup2(given.fileno(), number)
        with pytest.raises(UsageError, match=f"--stats-json ./in.txt: the standard {stream} is this file, so it is not"):
            files("--stats-json", "./in.txt")
        files("--stats-json", "old.json")
    finally:
        os.dup2(before, number)
        os.close(before)


@pytest.mark.parametrize("option", [*KINDS, "--save"])
def test_files_of_programs_have_directories_of_their_own(files, tmp_path, option):
    """A program may write a file of any name to the directories of --output."""
    (tmp_path / "out" / "node1" / "more").mkdir(parents=True)
    (tmp_path / "out" / "figures").mkdir()
    when = "@1M" if option == "--save" else ""
    for file in ("out/new", "./out/node1/new", "out/../out/new", "out/figures/new", "out/node1/more/new"):
        with pytest.raises(UsageError, match=f"{option} {file}: --output out puts files of programs there.*\nName a file el"):
            files(option, file + when, "--output", "out")
    for file in ("new", "outer"):
        files(option, file + when, "--output", "out")


def test_a_snapshot_beside_figures(files):
    with pytest.raises(UsageError, match="--save new: --stats-json names this file too"):
        files("--stats-json", "new", "--save", "new@1M")


@pytest.mark.parametrize("option", KINDS)
def test_what_can_be_written(files, option):
    """An old file that is no program, a new one, and devices, for any number of outputs."""
    files(option, "old.json")
    files(option, "new")
    files("--stats-json", "/dev/null", "--timeline", "/dev/null", "--trace-file", "/dev/null")


@pytest.mark.parametrize("option", KINDS)
@pytest.mark.parametrize("file, why", [("no/new", "there is no directory no"), (".", "this is a directory")])
def test_places_where_nothing_can_be_written(files, option, file, why):
    with pytest.raises(CannotWrite, match=f"{option} {file}: {why}"):
        files(option, file)

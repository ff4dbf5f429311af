"""Words that make no sense: each command says so in a line or two, whatever their length, and starts nothing."""

from __future__ import annotations

import shutil

import pytest

from fugu.cli.main import _asks
from fugu.errors import UsageError
from fugu.options import types
from fugu.run.jobs import Job, _check_words, by_name

LONG, DIGITS = "a" * 5000, "1" * 5000


@pytest.mark.parametrize("words", [
    [LONG], [f"./{LONG}.elf"], [f"{LONG}@5", "+", "null"], [f"null@{DIGITS}"], ["-n", DIGITS], ["--timeout", DIGITS],
    ["--ram", DIGITS], ["--ram", f"{DIGITS}K"], ["--mesh", f"{DIGITS}x2"], ["--disk", f"{DIGITS}=x"], ["--save", f"x@{DIGITS}"],
    ["--link-timeout", DIGITS], ["--input", LONG, "null"], [f"--{LONG}"], ["--load", LONG], ["--skew", DIGITS],
    ["--timeline", "t", "--timeline-nodes", DIGITS], ["--timeline", "t", "--timeline-cycles", f"0-{DIGITS}"],
    ["debug", LONG], ["debug", "--attach", DIGITS], ["debug", "--history", DIGITS], ["profile", LONG], ["apps", LONG], ["certify", LONG], ["certify", f"./{LONG}.elf"], ["certify", "-x"],
    ["trace", LONG], ["sweep", LONG], ["sweep", "--cores", DIGITS, "t"], ["sweep", "--limit", DIGITS, "t"], ["paper", LONG],
    ["paper", f"--{LONG}"], ["bench", LONG]], ids=lambda words: " ".join(word[:12] for word in words))
def test_long_words(words, launcher):
    done = launcher(*words)
    assert done.returncode in (2, 121) and "Traceback" not in done.stderr and "mistake in the launcher" not in done.stderr
    assert done.stdout == "" and len(done.stderr.splitlines()) <= 6


@pytest.mark.parametrize("words", [
    ["messages", "--times", "0"], ["scale", "--nodes", "0"], ["scale", "--nodes", "1025"], ["back", "--cycles", "0"],
    ["processes", "--processes", "1"], ["rounds", "--seconds", "nan"], ["speed", "--scale", "-1"], ["digest", "--runs", "0"],
    ["start", "--times", DIGITS]], ids=lambda words: " ".join(words)[:30])
def test_numbers_of_benchmarks(words, monkeypatch, capsys):
    from fugu import bench
    from fugu.commands._measurements import Measurements

    with pytest.raises(SystemExit) as ended:
        Measurements(bench, "benchmark").load(words[0]).main(words[1:])
    assert ended.value.code == 2
    assert "must be a" in capsys.readouterr().err


@pytest.mark.parametrize("name, command", [("io.c", "cc"), ("io.C", "cc --anl"), ("start.S", "cc")])
def test_a_source_in_place_of_a_program(name, command, launcher, tmp_path):
    (tmp_path / name).write_text("int main(void) { return 0; }\n")
    done = launcher(tmp_path / name)
    assert done.returncode == 2
    assert f"compile it: ./run.sh {command} {tmp_path / name} -o {name[:-2]}.elf\n" in done.stderr


@pytest.mark.parametrize("text, name", [("./d/x=f", "d/x"), ("/x=f", "x"), ("/tmp/x=f", "x"), (".//./x=f", "x"),
                                        ("d/x=f", "d/x"), ("d/./x=f", "d/./x"), ("a/b/f", "f")])
def test_names_under_which_a_program_finds_an_input(text, name):
    """The library takes the same from the beginning of a name that a program opens."""
    assert types.named_file(text)[0] == name


@pytest.mark.parametrize("text", ["./=f", "/=f", ".=f", "=f", "x="])
def test_names_that_no_file_can_have(text):
    with pytest.raises(ValueError, match="must be FILE or NAME=FILE"):
        types.named_file(text)


def test_one_file_by_two_paths(tmp_path, monkeypatch, elf):
    monkeypatch.chdir(tmp_path)
    assert by_name([Job("./my.elf", []), Job("my.elf", []), Job(str(elf), [])]) == {"my": "./my.elf"}
    (tmp_path / "d").mkdir()
    shutil.copy(elf, tmp_path / "d" / "my.elf")
    with pytest.raises(UsageError, match="two programs have the name my"):
        by_name([Job("./my.elf", []), Job("d/my.elf", [])])


def test_a_program_named_as_a_parameter_of_the_kernel():
    with pytest.raises(UsageError, match="for a parameter of its own.\nGive the file another name"):
        _check_words(Job("./glaze.seed=3.elf", []))


@pytest.mark.parametrize("words, asks", [
    (["profile", "--help"], True), (["debug", "-n", "2", "--help"], True), (["profile", "--stacks", "f", "--help"], True),
    (["profile", "./my.elf", "--help"], False), (["debug", "./my.elf", "--help"], False),
    (["debug", "--stdin", "f", "./my.elf", "-h"], False), (["sweep", "t.csv", "--help"], True)])
def test_help_that_belongs_to_the_program(words, asks):
    assert _asks(words, "--help", "-h") == asks


def test_an_option_before_and_behind_a_table(launcher):
    done = launcher("sweep", "--output", "x", "t.csv", "--output", "y")
    assert done.returncode == 2 and done.stderr.startswith("fugu: --output is given twice, with different values.\n")

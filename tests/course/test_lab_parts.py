"""What `./run.sh lab` says and builds, for runs and messages that are known (fugu.lab)."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from fugu.abi import STATUS
from fugu.api import Result
from fugu.api.whole import TooLong
from fugu.commands import lab as command
from fugu.errors import FuguError, UsageError
from fugu.lab import checks, course, plugin
from fugu.lab.course import Lab
from fugu.lab.plugin import Launch, Student


def result(status=0, output="", errors=""):
    return Result(status, output, errors, "")


# ---- the fixture ---------------------------------------------------------------------

@pytest.mark.parametrize("name, words, called", [("", ["greet.c"], "greet"), ("", ["-DN=2", "a/b.c", "c.c"], "b"), ("mine", ["greet.c"], "mine"),
                                                 ("mine.elf", ["greet.c"], "mine")])
def test_what_a_program_is_called(name, words, called):
    assert plugin._name(name, words) == called


@pytest.mark.parametrize("said, shown", [
    ("ended\n/folder/a.c:1:2: warning: w\n/folder/a.c:3:4: error: e\n/folder/a.c:5:6: error: f", "a.c:3:4: error: e"),
    ("ended\n/ld: a.o: in function `f':\n/ld: a.c:(.text+0x4): undefined reference to `g'", "undefined reference to `g'"),
    ("ended\n/ld: b.o: multiple definition of `f'", "/ld: b.o: multiple definition of `f'"), ("ended\nsomething else", "something else"),
    ("ended\n\ncc1: out of memory allocating 5 bytes", "cc1: out of memory allocating 5 bytes"), ("ended\n\nsomething", "something"),
    ("ended", "ended")])
def test_the_compilers_first_complaint(said, shown):
    assert plugin._compilers(said, Path("/folder")) == shown


@pytest.mark.parametrize("status, output, errors, reason", [
    (STATUS["TIMEOUT"], "", "fugu: timeout at cycle 5\n  node 1: runs, pc 0x1 in main\n", ": it does not end within 20M cycles: node 1: runs, pc 0x1 in main"),
    (STATUS["DEADLOCK"], "", "fugu: deadlock\n  node 1: runs, pc 0x1\n", ": deadlock: all nodes wait"),
    (STATUS["CHECK"], "", "", ": --check has found a mistake"), (5, "", "fugu: node 0 ended with status 5\n", ": node 0 ended with status 5"), (5, "", "", ""),
    (101, "glaze: a (job 1) is ended: a fault; pc 0x5\n", "fugu: status\n", ": a fault"), (101, "", "b is ended: two; words\n", ": two"),
    (121, "", "qemu-system-sparc: ni: no such version\nfugu: the machine has ended\n", ": ni: no such version"),
    (101, "b is ended: all\n", "", ": all")])
def test_what_was_said_of_a_status(status, output, errors, reason):
    assert plugin._reason(result(status, output, errors)) == reason


def test_lines_of_a_pattern():
    output = "region 3\nnode 1: 7 \nnode 2: x\nnode 2: 8\n5"
    assert Student.lines(r"node \d: \d", output) == ["node 1: 7", "node 2: 8"]
    assert Student.printed(r"node \d: \d", output) == "node 2: 8"
    assert Student.lines("none", "a \nb") == ["a", "b"] and Student.printed("none", "a \nb") == "a, b"
    assert Student.lines("none", "") == [] and Student.printed("none", "") == ""


@pytest.mark.parametrize("status, seen", [(128 + 11, "the run: the simulator has crashed, with SIGSEGV"),
                                          (128 + 6, "the run: the simulator has crashed, with SIGABRT"),
                                          (128 + 2, "the run has ended with status 130, not 0")])
def test_a_simulator_that_crashes(status, seen, monkeypatch, tmp_path):
    monkeypatch.setattr(plugin, "run", lambda *args, **options: result(status))
    with pytest.raises(pytest.fail.Exception, match=f"^{seen}$"):
        Student(tmp_path, tmp_path).run("a.elf")


def test_a_simulator_that_does_not_end(monkeypatch, tmp_path):
    def late(*args, **options):
        raise TooLong("the run has taken more")
    monkeypatch.setattr(plugin, "run", late)
    with pytest.raises(pytest.fail.Exception, match="^the rest has not ended after 60 s: it prints without an end, or the device loops$"):
        Student(tmp_path, tmp_path).run("a.elf", status=None, called="the rest")


def test_a_compiler_that_does_not_end(monkeypatch, tmp_path, capsys):
    os.mkfifo(tmp_path / "endless.h")
    (tmp_path / "a.c").write_text('#include "endless.h"\n')
    monkeypatch.setattr(plugin, "PATIENCE", 1.5)
    (tmp_path / "builds").mkdir()
    with pytest.raises(pytest.exit.Exception):
        Student(tmp_path, tmp_path / "builds").build("a.c")
    assert capsys.readouterr().out == "no   the program builds: the compiler has not ended after 1.5 s\n"


class Seen:
    def __init__(self, value):
        self.value, self.typename = value, type(value).__name__


@pytest.mark.parametrize("value, line", [
    (AssertionError("two nodes  answer\nassert 1 == 2"), "two nodes answer"), (FuguError("no program.\nSee there."), "no program. See there"),
    (KeyError("x"), "KeyError: 'x'"), (AssertionError("y" * 300), "y" * 300), (AssertionError("y" * 301), "y" * 300 + "...")])
def test_what_a_check_has_seen(value, line):
    assert plugin._seen(Seen(value)) == line


@pytest.mark.parametrize("text, place", [(None, ""), ("\"The task\",\n    part 2.", '; read "The task", part 2'), ("", "")])
def test_where_to_read(text, place):
    def check():
        pass
    check.__doc__ = text
    assert plugin._place(SimpleNamespace(function=check)) == place


@pytest.fixture
def student(tmp_path, monkeypatch):
    """A student's folder; what is compiled and run, in place of doing it."""
    made = Student(tmp_path / "mine", tmp_path)
    made.did = []
    monkeypatch.setattr(plugin, "compile_program", lambda *words, patience: made.did.append(("cc", *map(str, words))))
    monkeypatch.setattr(plugin, "run", lambda program, *args, **options: made.did.append(("run", program, *args, options)) or made.gives)
    made.gives = result()
    return made


def test_a_program_is_built_once(student, tmp_path):
    first = student.build("a.c", "-DN=2", "/else/b.c")
    assert first == tmp_path / "0" / "a.elf" and student.build("a.c", "-DN=2", "/else/b.c") == first
    assert student.did == [("cc", str(tmp_path / "mine" / "a.c"), "-DN=2", "/else/b.c", "-o", str(first))]
    assert student.build("a.c", name="two") == tmp_path / "1" / "two.elf" and student.build("a.c") == tmp_path / "2" / "a.elf"


def test_headers_of_the_lab(student, tmp_path):
    student.given = tmp_path / "given"
    student.build("a.c", student.given / "b.c")
    assert student.did[-1][1:4] == (f"-I{tmp_path}/given", f"{tmp_path}/mine/a.c", f"{tmp_path}/given/b.c")


def test_a_program_that_does_not_build(student, monkeypatch, capsys):
    def fails(*words, patience):
        raise FuguError("ended\nx.c:1:1: error: no")
    monkeypatch.setattr(plugin, "compile_program", fails)
    with pytest.raises(pytest.exit.Exception) as ended:
        student.build("a.c")
    assert capsys.readouterr().out == "no   the program builds: x.c:1:1: error: no\n" and ended.value.returncode == 1


def test_a_run_is_made_once(student):
    """With the same words; its limits are those of the course unless it says otherwise."""
    for _ in range(2):
        student.run("a.elf", 5, nodes=2)
    assert student.did == [("run", "a.elf", 5, {"timeout": "20M", "patience": 60.0, "nodes": 2})]
    student.run("a.elf", 5, nodes=3, timeout="1M")
    student.run("a.elf", 6, nodes=2)
    assert len(student.did) == 3 and student.did[1][-1] == {"timeout": "1M", "patience": 60.0, "nodes": 3}


@pytest.mark.parametrize("status, wanted, fails", [(0, 0, False), (5, 0, True), (5, 5, False), (0, 5, True), (5, None, False)])
def test_the_status_of_a_run(status, wanted, fails, student):
    student.gives = result(status)
    if fails:
        with pytest.raises(pytest.fail.Exception, match=f"^the run has ended with status {status}, not {wanted}$"):
            student.run("a.elf", status=wanted)
    else:
        assert student.run("a.elf", status=wanted) is student.gives


def test_messages_of_a_run(student):
    line = "fugu_ni_launch node {}: network {}, to {}, {} words, body {} bytes, header {:#x} @{}\n"
    student.gives = result(errors=line.format(0, 0, 1, 4, 64, 0x10050003, 77) + line.format(1, 1, 0, 2, 0, 0, 78) + line.format(2, 0, 3, 2, 0, 0x2fff0000, 79))
    assert student.launches("a.elf", nodes=4) == [Launch(0, 1, 4, 64, 5, 77), Launch(2, 3, 2, 0, 0xfff, 79)]
    assert student.did[0][-1]["trace"] == ["fugu_ni_launch"]


# ---- the labs ----------------------------------------------------------------------------

@pytest.fixture
def labs(tmp_path, monkeypatch):
    """Labs 1, 2 and 10 of a course of two files each."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(course, "COURSE", tmp_path / "course")
    for name in ("lab1", "lab2", "lab10", "lab0", "labs", "lab01"):
        start, given = (tmp_path / "course" / name / part for part in ("start", "given"))
        start.mkdir(parents=True)
        (start / "inner").mkdir()
        (start / "b.c").write_text("b")
        (start / "a.c").write_text("a")
        if name == "lab10":
            given.mkdir()
            (given / "aa.h").write_text("")
        (start.parent / "README.md").write_text(f"# Lab {name[3:]}: about {name}\ntext\n")
    return tmp_path


def test_labs_by_number(labs):
    assert [(lab.number, lab.title) for lab in course.labs()] == [(1, "about lab1"), (2, "about lab2"), (10, "about lab10")]
    assert [path.name for path in course.lab("10").start()] == ["a.c", "aa.h", "b.c"]
    assert [path.name for path in course.lab("10").changed()] == ["a.c", "b.c"]
    for word in ("3", "lab2", "0", "x"):
        with pytest.raises(UsageError, match=f"^there is no lab {word}: the labs are 1, 2, 10."):
            course.lab(word)


def test_copies_of_a_beginning(labs):
    """What is there stays; a file that is missing comes again."""
    lab, mine = course.lab("2"), labs / "deep" / "mine"
    assert course.copy(lab, mine) == ["a.c", "b.c"] and (mine / "a.c").read_text() == "a"
    (mine / "a.c").write_text("changed")
    (mine / "b.c").unlink()
    with pytest.raises(UsageError, match=r"mine has no b.c, which the checks of lab 2 need.\n.*lab 2 --to .*mine copies it.$"):
        course.check_folder(lab, mine)
    assert course.copy(lab, mine) == ["b.c"] and (mine / "a.c").read_text() == "changed"
    course.check_folder(lab, mine)
    with pytest.raises(UsageError, match="a.c is there already, so nothing was copied.\n"):
        course.copy(lab, mine)
    other = course.lab("10")
    assert course.copy(other, labs / "other") == ["a.c", "aa.h", "b.c"]
    (labs / "other" / "aa.h").unlink()
    course.check_folder(other, labs / "other")      # the checks have what a student does not change
    with pytest.raises(UsageError, match="there is no folder .*none. Begin with .*lab 2, or name yours: .*lab 2 check FOLDER"):
        course.check_folder(lab, labs / "none")
    (labs / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written: "):
        course.copy(lab, labs / "file")


def test_what_one_types(labs, monkeypatch):
    lab = Lab(2, labs)
    assert course.where(lab, Path("lab-2"), "--to") == [] and course.where(lab, Path("a b"), "--to") == ["--to", "a b"]
    monkeypatch.setattr(course, "ROOT", labs)
    (labs / "run.sh").write_text("")
    assert course.launcher() == "./run.sh" and course.command(lab, "check", "a b") == "./run.sh lab 2 check 'a b'"
    (labs / "in").mkdir()
    monkeypatch.chdir(labs / "in")
    assert course.launcher() == "../run.sh"
    assert course.shown(labs / "in" / "page") == "page" and course.shown(Path("/x")) == "/x"


@pytest.mark.parametrize("words, did", [
    (["2"], ("begin", 2, "lab-2")), (["2", "--to", "x"], ("begin", 2, "x")), (["2", "--to=x"], ("begin", 2, "x")), (["2", "check"], ("check", 2, "lab-2")),
    (["2", "check", "x"], ("check", 2, "x")), ([], ("list",))])
def test_the_words_of_the_command(words, did, labs, monkeypatch):
    done = []
    monkeypatch.setattr(command, "_begin", lambda lab, folder: done.append(("begin", lab.number, str(folder))) or 0)
    monkeypatch.setattr(command, "_check", lambda lab, folder: done.append(("check", lab.number, str(folder))) or 7)
    monkeypatch.setattr(command, "_list", lambda: done.append(("list",)))
    assert command.main(words) == (7 if did[0] == "check" else 0) and done == [did]


@pytest.mark.parametrize("words, said", [
    (["3"], "there is no lab 3"), (["check", "2"], "the lab's number comes first: "), (["check"], "there is no lab check"), (["2", "--to"], "--to needs a folder"),
    (["2", "--to="], "--to needs a folder"), (["2", "--to", "a", "b"], "--to needs a folder"), (["2", "--to", ""], "--to needs a folder"),
    (["2", "check", "a", "b"], "check takes one folder"), (["2", "chek"], "lab 2 takes --to FOLDER or check, not chek. Did you mean check?")])
def test_words_that_mean_nothing(words, said, labs):
    with pytest.raises(UsageError) as error:
        command.main(words)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize("status, ends", [(0, 0), (1, 1), (2, KeyboardInterrupt), (3, FuguError), (5, FuguError)])
def test_the_status_of_the_checks(status, ends, labs, monkeypatch):
    monkeypatch.setattr(checks, "up_to_date", lambda parts: {"guest": {"python": "/py"}, "qemu": {}})
    ran = []
    monkeypatch.setattr(checks, "_printed", lambda line, environment: ran.append((line, environment)) or status)
    monkeypatch.setenv("PYTEST_ADDOPTS", "-x")
    monkeypatch.setenv("PYTHONHOME", "/x")
    if isinstance(ends, int):
        assert checks.check(course.lab("2"), Path("mine")) == ends
    else:
        with pytest.raises(ends):
            checks.check(course.lab("2"), Path("mine"))
    [(line, environment)] = ran
    assert line[0] == "/py" and line[-2:] == ["--timeout=120", str(labs / "course" / "lab2" / "check.py")]
    assert environment["FUGU_LAB"] == str(labs / "mine") and not {"PYTEST_ADDOPTS", "PYTHONHOME"} & environment.keys()

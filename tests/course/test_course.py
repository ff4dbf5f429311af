"""The labs of docs/course: their checks tell right programs from wrong ones, and their texts show what happens."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from run_sh import run_sh

from fugu.lab import device
from fugu.lab.course import COURSE, labs
from fugu.paths import ROOT

HERE = ROOT / "tests" / "course"
LABS = [lab.number for lab in labs()]
IS_COPY = ROOT.name == "tree" and ROOT.parent.parent.name == "lab"        # fugu.build.copies
# The checks that the start and each wrong program fail, without the parameters of a check: the table of labN/README.md.
ROW = re.compile(r"^\| `([\w-]+)(?:\.c|\.diff|/)?` \|[^|]*\| (.*) \|$", re.MULTILINE)
FAILS = {f"lab{number}/{name}": re.findall(r"\*(.*?)\*", checks) for number in LABS
         for name, checks in ROW.findall((HERE / f"lab{number}" / "README.md").read_text())}
# What the checks say of some of them, whose cause is not what the check is about.
SAID = {
    "lab4/ends-at-once": "no   each job has its share: your server has ended: server: node 1: main() has returned, or exit() was called; "
                         'read step 1 of the task, and "Tables" in the text\n',
    "lab4/needs-the-file": "no   each job has its share: your server has ended: glaze: server (job 63) on node 0 is ended: access to memory",
    "lab4/no-table": "no   each job has its share: the server on node 0 has no table before slot ",
    "lab5/no-queue": 'in start (region.c:167); read steps 2 and 3 of the task, and "Messages" in the text\n',
    "lab6/asks-once": 'in pass_on (pages.c:66); read step 1 of the task, and "Messages" in the text\n',
    "lab7/crashes": "no   words arrive: the run: the simulator has crashed, with SIGABRT: ",
    "lab7/state-of-no-version": "no   a snapshot has words that wait: the rest of a run, by --load, has ended with status 121, not 0: "
                                "word-ni: incoming version_id 1 is too old for local minimum version_id 2; read step 5 of the task\n",
}
BLOCK = re.compile(r"(?:^    .*\n)+", re.MULTILINE)
FILE = re.compile(r"^This program is `([\w.-]+)`.*?```c\n(.*?)```", re.MULTILINE | re.DOTALL)


def student(number, source, folder, with_given=True):
    """A folder as a student has it: what the lab begins with, and over it the files of `source`, or the solution with the
    changes of a .diff."""
    lab = COURSE / f"lab{number}"
    shutil.copytree(lab / "start", folder)
    if with_given and (lab / "given").is_dir():
        shutil.copytree(lab / "given", folder, dirs_exist_ok=True)
    if source.suffix == ".diff":
        shutil.copytree(HERE / f"lab{number}" / "solution", folder, dirs_exist_ok=True)
        subprocess.run(["git", "apply", "-p1", source], cwd=folder, check=True)
    else:
        shutil.copytree(source, folder, dirs_exist_ok=True)
    return folder


def checked(number, folder):
    """The status of the checks of a folder, and the checks that hold and that fail, with their lines."""
    if "\nDEVICE = " in (COURSE / f"lab{number}" / "check.py").read_text():
        if IS_COPY:
            pytest.skip("a copy of the checkout would need a copy of QEMU's build, too")
        device.base()           # which would say so if it has to build something
    done = run_sh("lab", number, "check", folder)
    assert done.stderr == "", done.stderr
    lines = re.findall(r"^(ok|no)   ([^,:\n]*)(.*)$", done.stdout, re.MULTILINE)
    after = f"next: .*/run.sh lab {number + 1}" if number < max(LABS) else "it is the last one"
    finished = re.findall(rf"\nlab {number} is done; {after}\n$", done.stdout)
    assert len(lines) + len(finished) == len(done.stdout.splitlines()), done.stdout
    assert len(finished) == (not any(word == "no" for word, _, _ in lines)), done.stdout
    assert all(re.search(r": .*; read ", rest) for word, name, rest in lines
               if word == "no" and name != "the program builds"), done.stdout
    failed = list(dict.fromkeys(name for word, name, _ in lines if word == "no"))
    assert done.returncode == (1 if failed else 0)
    return done.returncode, failed, done.stdout


def source(name):
    """The file or folder of a program of FAILS."""
    lab, _, which = name.partition("/")
    if which == "start":
        return COURSE / lab / "start"
    [found] = [path for path in (HERE / lab / "wrong").iterdir() if path.stem == which]
    return found


@pytest.mark.parametrize("name", FAILS)
def test_a_wrong_program_fails_its_check(name, tmp_path):
    number = int(name.partition("/")[0].removeprefix("lab"))
    _, failed, said = checked(number, student(number, source(name), tmp_path / "mine"))
    assert failed == FAILS[name], said
    assert SAID.get(name, "") in said


@pytest.mark.parametrize("solution", sorted(HERE.glob("lab*/solution*")),
                         ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_solution_passes(solution, tmp_path):
    """The first one of each lab without the files that a student does not change: the checks have them."""
    number = int(solution.parent.name.removeprefix("lab"))
    folder = student(number, solution, tmp_path / "mine", with_given=solution.suffix == ".diff")
    status, _, said = checked(number, folder)
    assert status == 0 and len(said.splitlines()) >= 4, said


@pytest.mark.parametrize("number", LABS)
def test_the_text_shows_what_happens(number, tmp_path):
    """Its programs are made, and its commands print what it shows, if it shows something."""
    text = (COURSE / f"lab{number}" / "README.md").read_text()
    for name, content in FILE.findall(text):
        (tmp_path / name).write_text(content)
    (tmp_path / "run.sh").symlink_to(ROOT / "run.sh")
    commands = [part for block in BLOCK.findall(text) for part in re.split(r"^    \$ ", block, flags=re.MULTILINE)[1:]]
    assert commands
    for part in commands:
        command, _, shown = part.partition("\n")
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=100, check=False)
        assert done.returncode not in (2, 3, 127), done.stdout
        if shown:
            assert done.stdout == re.sub("^    ", "", shown, flags=re.MULTILINE), command


def test_each_wrong_program_is_tried():
    there = {f"{wrong.parent.parent.name}/{wrong.stem}" for wrong in HERE.glob("lab*/wrong/*")}
    assert there == {name for name in FAILS if not name.endswith("/start")}
    assert {f"lab{number}/start" for number in LABS} <= set(FAILS)
    assert {path.parent.name for path in HERE.glob("lab*/solution*")} == {f"lab{number}" for number in LABS}


def test_each_lab_is_listed():
    done = run_sh("lab")
    listed = re.findall(r"^(\d+)  (.*)$", done.stdout, re.MULTILINE)
    table = (COURSE / "README.md").read_text()
    assert listed == re.findall(r"^\| \[(\d+): (.*?)\]\(lab\1/README.md\)", table, re.MULTILINE)
    assert [int(number) for number, _ in listed] == LABS


def test_each_check_says_where_to_read():
    for number in LABS:
        text, source = [(COURSE / f"lab{number}" / name).read_text() for name in ("README.md", "check.py")]
        checks = re.findall(r'^def test_(\w+)\([^\n]*\):\n    """(.*?)"""$', source, re.MULTILINE | re.DOTALL)
        assert len(checks) >= 4
        for name, place in checks:
            assert place and f"*{name.replace('_', ' ')}*" in " ".join(text.split()), name
            for title in re.findall(r'"([A-Z][^"]*)"', place):
                assert f"## {title}\n" in text, title
            for page, anchor in re.findall(r"docs/(\S+\.md)#([\w-]+)", place):
                headings = re.findall(r"^#+ (.*)$", (ROOT / "docs" / page).read_text(), re.MULTILINE)
                assert anchor in {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}, place


# ---- the command ---------------------------------------------------------------

def test_a_beginning_is_never_written_over(tmp_path):
    done = run_sh("lab", 1, cwd=tmp_path)
    assert done.returncode == 0 and "run.sh lab 1 check\n" in done.stdout, done.stderr
    assert sorted(path.name for path in (tmp_path / "lab-1").iterdir()) == ["greet.c"]
    (tmp_path / "lab-1" / "greet.c").write_text("mine")
    done = run_sh("lab", 1, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("fugu: lab-1/greet.c is there already, so nothing was copied.\n")
    assert (tmp_path / "lab-1" / "greet.c").read_text() == "mine"
    done = run_sh("lab", 1, "--to=a/b", cwd=tmp_path)
    assert done.returncode == 0 and "lab 1 check a/b\n" in done.stdout and (tmp_path / "a" / "b" / "greet.c").exists()
    launcher = re.search(r"how far you are: (\S*run.sh) lab", done.stdout)[1]
    assert (tmp_path / launcher).samefile(ROOT / "run.sh")      # in this folder there is no ./run.sh


def test_a_file_that_is_missing_is_copied_again(tmp_path):
    assert "lab 5 check 'a b'\n" in run_sh("lab", 5, "--to", "a b", cwd=tmp_path).stdout
    (tmp_path / "a b" / "region.c").write_text("mine")
    (tmp_path / "a b" / "use.c").unlink()
    done = run_sh("lab", 5, "--to", "a b", cwd=tmp_path)
    assert done.returncode == 0 and "a b now has use.c.\n" in done.stdout, done.stderr
    assert (tmp_path / "a b" / "region.c").read_text() == "mine" and (tmp_path / "a b" / "use.c").exists()
    (tmp_path / "a b" / "region.c").unlink()
    done = run_sh("lab", 5, "check", "a b", cwd=tmp_path)
    assert done.returncode == 2 and "run.sh lab 5 --to 'a b' copies it" in done.stderr, done.stderr


def test_a_program_that_does_not_build(tmp_path):
    folder = student(1, COURSE / "lab1" / "start", tmp_path / "mine")
    with (folder / "greet.c").open("a") as file:
        file.write("int x\n")
    status, failed, said = checked(1, folder)
    assert (status, failed) == (1, ["the program builds"]), said
    assert said.startswith("no   the program builds: greet.c:"), said


def test_output_that_nobody_takes(tmp_path):
    """As with other commands, the status says so, and there is no traceback."""
    student(1, HERE / "lab1" / "solution", tmp_path / "lab-1")
    check = f"{ROOT}/run.sh lab 1 check"
    for command, status, said in ((f"{check} >/dev/full", 121, "fugu: the output cannot be written: "),
                                  (f"{check} | head -1; exit ${{PIPESTATUS[0]}}", 141, "")):
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=100,
                              check=False)
        assert done.returncode == status and done.stderr.startswith(said) and len(done.stderr) < 100, done.stderr


@pytest.mark.parametrize(("words", "says"), [
    (["99"], "there is no lab 99: the labs are 1"), (["x" * 5000], "there is no lab xxx"),
    (["1", "chek"], "Did you mean check?"), (["1", "--to"], "--to needs a folder"),
    (["1", "--to", ""], "--to needs a folder"), (["1", "--to", "a", "b"], "--to needs a folder"),
    (["1", "--to", "file"], "file cannot be written: File exists"),
    (["1", "--to", "x" * 5000], "cannot be written: File name too long"),
    (["1", "check", "a", "b"], "check takes one folder"),
    (["1", "check"], "there is no folder lab-1. Begin with "),
    (["check", "2"], "run.sh lab 2 check"), (["check"], "there is no lab check"),
    (["1", "check", "file"], "there is no folder file"),
    (["1", "check", "."], ". has no greet.c, which the checks of lab 1 need"),
    (["1", "check", "x" * 5000], "there is no folder xxx")], ids=lambda value: str(value)[:30])
def test_words_that_make_no_sense(words, says, tmp_path):
    (tmp_path / "file").touch()
    done = run_sh("lab", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr and len(done.stderr.splitlines()) <= 3, done.stderr

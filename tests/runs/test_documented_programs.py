"""Programs on pages of docs/ with the commands below them: they print what the page says."""

from __future__ import annotations

import re
import shlex
from itertools import takewhile
from pathlib import Path

import pytest
from run_sh import run_sh

from fugu.paths import ROOT

# A page, and the names of its programs that commands below them build.
PROGRAMS = {"mbcf.md": ["pieces", "fifo", "signal"], "scheduler.md": ["server"], "shm.md": ["two"]}
COMMAND = "    ./run.sh "


def found(page: str) -> dict[str, tuple[str, list[list[str]], str]]:
    """By name: the program, the words of its commands after ./run.sh, and what the last one prints."""
    programs = {}
    for part in (ROOT / "docs" / page).read_text().split("```c\n")[1:]:
        text, _, rest = part.partition("```\n")
        lines = rest.splitlines()
        first = next((at for at, line in enumerate(lines) if line.startswith(COMMAND)), len(lines))
        commands = list(takewhile(lambda line: line.startswith(COMMAND), lines[first:]))
        if commands and (name := re.match(r"cc (\w+)\.c -o \1\.elf$", commands[0].removeprefix(COMMAND))):
            said = commands[-1].partition(" # ")[2].strip()
            after = "\n".join(lines[first + len(commands):]).lstrip("\n").removeprefix("```\n").partition("```")[0]
            words = [shlex.split(line.partition(" # ")[0])[1:] for line in commands]
            programs[name[1]] = text, words, said + "\n" if said else after
    return programs


@pytest.mark.parametrize("page", PROGRAMS)
def test_each_program_is_found(page: str):
    assert list(found(page)) == PROGRAMS[page]


@pytest.mark.parametrize(("page", "name"), [(page, name) for page, names in PROGRAMS.items() for name in names])
def test_program_prints_what_the_page_says(page: str, name: str, tmp_path: Path):
    program, (*builds, run), said = found(page)[name]
    (tmp_path / f"{name}.c").write_text(program)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    for build in builds:
        done = run_sh(build[0], "-Wall", "-Wextra", "-Werror", *build[1:], cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    done = run_sh("--timeout", "100M", *run, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, said), done.stderr


LAUNCH = re.compile(r"^fugu_ni_launch node (\d+): network 0, to (\d+),", re.MULTILINE)


def test_messages_of_shared_memory_are_those_of_the_page(tmp_path: Path):
    (tmp_path / "two.c").write_text(found("shm.md")["two"][0])
    assert run_sh("cc", "two.c", "-o", "two.elf", cwd=tmp_path).returncode == 0
    done = run_sh("-n", 2, "--trace", "fugu_ni_launch", "--trace-file", "trace", "./two.elf", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    section = (ROOT / "docs" / "shm.md").read_text().partition("\n## A program, and what it sends\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| (\d) → (\d) \| ", section, re.MULTILINE) == LAUNCH.findall((tmp_path / "trace").read_text())
    operations = set(re.findall(r"\bOP_(\w+),", (ROOT / "guest-os" / "lib" / "shm" / "shm-state.h").read_text()))
    assert set(re.findall(r"→ \d \| ([A-Z_]+) \|", section)) <= operations

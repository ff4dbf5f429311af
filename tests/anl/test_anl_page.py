"""docs/anl.md: its example builds by the command there, and prints what the page says."""

from __future__ import annotations

import re
import shlex

import pytest
from run_sh import run_sh

from fugu.paths import ROOT

PAGE = (ROOT / "docs" / "anl.md").read_text()
PROGRAM = re.search(r"^```c\n(/\* count\.C: (?:.*\n)*?)```\n", PAGE, re.MULTILINE)[1]
COMPILE, RUN, OUTPUT = re.search(
    r"^    \$ \./run\.sh (.*)\n    \$ \./run\.sh (.*)\n    (.*)\n", PAGE, re.MULTILINE).groups()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "count.C").write_text(PROGRAM)
    done = run_sh(*shlex.split(COMPILE), cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return tmp_path


def test_example_runs_as_the_page_says(folder):
    done = run_sh(*shlex.split(RUN), cwd=folder)
    assert (done.returncode, done.stdout) == (0, OUTPUT + "\n"), done.stderr
    assert re.fullmatch(r"\d+ microseconds\n", done.stderr)


@pytest.mark.parametrize("processes", [1, 7])
def test_example_is_right_for_any_number_of_processes(folder, processes):
    done = run_sh("-n", processes, "./count.elf", processes, 2000, cwd=folder)
    assert (done.returncode, done.stdout) == (0, OUTPUT + "\n"), done.stderr

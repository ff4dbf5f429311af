"""docs/porting.md: its examples compile without a warning, and its commands print what the page says."""

from __future__ import annotations

import re
import shlex

import pytest
from run_sh import run_sh

from fugu.paths import ROOT

PAGE = (ROOT / "docs" / "porting.md").read_text()
# (C program, session) of each example: the session is the indented lines that follow the program.
EXAMPLES = re.findall(r"^```c\n(/\* (\w+)\.c: (?:.*\n)*?)```\n\n((?:    .*\n)+)", PAGE, re.MULTILINE)


@pytest.mark.parametrize("program, name, session", EXAMPLES, ids=[name for _, name, _ in EXAMPLES])
def test_example_runs_as_the_page_says(tmp_path, program, name, session):
    (tmp_path / f"{name}.c").write_text(program)
    steps = re.findall(r"^\$ \./run\.sh (.*)\n((?:(?!\$ ).*\n)*)", re.sub(r"^    ", "", session, flags=re.MULTILINE),
                       re.MULTILINE)
    assert len(steps) == 2
    for command, output in steps:
        words = shlex.split(command)
        done = run_sh(*words[:1], *["-Wall", "-Werror"] * (words[0] == "cc"), *words[1:], cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, output), done.stderr


def test_page_has_an_example_of_each_kind():
    assert [name for _, name, _ in EXAMPLES] == ["primes", "table", "rows"] and PAGE.count("```c\n") == len(EXAMPLES)


def test_example_is_right_on_any_number_of_nodes(tmp_path):
    """The sums do not depend on the number of nodes."""
    for program, name, session in EXAMPLES:
        (tmp_path / f"{name}.c").write_text(program)
        assert run_sh("cc", f"{name}.c", "-o", f"{name}.elf", cwd=tmp_path).returncode == 0
        for nodes in (1, 7):
            want = session.splitlines()[-1].strip().replace("4000", str(1000 * nodes))
            words = re.search(rf"\./{name}\.elf(.*)", session)[1].split()
            assert run_sh("-n", nodes, f"./{name}.elf", *words, cwd=tmp_path).stdout == want + "\n"

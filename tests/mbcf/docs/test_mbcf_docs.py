"""docs/mbcf.md has the calls of mbcf.h as they are, and its first program runs as it says."""

from __future__ import annotations

import re
from pathlib import Path

from run_sh import run_sh

from fugu.paths import ROOT

PAGE = (ROOT / "docs" / "mbcf.md").read_text()
HEADER = (ROOT / "guest-os" / "include" / "lib" / "mbcf.h").read_text()


def calls(text: str) -> list[str]:
    """The declarations of mbcf_...(), with single blanks, sorted."""
    plain = re.sub(r"/\*.*?\*/|static inline ", " ", text, flags=re.DOTALL)
    found = re.findall(r"^ *([\w ]+[ *]mbcf_\w+\([^;{()]*\))\s*[;{]", plain, re.MULTILINE)
    return sorted(" ".join(one.split()) for one in found if not one.lstrip().startswith(("return", "typedef")))


def test_calls_are_documented():
    wanted = calls(HEADER)
    assert len(wanted) > 25
    assert calls(PAGE.partition("\n## Calls\n")[2].partition("\n## ")[0]) == wanted


def test_first_program_runs(tmp_path: Path):
    program, _, rest = PAGE.partition("```c\n")[2].partition("```\n")
    build, run = [line.split("#")[0].split() for line in rest.splitlines() if line.startswith("    ./run.sh")][:2]
    said = re.search(r"# (.*)", rest)[1]
    (tmp_path / "pieces.c").write_text(program)
    done = run_sh(build[1], "-Wall", "-Werror", *build[2:], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run_sh(*run[1:], cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{said}\n"), done.stderr

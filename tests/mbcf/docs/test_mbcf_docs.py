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


# How the lines of the table "Mistakes" begin, by the number of mistakes.c's mistake.
LINES = {**dict.fromkeys(range(22), "a request that does not exist"), 22: "no such logical task", 23: "a request, or what it writes, "
         "cannot be read", 24: "this process is no task"}


def test_mistakes_have_the_lines_of_the_table(tmp_path: Path):
    """Each in a job of its own."""
    done = run_sh("cc", "-Wall", "-Werror", Path(__file__).parent / "mistakes.c", "-o", tmp_path / "mistakes.elf")
    assert done.returncode == 0, done.stderr
    jobs = [word for number in LINES for word in ("+", tmp_path / "mistakes.elf", number)][1:]
    done = run_sh("-n", 2, "--timeout", "100M", *jobs)
    said = dict(re.findall(r"^glaze: mistakes \(job (\d+)\) on node \d is ended: mbcf: (.*)$", done.stdout, re.MULTILINE))
    assert len(said) == len(LINES), done.stdout + done.stderr
    assert [number for number, line in LINES.items() if not said[str(number + 1)].startswith(line)] == []
    table = PAGE.partition("\n### Mistakes\n")[2].partition("\nOther mistakes")[0]
    assert [line for line in set(LINES.values()) if f"| {line.removeprefix('a request, or what it writes, ')} (" not in table] == []


def test_all_calls_of_the_fragment_exist():
    fragment = PAGE.partition("\n## Waiting for commands\n")[2].partition("```c\n")[2].partition("```")[0]
    assert set(re.findall(r"\b(mbcf_\w+)\(", fragment)) == {"mbcf_write", "mbcf_barrier"}

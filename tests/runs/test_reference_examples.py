"""The programs of docs/reference, which stand in the comments of the headers, print what these say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from run_sh import run_sh

from fugu.reference.headers import HEADERS
from fugu.reference.pages import DOCS, page_of

# Headers without functions for programs, those with few beside another's, and those with shorter examples.
WITHOUT = {"udm-work.h", "lib/udm-measure.h", "lib/crl-report.h", "glaze-mbcf.h", "lib/shrimp-buffers.h", "lib/pram.h",
           "glaze-shrimp.h", "glaze-mm.h", "mm-handler.h", "glaze-calls.h", "glaze.h", "operations.h", "note.h", "stdio.h",
           "sys/stat.h", "sys/utime.h"}
NUMBERS = {"two": 2, "four": 4}
PRINTS = re.compile(r'^On (two|four) nodes(?:, with `--ni ([\w-]+)`,)? it prints "([^"]*)"\.$', re.MULTILINE)


@pytest.mark.parametrize("header", [header for header in HEADERS if header not in WITHOUT])
def test_program_prints_what_the_header_says(header: str, tmp_path: Path):
    page = (DOCS / page_of(header)).read_text()
    program, said = re.search(r"```c\n(.*?)```", page, re.DOTALL), PRINTS.search(page)
    assert program and said and "int main(void)" in program[1]
    (tmp_path / "example.c").write_text(program[1])
    done = run_sh("cc", "-Wall", "-Wextra", "-Werror", "example.c", "-o", "example.elf", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run_sh("-n", NUMBERS[said[1]], "--ni", said[2] or "fugu", "--timeout", "100M", "./example.elf", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, said[3] + "\n"), done.stderr

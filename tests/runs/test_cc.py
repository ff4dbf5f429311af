"""./run.sh cc compiles a program of the user's, which then runs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from run_sh import run_sh

ANSWER = """\
#include <math.h>
#include <stdio.h>
#include "udm.h"
#include "part.h"

int main(int argc, char **argv)
{
    printf("%d %s %.3f\\n", part(udm_node()), argv[argc - 1], sqrt(2));
    return 0;
}
"""


def test_compiled_program_runs(tmp_path: Path) -> None:
    """A program of two files, one compiled separately, with a header and libm."""
    (tmp_path / "part.h").write_text("int part(int);\n")
    (tmp_path / "part.c").write_text('#include "part.h"\nint part(int n) { return 40 + n; }\n')
    (tmp_path / "answer.c").write_text(ANSWER)
    assert run_sh("cc", "-c", "part.c", cwd=tmp_path).returncode == 0
    assert (tmp_path / "part.o").exists()
    done = run_sh("cc", "-Wall", "-Werror", "answer.c", "part.o", "-o", "answer.elf", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run_sh("-n", "2", "./answer.elf", "word", cwd=tmp_path)
    assert sorted(done.stdout.splitlines()) == ["40 word 1.414", "41 word 1.414"]
    assert done.returncode == 0


SUM = """\
#include <stdio.h>
#include "udm-collective.h"

int main(void)
{
    printf("%g\\n", udm_reduce_all_double(UDM_SUM, udm_node() + 0.5));
    return 0;
}
"""


def test_program_can_call_libraries(tmp_path: Path) -> None:
    """A library beside libos is linked where a program calls it."""
    (tmp_path / "sum.c").write_text(SUM)
    done = run_sh("cc", "-Wall", "-Werror", "sum.c", "-o", "sum.elf", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert run_sh("-n", "3", "./sum.elf", cwd=tmp_path).stdout.splitlines() == ["4.5"] * 3


ANSWER_IN_PARTS = {
    "main.c": "int answer(void);\nint main(void) { return answer(); }\n",
    "part.c": "int part(void) { return 40; }\n",
    "other.c": "int part(void);\nint answer(void) { return part() + 2; }\n",
}
LINKS = {
    "without a name": ["cc main.c part.c other.c", "-n 1 ./a.out"],
    "an archive": ["cc -c part.c other.c", "ar rc libparts.a part.o other.o", "cc main.c libparts.a -o main",
                   "-n 1 ./main"],
    "main in an archive": ["cc -c main.c part.c other.c", "ar rc liball.a main.o part.o other.o", "cc liball.a -o main",
                           "-n 1 ./main"],
    "-l and -L": ["cc -c part.c other.c", "ar rc libparts.a part.o other.o", "cc main.c -o main -L. -lparts -lm",
                  "-n 1 ./main"],
    "-r": ["cc -c part.c other.c", "cc -r part.o other.o -o parts.o", "cc main.c parts.o -o main", "-n 1 ./main"],
    "options of other systems": ["cc -fPIC -static -s -Wl,-Map=map.txt -Wl,-E main.c part.c other.c -o main",
                                 "-n 1 ./main"],
}


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    for name, text in ANSWER_IN_PARTS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("kind", LINKS)
def test_links_like_any_compiler(parts: Path, kind: str) -> None:
    *steps, last = LINKS[kind]
    for step in steps:
        if step.startswith("ar "):
            subprocess.run(step.split(), cwd=parts, check=True)
        else:
            done = run_sh(*step.split(), cwd=parts)
            assert (done.returncode, done.stderr) == (0, ""), step
    assert run_sh(*last.split(), cwd=parts).returncode == 42


ASKS = {
    "-E": ("cc -E main.c", "int main(void) { return answer(); }"),
    "-M": ("cc -M main.c", "main.o: main.c"),
    "-S": ("cc -S -o - main.c", "call\tanswer"),
    "-v": ("cc -v", "gcc version"),
    "--version": ("cc --version", "Free Software Foundation"),
    "-dumpmachine": ("cc -dumpmachine", "sparc-elf"),
    "-print-file-name": ("cc -print-file-name=libc.a", "/libc.a"),
}


@pytest.mark.parametrize("option", ASKS)
def test_answers_like_any_compiler(parts: Path, option: str) -> None:
    """What does not link needs nothing to link, and gets no libraries of ours."""
    words, part = ASKS[option]
    done = run_sh(*words.split(), cwd=parts)
    assert done.returncode == 0
    assert part in done.stdout + done.stderr


@pytest.mark.parametrize("option, why", [("-shared", "there are no shared libraries: leave out -shared"),
                                         ("-pie", "addresses of a program under Glaze are fixed: leave out -pie")])
def test_refuses_what_cannot_run(parts: Path, option: str, why: str) -> None:
    done = run_sh("cc", option, "main.c", "part.c", "other.c", "-o", "main", cwd=parts)
    assert done.returncode == 1
    assert why in done.stderr
    assert not (parts / "main").exists()


def test_error_is_the_compilers(tmp_path: Path) -> None:
    """cc has the compiler's message and status."""
    (tmp_path / "bad.c").write_text("int main(void) { return x; }\n")
    done = run_sh("cc", "bad.c", "-o", "bad.elf", cwd=tmp_path)
    assert done.returncode == 1
    assert "bad.c:1" in done.stderr and "'x' undeclared" in done.stderr

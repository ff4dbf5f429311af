"""./run.sh cc compiles a program of the user's, which then runs."""

from __future__ import annotations

from pathlib import Path

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


def test_error_is_the_compilers(tmp_path: Path) -> None:
    """cc has the compiler's message and status."""
    (tmp_path / "bad.c").write_text("int main(void) { return x; }\n")
    done = run_sh("cc", "bad.c", "-o", "bad.elf", cwd=tmp_path)
    assert done.returncode == 1
    assert "bad.c:1" in done.stderr and "'x' undeclared" in done.stderr

"""Names that a program shares with the libraries, and names of theirs that it may define itself."""

from __future__ import annotations

import pytest
from run_sh import run_sh

from fugu.paths import build_dir

PROGRAM = """\
MAIN_ENV
struct shared { LOCKDEC(lock) BARDEC(barrier) PAUSEDEC(flag) int sum; double page[1000]; } *shared;
char *fgets();
work() {
    int i;
    for (i = 0; i < 1000; i++)
        NAMES_USED;
    LOCK(shared->lock) shared->sum += shm_node(); UNLOCK(shared->lock)
    BARRIER(shared->barrier, 3)
    if (shm_node() == 1) SETPAUSE(shared->flag)
    WAITPAUSE(shared->flag)
    shared->page[shm_node()] = shared->sum;
    BARRIER(shared->barrier, 3)
}
main() {
    char line[20], *block = (char *) malloc(100000);
    int file;
    MAIN_INITENV()
    shared = (struct shared *) G_MALLOC(sizeof(struct shared))
    LOCKINIT(shared->lock) BARINIT(shared->barrier, 3) PAUSEINIT(shared->flag)
    CREATE(work) CREATE(work) work(); WAIT_FOR_END(2)
    block[99999] = 1;
    file = fopen("file", "w"); fprintf(file, "a line\\n"); fclose(file);
    file = fopen("file", "r"); printf("%s", fgets(line, 20, file)); fclose(file);
    printf("%d %g\\n", shared->sum, shared->page[0] + shared->page[1] + shared->page[2]);
    MAIN_END
}
"""


def names() -> list[str]:
    """The names that ./run.sh cc keeps apart from a program's."""
    return [line.split()[0] for line in (build_dir() / "guest-os" / "link" / "new-names").read_text().splitlines()]


@pytest.mark.parametrize("declaration, use", [("%s() { return -1; }", "%s()"), ("double %s[500];", "%s[i / 2] = -1")],
                         ids=["functions", "variables"])
def test_a_program_that_uses_all_names(tmp_path, machine, declaration, use):
    """As functions that the library must not call, and as variables that it must not share."""
    assert {"start", "vector", "pages", "queue_put", "wake", "read", "write", "sbrk"} <= set(names())
    own = "".join(f"{declaration % name}\n" for name in names())
    uses = ", ".join(use % name for name in names())
    (tmp_path / "x.C").write_text(own + PROGRAM.replace("NAMES_USED", uses))
    done = run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert machine(tmp_path / "x.elf", nodes=3, ram="16M", timeout="1G").check(0).stdout == "a line\n3 9\n"


@pytest.mark.parametrize("name", ["start", "wake", "write"])
def test_a_plain_program(tmp_path, machine, name):
    (tmp_path / "x.c").write_text(f'#include <stdio.h>\nint {name}(void) {{ return 5; }}\n'
                                  f'int main(void) {{ printf("%d\\n", {name}()); return 0; }}\n')
    done = run_sh("cc", "x.c", "-o", "x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert machine(tmp_path / "x.elf", nodes=1).check(0).stdout == "5\n"


def test_inner_names_are_not_for_programs(tmp_path):
    (tmp_path / "x.C").write_text("main() { queue_put(); }\n")
    done = run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path)
    assert done.returncode == 1 and "undefined reference to `queue_put'" in done.stderr


def test_a_getline_of_the_programs(tmp_path, machine):
    """K&R's own function, where <stdio.h> of POSIX has another."""
    (tmp_path / "x.C").write_text('#include <stdio.h>\ngetline(s, lim) char s[]; { s[0] = lim; return 1; }\n'
                                  'main() { char s[9]; printf("%d %d\\n", getline(s, 9), s[0]); MAIN_END }\n')
    done = run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert machine(tmp_path / "x.elf", nodes=1).check(0).stdout == "1 9\n"


def test_errno_without_a_header(tmp_path, machine):
    """It is the C library's own variable; a program that uses no macro runs on node 0 alone."""
    (tmp_path / "x.C").write_text("""\
#include <stdio.h>
extern int errno, sys_nerr;
extern char *sys_errlist[];
main() {
    fopen("none", "r");
    printf("%d %s, %s\\n", errno < sys_nerr, sys_errlist[errno], sys_errlist[sys_nerr - 1] ? "more" : "none");
    errno = 13;
    perror("own");
    return 0;
}
""")
    done = run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    result = machine(tmp_path / "x.elf", nodes=3).check(0)
    assert (result.stdout, result.stderr) == ("1 No such file or directory, more\n", "own: Permission denied\n")


def test_headers_of_the_programs(tmp_path, machine):
    """Beside the source and in a folder that -I names, with the names of headers of the libraries."""
    (tmp_path / "inc").mkdir()
    (tmp_path / "shm.H").write_text("struct own { LOCKDEC(lock) int value; };\n")
    for name in ("image.h", "view.h", "rq.h", "udm.h", "fugu-regs.h"):
        (tmp_path / "inc" / name).write_text("sum += 1;\n")
    includes = '#include "image.h"\n#include <view.h>\n#include "rq.h"\n#include <udm.h>\n#include "fugu-regs.h"\n'
    (tmp_path / "x.C").write_text(f"""\
#include "shm.h"
#include <ulocks.h>
MAIN_ENV
struct own own;
main() {{
    int sum = 0;
    LOCK(own.lock)
{includes}    UNLOCK(own.lock)
    printf("%d\\n", sum);
    MAIN_END
}}
""")
    done = run_sh("cc", "--anl", "-Iinc", "x.C", "-o", "x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert machine(tmp_path / "x.elf", nodes=1).check(0).stdout == "5\n"

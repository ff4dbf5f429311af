"""What compilers of their time took: names, limits and declarations that cc --anl accepts, with a line where it repairs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from run_sh import run_sh

# Each prints 1 if all is well.
ACCEPTED = {
    "a struct _Complex": "typedef struct _Complex complex;\nstruct _Complex { double r, i; };\n"
                         "main() { complex c; c.r = 1; c.i = 2; printf(\"%d\\n\", c.r + c.i == 3); MAIN_END }\n",
    "complex.h": "#include <complex.h>\nmain() { double _Complex c = 3 + 4 * I;\n"
                 "    printf(\"%d\\n\", creal(c * c) == -7); MAIN_END }\n",
    "PAGE_SIZE": "char room[PAGE_SIZE];\nmain() { printf(\"%d\\n\", sizeof(room) == 4096); MAIN_END }\n",
    "a PAGE_SIZE of its own": "#define PAGE_SIZE 512\nmain() { printf(\"%d\\n\", PAGE_SIZE == 512); MAIN_END }\n",
    "limits": "main() { printf(\"%d\\n\", DBL_DIG == 15 && FLT_MAX > 3e38 && INT_MAX > 0 && LONG_MIN < 0); MAIN_END }\n",
    "u_long": "u_long a = ~0; u_int b; u_short c; u_char d = 255;\n"
              "main() { printf(\"%d\\n\", a > 0 && d + 1 == 256); MAIN_END }\n",
    "u_long and <sys/types.h>": "#include <sys/types.h>\nu_long a = ~0;\nmain() { printf(\"%d\\n\", a > 0); MAIN_END }\n",
    "_iobuf": "#include <stdio.h>\nint show(struct _iobuf *file, int n);\n"
              "int show(file, n) FILE *file; int n; { return fprintf(file, \"%d\\n\", n); }\n"
              "main() { show(stdout, 1); MAIN_END }\n",
    "unix": "main() {\n#ifdef unix\n    printf(\"1\\n\");\n#endif\n    MAIN_END }\n",
}


def run(folder: Path, source: str, *options: str):
    """The compiler's standard error, and what the program prints."""
    (folder / "x.C").write_text(source)
    done = run_sh("cc", "--anl", *options, "x.C", "-o", "x.elf", cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stderr, run_sh("-n", 1, "./x.elf", cwd=folder).stdout


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name, tmp_path):
    assert run(tmp_path, ACCEPTED[name]) == ("", "1\n")


# What is said of each, by name: a source, and the repairs.
REPAIRED = {
    "static after a declaration": (
        "void twice();\nmain() { int n = 4; twice(&n); printf(\"%d\\n\", n); MAIN_END }\n"
        "static void\ntwice(n) int *n; { static int calls; *n *= 2 + calls++; }\n",
        ["x.C:4: twice() is not static here: it has been declared without that before"], "8\n"),
    "a prototype with a short": (
        "int add(short a, float b);\nint add(a, b) long a; double b; { return a + b; }\n"
        "main() { printf(\"%d\\n\", add(40, 2.5)); MAIN_END }\n",
        ["x.C:1: add() is taken as declared without parameters: its definition has others"], "42\n"),
    "a prototype in a header, with another word for int": (
        "#include \"own.h\"\nint next(w) WORD w; { return w + 1; }\nint last(w) WORD w; { return w - 1; }\n"
        "main() { printf(\"%d\\n\", next(7) + last(7)); MAIN_END }\n",
        ["own.H:2: next() is taken as declared without parameters: its definition has others",
         "own.H:3: last() is taken as declared without parameters: its definition has others"], "14\n"),
}
OWN = "typedef long WORD;\nint next(\n   int w);\nint last(int w);\n"


@pytest.mark.parametrize("name", REPAIRED)
def test_repaired(name, tmp_path):
    """The program runs, its source stays as it is, and a line names each repair."""
    source, said, printed = REPAIRED[name]
    (tmp_path / "own.H").write_text(OWN.replace("(\n   ", "("))
    stderr, output = run(tmp_path, source)
    assert (sorted(stderr.splitlines()), output) == (sorted(f"fugu: {tmp_path}/{line}" for line in said), printed)
    assert (tmp_path / "x.C").read_text() == source
    assert sorted(path.name for path in tmp_path.iterdir()) == ["own.H", "x.C", "x.elf"]


def test_repaired_as_make_compiles(tmp_path):
    """A source that m4 has expanded already becomes an object, with -c and without -o; a report names its lines."""
    (tmp_path / "x.c").write_text("void f();\nmain() { f(); return 0; }\nstatic void f() { *(int *)0 = 1; }\n")
    done = run_sh("cc", "--anl", "-c", "-MD", "x.c", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("fugu:")) == (0, 1)
    assert {"x.o", "x.d"} <= {path.name for path in tmp_path.iterdir()}
    assert run_sh("cc", "--anl", "x.o", "-o", "x.elf", cwd=tmp_path).returncode == 0
    assert "(x.c:3)" in run_sh("-n", 1, "./x.elf", cwd=tmp_path).stdout


@pytest.mark.parametrize("source, error", [
    ("int f(int a);\ndouble f(a) int a; { return a; }\nmain() { }\n", "conflicting types for"),
    ("main() { return 0 }\n", "expected"),
])
def test_what_is_not_repaired(source, error, tmp_path):
    """Other mistakes are GCC's to tell, once, and no line claims a repair that does not help."""
    (tmp_path / "x.C").write_text(source)
    done = run_sh("cc", "--anl", "-c", "x.C", cwd=tmp_path)
    assert done.returncode == 1 and done.stderr.count("error:") == 1 and error in done.stderr


RANDOM = """\
#include <stdio.h>
#include <stdlib.h>
#define _(x) x
char states[6][300];
int sizes[] = { 8, 40, 64, 128, 256, 300 };
void show() { int i; for (i = 0; i < 70; i++) printf("%ld ", (long) random()); printf("\\n"); }
int main() {
    int i;
    show();
    srandom(7);
    show();
    for (i = 0; i < 6; i++) { initstate(100 + i, states[i], sizes[i]); show(); }
    for (i = 5; i >= 0; i--) { setstate(states[i]); show(); }
    printf("%d\\n", initstate(1, states[0], 7) == 0);
    return 0;
}
"""


def test_random_gives_the_numbers_of_bsd(tmp_path):
    """As the host's C library does, for states of each size, and where a state goes on."""
    (tmp_path / "x.c").write_text("#define _DEFAULT_SOURCE\n" + RANDOM)
    subprocess.run(["gcc", "-w", "x.c", "-o", "x"], cwd=tmp_path, check=True)
    expected = subprocess.run(["./x"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert run(tmp_path, RANDOM) == ("", expected)

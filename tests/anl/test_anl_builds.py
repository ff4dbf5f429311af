"""./run.sh cc --anl and ./run.sh anl make: sources with ANL macros become programs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from run_sh import run_sh

from fugu.commands import _anl
from fugu.paths import ROOT

PROGRAMS = Path(__file__).parent / "programs"
MAKEFILE = """\
CC = cc
CFLAGS = -O2 -cckr -Olimit 1500 -float
.SUFFIXES: .o .c .C .h .H

macros: macros.o libmore.a
	$(CC) $(CFLAGS) macros.o -o macros -L. -lmore -lm -lmpc

libmore.a: more.o
	ar rc libmore.a more.o
	ranlib libmore.a

macros.o more.o: macros.h

.H.h:
	m4 -Ulen -Uindex $(MACROS) $*.H > $*.h
.C.o:
	m4 -Ulen -Uindex $(MACROS) $*.C > $*.c
	$(CC) -c $(CFLAGS) -mips2 $*.c
"""
WHY = "(for other compilers, machines or libraries)"
LEFT_OUT = f"fugu: left out: -cckr -Olimit 1500 -float -mips2 -lmpc {WHY}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the sources of the program `macros`."""
    for name in ("macros.C", "macros.H", "more.C"):
        shutil.copy(PROGRAMS / name, tmp_path)
    return tmp_path


def compiled(tmp_path: Path, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "x.C").write_text(text)
    return run_sh("cc", "--anl", *words, "-c", "x.C", cwd=tmp_path)


# ---- cc --anl ----------------------------------------------------------------

def test_nothing_is_left_beside_the_sources(folder):
    before = {path.name for path in folder.iterdir()}
    done = run_sh("cc", "--anl", "-c", "macros.C", "more.C", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert {path.name for path in folder.iterdir()} - before == {"macros.o", "more.o"}


@pytest.mark.parametrize("words, file", [(["-MMD"], "x.d"), (["-MD"], "x.d"), (["-MMD", "-MF", "deps"], "deps"),
                                         (["-MMD", "-o", "sub/y.o"], "sub/y.d"), (["-MM"], None)])
def test_rules_for_make_name_the_sources(tmp_path, words, file):
    """They name x.C and h.H, which stay, and not what m4 has made of them."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "h.H").write_text("EXTERN_ENV\n")
    (tmp_path / "x.C").write_text('MAIN_ENV\n#include "h.h"\nint main() { MAIN_INITENV(,1000)\n MAIN_END }\n')
    done = run_sh("cc", "--anl", *words, "-c", "x.C", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / file).read_text() if file else done.stdout
    assert {"x.C", "h.H"} <= set(text.split()) and "fugu-anl-" not in text


def test_objects_link_without_macros(folder, machine):
    """Compiling and linking in several calls; sources named by a path; a name for the object."""
    above = folder.parent / f"{folder.name}-above"
    above.mkdir()
    for words in (["-c", f"{folder}/macros.C"], ["-c", f"{folder}/more.C", "-o", "other.o"],
                  ["macros.o", "other.o", "-o", "macros.elf"]):
        done = run_sh("cc", "--anl", *words, cwd=above)
        assert (done.returncode, done.stderr) == (0, "")
    assert machine(above / "macros.elf", nodes=3, timeout="1G").check(0).stdout.endswith("macros: done\n")


def test_messages_name_the_source_and_its_lines(tmp_path):
    done = compiled(tmp_path, 'MAIN_ENV\n\nmain()\n{\n    LOCK(a)\n    return }\n')
    assert done.returncode == 1
    assert f"{tmp_path}/x.C:5:" in done.stderr and "'a' undeclared" in done.stderr
    assert f"{tmp_path}/x.C:6:" in done.stderr


def test_headers_of_other_folders(tmp_path):
    """A header with macros, in a folder that -I names, in both spellings."""
    for name, header in (("one", "struct one { LOCKDEC(lock) };\n"), ("two", "struct two { BARDEC(bar) };\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.H").write_text(header)
    (tmp_path / "plain.h").write_text("#define PLAIN 3\n")
    text = ('#include "one.h"\n#include <two.h>\n#include "plain.h"\n'
            "f(a, b) struct one *a; struct two *b; { LOCK(a->lock) BARRIER(b->bar, PLAIN) }\n")
    done = compiled(tmp_path, text, "-Ione", "-I", "two")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_header_that_has_the_name_of_the_systems(tmp_path):
    """memory.h of the program's is found between quotes alone."""
    (tmp_path / "memory.H").write_text("struct own { LOCKDEC(lock) };\n")
    text = '#include <memory.h>\n#include "memory.h"\nsize_t size = sizeof(struct own);\n'
    assert compiled(tmp_path, text).returncode == 0
    assert compiled(tmp_path, text.replace('"memory.h"', "<string.h>")).returncode == 1


def test_include_of_m4(tmp_path):
    """A source may include a header with macros by m4's own include()."""
    (tmp_path / "part.h").write_text("LOCKDEC(lock)\n")
    (tmp_path / "x.C").write_text("MAIN_ENV\ninclude(part.h)\nf() { LOCK(lock) }\n")
    (tmp_path / "elsewhere").mkdir()
    done = run_sh("cc", "--anl", "-c", "../x.C", cwd=tmp_path / "elsewhere")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("text, says", [
    ("BAREXCLUDE(b)", "x.C:2: BAREXCLUDE is not supported: give BARRIER the number of processes that come"),
    ("MENTER(m)", "x.C:2: MENTER is not supported: use LOCK and PAUSE instead"),
    ("ASKFOR(a, b)", "x.C:2: ASKFOR is not supported: take tasks from a queue under a LOCK instead"),
    ("BARRIER(b)", "x.C:2: BARRIER takes a barrier and the number of processes"),
])
def test_refused_macros(tmp_path, text, says):
    done = compiled(tmp_path, f"/* {text.partition('(')[0]} */\n{text}\n")
    assert done.returncode == 1
    assert f"{tmp_path}/{says}" in done.stderr
    assert not (tmp_path / "x.o").exists()


def test_source_that_is_missing(tmp_path):
    done = run_sh("cc", "--anl", "-c", "none.C", cwd=tmp_path)
    assert done.returncode == 1
    assert "none.C': No such file or directory" in done.stderr


def test_backquotes(tmp_path):
    """To m4 they begin a quotation, in a comment too."""
    done = compiled(tmp_path, "/* the `size' of it */\n/* the `size of it */\n/* it's */\nint x;\n")
    assert done.returncode == 0
    assert done.stderr == "fugu: x.C:2: m4 takes ` for a quotation mark, and expands no macro up to the '\n"


def test_options_for_other_compilers(tmp_path):
    """They are left out, with a warning; the others reach the compiler."""
    done = compiled(tmp_path, "int x = Y;\n", "-Olimit", "1500", "-cckr", "-DY=3", "-mips2", "-n32", "-O3")
    assert done.returncode == 0
    assert done.stderr == f"fugu: left out: -Olimit 1500 -cckr -mips2 -n32 {WHY}\n"


def test_options_of_several_worlds(tmp_path):
    """Those of IRIX, Solaris, Linux on x86, and libraries that are not needed here; the program links."""
    (tmp_path / "x.c").write_text("main() { return 0; }\n")
    left_out = ["-fullwarn", "-woff 123", "-G 0", "-o32", "-xO4", "-xtarget=native", "-Xc", "-Aa", "-KPIC", "-march=native", "-msse2",
                "-m32", "-pg", "-p", "-flto", "-traditional", "-rdynamic", "-lpthread", "-lrt", "-ldl", "-lmalloc", "-lucb", "-lsun"]
    kept = ["-O3", "-g3", "-static", "-Wall", "-ansi", "-fno-strict-aliasing", "-D_POSIX_C_SOURCE=200112", "-lm"]
    done = run_sh("cc", "--anl", "x.c", *kept, *" ".join(left_out).split(), "-o", "x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, f"fugu: left out: {' '.join(left_out)} {WHY}\n")
    assert {path.name for path in tmp_path.iterdir()} == {"x.c", "x.elf"}


def test_without_anl_nothing_is_left_out(tmp_path):
    (tmp_path / "x.c").write_text("int x;\n")
    done = run_sh("cc", "-cckr", "-c", "x.c", cwd=tmp_path)
    assert done.returncode == 1 and "-cckr" in done.stderr


OLD_C = """\
static forward();
main(argc, argv) char **argv; { char *p = 5; return forward(p) + undeclared(p); }
static forward(a) int a; { if (a) return; return a; }
undeclared(p) int *p; { return *p; }
"""


@pytest.mark.parametrize("text, words", [(OLD_C + "restricted() { int restrict = 1; return restrict; }\n", []),
                                         (OLD_C, ["-std=c99"])])
def test_old_c(tmp_path, text, words):
    """What compilers of today refuse in C of 1989 and before; also where a makefile names another standard."""
    done = compiled(tmp_path, text, *words)
    assert (done.returncode, done.stderr) == (0, "")


def test_warnings_of_the_linker(tmp_path):
    """They do not end the link, which they do for other programs."""
    (tmp_path / "one.c").write_text("int table[2] = {1, 2};\nmain() { return 0; }\n")
    (tmp_path / "two.c").write_text("double table[1];\n")
    words = ["one.c", "two.c", "-o", "x.elf"]
    assert "alignment" in (done := run_sh("cc", "--anl", *words, cwd=tmp_path)).stderr and done.returncode == 0
    assert run_sh("cc", "-std=gnu89", "-fcommon", *words, cwd=tmp_path).returncode == 1


def test_a_variable_and_a_function_of_several_files(tmp_path, machine):
    """The file that gives a variable a value defines it. The program's own times() is called, not the system's."""
    (tmp_path / "one.C").write_text('int x;\nmain() { printf("%d %d\\n", x, times(0)); }\n')
    (tmp_path / "two.C").write_text("int x = 5;\ntimes(p) char *p; { return 7; }\n")
    done = run_sh("cc", "--anl", "one.C", "two.C", "-o", "x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert machine(tmp_path / "x.elf", nodes=1).stdout == "5 7\n"


CLOCKS = """\
%s
struct { int before; unsigned clock; int between; long seconds; int after; } s = {1, 2, 3, 4, 5};
main() {
    time_type all;
    MAIN_INITENV()
    CLOCK(s.clock)
    sleep(2);
    time(&s.seconds);
    all = time(&all) + time(0) + time((long *) 0);
    printf("%%d %%d %%d, %%d, %%d\\n", s.before, s.between, s.after, (int) s.seconds, (int) all);
    MAIN_END
}
"""


@pytest.mark.parametrize("head", [
    "#define time_type long", "long time();\n#define time_type long", "#include <time.h>\n#define time_type long",
    "#include <sys/time.h>\n#define time_type time_t"], ids=["none", "own", "time.h", "time_t"])
def test_clocks_leave_their_neighbours_alone(tmp_path, machine, head):
    """CLOCK fills an unsigned int, and time() a long or a time_t, with and without <time.h>."""
    assert (done := compiled(tmp_path, CLOCKS % head)).returncode == 0, done.stderr
    done = run_sh("cc", "--anl", "x.o", "-o", "x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert machine(tmp_path / "x.elf", nodes=1).check(0).stdout == "1 3 5, 2, 6\n"


DATES = """\
%s
main() {
    time_type now, later;
    time(&now);
    sleep(2);
    later = now + 2;
    printf("%%s", ctime(&later));
    printf("%%d %%d %%g\\n", gmtime(&later) != 0, localtime(&now) != 0, difftime(later, now));
    MAIN_END
}
"""


@pytest.mark.parametrize("head", [
    "#define time_type long", "char *ctime();\nlong time();\n#define time_type long",
    "#include <time.h>\nextern char *ctime();\nextern long time();\nstruct tm *localtime();\n#define time_type long",
    "#include <time.h>\n#define time_type time_t"], ids=["none", "own", "both", "time_t"])
def test_dates_of_either_size(tmp_path, machine, head):
    """ctime() and the like of a long and of a time_t, also where the source declares them again."""
    (tmp_path / "x.C").write_text(DATES % head)
    done = run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert machine(tmp_path / "x.elf", nodes=1).check(0).stdout == "Thu Jan  1 00:00:02 1970\n1 1 2\n"


@pytest.mark.parametrize("option", ["-O0", "-O1", "-O3", "-Os"])
def test_variable_arguments_of_old_c(tmp_path, machine, option):
    """varargs.h with each way to optimise: the compiler must not drop arguments whose types it does not know."""
    done = run_sh("cc", "--anl", option, PROGRAMS / "calls.C", "-lm", "-o", "x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 two 3.5 4 5 6 7 8.25\n" in machine(tmp_path / "x.elf", nodes=3).check(0).stdout


def test_a_programs_own_time(tmp_path, machine):
    (tmp_path / "x.C").write_text('time(a) { return a + 1; }\nmain() { printf("%d\\n", time(4)); }\n')
    done = run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert machine(tmp_path / "x.elf", nodes=1).stdout == "5\n"


def test_a_variable_that_is_named_like_a_clock(tmp_path, machine):
    """Beside calls of the system's other functions of times."""
    (tmp_path / "x.C").write_text('int time, ftime;\nchar *ctime();\nmain() { long t = sysmp(99) + 1; time = ftime = 5; '
                                  'printf("%d %s", time, ctime(&t)); MAIN_END }\n')
    done = run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path)
    assert done.returncode == 0
    assert machine(tmp_path / "x.elf", nodes=1).check(0).stdout == "5 Thu Jan  1 00:00:00 1970\n"


# ---- anl make ------------------------------------------------------------------

def test_makefile(folder, machine):
    """A makefile with rules for m4, an archive, -L and -l, and options for another compiler: one warning."""
    (folder / "Makefile").write_text(MAKEFILE)
    done = run_sh("anl", "make", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stderr.splitlines() if line.startswith("fugu:")] == [LEFT_OUT]
    assert machine(folder / "macros", nodes=3, timeout="1G").check(0).stdout.endswith("macros: done\n")


def test_commands_that_a_makefile_finds(tmp_path):
    (tmp_path / "Makefile").write_text(
        "all:\n\t@gcc -dumpmachine\n\t@cc -dumpmachine\n\t@ar --version | head -1\n"
        "\t@echo $(MACROS)\n\t@printenv MACROS\n")
    done = run_sh("anl", "make", cwd=tmp_path)
    machine1, machine2, ar, macros, exported = done.stdout.splitlines()
    assert machine1 == machine2 == "sparc-elf" and ar.startswith("GNU ar")
    assert macros == exported == str(_anl.MACROS)
    done = run_sh("anl", "make", "MACROS=mine.m4", cwd=tmp_path)
    assert "mine.m4" in done.stdout


def test_lines_of_sources_in_a_makefile(tmp_path):
    """m4 says which line of NAME.C a line of NAME.c is."""
    (tmp_path / "Makefile").write_text("x.o:\n\tm4 $(MACROS) x.C >x.c\n\tcc -c x.c\n")
    (tmp_path / "x.C").write_text("MAIN_ENV\n\nmain() { LOCK(a) }\n")
    done = run_sh("anl", "make", cwd=tmp_path)
    assert done.returncode == 2
    assert "x.C:3:" in done.stderr and "'a' undeclared" in done.stderr


@pytest.mark.parametrize("words, status, says", [
    ([], 2, "anl needs a command that builds a program: ./run.sh anl make"),
    (["no-such-command"], 3, "there is no command no-such-command on the path"),
    (["make", "nothing"], 2, "No rule to make target 'nothing'"),
    (["sh", "-c", "exit 9"], 9, ""),
    (["sh", "-c", "kill -9 $$"], 137, ""),
])
def test_status(tmp_path, words, status, says):
    done = run_sh("anl", *words, cwd=tmp_path)
    assert done.returncode == status
    assert says in done.stderr


def test_words_belong_to_the_command(tmp_path):
    assert "GNU Make" in run_sh("anl", "make", "--version", cwd=tmp_path).stdout
    assert run_sh("anl", "--help", cwd=tmp_path).stdout.startswith("Usage: ./run.sh anl make")


# ---- the macros ------------------------------------------------------------------

def macros() -> dict[str, set[str]]:
    """The names that anl.m4 defines, by how: anl_define, define, anl_flag, anl_hint, anl_refuse."""
    text = (ROOT / "guest-os" / "anl" / "anl.m4").read_text()
    found: dict[str, set[str]] = {}
    for how, name in re.findall(r"^(\w+)\(`([A-Z_]+)'", text, re.MULTILINE):
        found.setdefault(how, set()).add(name)
    return found


def test_the_program_uses_each_macro():
    names = set().union(*(names for how, names in macros().items() if how != "anl_refuse"))
    text = "".join((PROGRAMS / name).read_text() for name in ("macros.C", "macros.H", "more.C", "conditions.C"))
    assert len(names) > 60
    assert [name for name in sorted(names) if not re.search(rf"\b{name}\b", text)] == []


def test_the_page_lists_each_macro():
    page = (ROOT / "docs" / "anl.md").read_text()
    listed = set(re.findall(r"`([A-Z][A-Z_]+)\b", page))
    names = set().union(*macros().values())
    assert sorted(names - listed) == []


def covered() -> dict[str, str]:
    """The programs that use each macro, in the form of the page's table."""
    texts = {stem: "".join(path.read_text() for path in PROGRAMS.glob(f"{stem}.[CH]"))
             for stem in sorted({path.stem for path in PROGRAMS.glob("*.[CH]")})}
    names = set().union(*(names for how, names in macros().items() if how not in ("anl_refuse", "anl_hint")))
    return {name: ", ".join(stem for stem, text in texts.items() if re.search(rf"\b{name}\b", text))
            for name in sorted(names)}


def test_the_page_says_which_program_uses_each_macro():
    page = (ROOT / "docs" / "anl.md").read_text().partition("## Which test covers which macro")[2]
    rows = re.findall(r"^\| (`.*`) \| (.+) \|$", page.partition("\n## ")[0], re.MULTILINE)
    table = {name: programs for names, programs in rows for name in re.findall(r"`(\w+)`", names)}
    assert table == covered() and "" not in table.values()

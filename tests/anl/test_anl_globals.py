"""Globals that processes share: cc --anl --sproc shares them, and --check-globals names those that should be."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_sh import run_sh

# A program for threads: its processes share variables of all kinds, and print by each one's own stream.
SHARED = """\
#include <stdio.h>
MAIN_ENV
int found = 3, zero[2000], *where = &found;
static long local = 4;
double big[1000];
char *name = "first", line[5000];
LOCKDEC(lock)
BARDEC(barrier)
int processes, next, errno;
set() { static int calls = 10; return ++calls; }
work() {
    int me, i;
    FILE *file;
    LOCK(lock) me = next++; UNLOCK(lock)
    BARRIER(barrier, processes)
    LOCK(lock)
    found++; local += me; zero[1999 - me] = set();
    if (me == processes - 1) name = "last";
    UNLOCK(lock)
    for (i = me; i < 1000; i += processes) big[i] = i;
    file = fopen("own", "w"); fprintf(file, "%d\\n", me); fclose(file);
    BARRIER(barrier, processes)
}
main(argc, argv) char **argv; {
    int i, block;
    double sum = 0;
    FILE *file = fopen("given", "r");
    processes = atoi(argv[1]);
    i = fread(line, 1, sizeof line, file);
    MAIN_INITENV()
    block = (int) G_MALLOC_F(40);
    for (block = 1; block < processes; block++) CREATE(work)
    work();
    WAIT_FOR_END(processes - 1)
    for (block = 0; block < 1000; block++) sum += big[block];
    printf("%d bytes %c; %d %d %ld %d %s %g %d\\n", i, line[4500], found, *where, local, zero[1999 - (processes - 1)] > 10,
           name, sum, zero[1999] + zero[1998] + zero[1997]);
    MAIN_END
}
"""


def build(folder: Path, *options: str, source: str = SHARED) -> None:
    (folder / "x.C").write_text(source)
    (folder / "given").write_text("x" * 4500 + "y" + "z" * 499)
    done = run_sh("cc", "--anl", *options, "x.C", "-o", "x.elf", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("options", [(), ("--atomicity", "soft")], ids=["hard", "soft"])
def test_processes_share_globals(options, tmp_path):
    """Initialised or not, static or not, of a function too; a read fills one directly. Streams are each process's own."""
    build(tmp_path, "--sproc")
    done = run_sh("-n", 3, *options, "--input", "given", "--output", "out", "./x.elf", 3, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "5000 bytes y; 6 6 7 1 last 499500 36\n"
    assert (tmp_path / "out" / "node2" / "own").exists()


def test_without_sproc_each_process_has_its_own(tmp_path):
    build(tmp_path)
    done = run_sh("-n", 3, "--input", "given", "./x.elf", 3, cwd=tmp_path)
    assert done.returncode != 0 or "; 6 6 7 " not in done.stdout


def test_a_program_without_initialised_variables(tmp_path, machine):
    build(tmp_path, "--sproc", source="int sum;\nwork() { sum += 5; }\nmain() { CREATE(work) WAIT_FOR_END(1)\n"
                                      "    printf(\"%d\\n\", sum); MAIN_END }\n")
    assert machine(tmp_path / "x.elf", nodes=2).check(0).stdout == "5\n"


def test_made_by_a_makefile(tmp_path):
    (tmp_path / "makefile").write_text("x: x.o\n\tcc x.o -o x\n.SUFFIXES: .C .o\n.C.o:\n\tm4 $(MACROS) $*.C >$*.c\n\tcc -c $*.c\n")
    (tmp_path / "x.C").write_text("int sum = 1;\nwork() { sum += 5; }\nmain() { CREATE(work) WAIT_FOR_END(1)\n"
                                  "    printf(\"%d\\n\", sum); MAIN_END }\n")
    done = run_sh("anl", "--sproc", "make", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert run_sh("-n", 2, "./x", cwd=tmp_path).stdout == "6\n"


# `right` is written before CREATE; `own` by each process before it reads it; `count` is each process's.
CHECKED = """\
MAIN_ENV
int right = 1, own, shown, *cells[4], table[100];
static int last;
LOCKDEC(lock)
struct { int unused, member; } both;
work() {
    int sum;
    own = right;
    sum = own + both.member;
    table[50] = sum;
    LOCK(lock) last = sum; UNLOCK(lock)
}
main() {
    MAIN_INITENV()
    right = 2;
    CREATE(work)
    own = 5;
    own++;
    WAIT_FOR_END(1)
    both.member = 9;
    CREATE(work)
    WAIT_FOR_END(1)
    printf("%d %d\\n", table[50], own);
    MAIN_END
}
"""


def test_globals_that_should_be_shared_are_named(tmp_path):
    """What one process wrote after the first CREATE, and another one read that had not written it."""
    build(tmp_path, "--check-globals", source=CHECKED)
    done = run_sh("-n", 3, "./x.elf", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "0 6\n")
    first, second, *named = done.stderr.splitlines()
    assert "globals that one process has written after CREATE" in first and "--sproc" in second
    assert sorted(named) == ["fugu:   both: written by process 0, read by process 1",
                             "fugu:   table: written by process 1, read by process 0"]


def test_shared_globals_are_named_too(tmp_path):
    """With --sproc, a program that would crash without it reaches its end."""
    build(tmp_path, "--check-globals", "--sproc", source=CHECKED.replace("int right", "char much[40000000]; int right"))
    done = run_sh("-n", 3, "./x.elf", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "11 2\n")
    first, second, *named = done.stderr.splitlines()
    assert second == "fugu: They must be shared, as --sproc does."
    assert sorted(named) == ["fugu:   both: written by process 0, read by process 1",
                             "fugu:   own: written by several processes, read by process 0",
                             "fugu:   table: written by process 1, read by process 0"]


def test_nothing_to_name(tmp_path):
    build(tmp_path, "--check-globals", source=CHECKED.replace("both.member = 9;", "").replace("table[50], own", "1, own"))
    done = run_sh("-n", 2, "./x.elf", cwd=tmp_path)
    assert done.stdout == "1 6\n"
    assert done.stderr == "fugu: no process has read a global that another one has written after CREATE\n"


@pytest.mark.parametrize("words, said", [
    (("cc", "--sproc", "x.C"), "--sproc is for programs with ANL macros: ./run.sh cc --anl --sproc"),
    (("cc", "--check-globals", "x.C"), "--check-globals is for programs with ANL macros: ./run.sh cc --anl --check-globals"),
])
def test_refused(words, said, tmp_path):
    (tmp_path / "x.C").write_text("main() { }\n")
    done = run_sh(*words, cwd=tmp_path)
    assert done.returncode == 2 and said in done.stderr

"""Foreign makefiles in the style of SPLASH-2: several folders, suffix rules for m4, an archive, clean, and make -j2."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from run_sh import COMMAND, run_sh

from fugu.commands import _anl

# The suffix rules of the folder above take two steps from .C to .o. GNU make has one of its own, by $(CXX), in one.
FILES = {
    "Makefile": """\
CC = gcc
CFLAGS = -O2 -DROOT=sqrt
OBJS = main.o part.o
.SUFFIXES:
.SUFFIXES: .o .c .C .h .H

SUM: $(OBJS) lib/libsum.a
	$(CC) $(CFLAGS) $(OBJS) -o SUM -Llib -lsum -lm

$(OBJS): shared.h lib/libsum.a

lib/libsum.a:
	cd lib && $(MAKE) libsum.a

clean:
	rm -f *.o *.c *.h SUM
	cd lib && $(MAKE) clean

.H.h:
	m4 -Ulen -Uindex $(MACROS) $*.H > $*.h
.C.c:
	m4 -Ulen -Uindex $(MACROS) $*.C > $*.c
.c.o:
	$(CC) -c $(CFLAGS) $*.c
""",
    "lib/Makefile": """\
.SUFFIXES:
.SUFFIXES: .o .c .C .h .H
CC = gcc

libsum.a: add.o get.o
	ar rc libsum.a add.o get.o
	ranlib libsum.a
add.o get.o: sum.h

clean:
	rm -f *.o *.c *.h libsum.a

.H.h:
	m4 -Ulen -Uindex $(MACROS) $*.H > $*.h
.C.o:
	m4 -Ulen -Uindex $(MACROS) $*.C > $*.c
	$(CC) -c $(CFLAGS) -I.. $*.c
""",
    "lib/sum.H": "struct sum { LOCKDEC(lock) int value; };\n",
    "lib/add.C": """\
#include "sum.h"
EXTERN_ENV
add(sum, value) struct sum *sum; { LOCK(sum->lock) sum->value += value; UNLOCK(sum->lock) }
""",
    "lib/get.C": """\
#include "sum.h"
EXTERN_ENV
get(sum) struct sum *sum; { return sum->value; }
""",
    "shared.H": """\
#include "lib/sum.h"
struct shared { struct sum sum; BARDEC(start) };
extern struct shared *shared;
extern int processes;
""",
    "part.C": """\
#include <math.h>
#include "shared.h"
EXTERN_ENV
part() { BARRIER(shared->start, processes) add(&shared->sum, (int) ROOT(49.0)); }
""",
    "main.C": """\
#include <stdio.h>
#include <stdlib.h>
#include "shared.h"
MAIN_ENV
int part();
struct shared *shared;
int processes;

main(argc, argv) char **argv;
{
    int i;

    processes = atoi(argv[1]);
    MAIN_INITENV(, 10000)
    shared = (struct shared *) G_MALLOC(sizeof(*shared))
    LOCKINIT(shared->sum.lock)
    BARINIT(shared->start)
    for (i = 1; i < processes; i++)
        CREATE(part)
    part();
    WAIT_FOR_END(processes - 1)
    printf("sum %d\\n", get(&shared->sum));
    MAIN_END
}
"""}
MADE = {"SUM", "main.o", "part.o", "shared.h", "lib/add.o", "lib/get.o", "lib/sum.h", "lib/libsum.a"}
CC = f"{COMMAND} cc --anl"
HOW = {
    "anl": [COMMAND, "anl", "make"],
    "cc": ["make", f"CC={CC}", f"CXX={CC}", "CXXFLAGS=$(CFLAGS)", f"MACROS={_anl.MACROS}"],
}


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def make(how: str, folder: Path, *words: str) -> None:
    done = subprocess.run([*HOW[how], *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("how", HOW)
def test_a_makefile_of_two_folders(tmp_path, how):
    """By ./run.sh anl make, and with ./run.sh cc as CC and the host's m4 and ar. clean leaves the sources alone."""
    (tmp_path / "lib").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    make(how, tmp_path, "-j2")
    assert files(tmp_path) - set(FILES) >= MADE
    done = run_sh("-n", 3, "./SUM", 3, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "sum 21\n", "")
    linked = (tmp_path / "SUM").stat().st_mtime_ns
    make(how, tmp_path)
    assert (tmp_path / "SUM").stat().st_mtime_ns == linked
    make(how, tmp_path, "clean")
    assert files(tmp_path) == set(FILES)


# Rules for all programs in a file that their makefiles include, with the options of another machine.
CONFIG = """\
CC := gcc
CFLAGS := -O3 -g3 -pthread -p -m32 -march=native -static -D_POSIX_C_SOURCE=200112
CFLAGS := $(CFLAGS) -Wall -W -Wmissing-prototypes -Olimit 2000
LDFLAGS := -lm -lrt -lpthread
BASEDIR := /nowhere
MACROS := $(BASEDIR)/macros.null
M4 := m4 -s -Ulen -Uindex

$(TARGET): $(OBJS)
	$(CC) $(OBJS) $(CFLAGS) -o $(TARGET) $(LDFLAGS)

clean:
	rm -rf *.c *.h *.o $(TARGET)

.SUFFIXES:
.SUFFIXES: .o .c .C .h .H
.H.h:
	$(M4) $(MACROS) $*.H > $*.h
.C.c:
	$(M4) $(MACROS) $*.C > $*.c
.c.o:
	$(CC) -c $(CFLAGS) $*.c
.C.o:
	$(M4) $(MACROS) $*.C > $*.c
	$(CC) -c $(CFLAGS) $*.c
"""
MAKEFILE = """\
TARGET = IDIOMS
OBJS = idioms.o idioms_work.o
include ../../Makefile.config
idioms.o idioms_work.o: idioms.h
"""
LEFT_OUT = ("fugu: left out: -pthread -p -m32 -march=native -Olimit 2000 -lrt -lpthread "
            "(for other compilers, machines or libraries)")


def test_a_makefile_that_includes_rules_for_all_programs(tmp_path):
    """It sets the macro file by a variable of its own, which MACROS on the command line of make replaces."""
    folder = tmp_path / "kernels" / "idioms"
    folder.mkdir(parents=True)
    (tmp_path / "Makefile.config").write_text(CONFIG)
    (folder / "Makefile").write_text(MAKEFILE)
    for name in ("idioms.C", "idioms_work.C", "idioms.H"):
        shutil.copy(Path(__file__).parent / "programs" / name, folder)
    done = run_sh("anl", "make", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stderr.splitlines() if line.startswith("fugu:")] == [LEFT_OUT]
    done = subprocess.run([COMMAND, "-n", "2", "./IDIOMS", "-p2"], cwd=folder, input="a title\n1 2\nbob\n",
                          capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "idioms: sum 43700.000000, checks 2, total 0.5\n" in done.stdout


# The style of SPLASH-3: one file of rules above all programs, which wants BASEDIR, and C of 2011.
RULES = """\
CC := gcc
CFLAGS := -O2 -pthread -D_XOPEN_SOURCE=500 -D_POSIX_C_SOURCE=200112 -std=c11
LDFLAGS := -lm
MACROS := $(BASEDIR)/macros/pthread.m4
M4 := m4 -Ulen -Uindex
ifndef BASEDIR
$(error Please define BASEDIR)
endif
$(TARGET): $(OBJS)
\t$(CC) $(OBJS) $(CFLAGS) -o $(TARGET) $(LDFLAGS)
.SUFFIXES:
.SUFFIXES: .o .c .C .h .H
.C.o:
\t$(M4) $(MACROS) $*.C > $*.c
\t$(CC) -c $(CFLAGS) $*.c
"""
THREADS = """\
#include <stdio.h>
#include <stdlib.h>
MAIN_ENV
LOCKDEC(lock)
BARDEC(barrier)
CONDVARDEC(changed)
static int sum, turn;
static void work(void)
{
    LOCK(lock)
    const int me = sum++;
    while (turn != me) {
        CONDVARWAIT(changed, lock);
    }
    turn++;
    RELEASE_FENCE();
    CONDVARBCAST(changed);
    UNLOCK(lock)
    BARRIER(barrier, 3)
}
int main(void)
{
    MAIN_INITENV()
    LOCKINIT(lock)
    BARINIT(barrier, 3)
    CONDVARINIT(changed)
    CREATE(work, 3)
    WAIT_FOR_END(3)
    printf("%d %d\\n", sum, turn);
    MAIN_END
}
"""


def test_makefiles_of_splash_3(tmp_path):
    """BASEDIR is the user's to give; threads share globals, which takes --sproc."""
    (tmp_path / "apps").mkdir()
    (tmp_path / "Makefile.config").write_text(RULES)
    (tmp_path / "apps" / "Makefile").write_text("TARGET = THREADS\nOBJS = x.o\ninclude ../Makefile.config\n")
    (tmp_path / "apps" / "x.C").write_text(THREADS)
    done = run_sh("anl", "--sproc", "make", f"BASEDIR={tmp_path}", cwd=tmp_path / "apps")
    assert done.returncode == 0
    assert done.stderr == "fugu: left out: -pthread (for other compilers, machines or libraries)\n"
    assert run_sh("-n", 3, "./THREADS", cwd=tmp_path / "apps").stdout == "3 3\n"

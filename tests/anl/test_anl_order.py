"""The order of writes of programs with ANL macros: cc --anl keeps it if a source says `volatile`, a run decides
otherwise, and --check order compares both (docs/shm.md)."""

from __future__ import annotations

import re

import pytest
from run_sh import run_sh

# A process makes an object and then writes a pointer to it. Another one reads the pointer without a lock, for the first
# time: the page comes with the new value. It has an old copy of the object's page.
RACE = """
#include <stdio.h>
MAIN_ENV
struct shared { BARDEC(b) int *volatile made; char pad[4096]; } *s;
int *pool, p = 3;
void wait_some(n)
int n;
{
    volatile int k;
    for (k = 0; k < n; k++) ;
}
void work()
{
    int me, found;
    GET_PID(me)
    found = pool[0];
    BARRIER(s->b, p)
    if (me == 1) {
        pool[0] = 7;
        s->made = pool;
        wait_some(20000);
    } else if (me == 2) {
        wait_some(4500);
        if (s->made) found += *s->made;
        printf("found %d\\n", found);
    }
    BARRIER(s->b, p)
}
int main()
{
    MAIN_INITENV(,100000)
    s = (struct shared *) G_MALLOC(sizeof(*s))
    pool = (int *) G_MALLOC(16384)
    CREATE(work)
    CREATE(work)
    work();
    WAIT_FOR_END(2)
    MAIN_END
}
"""
PLAIN = """
#include <stdio.h>
#include "part.h"
MAIN_ENV
int main()
{
    struct shm_statistics z;
    FILE *f;
    MAIN_INITENV(,100000)
    shm_statistics(&z);
    f = fopen("out.txt", "w");
    fprintf(f, "%d\\n", 42);
    fclose(f);
    printf("order %s\\n", z.order == SHM_ORDER_KEPT ? "kept" : "dropped");
    MAIN_END
}
"""
HEADERS = {"none": "", "says volatile": "extern volatile int flag;\n", "part of a word": "extern int volatile_flag;\n"}


def build(tmp_path, source, header=""):
    (tmp_path / "x.C").write_text(source)
    (tmp_path / "part.h").write_text(header)
    done = run_sh("cc", "--anl", "x.C", "-o", "x.elf", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def order(tmp_path, *options):
    done = run_sh("-n", "2", *options, "./x.elf", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return re.search(r"^order (\w+)$", done.stdout, re.MULTILINE)[1]


@pytest.mark.parametrize("header, kept", [("none", False), ("says volatile", True), ("part of a word", False)])
def test_the_word_volatile_keeps_the_order(tmp_path, header, kept):
    """In a source, or in a header beside it."""
    build(tmp_path, PLAIN, HEADERS[header])
    assert order(tmp_path) == ("kept" if kept else "dropped")
    assert order(tmp_path, "--shm-order", "keep") == "kept"
    assert order(tmp_path, "--shm-order", "drop") == "dropped"


@pytest.mark.parametrize(("options", "include"), [
    (["-DBUSY=volatile"], ""), (["-D", "BUSY=volatile"], ""), ([], "../inc/far.h"), ([], "sub/near.h"),
    (["-I../inc"], "sub/far.h")])
def test_the_word_is_found_elsewhere(tmp_path, options, include):
    """In an option, or in a header that has a folder in its name."""
    for folder in ("src/sub", "inc/sub"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("inc/far.h", "src/sub/near.h", "inc/sub/far.h"):
        (tmp_path / name).write_text("extern __volatile__ int flag;\n")
    (tmp_path / "src" / "part.h").write_text("")
    (tmp_path / "src" / "x.C").write_text(PLAIN + (f'#include "{include}"\n' if include else ""))
    done = run_sh("cc", "--anl", *options, "x.C", "-o", "../x.elf", cwd=tmp_path / "src")
    assert done.returncode == 0, done.stderr
    assert order(tmp_path) == "kept"


def test_one_object_with_the_word_is_enough(tmp_path):
    build(tmp_path, PLAIN)
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "y.c").write_text("volatile int more;\n")
    done = run_sh("cc", "--anl", "-c", "more/y.c", "-o", "y.o", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run_sh("cc", "--anl", "x.C", "y.o", "-o", "x.elf", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert order(tmp_path) == "kept"


def test_check_order_finds_a_race(tmp_path):
    """The result is that of the run with the order."""
    build(tmp_path, RACE)
    done = run_sh("--check", "order", "-n", "3", "./x.elf", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "found 7\n"), done.stderr
    assert "fugu:   -found 7\n" in done.stderr and "fugu:   +found 0\n" in done.stderr
    assert "it needs --shm-order keep" in done.stderr


def test_check_order_of_a_program_without_races(tmp_path):
    """Of a machine in two processes, too: how it is split goes with both runs."""
    build(tmp_path, PLAIN.replace('printf("order', 'if (0) printf("order'))
    done = run_sh("--check", "order", "--processes", "2", "--output", "files", "-n", "2", "./x.elf", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "fugu: --check order: output and 1 files are the same without the order of writes\n" in done.stderr
    assert (tmp_path / "files" / "out.txt").read_text() == "42\n"


def test_check_order_of_a_program_that_is_refused(tmp_path):
    """With one line, and not twice, as two runs that do the same."""
    done = run_sh("--check", "order", "nosuch", cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.count("'nosuch'") == 1, done.stderr
    assert "are the same" not in done.stderr


@pytest.mark.parametrize("words, says", [
    (("--check", "orders"), "--check orders: must be mmu, order or races."),
    (("--check", "order", "--shm-order", "keep"), "--shm-order goes with one run, and --check order makes two."),
    (("--check", "order", "--stats"), "--stats goes with one run, and --check order makes two."),
    (("--shm-order", "kept"), "--shm-order kept: must be keep or drop."),
    (("--shm-visits", "no"), "--shm-visits no: must be off or on."),
])
def test_wrong_words(words, says):
    done = run_sh(*words, "-n", "2", "null")
    assert done.returncode == 2 and says in done.stderr, done.stderr

"""The tables of symptoms in docs/porting.md: each text there is really printed, by a program that has the cause.

A row that quotes a text or names an exit status has a program here. A row that
describes something else has none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from run_sh import run_sh

from fugu.paths import ROOT

FOLDER = ROOT / "docs"
PAGES = ("porting.md", "anl.md")
OPTIONS = {"--timeout"}             # quoted in a row, but not printed


@dataclass
class Case:
    """A program that has the cause: its source, and how it is built and run. Without `words` it must not build."""

    source: str
    words: list[str] = field(default_factory=list)
    name: str = "x.c"
    make: bool = False              # by `./run.sh anl make`, with a makefile that uses a program it has made


CRL = '#include "crl.h"\nint main(void) { %s return 0; }\n'
UDM = '#include "udm.h"\n#include "udm-collective.h"\n#include "udm-thread.h"\n%s\n'
ANL = "MAIN_ENV\nLOCKDEC(lock) BARDEC(barrier)\nchar *block;\n%s\nmain() { MAIN_INITENV(,1) %s MAIN_END }\n"
ANL_NAME = "x.C"

# By the beginning of a row's first cell, without quotation marks.
CASES = {
    "stack overflow": Case(
        "int main(void) { volatile char big[2000000]; big[5] = 1; return big[5]; }\n",
        ["-n", "1"]),
    "address not aligned": Case(
        "char buffer[8], *from = buffer + 1;\nint main(void) { return *(volatile int *)from; }\n", ["-n", "1"]),
    "undefined reference to a function": Case("int fork(void);\nint main(void) { return fork(); }\n"),
    "Permission denied": Case(
        '#include <stdio.h>\nint main(void) { if (!fopen("../x", "w")) perror("../x"); return 1; }\n', ["-n", "1"]),
    "status 125": Case(UDM % "int main(void) { udm_collective_wait(UDM_WAIT_BLOCK); "
                              "udm_node() ? udm_thread_block() : udm_barrier(); }", ["-n", "2"]),
    "status 124 after --timeout  the program needs": Case(
        "int main(void) { for (;;) { } }\n", ["-n", "1", "--timeout", "1M"]),
    "dispose-failure": Case(
        UDM % "static void handler(void) { }\nint main(void) { udm_inject(0, handler); for (;;) { } }",
        ["-n", "1", "--timeout", "1M"]),
    "rgn_*(): the address is not that": Case(CRL % "crl_init(); int *p = rgn_map(rgn_create(4)); rgn_unmap(p); rgn_start_read(p);", ["-n", "1"]),
    "rgn_start_write(): ... a read": Case(
        CRL % "crl_init(); int *p = rgn_map(rgn_create(4)); rgn_start_read(p); rgn_start_write(p);", ["-n", "1"]),
    "called before crl_init()": Case(CRL % "rgn_create(4);", ["-n", "1"]),
    "undefined reference to a name in capitals": Case(ANL % ("#define TAKE LOCK(lock)", "TAKE;"), name=ANL_NAME),
    "ERROR: end of file in string": Case("/* the `size of it */\nmain() { }\n", name=ANL_NAME),
    "expected ')' before ';' token": Case(ANL % ("", "if (G_MALLOC(5)) block = 0;"), name=ANL_NAME),
    "store to memory that is not its own, at a line": Case(
        ANL % ("char *text = \"abc\";", "text[1] = 'x';"), ["-n", "1"], ANL_NAME),
    "'else' without a previous 'if'": Case(ANL % ("", "if (block) LOCK(lock); else UNLOCK(lock)"), name=ANL_NAME),
    "conflicting types for a function": Case(
        "#include <string.h>\ndouble strlen();\nmain() { }\n", name=ANL_NAME),
    "Exec format error": Case("main() { return 0; }\n", name=ANL_NAME, make=True),
    "a line that names -n": Case(ANL % ("work() { }", "CREATE(work)"), ["-n", "1"], ANL_NAME),
    "a line that names --ram": Case(
        ANL % ("int k;", "block = (char *) G_MALLOC(2000000) for (k = 0; k < 2000000; k++) block[k] = 1;"),
        ["-n", "1", "--ram", "1M"], ANL_NAME),
    "status 125, and a report of waiting": Case(
        ANL % ("work() { LOCK(lock) }", "LOCK(lock) CREATE(work) BARRIER(barrier, 2)"), ["-n", "2"], ANL_NAME),
    "status 124 after --timeout  page after": Case(
        ANL % ("", "while (!block) ;"), ["-n", "1", "--timeout", "1M"], ANL_NAME),
}


def rows() -> list[tuple[str, str]]:
    """The rows of both tables: symptom, cause."""
    found = []
    for page in PAGES:
        text = (FOLDER / page).read_text().rpartition("## Symptoms and causes")[2]
        found += re.findall(r"^\| (.*?) \| (.*) \|$", text, re.MULTILINE)
    return [row for row in found if row[0] not in ("symptom", "---")]


def case_of(symptom: str, cause: str) -> str | None:
    """The key of the longest beginning in CASES that a row has."""
    text = f"{symptom}  {cause}".replace("`", "")
    return max((key for key in CASES if text.startswith(key)), key=len, default=None)


QUOTING = [row for row in rows() if re.search(r"`|status \d", row[0])]


def test_each_quoting_row_has_a_program():
    keys = [case_of(*row) for row in QUOTING]
    assert None not in keys, [row[0] for row, key in zip(QUOTING, keys, strict=True) if not key]
    assert sorted(map(str, keys)) == sorted(CASES)


def output_of(case: Case, folder: Path) -> tuple[int, str]:
    """The exit status and all output of the build, or of the run if that is asked for."""
    (folder / case.name).write_text(case.source)
    if case.make:
        (folder / "Makefile").write_text("y.c: x\n\t./x > y.c\nx: x.o\n\t$(CC) x.o -o x\n")
        done = run_sh("anl", "make", cwd=folder)
        assert done.returncode != 0
        return done.returncode, done.stdout + done.stderr
    done = run_sh("cc", *["--anl"] * (case.name == ANL_NAME), case.name, "-o", "x.elf", cwd=folder)
    assert (done.returncode == 0) == bool(case.words), done.stderr
    if case.words:
        done = run_sh(*case.words, "./x.elf", cwd=folder)
        assert done.returncode != 0
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("row", QUOTING, ids=[re.sub(r"\W+", "-", row[0])[:40] for row in QUOTING])
def test_a_program_with_the_cause_prints_the_text(tmp_path, row):
    key = case_of(*row)
    assert key
    status, output = output_of(CASES[key], tmp_path)
    for quoted in set(re.findall(r"`([^`]*)`", row[0])) - OPTIONS:
        for part in re.split(r" ?\.\.\. ?|\*", quoted):
            assert part in output, output
    for number in re.findall(r"status (\d+)", row[0]):
        assert status == int(number), output

"""./run.sh test --changed: each rule by itself, with tests and programs that are made up."""

from __future__ import annotations

import pytest

from fugu.affected.choose import Choice, choose, lines
from fugu.affected.programs import Programs
from fugu.affected.tests import TestFile
from fugu.paths import ROOT


def made(path, text="", modules=(), used=()):
    return TestFile(path, frozenset({path, *used}), text, frozenset(modules))


# A test for each thing that a rule asks for; what it has beside its path is the only reason to choose it.
INVENTED = {
    "plain": made("tests/shm/test_plain.py"),
    **{folder: made(f"tests/{folder}/test_bare.py") for folder in ("guest", "hw", "unit", "model", "structure", "fuzz")},
    "cc": made("tests/runs/test_cc.py", 'run_sh("cc", file)'),
    "anl": made("tests/anl/test_anl.py", "launcher('anl')"),
    "compiler": made("tests/libos/test_compiler.py", "elf = cc(source)"),
    "C++": made("tests/cpp/test_language.py"),
    "apps": made("tests/rq/test_rq.py", 'BUILD / "apps"'),
    "ring": made("tests/kinds/test_ring.py", "ring"),
    "GDB": made("tests/reverse/test_gdb.py", "def test(gdb_session)"),
    "debug": made("tests/debug/test_debug.py", "run debug ring0"),
    "parse": made("tests/ends/test_parse.py", modules=["tools/fugu/run/parse.py"]),
    "helper": made("tests/link/test_helper.py", used=["tests/support/helper.py", "tests/shm/history.py", "tests/shm/data.txt"]),
    "course": made("tests/course/test_course.py"),
    "docs": made("tests/mbcf/test_docs.py", "DOCS.iterdir()"),
    "folder": made("tests/snapshot/test_docs.py", 'ROOT / "docs"'),
    "page": made("tests/hostile/test_page.py", "udm.md"),
    "licence": made("tests/api/test_licence.py", "LICENSE meson.build README.md"),
}
GLAZE = set(INVENTED) - {"guest", "hw", "unit", "model", "structure", "fuzz"}
LINKED = {"guest-os/kernel/kernel.elf": {"guest-os/lib/kernels.c"}, "apps/ring.elf": {"apps/ring/ring.c", "guest-os/lib/rings.c"},
          "tests/other.elf": {"tests/other.c"}}
NAMES = "the test names it"
CC = {"is in what cc links": {"cc", "anl", "compiler"}}


class Invented(Programs):
    """Programs that are not there, of sources that no header concerns."""

    linked, includers = LINKED, {}


def rules(*paths):
    """The names of the tests by the reasons for which these changes choose them."""
    found = choose(paths, list(INVENTED.values()), Invented(ROOT, ROOT, ROOT))
    assert not found.everything
    names = {test.path: name for name, test in INVENTED.items()}
    by_reason: dict[str, set[str]] = {}
    for test, reasons in found.reasons.items():
        for reason in reasons:
            by_reason.setdefault(reason, set()).add(names[test])
    return by_reason


@pytest.mark.parametrize("path, reasons", [
    ("guest-os/kernel/turns.c", {"the kernel or its server": GLAZE}),
    ("guest-os/sched/plan.c", {"the kernel or its server": GLAZE}),
    ("guest-os/lib/kernels.c", {"the kernel or its server": GLAZE, **CC}),
    ("guest-os/lib/rings.c", {"in the program ring": {"ring"}, **CC}),
    *((f"guest-os/{folder}/one.c", CC) for folder in ("include", "lib", "libos", "link", "anl")),
    ("guest-os/cplusplus/unwind.c", {"is in what cc links with C++": {"C++"}}),
    ("guest-os/other/one.c", {}),
    ("apps/ring/ring.c", {"in the program ring": {"ring"}, "in apps/": {"apps"}}),
    ("apps/meson.build", {**CC, "builds a program": {"ring"}, "in apps/": {"apps"}}),
    ("apps/none/meson.build", {**CC, "in apps/": {"apps"}}),
    ("tests/shm/meson.build", {**CC, "in tests/shm/": {"plain"}}),
    ("tools/gdb/fugu_debug/ni.py", {"GDB loads it": {"GDB", "debug"}}),
    ("tools/fugu/run/parse.py", {"the test runs this module": {"parse"}}),
    ("tools/fugu/run/other.py", {}),
    ("tools/fugu/run/Snakefile", {"lies beside modules that the test runs": {"parse"}}),
    ("tools/fugu/sweep/Snakefile", {}),
    ("tests/support/helper.py", {"the test uses it": {"helper"}}),
    ("tests/shm/history.py", {"the test uses it": {"helper"}}),
    ("tests/shm/data.txt", {"the test uses it": {"helper"}, "in tests/shm/": {"plain"}}),
    ("tests/shm/conftest.py", {"in tests/shm/": {"plain"}}),
    ("tests/link/data.txt", {"in tests/link/": {"helper"}}),
    ("docs/course/lab9/start/bank.c", {"is in a lab": {"course"}}),
    ("docs/course/lab9/README.md", {"is in a lab": {"course"}, "a page that the test names": {"docs", "folder", "licence"}}),
    ("docs/udm.md", {"a page that the test names": {"docs", "folder", "page"}, NAMES: {"page"}}),
    ("docs/picture.svg", {}),
    ("LICENSE", {NAMES: {"licence"}}),
])
def test_each_rule(path, reasons):
    """A change has these reasons and no others; tests that read the sources always run."""
    assert rules(path) == {f"{path}: {why}": tests for why, tests in reasons.items()} | {"reads the sources": {"structure"}}


def test_reasons_of_several_changes_come_together():
    assert rules("docs/picture.svg", "tools/fugu/run/parse.py", "tests/support/helper.py") == {
        "tools/fugu/run/parse.py: the test runs this module": {"parse"}, "tests/support/helper.py: the test uses it": {"helper"},
        "reads the sources": {"structure"}}


@pytest.mark.parametrize("path, why", [
    *((path, "all tests depend on it") for path in
      ("hw", "hw/ni/op.c", "qemu-patches/series", "run.sh", "meson.build", "tests/conftest.py", "tests/pytest.ini", ".ci/run")),
    ("new/file.c", "no rule says what it affects"), ("hwx/op.c", "no rule says what it affects"),
    *((path, "all programs are built by it") for path in
      ("guest-os/lib/meson.build", "guest-os/libos/program.ld", "guest-os/link/relax.py", "guest-os/libos/guest.specs",
       "guest-os/lib/names/udm")),
])
def test_each_reason_for_all_tests(path, why):
    """The first such change is named, whatever comes before and behind it."""
    found = choose(["zoo/last.c", path, ".first"], list(INVENTED.values()), Invented(ROOT, ROOT, ROOT))
    assert found.everything == f"{path}: {why}" and list(lines(found)) == [f"fugu: all tests: {path}: {why}"]


def test_no_change_needs_no_test():
    assert choose([], list(INVENTED.values()), Invented(ROOT, ROOT, ROOT)) == Choice() and list(lines(Choice())) == []


def test_a_test_is_printed_with_its_first_reason():
    choice = Choice()
    choice.add("one", ["tests/b.py", "tests/a.py"])
    choice.add("other", ["tests/a.py", "tests/c.py"])
    choice.add("one", ["tests/b.py"])
    assert choice.reasons == {"tests/b.py": ["one"], "tests/a.py": ["one", "other"], "tests/c.py": ["other"]}
    assert list(lines(choice)) == ["fugu: 2 files of tests: one", "    tests/a.py", "    tests/b.py",
                                   "fugu: 1 files of tests: other", "    tests/c.py"]

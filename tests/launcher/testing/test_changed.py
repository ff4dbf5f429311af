"""./run.sh test --changed: which tests a change can affect, and why."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fugu.affected import command
from fugu.affected.changes import changed
from fugu.affected.choose import Choice, choose, lines
from fugu.affected.programs import Programs
from fugu.affected.tests import TestFiles
from fugu.errors import UsageError
from fugu.host.python_tools import PythonTools
from fugu.paths import ROOT, cache_dir

BUILD = Path(os.environ.get("FUGU_BUILD", ROOT / "build"))      # before the fixtures hide it
NINJA = PythonTools(cache_dir()).bin("ninja")


@pytest.fixture(scope="module")
def programs():
    """The programs of this checkout."""
    return Programs(BUILD, ROOT, NINJA)


@pytest.fixture(scope="module")
def files():
    """The files of tests of this checkout."""
    return TestFiles(ROOT).all()


@pytest.fixture(scope="module")
def chosen(programs, files):
    """chosen(*paths) -> the Choice for these changed files of this checkout."""
    return lambda *paths: choose(paths, files, programs)


def others(choice: Choice) -> set[str]:
    """The chosen files, without those of tests/structure/ and without "tests/"."""
    return {test.removeprefix("tests/") for test in choice.reasons if "/structure/" not in test}


# ---- this checkout -----------------------------------------------------------------

@pytest.mark.parametrize("path, wanted, unwanted", [
    ("apps/fifos/fifos.c", {"mbcf/test_mbcf_apps.py", "timings/test_timings.py"}, {"shm/test_shm.py", "rq/test_rq.py"}),
    # In an archive that each program is linked with: only those that call it have it.
    ("guest-os/lib/crl/wait.c", {"libos/crl/test_crl.py", "paper/test_tables.py"}, {"hostile/test_raid.py"}),
    # A header, through the sources that include it.
    ("guest-os/lib/rq/rq-state.h", {"rq/test_rq.py", "rq/test_rq_random.py"}, {"hostile/test_raid.py"}),
    # Only the machine of a debugger uses it, by a fixture's name.
    ("tests/support/debugged.py", {"debug/test_debug_packets.py"}, {"shm/test_shm.py", "runs/test_digest.py"}),
    ("tests/shm/random.c", {"shm/test_shm_random.py", "timings/test_timings.py"}, {"mbcf/test_mbcf_apps.py"}),
    ("tests/mbcf/mixture/conftest.py", {"mbcf/mixture/test_mbcf_mixture.py"}, {"rq/test_rq.py"}),
    ("tools/fugu/sweep/table.py", {"launcher/sweep/test_sweep_table.py", "cluster/test_sweeps.py"},
     {"shm/test_shm.py", "launcher/image/test_boot_image.py"}),
    ("tools/fugu/run/parse.py", {"shm/test_shm.py", "ends/test_exits.py", "debug/test_debug.py"}, {"model/test_model.py"}),
    ("tools/fugu/report/processes.py", {"ends/test_report.py", "ends/test_exits.py"}, {"model/test_model.py"}),
    ("docs/course/lab2/start/bank.c", {"course/test_course.py"}, {"model/test_model.py", "shm/test_shm.py"}),
    ("guest-os/cplusplus/unwind.c", {"cpp/test_cpp.py"}, {"shm/test_shm.py"}),
    ("guest-os/cplusplus/program-cplusplus.ld", {"cpp/test_cpp.py"}, {"shm/test_shm.py"}),
    ("tests/cpp/language.cc", {"cpp/test_cpp.py"}, {"shm/test_shm.py"}),
    ("docs/mbcf.md", {"mbcf/docs/test_mbcf_docs.py"}, {"model/test_model.py", "shm/test_shm.py"}),
    ("guest-os/kernel/policy/skew.c", {"glaze/slots/test_skew.py", "shm/test_shm.py", "apps/test_lu.py"},
     {"guest/test_mmu_check.py", "model/test_model.py"}),
])
def test_this_checkout(chosen, path, wanted, unwanted):
    found = chosen(path)
    assert [test for test in wanted | unwanted if not (ROOT / "tests" / test).exists()] == []
    assert not found.everything and wanted <= others(found) and not unwanted & others(found)
    # Each line of what is printed names the reason or a file.
    assert all(line.startswith(("fugu: ", "    tests/")) for line in lines(found))


# A change, a test that it concerns, and the rule that says so, as the user reads it.
@pytest.mark.parametrize("path, test, why", [
    ("guest-os/kernel/policy/skew.c", "glaze/slots/test_skew.py", "the kernel or its server"),
    ("apps/fifos/fifos.c", "mbcf/test_mbcf_apps.py", "in the program fifos"),
    ("apps/fifos/fifos.c", "runs/test_apps.py", "in apps/"),
    ("guest-os/lib/crl/wait.c", "runs/test_cc.py", "is in what cc links"),
    ("tests/shm/meson.build", "shm/test_shm.py", "builds a program"),
    ("guest-os/cplusplus/unwind.c", "cpp/test_cpp.py", "is in what cc links with C++"),
    ("tools/gdb/fugu_debug/threads.py", "debug/test_debug_glaze.py", "GDB loads it"),
    ("tools/fugu/sweep/table.py", "launcher/sweep/test_sweep_table.py", "the test runs this module"),
    ("tools/fugu/sweep/Snakefile", "launcher/sweep/test_sweep_results.py", "lies beside modules that the test runs"),
    ("tests/support/qcow2.py", "snapshot/test_refused_snapshots.py", "the test uses it"),
    ("tests/shm/random.c", "shm/test_shm.py", "in tests/shm/"),
    ("docs/course/lab2/start/bank.c", "course/test_course.py", "is in a lab"),
    ("docs/mbcf.md", "mbcf/docs/test_mbcf_docs.py", "a page that the test names"),
    ("tests/link/README.md", "structure/test_links.py", "reads the sources"),
    ("guest-os/kernel/README.md", "structure/test_folders.py", "reads the sources"),
])
def test_each_rule_says_why(chosen, path, test, why):
    found = chosen(path)
    rule = why if why == "reads the sources" else f"{path}: {why}"
    assert rule in found.reasons[f"tests/{test}"]
    # And the user reads it, if it is the first one of a test.
    said = {f"fugu: {sum(reasons[0] == one for reasons in found.reasons.values())} files of tests: {one}"
            for one in {reasons[0] for reasons in found.reasons.values()}}
    assert said <= set(lines(found))


def test_the_checker_of_models_is_used_by_models_alone(chosen):
    # This file names it, too.
    assert {path.partition("/")[0] for path in others(chosen("tests/support/spin_checker.py"))} == {"launcher", "model"}


@pytest.mark.parametrize("path", ["hw/ni/fugu/op.c", "qemu-patches/series", "run.sh", "tests/conftest.py", "meson.build",
                                  "guest-os/libos/program.ld", "new/folder/file.c"])
def test_what_all_depends_on(chosen, path):
    found = chosen("docs/mbcf.md", path)
    assert found.everything.startswith(f"{path}: ")
    assert list(lines(found)) == [f"fugu: all tests: {found.everything}"]


def test_every_test_of_this_checkout_can_be_chosen(chosen, files):
    """No test is out of reach: its own file leads to it."""
    assert len(files) > 200
    assert [test.path for test in files if test.path not in chosen(test.path).reasons] == []


def test_nothing(chosen):
    assert chosen() == Choice()


# ---- programs ----------------------------------------------------------------------

def test_every_program_names_its_sources(programs):
    """A program without debug information would never be chosen."""
    linked = programs.linked
    assert len(linked) > 100 and [program for program, sources in linked.items() if not sources] == []


# ---- git ---------------------------------------------------------------------------

@pytest.fixture
def repository(tmp_path):
    """A checkout with three files, of one commit."""
    def git(*words):
        subprocess.run(["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.org", *words],
                       check=True, capture_output=True)
    for name in ("kept", "moved", "gone"):
        (tmp_path / name).write_text(f"{name}\n")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "three files")
    return tmp_path, git


def test_changes_and_new_and_deleted_files(repository):
    root, git = repository
    assert changed(root, "HEAD") == []
    git("mv", "moved", "there")
    (root / "gone").unlink()
    (root / "new \u00e4").write_text("")
    assert changed(root, "HEAD") == ["gone", "moved", "new \u00e4", "there"]
    git("commit", "-qam", "moved")
    assert changed(root, "HEAD") == ["new \u00e4"]
    assert changed(root, "HEAD~1") == ["gone", "moved", "new \u00e4", "there"]


def test_a_revision_that_git_does_not_know(repository, launcher):
    with pytest.raises(UsageError, match="(?s)test --changed: git does not know nosuch: .*Name a commit or a branch"):
        changed(repository[0], "nosuch")


def test_no_checkout(tmp_path):
    with pytest.raises(UsageError, match="not a git repository"):
        changed(tmp_path, "HEAD")


# ---- the command -------------------------------------------------------------------

def test_words():
    assert command.revision(["-k", "a"]) is None
    assert command.revision(["--changed"]) == "HEAD" and command.revision(["--changed=main", "-x"]) == "main"
    assert command.without(["--changed=main", "-x"]) == ["-x"]


def test_with_a_folder(launcher):
    done = launcher("test", "--changed", str(ROOT / "tests" / "model"))
    assert done.returncode == 2 and "--changed chooses the files of tests: name none" in done.stderr


@pytest.mark.parametrize("found, ran, status", [(["tests/a.py"], ["-x", str(ROOT / "tests/a.py")], 0), ([], None, 0),
                                                (None, ["-x"], 0)])
def test_what_pytest_gets(found, ran, status, command_alone, monkeypatch, capsys):
    got = []
    script = "import os; open(os.environ['FUGU_TEST_REPORT'], 'w').write('{\"passed\": 1, \"failed\": 0, \"skipped\": 0}')"
    monkeypatch.setattr(command, "affected", lambda since: found)
    testrun = command_alone(lambda words: got.append(words) or [sys.executable, "-c", script])
    assert testrun.main(["--changed", "-x"]) == status
    assert got == ([ran] if ran else [])
    assert capsys.readouterr().out.splitlines()[-1] == f"{1 if ran else 0} passed, 0 failed"

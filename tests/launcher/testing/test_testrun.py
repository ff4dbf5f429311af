"""./run.sh test itself: its last line, its status, and the environment of the tests."""

from __future__ import annotations

import json
import sys

import pytest

from fugu.build import everything
from fugu.commands import test as testrun
from fugu.errors import SetupError


@pytest.mark.parametrize("counts, line", [
    ((3, 0, 0), "3 passed, 0 failed"), ((1, 2, 0), "1 passed, 2 failed"), ((1, 0, 4), "1 passed, 0 failed, 4 skipped")])
def test_last_line_has_the_counts(counts, line):
    assert testrun.summary(dict(zip(("passed", "failed", "skipped"), counts, strict=True))) == line


@pytest.mark.parametrize("word, named", [
    ("tests/nowhere", "tests/nowhere"), ("test_none.py", "test_none.py"), ("tests/none.py::test_one[a/b]", "tests/none.py")])
def test_tests_that_do_not_exist(launcher, word, named):
    """pytest with several processes says nothing about them, and runs nothing."""
    done = launcher("test", "-k", "no/path", word)
    assert done.returncode == 2 and f"there is no test file or folder {named}." in done.stderr


def test_failed_set_up_counts_as_failed(launcher, tmp_path):
    done = launcher("test", FUGU_TOOLCHAIN=str(tmp_path / "none"))
    assert done.returncode == 3
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed"


@pytest.mark.parametrize("report, wanted", [
    ({"passed": 2, "failed": 0, "skipped": 1}, 0), ({"passed": 2, "failed": 1, "skipped": 0}, 1),
    ({"passed": 0, "failed": 0, "skipped": 3}, 1), (None, 1)])
def test_status_is_0_only_if_all_passed(report, wanted, command_alone, capsys):
    """The status is 1 when a test failed, when none ran, and when pytest died without a report."""
    script = "import os, sys; open(os.environ['FUGU_TEST_REPORT'], 'w').write(sys.argv[1])" if report else "pass"
    command = command_alone(lambda words: [sys.executable, "-c", script, json.dumps(report)])
    assert command.main([]) == wanted
    assert " passed, " in capsys.readouterr().out.splitlines()[-1]


def test_tests_get_a_bare_environment(monkeypatch, tmp_path):
    """Other variables of the user's environment reach set-up, and not pytest."""
    seen = tmp_path / "seen.json"
    script = f"import json, os; open({str(seen)!r}, 'w').write(json.dumps(dict(os.environ)))"
    monkeypatch.setattr(testrun, "everything", lambda **_: None)
    monkeypatch.setattr(testrun, "paths", lambda outputs: {"FUGU_QEMU": "/a/qemu"})
    monkeypatch.setattr(testrun, "_command", lambda words: [testrun.sys.executable, "-E", "-S", "-c", script])
    monkeypatch.setattr(testrun, "TOOLS", ())
    monkeypatch.setattr(testrun, "_browser", dict)
    monkeypatch.setattr(testrun, "_cluster", lambda: None)
    for name in ("on_demand", "environment"):
        monkeypatch.setattr(testrun.python_tools, name, lambda *_: None)
    monkeypatch.setattr(testrun.execute, "terminate_like_interrupt", lambda: None)
    for name in ("PYTHONUNBUFFERED", "PYTHONPATH", "PYTEST_ADDOPTS", "COLUMNS", "LANG", "LC_ALL", "CFLAGS",
                 "XDG_CACHE_HOME", "HTTPS_PROXY", "FUGU_TEST_SEED"):
        monkeypatch.setenv(name, "1")
    testrun.main([])
    found = json.loads(seen.read_text())
    found.pop("LC_CTYPE", None)         # Python sets it in a C locale
    assert set(found) - {"HOME", "PATH", "TERM", "TMPDIR"} == {
        "FUGU_BUILD", "FUGU_CACHE", "FUGU_QEMU", "FUGU_TEST_REPORT", "FUGU_TEST_SEED"}


def test_tool_for_clusters_may_be_missing(monkeypatch, capsys):
    """Its tests are skipped, and a line says so."""
    def ensure(tool):
        raise SetupError("there is none.\nInstall it.")
    monkeypatch.setattr(testrun.on_demand, "ensure", ensure)
    testrun._cluster()
    assert capsys.readouterr().err == ("fugu: tests with Slurm will be skipped: there is none.\n"
                                       "fugu: tests with Open MPI will be skipped: there is none.\n")


@pytest.mark.parametrize("failing", ["apt", "pip"])
def test_without_a_browser_the_tests_have_the_reason(failing, monkeypatch):
    def ensure(name):
        if name == failing:
            raise SetupError(f"no {name} here")
    monkeypatch.setattr(testrun.on_demand, "ensure", lambda tool: ensure("apt"))
    monkeypatch.setattr(testrun.python_tools, "on_demand", lambda requirements, what: ensure("pip"))
    assert testrun._browser() == {"FUGU_NO_BROWSER": f"no {failing} here"}
    failing = "neither"
    assert testrun._browser() == {}


@pytest.mark.parametrize("machine, missing, wanted", [
    ("x86_64", False, {"FUGU_ARM64_QEMU": "/the/script"}), ("x86_64", True, {"FUGU_NO_ARM64": "no cross compiler"}),
    ("aarch64", False, {"FUGU_NO_ARM64": "this host is one: all other tests show that QEMU works on it"})])
def test_qemu_for_arm_hosts_needs_a_cross_compiler(machine, missing, wanted, monkeypatch):
    """Without one, or on an ARM host, the tests have the reason why they are skipped."""
    def ensure(tool):
        if missing:
            raise SetupError("no cross compiler")
    monkeypatch.setattr(testrun.platform, "machine", lambda: machine)
    monkeypatch.setattr(testrun.on_demand, "ensure", ensure)
    monkeypatch.setattr(testrun, "up_to_date", lambda parts: {parts[0]: {"qemu": "/the/script"}})
    assert testrun._arm64() == wanted


def test_failed_build_for_arm_hosts_is_an_error(monkeypatch):
    def fails(parts):
        raise SetupError("building QEMU failed")
    monkeypatch.setattr(testrun.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(testrun.on_demand, "ensure", lambda tool: None)
    monkeypatch.setattr(testrun, "up_to_date", fails)
    with pytest.raises(SetupError, match="building QEMU failed"):
        testrun._arm64()


@pytest.mark.parametrize("words, fuzz, arm64", [
    ([], False, False), (["--long"], True, True), (["tests/fuzz"], False, False),
    (["tests/link", "--long"], False, False), (["tests", "--long"], True, True),
    (["tests/fuzz/test_fuzz.py::test_one", "--long"], True, False),
    (["--long", "tests/link", "tests/arm64"], False, True), (["--long", "-k", "tests/link"], True, True)])
def test_named_tests_need_no_builds_of_others(words, fuzz, arm64, monkeypatch):
    """Fuzzers and QEMU for ARM hosts take minutes to build."""
    monkeypatch.chdir(testrun.ROOT)
    assert testrun._long(words, "fuzz") == fuzz
    assert testrun._long(words, "arm64") == arm64


def test_only_long_tests_need_the_fuzzers(monkeypatch):
    """Fuzzing needs clang and a second build of QEMU."""
    from fugu.build import bring_up

    asked = []
    monkeypatch.setattr(everything.fingerprint, "load", lambda *_: None)
    monkeypatch.setattr(bring_up, "bring_up", lambda parts: asked.append(parts) or {})
    everything.everything()
    everything.everything(fuzzers=True)
    everything.everything(cplusplus=True)
    assert asked == [["qemu", "qtest", "guest", "tests", *more] for more in ([], ["fuzz"], ["cplusplus"])]


@pytest.mark.parametrize("words, wanted", [
    ([], True), (["-k", "x"], True), (["tests/cpp"], True), (["tests/cpp/test_cpp.py::test_one"], True), (["tests"], True),
    (["tests/libos"], False), (["tests/libos", "tests/cpp"], True)])
def test_only_tests_of_cplusplus_need_its_compiler(words, wanted, monkeypatch):
    monkeypatch.chdir(testrun.ROOT)
    assert testrun._reaches(words, "cpp") == wanted


def test_own_toolchain_without_cplusplus(monkeypatch):
    """Tests of C++ are skipped, and have the reason."""
    assert testrun._without_cplusplus() == {}
    monkeypatch.setenv("FUGU_TOOLCHAIN", "/none")
    assert testrun._without_cplusplus()["FUGU_NO_CPLUSPLUS"].startswith("the toolchain in /none")

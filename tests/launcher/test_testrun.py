"""./run.sh test itself: its last line."""

from __future__ import annotations

import json

import pytest

from fugu import testrun
from fugu.errors import SetupError


@pytest.mark.parametrize("counts, line", [
    ((3, 0, 0), "3 passed, 0 failed"), ((1, 2, 0), "1 passed, 2 failed"), ((1, 0, 4), "1 passed, 0 failed, 4 skipped")])
def test_last_line(counts, line):
    assert testrun.summary(dict(zip(("passed", "failed", "skipped"), counts, strict=True))) == line


def test_failed_set_up_counts_as_failed(launcher, tmp_path):
    done = launcher("test", FUGU_TOOLCHAIN=str(tmp_path / "none"))
    assert done.returncode == 3
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed"


@pytest.mark.parametrize("report, wanted", [
    ({"passed": 2, "failed": 0, "skipped": 1}, 0), ({"passed": 2, "failed": 1, "skipped": 0}, 1),
    ({"passed": 0, "failed": 0, "skipped": 3}, 1), (None, 1)])
def test_status(report, wanted, monkeypatch, capsys, tmp_path):
    """Also when none ran, and when pytest died without a report."""
    script = "import os, sys; open(os.environ['FUGU_TEST_REPORT'], 'w').write(sys.argv[1])" if report else "pass"
    monkeypatch.setattr(testrun, "everything", lambda long: None)
    monkeypatch.setattr(testrun, "environment", lambda outputs: {})
    monkeypatch.setattr(testrun, "_command", lambda words: [testrun.sys.executable, "-c", script, json.dumps(report)])
    monkeypatch.setattr(testrun, "ensure_gdb", lambda: None)
    monkeypatch.setattr(testrun, "ensure_spin", lambda: None)
    monkeypatch.setattr(testrun.process, "terminate_like_interrupt", lambda: None)
    assert testrun.main([]) == wanted
    assert " passed, " in capsys.readouterr().out.splitlines()[-1]


def test_only_long_tests_need_what_fuzzes(monkeypatch):
    """It takes clang, and a second build of QEMU."""
    from fugu import setup

    asked = []
    monkeypatch.setattr(testrun.fingerprint, "load", lambda *_: None)
    monkeypatch.setattr(setup, "bring_up", lambda parts: asked.append(parts) or {})
    testrun.everything()
    testrun.everything(long=True)
    assert asked == [["qtest", "guest"], ["qtest", "guest", "fuzz"]]


def test_spin_is_installed_on_demand(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("FUGU_NO_APT", raising=False)

    def install(parts, logs, display):
        asked.extend(parts)
        (tmp_path / "spin").write_text("#!/bin/sh\n")
        (tmp_path / "spin").chmod(0o755)
    monkeypatch.setattr(testrun.host, "ensure_packages", install)
    assert testrun.ensure_spin() == str(tmp_path / "spin")
    assert asked == ["model"] and testrun.host.PACKAGES["model"] == ["spin"]


def test_no_spin_and_nothing_may_be_installed(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("FUGU_NO_APT", "1")
    with pytest.raises(SetupError, match="(?s)takes spin, and it is not there.*FUGU_NO_APT"):
        testrun.ensure_spin()

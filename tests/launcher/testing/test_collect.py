"""Programs are collected as tests (tests/support/tap_programs.py): qtests and unit tests, with fakes."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from fugu.paths import ROOT

# A qtest that lists three tests; the second fails, the third is skipped.
QTEST = """#!/bin/sh
[ "$QTEST_QEMU_BINARY" = /some/qemu ] || exit 9
case "$*" in
-l) printf '/sparc/a\\n/sparc/b\\n/sparc/c\\n' ;;
*/sparc/a) printf '1..1\\nok 1 /sparc/a\\n' ;;
*/sparc/b) printf '1..1\\n# why it fails\\nnot ok 1 /sparc/b\\n'; exit 1 ;;
*/sparc/c) printf '1..1\\nok 1 /sparc/c # SKIP no disk\\n' ;;
esac
"""


def collect(folder, tmp_path, **env):
    """Runs pytest on a folder of tests/. Returns its counts and output."""
    counts = tmp_path / "counts.json"
    done = subprocess.run([sys.executable, "-m", "pytest", "-c", ROOT / "tests" / "pytest.ini",
                           f"--rootdir={ROOT / 'tests'}", ROOT / "tests" / folder],
                          capture_output=True, text=True, timeout=60,
                          env=os.environ | env | {"FUGU_TEST_REPORT": str(counts)})
    return json.loads(counts.read_text()), done.stdout


@pytest.fixture
def qtests():
    """The names of all qtests."""
    names = [path.stem for path in (ROOT / "tests" / "hw").rglob("*-test.c")]
    if not names:
        pytest.skip("there are no qtests")
    return names


def test_each_path_of_a_qtest_is_a_test(qtests, tmp_path):
    for name in qtests:
        (tmp_path / name).write_text(QTEST)
        (tmp_path / name).chmod(0o755)
    counts, out = collect("hw", tmp_path, FUGU_QTEST_DIR=str(tmp_path), FUGU_QEMU="/some/qemu")
    assert counts == {"passed": len(qtests), "failed": len(qtests), "skipped": len(qtests)}
    assert "not ok 1 /sparc/b" in out and "why it fails" in out


def test_missing_qtests_fail(qtests, tmp_path):
    """Qtests that are not built count as failed."""
    counts, out = collect("hw", tmp_path, FUGU_QTEST_DIR=str(tmp_path))
    assert counts == {"passed": 0, "failed": len(qtests), "skipped": 0}
    assert "is not built" in out


def test_each_unit_test_is_a_test(tmp_path):
    info = tmp_path / "meson-info" / "intro-tests.json"
    info.parent.mkdir()

    def entry(name, script, suite="fugu:unit"):
        return {"name": name, "suite": [suite], "cmd": ["sh", "-c", script], "env": {"WHY": "because"}, "timeout": 5}
    info.write_text(json.dumps([
        entry("good", "echo ok 1 - $WHY"), entry("bad", "echo not ok 1 - $WHY"), entry("crash", "kill -11 $$"),
        entry("todo", "echo not ok 1 - later '# TODO'"), entry("guest", "exit 1", "fugu:guest")]))
    counts, out = collect("unit", tmp_path, FUGU_BUILD=str(tmp_path))
    assert counts == {"passed": 2, "failed": 2, "skipped": 0}
    assert "not ok 1 - because" in out and "status -11" in out

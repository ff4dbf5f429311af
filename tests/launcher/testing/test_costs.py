"""./run.sh test --costs: the processor time of tests (tests/support/costs.py)."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from costs import table

from fugu.paths import ROOT

# One test burns 0.3 s in a program that it starts, and the other one waits.
TESTS = '''
import subprocess, sys, time

def test_works():
    subprocess.run([sys.executable, "-S", "-c", "import time\\nwhile time.process_time() < 0.3: pass"], check=True)

def test_waits():
    time.sleep(0.3)
'''


def test_programs_that_a_test_starts_count_and_waiting_does_not(tmp_path):
    (tmp_path / "test_two.py").write_text(TESTS)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "costs", "--costs=2",
                           "-c", "/dev/null", f"--rootdir={tmp_path}", tmp_path], capture_output=True, text=True,
                          timeout=60, env=os.environ | {"PYTHONPATH": str(ROOT / "tests" / "support")})
    found = dict(re.findall(r"^ +([\d.]+) s  test_two.py::test_(\w+)$", done.stdout, re.MULTILINE))
    costs = {name: float(seconds) for seconds, name in found.items()}
    assert set(costs) == {"works", "waits"} and costs["works"] > 0.2 > costs["waits"], done.stdout


def test_folders_come_before_tests_and_the_dearest_first():
    tests = {"a/test_a.py::one": 1.0, "b/test_b.py::two": 3.0, "a/test_c.py::three": 4.0}
    assert list(table(tests, 2)) == [
        "     8.00 s of processor time, 3 tests", "     5.00 s      2 tests  a", "     3.00 s      1 tests  b",
        "     4.00 s  a/test_c.py::three", "     3.00 s  b/test_b.py::two"]

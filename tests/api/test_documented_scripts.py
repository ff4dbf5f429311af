"""The scripts of docs/scripts.md print what the page says, and its tests pass."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib

import pytest

from fugu.api import Machine, Result
from fugu.paths import ROOT

PAGE = (ROOT / "docs" / "scripts.md").read_text()


def file(name):
    """A file that the page shows."""
    return re.search(rf"[Tt]his is `{re.escape(name)}`.*?```\w+\n(.*?)```", PAGE, re.DOTALL)[1]


def execute(*words, folder):
    """Runs Python in a folder, with the package on its path. Returns the ended process."""
    return subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, timeout=250,
                          env=os.environ | {"PYTHONPATH": str(ROOT / "tools"), "PYTEST_ADDOPTS": ""})


@pytest.mark.parametrize("name", ["hops.py", "pile.py"])
def test_a_script(name, tmp_path):
    (tmp_path / "build").symlink_to(os.environ["FUGU_BUILD"])
    (tmp_path / name).write_text(file(name))
    done = execute(name, folder=tmp_path)
    printed = re.search(rf"`{re.escape(name)}`.*?It prints:\n\n((?:    [^\n]*\n)+)", PAGE, re.DOTALL)[1]
    assert (done.stdout, done.stderr) == (re.sub("^    ", "", printed, flags=re.MULTILINE), "")


def test_tests_of_a_program(tmp_path):
    """They pass; if the program is wrong, the report shows the machine."""
    (tmp_path / "sum.c").write_text(file("sum.c"))
    (tmp_path / "test_sum.py").write_text(file("test_sum.py"))
    words = ["-m", "pytest", "-q", "-p", "fugu.api.pytest_plugin", "-p", "no:cacheprovider", "test_sum.py"]
    done = execute(*words, folder=tmp_path)
    assert done.stdout.splitlines()[-1].startswith("6 passed"), done.stdout
    (tmp_path / "sum.c").write_text(file("sum.c").replace("came = 0", "").replace("sum, came", "sum, came = 1"))
    done = execute(*words, "-k", "nobody or test_the_sum", folder=tmp_path)
    assert re.search(r"^-+ machine 0 -+\n\$ \./run\.sh --nodes=2 --digest -- \S+/sum\.elf\nit is at cycle \d+ of node 0\n",
                     done.stdout, re.MULTILINE), done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 failed, 3 passed"), done.stdout


def test_a_failing_set_up_shows_its_machines(tmp_path):
    """Also if the test has closed them. The plugin is loaded once if the package is installed and named on the command
    line."""
    points = tomllib.loads((ROOT / "tools" / "pyproject.toml").read_text())["project"]["entry-points"]["pytest11"]
    installed = tmp_path / "fugu-0.1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: fugu\nVersion: 0.1\n")
    (installed / "entry_points.txt").write_text("[pytest11]\n" + "".join(f"{one} = {points[one]}\n" for one in points))
    (tmp_path / "test_it.py").write_text("import pytest\n\n\n@pytest.fixture\ndef ended(fugu_machine):\n"
                                         "    assert fugu_machine('hello', nodes=1).finish().status == 1\n\n\n"
                                         "def test_it(ended):\n    pass\n")
    done = execute("-m", "pytest", "-q", "-p", "fugu.api.pytest_plugin", "-p", "no:cacheprovider", "test_it.py", folder=tmp_path)
    assert re.search(r"^-+ machine 0 -+\n\$ \./run\.sh --nodes=1 --digest -- hello\nit was closed: it is at its end, cycle \d+\n"
                     r"hello from node 0 of 1: hello\n", done.stdout, re.MULTILINE), done.stdout + done.stderr


def test_the_reference_has_all_calls():
    """The page's table names each public call of a machine and each field of a result, and nothing else."""
    table = PAGE[PAGE.index("## Reference"):PAGE.index("## What to know")]
    named = set(re.findall(r"`\.(\w+)", table))
    assert named == {name for name in vars(Machine) if not name.startswith("_")}
    assert set(Result.__dataclass_fields__) <= set(re.findall(r"`(\w+)`", table))

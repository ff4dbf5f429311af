"""./run.sh test --changed: what a file of tests uses, in a checkout that is made up."""

from __future__ import annotations

import pytest

from fugu.affected.modules import Modules, imports, module_file
from fugu.affected.tests import TestFiles, parameters

TREE = {
    "tools/fugu/__init__.py": "",
    "tools/fugu/__main__.py": "from fugu.cli import main",
    "tools/fugu/cli/__init__.py": "",
    "tools/fugu/cli/main.py": "",
    "tools/fugu/commands/__init__.py": "",
    "tools/fugu/commands/_parts.py": "",
    "tools/fugu/commands/run.py": "from ..machine import qemu",
    "tools/fugu/commands/sweep.py": "from ..sweep import table",
    "tools/fugu/machine/__init__.py": "",
    "tools/fugu/machine/qemu.py": "def start():\n    from . import words\n",
    "tools/fugu/machine/words.py": "from .qemu import start",
    "tools/fugu/machine/alone.py": "",
    "tools/fugu/report/__init__.py": "",
    "tools/fugu/report/__main__.py": "",
    "tools/fugu/sweep/__init__.py": "",
    "tools/fugu/sweep/__main__.py": "import fugu.sweep.places",
    "tools/fugu/sweep/table.py": "",
    "tools/fugu/sweep/places.py": "",
    "tests/conftest.py": "from fugu.sweep import table",
    "tests/support/run_sh.py": "def run_sh(*words): ...",
    "tests/support/timings.py": "import pytest\n\n\n@pytest.fixture\ndef scan(board): ...\n",
    "tests/support/boards.py": "import pytest\n\n\n@pytest.fixture(scope='module')\n@other\ndef board(): ...\n\n\ndef plain(): ...\n",
    "tests/shm/conftest.py": "import histories",
    "tests/shm/histories.py": "",
    "tests/shm/deep/conftest.py": "",
    "tests/shm/deep/own.py": "",
    "tests/shm/test_none.py": "import json",
    "tests/shm/deep/test_deep.py": "import own, histories",
    "tests/rq/test_module.py": "from fugu.machine import words",
    "tests/rq/test_alone.py": "import fugu.machine.alone",
    "tests/rq/test_command.py": "from run_sh import run_sh\nrun_sh('hello')",
    "tests/rq/test_sweep.py": "from run_sh import run_sh\nrun_sh('sweep')",
    "tests/rq/test_sweeping.py": "from run_sh import run_sh\nrun_sh('sweeping', '_parts')",
    "tests/rq/test_parameter.py": "def test(scan, plain): ...",
    "tests/rq/test_used.py": "@pytest.mark.usefixtures('board')\ndef test(): ...",
    "tests/rq/test_asked.py": "def test(request):\n    request.getfixturevalue('board')",
    "tests/rq/other.py": "",
    "tests/hw/ni/op-test.c": "int main;",
    "tests/hw/ni/op.c": "",
    "tests/unit/meson.build": "test()",
}
MACHINE = {f"tools/fugu/{name}.py" for name in ("__init__", "machine/__init__", "machine/qemu", "machine/words")}
REPORT = {f"tools/fugu/{name}.py" for name in ("__init__", "report/__init__", "report/__main__")}
STARTED = MACHINE | REPORT | {f"tools/fugu/{name}.py" for name in (
    "__main__", "cli/__init__", "cli/main", "commands/__init__", "commands/run")}
SWEEP = {f"tools/fugu/{name}.py" for name in (
    "commands/sweep", "sweep/__init__", "sweep/__main__", "sweep/table", "sweep/places")}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    root = tmp_path_factory.mktemp("checkout")
    for name, text in TREE.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{text}\n")
    return root


@pytest.mark.parametrize("text, found", [
    ("import a.b, c as d", {"a.b", "c"}),
    ("from a.b import c, d as e", {"a.b", "a.b.c", "a.b.d"}),
    ("from . import c", {"fugu.run", "fugu.run.c"}),
    ("from .a import c", {"fugu.run.a", "fugu.run.a.c"}),
    ("from .. import c", {"fugu", "fugu.c"}),
    ("from ..a.b import c", {"fugu.a.b", "fugu.a.b.c"}),
    ("def one():\n    import a", {"a"}),
    ("a = 'import b'", set()),
])
def test_imports(text, found, tmp_path):
    (tmp_path / "one.py").write_text(text)
    assert imports(tmp_path / "one.py", ("fugu", "run")) == found


def test_the_file_of_a_module(tree):
    assert module_file(tree, "fugu.machine.qemu") == tree / "tools/fugu/machine/qemu.py"
    assert module_file(tree, "fugu.machine") == tree / "tools/fugu/machine/__init__.py"
    assert module_file(tree, "fugu.machine.start") is None and module_file(tree, "json") is None


def test_what_modules_reach(tree):
    """Also what functions import, modules that import each other, and the packages that a module is in."""
    modules = Modules(tree)
    assert modules.reached(["fugu.machine.qemu"]) == modules.reached(["fugu.machine.words"]) == MACHINE
    assert modules.reached(["json", "fugu.machine.alone"]) == MACHINE - {
        "tools/fugu/machine/qemu.py", "tools/fugu/machine/words.py"} | {"tools/fugu/machine/alone.py"}
    assert modules.reached([]) == set()


@pytest.mark.parametrize("text, names", [
    ("def a(b, *c, d=1, **e): ...\nf = lambda g: 1", {"b", "c", "d", "e", "g"}),
    ("@pytest.mark.usefixtures('a', 'b')\nclass C: ...", {"a", "b"}),
    ("one.getfixturevalue('a')\none.getfixturevalue(b)\none.other('c')", {"a"}),
])
def test_fixtures_by_their_names(text, names, tmp_path):
    (tmp_path / "one.py").write_text(text)
    assert parameters(tmp_path / "one.py") == names


@pytest.mark.parametrize("test, used, modules", [
    ("shm/test_none", ["shm/conftest", "shm/histories"], set()),
    ("shm/deep/test_deep", ["shm/conftest", "shm/histories", "shm/deep/conftest", "shm/deep/own"], set()),
    ("rq/test_module", [], MACHINE | REPORT),
    ("rq/test_alone", [], MACHINE - {"tools/fugu/machine/qemu.py", "tools/fugu/machine/words.py"} | REPORT |
     {"tools/fugu/machine/alone.py"}),
    ("rq/test_command", ["support/run_sh"], STARTED),
    ("rq/test_sweep", ["support/run_sh"], STARTED | SWEEP),
    ("rq/test_sweeping", ["support/run_sh"], STARTED),
    ("rq/test_parameter", ["support/timings", "support/boards"], set()),
    ("rq/test_used", ["support/boards"], set()),
    ("rq/test_asked", ["support/boards"], set()),
])
def test_what_a_file_of_tests_uses(test, used, modules, tree):
    """What tests/conftest.py uses, for all tests, does not count: a change of it concerns all of them anyway."""
    (found,) = [one for one in TestFiles(tree).all() if one.path == f"tests/{test}.py"]
    assert found.used == {f"tests/{name}.py" for name in [test, *used]}
    assert found.modules == modules
    assert found.text == "\n".join(f"{TREE[name]}\n" for name in sorted(found.used))


def test_files_of_tests_and_programs_that_are_tests(tree):
    found = {one.path: one for one in TestFiles(tree).all()}
    programs = {"tests/hw/ni/op-test.c", "tests/unit/meson.build"}
    assert found.keys() == programs | {name for name in TREE if "/test_" in name}
    for path in programs:
        assert found[path].used == {path} and found[path].modules == set() and found[path].text == f"{TREE[path]}\n"


def test_the_words_of_a_file(tree):
    """With the signs that names of files and programs have, and without them."""
    (found,) = [one for one in TestFiles(tree).all() if one.path == "tests/hw/ni/op-test.c"]
    assert found.words == {"int", "main"}
    (found,) = [one for one in TestFiles(tree).all() if one.path == "tests/rq/test_alone.py"]
    assert found.words == {"import", "fugu.machine.alone", "fugu", "machine", "alone"}

"""The launcher's packages: none imports from one above it; each says what its modules are for."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import fugu
from fugu.paths import ROOT

LAUNCHER = ROOT / "tools" / "fugu"
# Packages and modules, the highest first, as the package's docstring lists them.
FLOORS = re.findall(r"^    (\w+) ", fugu.__doc__ or "", re.MULTILINE)


def imported(file: Path) -> set[str]:
    """The packages and modules of fugu that a module imports from, at its top or when a function runs."""
    package = ["fugu", *file.relative_to(LAUNCHER).parts[:-1]]
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            base = package[:len(package) - node.level + 1] if node.level else []
            names = [*base, *(node.module or "").split(".")] if node.module else base
            found |= {(*names, alias.name)[:2] for alias in node.names}
    return {name[1] for name in found if name[0] == "fugu"}


def test_no_package_imports_from_a_higher_one():
    assert FLOORS[0] == "cli" and FLOORS[-1] == "errors"
    assert set(FLOORS) == {path.stem for path in LAUNCHER.iterdir()
                           if path.name[0] not in "_." and path.suffix in ("", ".py")}
    wrong = []
    for file in sorted(LAUNCHER.rglob("*.py")):
        floor = file.relative_to(LAUNCHER).parts[0].removesuffix(".py")
        if floor in FLOORS:
            higher = imported(file) & set(FLOORS[:FLOORS.index(floor)])
            wrong += [f"{file.relative_to(ROOT)} imports from {name}" for name in sorted(higher)]
    assert not wrong, "\n".join(wrong)


def test_each_package_names_its_modules():
    for init in LAUNCHER.glob("*/**/__init__.py"):
        said = ast.get_docstring(ast.parse(init.read_text()), clean=False) or ""
        modules = {path.stem for path in init.parent.glob("*.py")} - {"__init__"}
        packages = {path.parent.name for path in init.parent.glob("*/__init__.py")}
        assert set(re.findall(r"^    (\w+) ", said, re.MULTILINE)) == modules | packages, init


def test_one_place_starts_children_and_one_makes_folders():
    """What is started elsewhere would go on after the launcher, and a folder made elsewhere would stay."""
    started = {str(file.relative_to(LAUNCHER)) for file in LAUNCHER.rglob("*.py")
               if re.search(r"subprocess\.Popen\(", file.read_text())}
    assert started == {"host/children.py"}
    # That of patches.py is in the cache, and has to be on its disk.
    made = {str(file.relative_to(LAUNCHER)) for file in LAUNCHER.rglob("*.py")
            if re.search(r"TemporaryDirectory\(|mkdtemp\(", file.read_text())}
    assert made == {"host/scratch.py", "build/patches.py"}

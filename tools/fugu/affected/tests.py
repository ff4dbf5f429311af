"""What a file of tests uses: modules of the launcher, helpers and fixtures of tests/, commands, names in its text."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from .modules import Modules, imports

# A test file with one of these names starts ./run.sh, and so any command that it names.
STARTS = re.compile(r"\b(run_sh|launcher|COMMAND)\b")


@dataclass(frozen=True)
class TestFile:
    """A file of tests, with all files of tests/ that it uses, and their text."""

    __test__ = False            # pytest would look for tests in it

    path: str                   # below the root
    used: frozenset[str]        # files of tests/, itself among them
    text: str
    modules: frozenset[str]     # files of tools/ that may run

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(re.findall(r"[\w.+-]+", self.text)) | frozenset(re.findall(r"\w+", self.text))


def parameters(file: Path) -> set[str]:
    """The names of the parameters of all functions of a file, and the fixtures that it names otherwise."""
    nodes = list(ast.walk(ast.parse(file.read_text())))
    return ({node.arg for node in nodes if isinstance(node, ast.arg)} |
            {str(word.value) for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
             and node.func.attr in ("usefixtures", "getfixturevalue") for word in node.args if isinstance(word, ast.Constant)})


class TestFiles:
    """All files of tests below a root."""

    __test__ = False

    def __init__(self, root: Path) -> None:
        self.root, self.folder = root, root / "tests"
        # Most files are used by many tests; each is read once.
        self._needs: dict[Path, tuple[set[str], list[Path], str]] = {}
        self.modules = Modules(root)
        self.support = {path.stem: path for path in sorted((self.folder / "support").glob("*.py"))}
        tools = root / "tools" / "fugu"
        self.commands = sorted(path.stem for path in (tools / "commands").glob("[a-z]*.py"))
        # What commands, or else QEMU, start as programs of their own.
        self.mains = {path.parent.name: f"fugu.{path.parent.name}.__main__" for path in tools.glob("*/__main__.py")}
        # A fixture is used without an import: as a parameter.
        self.fixtures = {name: path for path in self.support.values()
                         for name in re.findall(r"@pytest\.fixture.*\n(?:@.*\n)*def (\w+)", path.read_text())}

    def all(self) -> list[TestFile]:
        found = [self._python(path) for path in sorted(self.folder.rglob("test_*.py"))]
        others = [*sorted((self.folder / "hw").rglob("*-test.c")), *self.folder.glob("unit/meson.build")]
        return [*found, *(TestFile(self._name(path), frozenset({self._name(path)}), path.read_text(), frozenset())
                          for path in others)]

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def _python(self, test: Path) -> TestFile:
        waiting, used = [test], set[Path]()
        names: set[str] = set()
        while waiting:
            file = waiting.pop()
            if file in used:
                continue
            used.add(file)
            imported, helpers, _ = self._needs_of(file)
            names |= imported
            waiting += helpers
        text = "\n".join(self._needs_of(file)[2] for file in sorted(used))
        names = {name for name in names if name.partition(".")[0] == "fugu"}
        if STARTS.search(text):
            names |= {"fugu.__main__", "fugu.cli.main", "fugu.commands.run"}
            named = [name for name in self.commands if re.search(rf"""["' ]{name}["' ]""", text)]
            names |= {f"fugu.commands.{name}" for name in named} | {self.mains[name] for name in named if name in self.mains}
        if names:
            names |= {main for name, main in self.mains.items() if name not in self.commands}
        return TestFile(self._name(test), frozenset(map(self._name, used)), text, frozenset(self.modules.reached(names)))

    def _needs_of(self, file: Path) -> tuple[set[str], list[Path], str]:
        """What a file imports, the files of tests/ that it needs for that, for its fixtures and its folder; its text."""
        if file not in self._needs:
            imported = imports(file)
            needed = [path for name in imported if (path := self._helper(name, file.parent))]
            needed += [self.fixtures[word] for word in parameters(file) & self.fixtures.keys()]
            needed += [path for folder in file.parents if folder.is_relative_to(self.folder)
                       and folder != self.folder and (path := folder / "conftest.py").is_file()]
            self._needs[file] = imported, needed, file.read_text()
        return self._needs[file]

    def _helper(self, name: str, folder: Path) -> Path | None:
        """A module of tests/ that files in a folder import: of support/, or of a folder from theirs upward."""
        if name in self.support:
            return self.support[name]
        places = [folder, *(one for one in folder.parents if one.is_relative_to(self.folder))]
        return next((path for one in places if (path := one / f"{name}.py").is_file()), None)

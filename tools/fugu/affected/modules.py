"""Which module of the launcher imports which, at its top or when a function runs."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path


def module_file(root: Path, name: str) -> Path | None:
    """The file of a module such as "fugu.run.parse"."""
    base = root / "tools" / name.replace(".", "/")
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def imports(file: Path, package: tuple[str, ...] = ()) -> set[str]:
    """The modules that a file imports, by their full names; a name that is no module may be among them.
    `package`: the package that the file is in, for relative imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = [*package[:len(package) - node.level + 1]] if node.level else []
            base += (node.module or "").split(".") if node.module else []
            found |= {".".join([*base, *more]) for alias in node.names for more in ((), (alias.name,))}
    return found


class Modules:
    """The launcher's modules."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._imported: dict[Path, set[Path]] = {}

    def reached(self, names: Iterable[str]) -> set[str]:
        """The files below the root that are imported with these modules, however indirectly."""
        waiting = [file for name in names if (file := module_file(self.root, name))]
        found: set[Path] = set()
        while waiting:
            file = waiting.pop()
            if file not in found:
                found.add(file)
                waiting += self._imports_of(file)
        return {file.relative_to(self.root).as_posix() for file in found}

    def _imports_of(self, file: Path) -> set[Path]:
        if file not in self._imported:
            package = file.relative_to(self.root / "tools").parts[:-1]
            # The __init__ of each package that a module is in runs before it.
            names = imports(file, package) | {".".join(package[:k]) for k in range(1, len(package) + 1)}
            self._imported[file] = {path for name in names if (path := module_file(self.root, name))}
        return self._imported[file]

"""The source files of a folder, and the names that its index has for them.

The index of a folder is its README.md, the docstring of its __init__.py, and
the comment at the top of a header that lists them. A folder without an index of its
own has a place in the README.md of the nearest folder above: a section headed
by its path, or all of the page.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCES = {".S", ".c", ".h", ".ld", ".md", ".pml", ".py"}
PAGE = "README.md"
INDEX = {PAGE, "__init__.py", "__main__.py", "meson.build"}


def folders(root: Path) -> Iterator[Path]:
    """All folders below `root` that have source files, and `root` itself."""
    for folder in (root, *sorted(root.rglob("*"))):
        if folder.is_dir() and folder.name != "__pycache__" and sources(folder):
            yield folder


def sources(folder: Path) -> list[str]:
    """The names of a folder's source files, without those of its index."""
    return sorted(path.name for path in folder.iterdir() if path.suffix in SOURCES and path.name not in INDEX)


def unnamed(folder: Path, top: Path) -> list[str]:
    """The source files that have no place in an index; `top` is the highest folder whose README.md counts.

    A header goes with the file of that name, and NAME_code.S with NAME. A single file needs no index: the folder's name
    says what the file is.
    """
    if len(sources(folder)) == 1:
        return []
    known = _own_names(folder) | _names_above(folder, top)
    return [name for name in sources(folder) if not {Path(name).stem, Path(name).stem.removesuffix("_code")} & known]


def _own_names(folder: Path) -> set[str]:
    found = set()
    init = folder / "__init__.py"
    if init.exists():
        found |= _stems(ast.get_docstring(ast.parse(init.read_text())) or "")
    for header in folder.glob("*.h"):
        comment = re.match(r"/\*.*?\*/", header.read_text(), re.DOTALL)
        listed = _stems(comment[0] if comment else "")
        found |= listed if len(listed & {Path(name).stem for name in sources(folder)}) > 1 else set()
    return found


def _names_above(folder: Path, top: Path) -> set[str]:
    for above in (folder, *folder.parents):
        page = above / PAGE
        if page.exists():
            text = page.read_text()
            path = folder.relative_to(above).as_posix()
            section = re.search(rf"^## `?{re.escape(path)}/`?.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
            named = re.findall(r"`([^`]+)`|\]\(([^)]+)\)", section[0] if section else text)
            return {stem for code, link in named for stem in _stems(code or link)}
        if above == top:
            break
    return set()


def _stems(text: str) -> set[str]:
    """The words of a text that can be file names, without what follows the first dot."""
    return {word.partition(".")[0] for word in re.findall(r"[\w-][\w.-]*", text)}

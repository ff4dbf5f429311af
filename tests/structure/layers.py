"""The layers of a source tree: which folder may need which, and in what order a folder lists its files.

A tree's README.md has a table under the heading "Layers": a folder in each row, the lowest first.
Each folder's README.md has a table of its files, the lowest first. A folder in a folder has a README.md
of its own; the rows of the one above, such as `inner/`, say in which order. Files beside the tree's
README.md are below all layers. A file needs another if it includes its header, or if the compiled file has a
symbol undefined that the other one defines.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

SUFFIXES = {".c", ".h", ".S"}
PAGE = "README.md"


@dataclass(frozen=True, order=True)
class Need:
    """`source` needs `target` because of `name`, a header or a symbol. Both are paths without suffixes."""

    source: str
    target: str
    name: str

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}: {self.name}"


def layers(root: Path) -> list[str]:
    """The folders of a tree, the lowest first."""
    return [row.rstrip("/") for row in _rows(root / PAGE, "Layers")]


def order(root: Path) -> dict[str, int]:
    """The place of each file in its tree, without its suffix, counted from the bottom; `root` has layers."""
    listed = [str(path.with_suffix("")) for path in sources(root) if len(path.parts) == 1]
    for layer in layers(root):
        listed += _listed(root, root / layer)
    return {name: place for place, name in enumerate(dict.fromkeys(listed))}


def _listed(root: Path, folder: Path) -> list[str]:
    """The files that a folder's page lists, then those of the folders in it, in the order of its rows."""
    rows = list(_rows(folder / PAGE))
    found = [str((folder / Path(name).stem).relative_to(root)) for name in rows if Path(name).suffix in SUFFIXES]
    named = [folder / name for name in rows if name.endswith("/")]
    inner = sorted(page.parent for page in folder.glob(f"*/{PAGE}"))
    for each in dict.fromkeys([*named, *inner]):
        found += _listed(root, each)
    return found


def sources(root: Path) -> list[Path]:
    """The C and assembly files of a tree, relative to it."""
    return sorted(path.relative_to(root) for path in root.rglob("*") if path.suffix in SUFFIXES)


def needs(root: Path, nm: str, objects: Path) -> list[Need]:
    """What the files of a tree need of each other; Meson has put their objects into folders below `objects`."""
    found = {need for path in sources(root) for need in _included(root, path)}
    compiled: dict[str, list[Path]] = {}
    for path in sources(root):
        if path.suffix != ".h":
            compiled.setdefault(str(path.with_suffix("")), []).append(_object(objects, path))
    symbols = {name: _symbols(nm, paths) for name, paths in compiled.items()}
    owner = {symbol: name for name, (defined, _) in symbols.items() for symbol in defined}
    for name, (_, undefined) in symbols.items():
        found |= {Need(name, owner[symbol], symbol) for symbol in undefined if owner.get(symbol, name) != name}
    return sorted(found)


def upward(found: Iterable[Need], place: dict[str, int], tree_layers: list[str]) -> list[Need]:
    """The needs that lead to a higher layer, or to a file that its folder lists later."""
    def rank(name: str) -> tuple[int, int]:
        layer, _, inside = name.partition("/")
        return tree_layers.index(layer) if inside else -1, place[name]

    return [need for need in found if rank(need.source) < rank(need.target)]


def _rows(page: Path, heading: str = "") -> Iterator[str]:
    text = page.read_text()
    if heading:
        section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        assert section, f"{page} has no section {heading}"
        text = section[1]
    for row in re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE):
        yield from re.findall(r"`([\w./-]+)`", row)


def _included(root: Path, path: Path) -> Iterator[Need]:
    own = str(path.with_suffix(""))
    for name in re.findall(r'^#\s*include "([^"]+)"', (root / path).read_text(), re.MULTILINE):
        beside = (root / path).parent / name
        header = beside.relative_to(root) if beside.exists() else Path(name)
        if (root / header).exists() and str(header.with_suffix("")) != own:
            yield Need(own, str(header.with_suffix("")), header.name)


def _object(objects: Path, path: Path) -> Path:
    """The object of a source file: Meson names it by the file's path."""
    found = list(objects.glob(f"*.p/{'_'.join(path.parts)}.o"))
    assert len(found) == 1, f"{path} has {len(found)} objects in {objects}"
    return found[0]


def _symbols(nm: str, paths: list[Path]) -> tuple[set[str], set[str]]:
    """The global symbols that objects define, and those that they leave undefined."""
    printed = subprocess.run([nm, "-g", *map(str, paths)], capture_output=True, text=True, check=True, timeout=60)
    lines = [line.split() for line in printed.stdout.splitlines() if line.strip() and not line.endswith(":")]
    undefined = {line[-1] for line in lines if line[-2] in "Uw"}
    return {line[-1] for line in lines} - undefined, undefined

"""Who needs whom among the C files of a tree that need not have been compiled.

A file needs another if it includes its header, or names its function, variable or macro.
Universal Ctags finds the definitions; the compiler's preprocessor removes the comments.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from layers import Need

SUFFIXES = (".c", ".h", ".S")
# What another file may name: functions, variables and macros of C, labels and macros of assembly.
GLOBAL = ["--extras=-F", "--kinds-C=fvd", "--kinds-Asm=ld"]
# What a file may name for itself: static functions, members, local variables and parameters too.
LOCAL = ["--extras=+F", "--kinds-C=fvdmlz", "--kinds-Asm=ld"]
STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"')


class Tree:
    """The C and assembly files of a folder and its subfolders.

    `units` maps each file to its path in the tree without a suffix, so that a header goes with its source file.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        paths = sorted(path for path in root.rglob("*") if path.suffix in SUFFIXES)
        self.units = {path: str(path.relative_to(root).with_suffix("")) for path in paths}

    def needs(self) -> list[Need]:
        """What different units need of each other, sorted."""
        # A name that several files define belongs to none of them.
        owner = {name: self.units[paths[0]] for name, paths in self._tags(GLOBAL).items() if len(paths) == 1}
        own = {(name, path) for name, paths in self._tags(LOCAL).items() for path in paths}
        found = set()
        for path, unit in self.units.items():
            text = path.read_text()
            found |= {Need(unit, self.units[header], header.name) for header in self._headers(path, text)}
            words = set(re.findall(r"\b[A-Za-z_]\w*\b", _code(text)))
            found |= {Need(unit, owner[word], word) for word in words if word in owner and (word, path) not in own}
        return sorted(need for need in found if need.source != need.target)

    def _headers(self, path: Path, text: str) -> list[Path]:
        """The headers of this tree that a file includes, by their path in QEMU, in the tree or beside the file."""
        included = []
        for name in re.findall(r'^#\s*include "([^"]+)"', text, re.MULTILINE):
            end = "/" + name.removeprefix("hw/fugu/")
            found = [header for header in self.units if header.as_posix().endswith(end)]
            beside = path.parent / name
            included += [beside] if beside in found else found[:1]
        return included

    def _tags(self, kinds: list[str]) -> dict[str, list[Path]]:
        """The files that define each name, by ctags."""
        command = ["ctags-universal", "-f-", "--sort=no", "--langmap=Asm:.S", *kinds, *map(str, self.units)]
        tags = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
        found: dict[str, dict[Path, None]] = {}
        for line in tags.splitlines():
            name, path = line.split("\t")[:2]
            found.setdefault(name, {})[Path(path)] = None
        return {name: list(paths) for name, paths in found.items()}


def _code(text: str) -> str:
    """The text without comments, strings and included files."""
    text = re.sub(r"^#\s*include .*$", "", text, flags=re.MULTILINE)
    command = ["gcc", "-fpreprocessed", "-dD", "-E", "-P", "-x", "c", "-"]
    stripped = subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=60).stdout
    return STRINGS.sub("", stripped)

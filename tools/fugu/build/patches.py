"""Applies the patch series to QEMU's source so that little is rebuilt.

The pristine version of each file that a patch has ever touched is kept beside
the tree. A changed series is applied to copies of these files. Only files that
differ from the result are written into the tree.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from ..errors import SetupError
from ..host import execute, storage
from .tree import write_if_different


def read_series(folder: Path) -> dict[str, bytes]:
    """The patches that folder/series names, in order, by name. Empty without that file.

    The file is as quilt's: a name on each line, `#` starts a comment.
    SetupError if a patch is missing.
    """
    series = folder / "series"
    if not series.exists():
        return {}
    names = [line.split("#")[0].split() for line in series.read_text().splitlines()]
    patches = {}
    for words in names:
        if not words:
            continue
        try:
            patches[words[0]] = (folder / words[0]).read_bytes()
        except OSError:
            raise SetupError(f"{series} names {words[0]}, which does not exist.") from None
    return patches


def touched_files(patches: dict[str, bytes]) -> list[str]:
    """Paths in the tree of all files that the patches change or add."""
    found: set[str] = set()
    for patch in patches.values():
        text = patch.decode(errors="replace")
        for name in re.findall(r"^(?:---|\+\+\+) (\S+)", text, re.MULTILINE):
            if name != "/dev/null" and "/" in name:
                found.add(name.split("/", 1)[1])
    return sorted(found)


class PatchedTree:
    """A source tree with the pristine versions of its patched files."""

    def __init__(self, src: Path, pristine: Path, log: Path) -> None:
        self.src, self.pristine, self.log = src, pristine, log
        self.absent = storage.Stamp(pristine / ".absent.json")

    def apply(self, patches: dict[str, bytes]) -> int:
        """Makes the tree equal to the pristine one with these patches. Returns the number of files written."""
        touched = touched_files(patches)
        self._keep_pristine(touched)
        with tempfile.TemporaryDirectory(dir=self.pristine.parent) as name:
            work = Path(name)
            absent = set(self.absent.read() or [])
            for file in touched:
                if file not in absent:
                    self._copy(self.pristine / file, work / file)
            for patch_name, patch in patches.items():
                self._patch(patch_name, patch, work)
            return sum(self._settle(file, work / file if file in touched else self.pristine / file)
                       for file in self._known())

    def _known(self) -> list[str]:
        """All files that a patch has ever touched."""
        kept = [str(path.relative_to(self.pristine)) for path in self.pristine.rglob("*")
                if path.is_file() and path != self.absent.path]
        return sorted({*kept, *(self.absent.read() or [])})

    def _keep_pristine(self, touched: list[str]) -> None:
        """Keeps the pristine version of each file that is about to be patched for the first time."""
        known = set(self._known())
        absent = set(self.absent.read() or [])
        for file in touched:
            if file in known:
                continue
            if (self.src / file).exists():
                part = self.pristine.parent / "part"
                self._copy(self.src / file, part)
                (self.pristine / file).parent.mkdir(parents=True, exist_ok=True)
                part.replace(self.pristine / file)
            else:
                absent.add(file)
        self.pristine.mkdir(parents=True, exist_ok=True)
        self.absent.write(sorted(absent))

    def _patch(self, name: str, patch: bytes, work: Path) -> None:
        file = self.pristine.parent / "patch"
        file.write_bytes(patch)
        # Point releases of QEMU move lines. -F1 allows for that, and still compares most of the context.
        status, tail = execute.attempt(["patch", "-p1", "-f", "-F1", "--no-backup-if-mismatch", "-r", "-", "-i", file],
                                       self.log, cwd=work)
        if status:
            raise SetupError("\n".join([f"{name} does not apply to this QEMU source:",
                                        *("| " + line for line in tail),
                                        "Your own source tree (FUGU_QEMU_SRC) must be QEMU 10.0, unchanged."]))

    def _settle(self, file: str, wanted: Path) -> int:
        """Makes a file of the tree equal to `wanted`, and absent if `wanted` is. Returns whether it changed."""
        target = self.src / file
        if wanted.exists():
            return write_if_different(target, wanted.read_bytes(), wanted.stat().st_mode & 0o777)
        existed = target.exists()
        target.unlink(missing_ok=True)
        return existed

    @staticmethod
    def _copy(source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
        target.chmod(source.stat().st_mode & 0o777)

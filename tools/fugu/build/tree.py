"""Makes files of QEMU's tree equal to ours, writing only those that differ.

ninja compares times and compiles every file that was written, so files with
the same contents are not written. Then a build after an edit takes seconds,
and checkouts with different contents can share one tree.
"""

from __future__ import annotations

from pathlib import Path

from .fingerprint import is_junk


def files(root: Path) -> list[Path]:
    """All files below root, sorted, without those that editors and Python leave."""
    if not root.is_dir():
        return []
    return sorted(path for path in root.rglob("*")
                  if path.is_file() and not any(is_junk(part) for part in path.relative_to(root).parts))


def write_if_different(path: Path, content: bytes, mode: int | None = None) -> bool:
    """Gives the file this content. Returns whether it was written."""
    try:
        if path.read_bytes() == content:
            return False
    except OSError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    if mode is not None:
        path.chmod(mode)
    return True


def snapshot(root: Path) -> dict[str, bytes]:
    """Contents of all files below root, by path relative to it.

    A build takes it once, so that the build and its key agree even if a file
    is edited meanwhile.
    """
    return {str(path.relative_to(root)): path.read_bytes() for path in files(root)}


def mirror(contents: dict[str, bytes], target: Path) -> int:
    """Makes `target` contain exactly these files. Returns how many were written or removed."""
    touched = sum(write_if_different(target / name, content) for name, content in contents.items())
    for path in sorted(target.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif str(path.relative_to(target)) not in contents:
            path.unlink()
            touched += 1
    return touched

"""Keeps files of QEMU's tree equal to ours, touching only what differs.

ninja goes by times: a file that is written anew is compiled anew, so one
with the same contents is left alone. Then an edit rebuilds in seconds, and
checkouts with different contents can share one tree.
"""

from __future__ import annotations

from pathlib import Path

from .fingerprint import is_junk


def files(root: Path) -> list[Path]:
    """All files below root, without what editors leave behind; sorted."""
    if not root.is_dir():
        return []
    return sorted(path for path in root.rglob("*")
                  if path.is_file() and not any(is_junk(part) for part in path.relative_to(root).parts))


def write_if_different(path: Path, content: bytes, mode: int | None = None) -> bool:
    """Makes the file have that content; returns whether it was touched."""
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

    Taken once for a build, so that its key and what is built are the same
    even if somebody edits meanwhile.
    """
    return {str(path.relative_to(root)): path.read_bytes() for path in files(root)}


def mirror(contents: dict[str, bytes], target: Path) -> int:
    """Makes `target` hold just these files; returns how many were touched."""
    touched = sum(write_if_different(target / name, content) for name, content in contents.items())
    for path in sorted(target.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif str(path.relative_to(target)) not in contents:
            path.unlink()
            touched += 1
    return touched

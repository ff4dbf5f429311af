"""Temporary folders, of which none stays: the next run removes those of a run that was killed.

All are in one folder of the user's, in the directory for temporary files. A
folder's run holds a lock on it, which the host's kernel frees when the run ends,
in whatever way.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import SetupError
from . import storage

ELSEWHERE = "elsewhere"         # in a folder: a link to one that has to be on another disk


@contextmanager
def folder(beside: str | None = None) -> Iterator[str]:
    """An empty folder, which is removed at the end. SetupError.

    With `beside`, it is a hidden one in that directory: for files that may be large.
    """
    with _locked() as root:
        for entry in root.iterdir():
            _sweep(entry)
        own = Path(tempfile.mkdtemp(dir=root, prefix=""))
        held = os.open(own, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(held, fcntl.LOCK_EX)
    maker = os.getpid()
    try:
        if beside is None:
            yield str(own)
            return
        # The link is there before the folder: a run that is killed in between leaves nothing but the link.
        other = Path(os.path.abspath(beside), f".fugu-{own.name}-{os.urandom(4).hex()}")
        (own / ELSEWHERE).symlink_to(other)
        other.mkdir(0o700)
        yield str(other)
    finally:
        if os.getpid() == maker:            # not a fork of it that ends
            with _locked() as root:
                _remove(own)
                with suppress(OSError):     # others are there
                    root.rmdir()
        os.close(held)


def _root() -> Path:
    """The folder of all these folders, which only its user can enter. SetupError."""
    root = Path(tempfile.gettempdir(), f"fugu-{os.geteuid()}")
    with suppress(FileExistsError):
        root.mkdir(0o700)
    try:
        found = root.lstat()
    except FileNotFoundError:
        return _root()              # another run has just removed it
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise SetupError(f"{root} is not a folder that you alone can enter.\n"
                         "Remove it, or name another directory for temporary files: TMPDIR=/some/directory")
    return root


@contextmanager
def _locked() -> Iterator[Path]:
    """The folder of all. Meanwhile, no other run makes or removes anything there. SetupError."""
    while (held := _lock(root := _root())) is None:
        pass                        # another run has just removed it
    try:
        yield root
    finally:
        os.close(held)


def _lock(root: Path) -> int | None:
    """The folder, open and locked. None if it was removed meanwhile."""
    try:
        held = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    fcntl.flock(held, fcntl.LOCK_EX)
    if os.fstat(held).st_nlink:
        return held
    os.close(held)
    return None


def _sweep(entry: Path) -> None:
    """Removes a folder whose run has ended."""
    try:
        held = os.open(entry, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return                      # no folder of a run
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _remove(entry)
    except BlockingIOError:
        pass                        # its run goes on
    finally:
        os.close(held)


def _remove(own: Path) -> None:
    """Removes a folder, and the one elsewhere that belongs to it. What cannot be removed stays for the next run."""
    with suppress(OSError):
        with suppress(FileNotFoundError):
            other = Path(os.readlink(own / ELSEWHERE))
            if other.name.startswith(f".fugu-{own.name}-") and not other.is_symlink():
                storage.remove(other)
        storage.remove(own)

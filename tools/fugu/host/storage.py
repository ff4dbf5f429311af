"""What set-up keeps on disk: the cache, stamps, whole files, keys of contents."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

from ..errors import SetupError

CACHE_TAG = ("Signature: 8a477f597d28d172789f06886806bc55\n"
             "# The cache of the fugu simulator; ./run.sh clean --cache removes it.\n")


def write_atomically(path: Path, text: str) -> None:
    """Writes a file so that it is there whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(text)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def key(*parts: Any) -> str:
    """A short name for contents: the same parts give the same 16 digits."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:16]


def digests(contents: dict[str, bytes]) -> list[list[str]]:
    """[name, SHA-256] of each of these contents, sorted by name."""
    return sorted([name, hashlib.sha256(content).hexdigest()] for name, content in contents.items())


class Stamp:
    """Says that a step is done, and with what. Written last, so a step that
    was interrupted has none and is redone or continued."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Any:
        """What was written, or None when the step is not done."""
        try:
            return json.loads(self.path.read_text())
        except (OSError, ValueError):
            return None

    def write(self, content: Any = True) -> None:
        """The step is done."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self.path, json.dumps(content))

    def remove(self) -> None:
        """The step is to be done again."""
        self.path.unlink(missing_ok=True)


def remove(path: Path) -> None:
    """Removes a file or a directory with all in it, if it is there."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)


def fresh_dir(path: Path) -> Path:
    """An empty directory in place of whatever was there."""
    remove(path)
    path.mkdir(parents=True)
    return path


def make_cache(cache: Path) -> Path:
    """The cache directory, made if need be, and marked as one."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        tag = cache / "CACHEDIR.TAG"
        if not tag.exists():
            tag.write_text(CACHE_TAG)
    except OSError as error:
        raise SetupError(f"the cache {cache} cannot be made: {error.strerror}.\n"
                         "Name another place: FUGU_CACHE=/some/directory") from None
    return cache

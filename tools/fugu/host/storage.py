"""What set-up keeps on disk: the cache, stamps of finished steps; keys of contents."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from ..errors import SetupError, owner
from ..paths import shared_cache

CACHE_TAG = ("Signature: 8a477f597d28d172789f06886806bc55\n"
             "# The cache of the fugu simulator; ./run.sh clean --cache removes it.\n")


def write_atomically(path: Path, content: str | bytes) -> None:
    """Writes a file so that readers see all of it or none. OSError."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_bytes(content.encode() if isinstance(content, str) else content)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def key(*parts: Any) -> str:
    """A name for contents: 16 digits, the same for the same parts."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:16]


def digests(contents: dict[str, bytes]) -> list[list[str]]:
    """[name, SHA-256] of each of these contents, sorted by name."""
    return sorted([name, hashlib.sha256(content).hexdigest()] for name, content in contents.items())


class Stamp:
    """A file that says that a step is done, and what it was done with.

    It is written last. A step that was interrupted has no stamp, and is done
    again or continued.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Any:
        """The content of the stamp, or None if the step is not done."""
        try:
            return json.loads(self.path.read_text())
        except (OSError, ValueError):
            return None

    def write(self, content: Any = True) -> None:
        """Marks the step as done."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self.path, json.dumps(content))

    def remove(self) -> None:
        """Makes the step be done again."""
        self.path.unlink(missing_ok=True)


def remove(path: Path) -> None:
    """Removes a file, or a directory with its contents, if it is there. Of a result its stamp goes first: a removal that is
    interrupted leaves nothing that looks complete."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        import shutil

        Stamp(path / "complete.json").remove()
        shutil.rmtree(path)


def fresh_dir(path: Path) -> Path:
    """Makes an empty directory. What was at the path is removed."""
    remove(path)
    path.mkdir(parents=True)
    return path


def entry(cache: Path, *names: str) -> Path:
    """The folder of a result in the cache: in the shared cache if it is complete there, otherwise in `cache`."""
    shared = shared_cache()
    if shared and Stamp(shared.joinpath(*names, "complete.json")).read() is not None:
        return shared.joinpath(*names)
    return cache.joinpath(*names)


def make_cache(cache: Path) -> Path:
    """Makes the cache directory, and the tag that marks it as one. Returns its path. SetupError."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        tag = cache / "CACHEDIR.TAG"
        if not tag.exists():
            tag.write_text(CACHE_TAG)
    except OSError as error:
        raise SetupError(f"the cache {cache} cannot be made: {error.strerror}{owner(cache)}.\n"
                         "Name another place: FUGU_CACHE=/some/directory") from None
    if not os.access(cache, os.W_OK | os.X_OK):
        raise SetupError(f"the cache {cache} cannot be written{owner(cache)}.\n"
                         "Name another place: FUGU_CACHE=/some/directory")
    return cache

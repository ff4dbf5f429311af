"""`./run.sh clean`: removes what was built."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ..build import cplusplus
from ..errors import UsageError
from ..host import lock, storage
from ..paths import build_dir, cache_dir
from ..suggest import did_you_mean


def main(words: list[str]) -> int:
    """Removes the build directory, and with --cache the cache too."""
    known = ("--cache", "--yes")
    for word in words:
        if word not in known:
            raise UsageError(f"clean has no option {word}.{did_you_mean(word, known)}\nIt takes: {', '.join(known)}.")
    build = build_dir()
    if build.exists():
        _check_build(build)
        _remove(build)
        print(f"removed {build}")
    if "--cache" in words:
        _clean_cache(cache_dir(), "--yes" in words)
    return 0


def _check_build(build: Path) -> None:
    """Raises UsageError unless run.sh made the directory: FUGU_BUILD may name any."""
    if any(build.iterdir()) and not (build / ".fugu").is_dir():
        raise UsageError(f"{build} does not look like a build directory of run.sh, so it is kept.\n"
                         "Remove it by hand if it is one.")


def _remove(build: Path) -> None:
    """Removes the build directory, after a build that is under way there."""
    own = build / ".fugu"
    if not own.is_dir():
        storage.remove(build)
        return
    with lock.held(own / "lock"):
        # What marks it as ours goes last, so that an interrupted clean can be repeated.
        for path in sorted(build.iterdir(), key=lambda path: path == own):
            storage.remove(path)
    os.rmdir(build)


def _clean_cache(cache: Path, sure: bool) -> None:
    if not cache.exists():
        print(f"there is no {cache}")
        return
    if not (cache / "CACHEDIR.TAG").exists():
        raise UsageError(f"{cache} does not look like a cache of run.sh (no CACHEDIR.TAG), so it is kept.")
    if not sure:
        _ask(cache)
    with lock.held(cache / "lock"), lock.held(cache / cplusplus.LOCK):
        for path in sorted(cache.iterdir()):
            # The tag is removed last, so that an interrupted clean can be repeated.
            if path.name not in ("lock", cplusplus.LOCK, "CACHEDIR.TAG"):
                storage.remove(path)
        (cache / "CACHEDIR.TAG").unlink()
        (cache / cplusplus.LOCK).unlink()
        (cache / "lock").unlink()
    os.rmdir(cache)
    print(f"removed {cache}")


def _ask(cache: Path) -> None:
    question = f"the cache {cache} takes about 20 minutes to build again"
    if not sys.stdin.isatty():
        raise UsageError(f"{question}; use --yes to remove it without a question.")
    try:
        answer = input(f"fugu: {question}. Remove it? [y/N] ")
    except EOFError:
        answer = ""
    if answer.strip().lower() not in ("y", "yes"):
        raise UsageError("the cache is kept.")

"""The lock of the cache: one set-up at a time works there."""

from __future__ import annotations

import fcntl
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ..paths import ROOT


@contextmanager
def held(path: Path, out: IO[str] | None = None) -> Iterator[None]:
    """Holds the lock file. While another process holds it, prints a message and waits.

    The host's kernel frees the lock when its holder ends, even by a signal.
    Child processes do not inherit the lock.
    """
    out = out or sys.stderr
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _wait(file, out)
        file.truncate(0)
        file.write(f"process {os.getpid()} in {ROOT}, since {time.strftime('%H:%M:%S')}")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def _wait(file: IO[str], out: IO[str]) -> None:
    file.seek(0)
    holder = file.read().strip() or "another process"
    print(f"fugu: waiting for another set-up to end ({holder})", file=out, flush=True)
    start = time.monotonic()
    fcntl.flock(file, fcntl.LOCK_EX)
    print(f"fugu: it ended after {time.monotonic() - start:.0f} s; continuing", file=out, flush=True)

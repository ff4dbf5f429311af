"""The sources of programs from elsewhere, and the commands that build them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from run_sh import COMMAND

from fugu.build.sources import Store
from fugu.errors import SetupError
from fugu.host import lock
from fugu.host.progress import Lines
from fugu.host.storage import make_cache
from fugu.paths import cache_dir

CC = f"{COMMAND} cc"
BOUND = 240             # seconds for a program's build


def fetched(package: str) -> Path:
    """The original tarball of a source package, from the cache or from a mirror. SetupError."""
    cache = make_cache(cache_dir())
    store = Store(cache, Lines())
    kept = store.kept(package)
    if not kept:
        with lock.held(cache / "lock"):
            kept = store.get(package)
    return kept.file(r"\.orig\.tar")


def unpacked(package: str, folder: Path) -> None:
    """Unpacks a source package into a folder. Skips the test if the package can be had from nowhere."""
    try:
        tarball = fetched(package)
    except SetupError as error:
        pytest.skip(f"no sources of {package}: {error}".partition("\n")[0])
    folder.mkdir()
    subprocess.run(["tar", "-xf", tarball, "-C", folder, "--strip-components=1", "--no-same-owner"], check=True)


def make(folder: Path, *words: str) -> None:
    """Runs a command of a program's build, which must succeed."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace", timeout=BOUND,
                          stdin=subprocess.DEVNULL, env=os.environ | {"CC": CC})
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"

"""Programs from elsewhere, each built once for all tests."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from ported import unpacked

Build = Callable[[str, Callable[[Path], None]], Path]


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """program(package, build) -> the folder in which build(folder) has built the package, once for all workers."""
    shared = tmp_path_factory.getbasetemp().parent / "ports"

    def built(package: str, build: Callable[[Path], None]) -> Path:
        shared.mkdir(exist_ok=True)
        folder = shared / package
        with open(shared / f"{package}.lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not (folder / "is-built").exists():
                shutil.rmtree(folder, ignore_errors=True)       # left by a build that failed
                unpacked(package, folder)
                build(folder)
                (folder / "is-built").touch()
        return folder
    return built

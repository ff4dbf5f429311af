"""Helpers for the launcher's tests: a private cache, fake commands, run.sh."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import elf_maker
from fugu.host import execute

ROOT = Path(__file__).resolve().parents[2]

@pytest.fixture(autouse=True)
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the user's cache, build directory or settings."""
    for name in list(os.environ):
        if name.startswith("FUGU_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("FUGU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("FUGU_BUILD", str(tmp_path / "build"))
    execute._stopping.clear()


@pytest.fixture
def launcher() -> Callable[..., subprocess.CompletedProcess[str]]:
    """launcher(*words) runs ./run.sh and returns how it ended."""
    def run(*words: object, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([ROOT / "run.sh", *map(str, words)], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60, env=os.environ | env)
    return run


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """fake("sudo", "exit 1") puts such a shell script first on the path."""
    folder = tmp_path / "fakes"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def make(name: str, script: str) -> Path:
        path = folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path
    return make


@pytest.fixture
def elf(tmp_path: Path) -> Path:
    """A file that passes for a guest program."""
    path = tmp_path / "my.elf"
    path.write_bytes(elf_maker.make([(0, b"code", elf_maker.READ | elf_maker.EXECUTE)]))
    return path

"""Fixtures of the launcher's tests: a private cache, fake commands, run.sh."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import elf_maker
import pytest
from run_sh import run_sh

from fugu.build import fingerprint, settings
from fugu.host import execute


@pytest.fixture
def real_cache(private: Path) -> Path:
    """The cache that the tests were built with."""
    return private


@pytest.fixture(autouse=True)
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Hides the user's cache, build directory and settings from each test. Returns the path of that cache."""
    cache = Path(os.environ.get("FUGU_CACHE") or Path.home() / ".cache" / "fugu")
    for name in list(os.environ):
        if name.startswith("FUGU_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("FUGU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("FUGU_BUILD", str(tmp_path / "build"))
    execute._stopping.clear()
    return cache


@pytest.fixture
def launcher() -> Callable[..., subprocess.CompletedProcess[str]]:
    """launcher(*words, NAME=VALUE) -> the ended process of ./run.sh with these words and variables."""
    def run(*words: object, **env: str) -> subprocess.CompletedProcess[str]:
        return run_sh(*words, timeout=60, env=os.environ | env)
    return run


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """fake("sudo", "exit 1") puts a shell script with that name first on the path."""
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
def fake_qemu(tmp_path: Path) -> Callable[[str], Path]:
    """fake_qemu(text) makes run.sh take a program of that text for QEMU, as if it were built and up to date."""
    def make(text: str) -> Path:
        path = tmp_path / "qemu-system-sparc"
        path.write_text(text)
        path.chmod(0o755)
        fingerprint.save(tmp_path / "build", "qemu", settings.current().context(), fingerprint.inputs("qemu"),
                         {"qemu": str(path)})
        return path
    return make


@pytest.fixture
def elf(tmp_path: Path) -> Path:
    """A file that the launcher takes for a guest program."""
    path = tmp_path / "my.elf"
    path.write_bytes(elf_maker.make([(0, b"code", elf_maker.READ | elf_maker.EXECUTE)]))
    return path

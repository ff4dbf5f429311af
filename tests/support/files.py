"""Files that a machine is started with: empty disks, and the secret of a link."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

PAGE = 4096
SECRET = "a secret of these tests alone\n"


@pytest.fixture
def disk(tmp_path: Path) -> Callable[[int], str]:
    """disk(pages) -> the path of a new empty disk with room for this many pages."""
    made: list[Path] = []

    def make(pages: int) -> str:
        path = tmp_path / f"disk{len(made)}.img"
        path.touch()
        os.truncate(path, pages * PAGE)
        made.append(path)
        return str(path)
    return make


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file for --secret-file that only its owner can read."""
    path = tmp_path / "fugu.secret"
    path.write_text(SECRET)
    path.chmod(0o600)
    return path

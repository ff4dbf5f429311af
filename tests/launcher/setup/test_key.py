"""./run.sh setup --key: a name for what the cache would contain."""

from __future__ import annotations

import re

import pytest

from fugu.build import qemu, settings
from fugu.commands import setup
from fugu.host import python_tools
from fugu.paths import ROOT


def test_key_is_printed_alone_and_nothing_is_made(launcher, tmp_path):
    done = launcher("setup", "--key")
    assert done.returncode == 0 and done.stderr == ""
    assert re.fullmatch(r"[0-9a-f]{16}\n", done.stdout)
    assert launcher("setup", "--key", FUGU_CACHE=str(tmp_path / "other")).stdout == done.stdout
    assert not (tmp_path / "cache").exists() and not (tmp_path / "build").exists()


snapshot = qemu.tree.snapshot
CHANGES = {
    "patches": lambda patch: patch.setattr(qemu, "read_series", lambda folder: {"0001.patch": b"+1"}),
    "devices": lambda patch: patch.setattr(
        qemu.tree, "snapshot", lambda folder: {"new.c": b""} if folder == ROOT / "hw" else snapshot(folder)),
    "Python": lambda patch: patch.setattr(python_tools.sys, "version", "3.99"),
    "toolchain's options": lambda patch: patch.setattr("fugu.build.toolchain.GCC", []),
    "toolchain's makefiles": lambda patch: patch.setattr("fugu.build.toolchain.MAKEFILES", ROOT / "none"),
    "what make is told": lambda patch: patch.setattr("fugu.build.toolchain.MAKE_GCC", []),
    "own toolchain": lambda patch: patch.setenv("FUGU_TOOLCHAIN", "/other"),
    "series": lambda patch: patch.setattr("fugu.build.sources.SERIES", {}),
}


@pytest.mark.parametrize("what", CHANGES)
def test_key_changes_with(what, monkeypatch):
    before = setup.key()
    assert setup.key() == before
    CHANGES[what](monkeypatch)
    assert setup.key() != before


def test_own_qemu_counts(monkeypatch):
    before = setup.key()
    settings.remember(settings.Settings(qemu_source="/own/qemu"))
    assert setup.key() != before

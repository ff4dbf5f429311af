"""Of the binaries in the cache, those that were used last are kept: a run is a use, as a set-up is."""

from __future__ import annotations

import os
import time

import pytest

from fugu.build import fingerprint, qemu
from fugu.host import storage
from fugu.paths import ROOT

DAY = 86_400.0
CONTEXT = {"host": "this"}


@pytest.fixture
def cache(tmp_path):
    """A folder with one binary more than are kept; binary k was built k days ago."""
    folder = tmp_path / "bin"
    for days in range(qemu.KEPT + 1):
        binary = folder / f"{days:016x}"
        binary.mkdir(parents=True)
        (binary / qemu.BINARY).touch()
        storage.Stamp(binary / "complete.json").write()
        os.utime(binary, (time.time() - days * DAY,) * 2)
    return folder


def binaries(folder):
    return sorted(int(path.name, 16) for path in folder.iterdir())


def test_oldest_goes_if_nothing_uses_it(cache):
    qemu.drop_oldest(cache)
    assert binaries(cache) == [*range(qemu.KEPT)]


@pytest.mark.parametrize("is_folder", [False, True], ids=["binary", "folder"])
def test_run_is_a_use(cache, tmp_path, is_folder):
    """A run whose build is up to date does no set-up: it finds the binary, or the folder of the qtests, in a record."""
    oldest = cache / f"{qemu.KEPT:016x}"
    output = oldest if is_folder else oldest / qemu.BINARY
    fingerprint.save(tmp_path / "build", "qemu", CONTEXT, fingerprint.inputs("qemu"), {"qemu": str(output)})
    assert fingerprint.load(tmp_path / "build", "qemu", CONTEXT) == {"qemu": str(output)}
    qemu.drop_oldest(cache)
    assert binaries(cache) == [*range(qemu.KEPT - 1), qemu.KEPT]


def test_record_that_does_not_hold_is_no_use(cache, tmp_path):
    oldest = cache / f"{qemu.KEPT:016x}"
    fingerprint.save(tmp_path / "build", "qemu", CONTEXT, [], {"qemu": str(oldest / qemu.BINARY)})
    assert fingerprint.load(tmp_path / "build", "qemu", CONTEXT) is None
    qemu.drop_oldest(cache)
    assert binaries(cache) == [*range(qemu.KEPT)]


def test_use_in_a_cache_of_another_user_does_no_harm(cache, tmp_path, monkeypatch):
    def refuse(*words):
        raise PermissionError
    binary = cache / f"{qemu.KEPT:016x}" / qemu.BINARY
    fingerprint.save(tmp_path / "build", "qemu", CONTEXT, fingerprint.inputs("qemu"), {"qemu": str(binary)})
    monkeypatch.setattr(fingerprint.os, "utime", refuse)
    assert fingerprint.load(tmp_path / "build", "qemu", CONTEXT) == {"qemu": str(binary)}


def test_folder_without_a_stamp_is_none_of_the_caches(tmp_path):
    """An output elsewhere, as the guest's build folder, keeps its time."""
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "kernel").touch()
    os.utime(tmp_path / "build", (1, 1))
    fingerprint._note_use(str(tmp_path / "build" / "kernel"))
    assert (tmp_path / "build").stat().st_mtime == 1


def test_each_folder_with_programs_is_an_input():
    """Otherwise a change there would not be built."""
    folders = {f"tests/{path.parent.name}" for path in (ROOT / "tests").glob("*/meson.build")}
    assert folders and folders - {"tests/hw"} <= set(fingerprint.INPUTS["tests"])

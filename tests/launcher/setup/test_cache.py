"""The cache and the build directory: where they may be, and ./run.sh clean."""

from __future__ import annotations

import io
import subprocess

import pytest
from run_sh import COMMAND

from fugu.host import lock, storage


def test_cache_path_with_a_blank_is_refused(launcher, elf):
    done = launcher(elf, FUGU_CACHE="/tmp/a b")
    assert done.returncode == 3
    assert "'/tmp/a b'" in done.stderr and "FUGU_CACHE=" in done.stderr


def test_cache_that_cannot_be_made_is_reported(launcher, elf):
    done = launcher(elf, FUGU_CACHE="/dev/null/x")
    assert done.returncode == 3
    assert "cannot be made" in done.stderr


def test_damaged_settings_are_reported(launcher, elf, tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "settings.json").write_text("{")
    done = launcher(elf)
    assert done.returncode == 3
    assert "settings.json is damaged" in done.stderr


def test_clean_removes_build_and_cache(launcher, tmp_path):
    (tmp_path / "build" / ".fugu").mkdir(parents=True)
    storage.make_cache(tmp_path / "cache")
    assert launcher("clean").returncode == 0
    assert not (tmp_path / "build").exists() and (tmp_path / "cache").exists()
    refused = launcher("clean", "--cache")
    assert refused.returncode == 2 and "--yes" in refused.stderr and (tmp_path / "cache").exists()
    assert launcher("clean", "--cache", "--yes").returncode == 0
    assert not (tmp_path / "cache").exists()


def test_a_removal_that_is_interrupted_leaves_nothing_that_looks_complete(tmp_path, monkeypatch):
    stamp = storage.Stamp(tmp_path / "result" / "complete.json")
    stamp.write("made")
    (tmp_path / "result" / "a").touch()
    monkeypatch.setattr("shutil.rmtree", lambda path: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        storage.remove(tmp_path / "result")
    assert (tmp_path / "result" / "a").exists() and stamp.read() is None


def test_clean_without_a_cache_says_so(launcher, tmp_path):
    """And it names the folder: the user may have meant another one."""
    done = launcher("clean", "--cache", "--yes")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"there is no {tmp_path / 'cache'}\n", "")


def test_clean_waits_for_a_build(tmp_path):
    """What a build that is under way needs stays until it is done."""
    own, out = tmp_path / "build" / ".fugu", io.StringIO()
    own.mkdir(parents=True)
    (own.parent / "part.o").touch()
    with lock.held(own / "lock", out):
        process = subprocess.Popen([COMMAND, "clean"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert "waiting for another set-up to end" in process.stderr.readline()
        assert (own.parent / "part.o").exists()
    assert process.wait(60) == 0 and not own.parent.exists()


@pytest.mark.parametrize("name, words", [("build", []), ("cache", ["--cache", "--yes"])])
def test_clean_leaves_foreign_directories(name, words, launcher, tmp_path):
    (tmp_path / name).mkdir()
    (tmp_path / name / "thesis.tex").touch()
    done = launcher("clean", *words)
    assert done.returncode == 2 and "does not look like" in done.stderr
    assert (tmp_path / name / "thesis.tex").exists()

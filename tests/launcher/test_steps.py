"""Steps that are interrupted, the lock, own parts that are wrong, clean."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import pytest

from fugu.build import bring_up, qemu, toolchain
from fugu.build.toolchain import Toolchain
from fugu.errors import SetupError
from fugu.host import execute, lock, storage
from fugu.host.progress import Lines
from fugu.host.python_tools import PythonTools

# ---- interrupted steps -----------------------------------------------------

def test_step_is_redone_until_it_is_done(tmp_path):
    made = Toolchain(tmp_path)
    made.work.mkdir(parents=True)
    calls = []

    def action():
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        made._once("x", action)
    made._once("x", action)
    made._once("x", action)
    assert len(calls) == 2


def fake_venv(fake, tmp_path, pip):
    """A Python whose venv has a pip that runs the given script."""
    return str(fake("base-python", f"""
[ "$2" = venv ] || exit 9
mkdir -p "$3/bin"; echo half >> "$3/made"
printf '#!/bin/sh\\n{pip}\\n' > "$3/bin/python"; chmod +x "$3/bin/python" """))


def test_half_a_venv_is_never_used(fake, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", fake_venv(fake, tmp_path, "exit 1"))
    tools = PythonTools(tmp_path / "cache")
    with pytest.raises(SetupError, match="(?s)installing Python tools failed.*pip config list"):
        tools.ensure(Lines())
    assert not tools and tools.path.exists()
    monkeypatch.setattr(sys, "executable", fake_venv(fake, tmp_path, "exit 0"))
    tools.ensure(Lines())
    assert tools
    assert (tools.path / "made").read_text() == "half\n"        # made from scratch


def test_half_an_unpacked_qemu_is_never_used(tmp_path):
    own = own_tree(tmp_path / "own")
    made = qemu.Qemu(tmp_path / "cache", PythonTools(tmp_path / "cache"), str(own))
    src = tmp_path / "tree" / "src"
    (tmp_path / "tree" / "src.part").mkdir(parents=True)
    (tmp_path / "tree" / "src.part" / "rest").touch()
    made._unpack(None, src)
    assert not (src / "rest").exists()
    assert (src / "VERSION").exists() and not (src / ".git").exists() and not (src / "b").exists()


def test_stamp_survives_a_crash_while_it_is_written(tmp_path):
    stamp = storage.Stamp(tmp_path / "s.json")
    (tmp_path / "s.json").write_text('{"half')
    assert stamp.read() is None
    stamp.write([1])
    assert stamp.read() == [1]


def test_failure_of_one_build_ends_the_other(tmp_path):
    def fails():
        time.sleep(0.2)
        raise SetupError("first")
    start = time.monotonic()
    with pytest.raises(SetupError, match="first"):
        bring_up._side_by_side([lambda: execute.run(["sleep", "30"], tmp_path / "log", what="sleeping"), fails])
    assert time.monotonic() - start < 10


def test_failure_shows_the_end_of_the_log(tmp_path):
    with pytest.raises(SetupError) as caught:
        execute.run(["sh", "-c", "seq 100; exit 7"], tmp_path / "log", what="counting")
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("counting failed (status 7).") and lines[-1] == "| 100"
    assert len(lines) == 1 + execute.TAIL
    assert "50\n" in (tmp_path / "log").read_text()


# ---- the lock --------------------------------------------------------------

def test_second_set_up_waits_and_says_so(tmp_path):
    path = tmp_path / "lock"
    script = ("import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; from fugu.host import lock\n"
              "with lock.held(Path(sys.argv[2])): print('in', flush=True); sys.stdin.read()")
    holder = subprocess.Popen([sys.executable, "-c", script, str(storage.__file__.rsplit("/", 3)[0]), path],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "in\n"
    out = (tmp_path / "out").open("w+")
    entered = threading.Event()

    def second():
        with lock.held(path, out):
            entered.set()
    thread = threading.Thread(target=second)
    thread.start()
    assert not entered.wait(0.3)
    holder.stdin.close()
    assert entered.wait(10)
    thread.join()
    holder.wait()
    out.seek(0)
    text = out.read()
    assert f"waiting for another set-up to end (process {holder.pid} in" in text and "continuing" in text


def test_lock_of_a_killed_holder_is_free(tmp_path):
    child = os.fork()
    if child == 0:
        with lock.held(tmp_path / "lock"):
            os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    with lock.held(tmp_path / "lock"):
        pass


# ---- own toolchain, own tree ----------------------------------------------

def own_tree(path, version="10.0.3"):
    """What passes for a QEMU source tree."""
    for name in (*(f"subprojects/{n}/meson.build" for n in qemu.SUBPROJECTS), ".git/HEAD", "b/build.ninja"):
        (path / name).parent.mkdir(parents=True)
        (path / name).touch()
    (path / "VERSION").write_text(version + "\n")
    return path


def own_toolchain(path, gcc):
    """A prefix with such a compiler and other tools that do nothing."""
    (path / "bin").mkdir(parents=True)
    for tool in ("gcc", "ld", "ar", "objcopy", "objdump", "strip"):
        file = path / "bin" / f"sparc-elf-{tool}"
        file.write_text(f"#!/bin/sh\n{gcc if tool == 'gcc' else ''}\n")
        file.chmod(0o755)
    return path


NEWLIB = "case $1 in -print*) echo /newlib/libc.a;; esac"


def test_own_toolchain_that_is_right(tmp_path):
    toolchain.check(own_toolchain(tmp_path / "t", NEWLIB))


@pytest.mark.parametrize("script, message", [
    (None, "has no bin/sparc-elf-gcc"),
    ("echo cannot >&2; exit 1", "(?s)does not compile for SPARC V7.*cannot"),
    ("case $1 in -print*) echo libc.a;; esac", "has no newlib"),
])
def test_own_toolchain_that_is_wrong(script, message, tmp_path):
    if script is not None:
        own_toolchain(tmp_path / "t", script)
    with pytest.raises(SetupError, match=message):
        toolchain.check(tmp_path / "t", own=True)


def test_own_toolchain_without_binutils(tmp_path):
    path = own_toolchain(tmp_path / "t", NEWLIB)
    (path / "bin" / "sparc-elf-objcopy").unlink()
    with pytest.raises(SetupError, match="has no bin/sparc-elf-objcopy"):
        toolchain.check(path)


def test_own_toolchain_that_does_not_run(tmp_path):
    path = own_toolchain(tmp_path / "t", NEWLIB)
    (path / "bin" / "sparc-elf-gcc").chmod(0o644)
    with pytest.raises(SetupError, match="does not run: Permission denied"):
        toolchain.check(path)


def test_wrong_toolchain_by_environment(launcher, tmp_path):
    """Said at once, before packages, downloads and builds."""
    done = launcher("setup", FUGU_TOOLCHAIN=str(tmp_path / "none"))
    assert done.returncode == 3
    assert "FUGU_TOOLCHAIN" in done.stderr and "sparc-elf-gcc" in done.stderr


def test_wrong_choice_is_not_remembered(launcher, tmp_path):
    for words in (["--toolchain", tmp_path / "none"], [f"--qemu-source={tmp_path}"]):
        assert launcher("setup", *words).returncode == 3
    assert not (tmp_path / "cache" / "settings.json").exists()


def test_own_tree_that_is_right(tmp_path):
    assert qemu.check_source(own_tree(tmp_path / "q"))


@pytest.mark.parametrize("version", ["9.2.1", "10.1.0", "10.05"])
def test_own_tree_of_a_wrong_series(version, tmp_path):
    with pytest.raises(SetupError, match=f"is QEMU {version}, but the patches are for 10.0"):
        qemu.check_source(own_tree(tmp_path / "q", version))


def test_own_tree_that_is_none(tmp_path):
    with pytest.raises(SetupError, match="not a QEMU source tree"):
        qemu.check_source(tmp_path)


def test_own_tree_without_subprojects(tmp_path):
    path = own_tree(tmp_path / "q")
    storage.remove(path / "subprojects" / "keycodemapdb")
    with pytest.raises(SetupError, match="(?s)lacks subprojects/keycodemapdb.*release tarball"):
        qemu.check_source(path)


# ---- the cache -------------------------------------------------------------

def test_cache_in_a_path_with_a_blank(launcher, elf):
    done = launcher(elf, FUGU_CACHE="/tmp/a b")
    assert done.returncode == 3
    assert "'/tmp/a b'" in done.stderr and "FUGU_CACHE=" in done.stderr


def test_cache_that_cannot_be_made(launcher, elf):
    done = launcher(elf, FUGU_CACHE="/dev/null/x")
    assert done.returncode == 3
    assert "cannot be made" in done.stderr


def test_damaged_settings(launcher, elf, tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "settings.json").write_text("{")
    done = launcher(elf)
    assert done.returncode == 3
    assert "settings.json is damaged" in done.stderr


def test_clean(launcher, tmp_path):
    (tmp_path / "build" / ".fugu").mkdir(parents=True)
    storage.make_cache(tmp_path / "cache")
    assert launcher("clean").returncode == 0
    assert not (tmp_path / "build").exists() and (tmp_path / "cache").exists()
    refused = launcher("clean", "--cache")
    assert refused.returncode == 2 and "--yes" in refused.stderr and (tmp_path / "cache").exists()
    assert launcher("clean", "--cache", "--yes").returncode == 0
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("name, words", [("build", []), ("cache", ["--cache", "--yes"])])
def test_clean_leaves_foreign_directories(name, words, launcher, tmp_path):
    (tmp_path / name).mkdir()
    (tmp_path / name / "thesis.tex").touch()
    done = launcher("clean", *words)
    assert done.returncode == 2 and "does not look like" in done.stderr
    assert (tmp_path / name / "thesis.tex").exists()

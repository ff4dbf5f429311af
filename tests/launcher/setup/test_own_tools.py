"""The user's own toolchain and QEMU tree are checked before set-up uses them."""

from __future__ import annotations

import pytest
from own_tree import own_tree

from fugu.build import qemu, toolchain
from fugu.errors import SetupError
from fugu.host import storage


def own_toolchain(path, gcc):
    """Makes a toolchain whose compiler is the script `gcc`, and whose other tools do nothing."""
    (path / "bin").mkdir(parents=True)
    for tool in ("gcc", "ld", "ar", "objcopy", "objdump", "strip"):
        file = path / "bin" / f"sparc-elf-{tool}"
        file.write_text(f"#!/bin/sh\n{gcc if tool == 'gcc' else ''}\n")
        file.chmod(0o755)
    return path


NEWLIB = "case $1 in -print*) echo /newlib/libc.a;; esac"


def test_own_toolchain_is_accepted(tmp_path):
    toolchain.check(own_toolchain(tmp_path / "t", NEWLIB))


@pytest.mark.parametrize("script, message", [
    (None, "has no bin/sparc-elf-gcc"),
    ("echo cannot >&2; exit 1", "(?s)does not compile for SPARC V7.*cannot"),
    ("case $1 in -print*) echo libc.a;; esac", "has no newlib"),
])
def test_wrong_toolchain_is_refused(script, message, tmp_path):
    if script is not None:
        own_toolchain(tmp_path / "t", script)
    with pytest.raises(SetupError, match=message):
        toolchain.check(tmp_path / "t", own=True)


def test_toolchain_without_binutils_is_refused(tmp_path):
    path = own_toolchain(tmp_path / "t", NEWLIB)
    (path / "bin" / "sparc-elf-objcopy").unlink()
    with pytest.raises(SetupError, match="has no bin/sparc-elf-objcopy"):
        toolchain.check(path)


def test_toolchain_that_does_not_run_is_refused(tmp_path):
    path = own_toolchain(tmp_path / "t", NEWLIB)
    (path / "bin" / "sparc-elf-gcc").chmod(0o644)
    with pytest.raises(SetupError, match="does not run: Permission denied"):
        toolchain.check(path)


def test_wrong_toolchain_in_the_environment_is_refused(launcher, tmp_path):
    """The message comes before packages, downloads and builds."""
    done = launcher("setup", FUGU_TOOLCHAIN=str(tmp_path / "none"))
    assert done.returncode == 3
    assert "FUGU_TOOLCHAIN" in done.stderr and "sparc-elf-gcc" in done.stderr


def test_wrong_choice_is_not_remembered(launcher, tmp_path):
    for words in (["--toolchain", tmp_path / "none"], [f"--qemu-source={tmp_path}"]):
        assert launcher("setup", *words).returncode == 3
    assert not (tmp_path / "cache" / "settings.json").exists()


def test_own_tree_is_accepted(tmp_path):
    assert qemu.check_source(own_tree(tmp_path / "q"))


@pytest.mark.parametrize("version", ["9.2.1", "10.1.0", "10.05"])
def test_tree_of_another_series_is_refused(version, tmp_path):
    with pytest.raises(SetupError, match=f"is QEMU {version}, but the patches are for 10.0"):
        qemu.check_source(own_tree(tmp_path / "q", version))


def test_folder_without_a_tree_is_refused(tmp_path):
    with pytest.raises(SetupError, match="not a QEMU source tree"):
        qemu.check_source(tmp_path)


def test_tree_without_subprojects_is_refused(tmp_path):
    path = own_tree(tmp_path / "q")
    storage.remove(path / "subprojects" / "keycodemapdb")
    with pytest.raises(SetupError, match="(?s)lacks subprojects/keycodemapdb.*release tarball"):
        qemu.check_source(path)

"""Places that the launcher may not write: a clear message, and no traceback.

root may write everywhere, so as root the launcher runs without the capability
to do that.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from run_sh import COMMAND

from fugu.errors import owner

# A process of root without this capability is subject to the rights of files.
WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
# The Python whose tools cache_with_tools() makes.
PYTHON = os.path.realpath(sys.executable)


@pytest.fixture
def powerless():
    """powerless(*words, NAME=VALUE) -> ./run.sh by a user who may not write everywhere."""
    if WITHOUT_RIGHTS and not shutil.which("setpriv"):
        pytest.skip("takes setpriv, as tests run as root")

    def run(*words, **env):
        return subprocess.run([*WITHOUT_RIGHTS, COMMAND, *map(str, words)], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60, env=os.environ | env)
    return run


@pytest.fixture
def closed(tmp_path):
    """A folder that nothing can be written in."""
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)


def refused(done, *texts):
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    for text in texts:
        assert text in done.stderr


def test_build_folder_of_a_read_only_checkout(powerless, closed, fake, tmp_path):
    """cc builds the library first."""
    done = powerless("cc", "a.c", "-o", "a.elf", **ready_to_build(fake, tmp_path, closed / "build"))
    refused(done, "closed/build", "Permission denied", "FUGU_BUILD")


def test_build_folder_that_is_a_file(launcher, fake, tmp_path):
    done = launcher("cc", "a.c", "-o", "a.elf", **ready_to_build(fake, tmp_path, "/dev/null/x"))
    refused(done, "/dev/null/x", "Not a directory", "FUGU_BUILD")


def ready_to_build(fake, tmp_path, build):
    """Variables for a set-up that has only guest programs to build."""
    return {"FUGU_NO_APT": "1", "FUGU_PYTHON": PYTHON, "FUGU_BUILD": str(build),
            "FUGU_TOOLCHAIN": str(toolchain(fake)), "FUGU_CACHE": str(cache_with_tools(tmp_path))}


def toolchain(fake):
    """A compiler and binutils that do nothing, with a libc.a; the prefix."""
    gcc = fake("sparc-elf-gcc", '[ "$1" = -print-file-name=libc.a ] && echo /libc.a; exit 0')
    for tool in ("ld", "ar", "objcopy", "objdump", "strip"):
        fake(f"sparc-elf-{tool}", "exit 0")
    prefix = gcc.parent.parent / "prefix"
    prefix.mkdir()
    (prefix / "bin").symlink_to(gcc.parent)
    return prefix


def cache_with_tools(tmp_path):
    """A cache whose Python tools are complete, and do nothing."""
    from fugu.host.python_tools import PythonTools
    from fugu.host.storage import make_cache

    tools = PythonTools(make_cache(tmp_path / "cache"))
    tools.stamp.write()
    for name in ("meson", "ninja", "python"):
        tools.bin(name).parent.mkdir(exist_ok=True)
        tools.bin(name).write_text("#!/bin/sh\n")
        tools.bin(name).chmod(0o755)
    return tmp_path / "cache"


def test_cache_that_cannot_be_written(powerless, tmp_path, elf):
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "CACHEDIR.TAG").touch()
    cache.chmod(0o555)
    # Without FUGU_CACHE: one that FUGU_CACHE names would be a shared cache.
    home = tmp_path / "home"
    (home / ".cache").mkdir(parents=True)
    (home / ".cache" / "fugu").symlink_to(cache)
    refused(powerless(elf, FUGU_CACHE="", HOME=str(home), XDG_CACHE_HOME=""),
            "/fugu cannot be written", "FUGU_CACHE=")


def test_cache_that_cannot_be_read(powerless, tmp_path, elf):
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "settings.json").write_text("{}")
    cache.chmod(0)
    done = powerless(elf)
    cache.chmod(0o755)
    refused(done, f"the cache {cache} cannot be read", "FUGU_CACHE=")


def test_boot_image_that_cannot_be_written(tmp_path):
    """Only its message: a run would have to build everything."""
    from fugu.errors import SetupError
    from fugu.image import store

    (tmp_path / "kernel").touch()
    with pytest.raises(SetupError, match="(?s)boot image .* Not a directory.*FUGU_BUILD="):
        store.make(tmp_path / "kernel", [], [], tmp_path / "objdump", tmp_path / "kernel" / "images")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_message_names_the_owner(powerless, tmp_path, elf):
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "lock").touch()
    (cache / "CACHEDIR.TAG").touch()
    os.chown(cache / "lock", 12345, 12345)
    refused(powerless(elf), f"{cache}/lock: Permission denied, and {cache}/lock belongs to user 12345")
    os.chown(cache, 12345, 12345)
    assert owner(cache / "none" / "such") == f", and {cache} belongs to user 12345"
    assert owner(tmp_path) == ""


# ---- messages that cannot be written ---------------------------------------------

@pytest.mark.parametrize("words, status", [(["nosuch"], 2), (["-n", "0"], 2), (["--version"], 0)])
def test_status_stays_when_errors_cannot_be_written(words, status):
    with open("/dev/full", "w") as full:
        done = subprocess.run([COMMAND, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=full,
                              timeout=60)
    assert done.returncode == status


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["man"], ["apps"], ["bench", "--list"], ["paper", "--list"],
                                   ["--dry-run", "ring"], ["--dry-run", "--processes", "2", "ring"]], ids=" ".join)
def test_output_that_cannot_be_written(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run([COMMAND, *words], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE,
                              text=True, timeout=60)
    assert done.returncode == 121
    assert done.stderr == "fugu: the output cannot be written: No space left on device\n"

"""A cache that several users share: what is complete there is used, the rest goes to the user's own cache."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from own_tree import own_tree

from fugu import paths
from fugu.build import qemu, settings
from fugu.build.sources import Store
from fugu.build.toolchain import Toolchain
from fugu.host import lock, storage
from fugu.host.progress import Lines
from fugu.host.python_tools import PythonTools
from fugu.paths import ROOT

# A process of root without this capability is subject to the rights of files.
WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []


@pytest.fixture
def shared(tmp_path, monkeypatch):
    """A shared cache that this process cannot write. The user's own cache is own/fugu."""
    cache = storage.make_cache(tmp_path / "cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).startswith(str(cache)))
    return cache


def complete(folder):
    storage.Stamp(folder / "complete.json").write()
    return folder


def test_cache_that_can_be_written_is_the_users_own(tmp_path):
    storage.make_cache(tmp_path / "cache")
    assert paths.shared_cache() is None
    assert paths.cache_dir() == tmp_path / "cache"


def test_cache_that_can_only_be_read_is_shared(shared, tmp_path):
    assert paths.shared_cache() == shared
    assert paths.cache_dir() == tmp_path / "own" / "fugu"


def test_folder_that_is_no_cache_is_not_shared(shared):
    (shared / "CACHEDIR.TAG").unlink()
    assert paths.shared_cache() is None and paths.cache_dir() == shared


@pytest.mark.parametrize("part, names", [(PythonTools, ("venv",)), (Toolchain, ("toolchain",))])
def test_only_complete_parts_are_used(part, names, shared):
    own = paths.cache_dir()

    def place():
        made = part(own)
        return made, getattr(made, "path", None) or made.prefix
    made, folder = place()
    assert folder == own.joinpath(*names, made.key) and not made
    shared.joinpath(*names, made.key).mkdir(parents=True)       # an interrupted set-up
    assert place()[1] == folder
    complete(shared.joinpath(*names, made.key))
    made, folder = place()
    assert folder == shared.joinpath(*names, made.key) and made


def test_sources_are_found(shared):
    folder = shared / "downloads" / "qemu"
    storage.Stamp(folder / "complete.json").write({"version": "10.0.8", "files": {"a.tar": 2}})
    (folder / "a.tar").write_text("hi")
    assert Store(paths.cache_dir(), Lines()).get("qemu").files == [folder / "a.tar"]


def test_qemu_is_found_and_left_alone(shared, tmp_path, monkeypatch):
    """Its time is not set to now, and old ones are not removed."""
    made = qemu.Qemu(paths.cache_dir(), PythonTools(paths.cache_dir()), str(own_tree(tmp_path / "source")))
    base = made._base(made._source_key(None), qemu.OPTIONS)
    folder = complete(shared / "qemu" / "bin" / storage.key(base))
    monkeypatch.setattr(os, "utime", lambda path: 1 / 0)
    assert made.ensure(None, Lines(), qtests=False) == {"qemu": str(folder / qemu.BINARY)}


def test_settings_are_the_users_own_else_the_shared_ones(shared):
    (shared / "settings.json").write_text('{"toolchain": "/shared"}')
    assert settings.remembered().toolchain == "/shared"
    settings.remember(settings.Settings(toolchain="/own"))
    assert settings.remembered().toolchain == "/own"


def test_tests_get_both_caches(shared, tmp_path):
    from fugu.build import everything

    assert everything._caches() == {"FUGU_CACHE": str(shared), "XDG_CACHE_HOME": str(tmp_path / "own")}


# ---- the real cache --------------------------------------------------------------

@pytest.fixture
def read_only(tmp_path, real_cache):
    """A copy of the real cache that has what a run needs, and that cannot be written."""
    cache = tmp_path / "shared"
    storage.make_cache(cache)
    for name in ("downloads", "qemu", "toolchain", "venv"):
        # Links of folders cost nothing; a folder above them has no right to be written.
        (cache / name).symlink_to(real_cache / name)
    cache.chmod(0o555)
    yield cache
    cache.chmod(0o755)


@pytest.fixture
def small_checkout(tmp_path):
    """A checkout without apps and tests: set-up builds the kernel and the libraries, which is what cc needs."""
    checkout = tmp_path / "checkout"
    for name in ("tools", "guest-os", "hw", "qemu-patches"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("run.sh", "meson.build"):
        shutil.copy(ROOT / name, checkout)
    return checkout


def test_run_and_cc_with_a_cache_that_can_only_be_read(read_only, small_checkout, tmp_path):
    """The build directory is new, so set-up goes through all of its steps."""
    if WITHOUT_RIGHTS and not shutil.which("setpriv"):
        pytest.skip("takes setpriv, as tests run as root")
    env = os.environ | {"FUGU_CACHE": str(read_only), "XDG_CACHE_HOME": str(tmp_path / "own"), "FUGU_NO_APT": "1",
                        "FUGU_BUILD": str(tmp_path / "build")}

    def run(*words):
        return subprocess.run([*WITHOUT_RIGHTS, small_checkout / "run.sh", *words], cwd=tmp_path, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=280, env=env)
    (tmp_path / "hi.c").write_text('#include <stdio.h>\nint main(void)\n{\n    puts("hi");\n    return 0;\n}\n')
    cache = storage.make_cache(tmp_path / "own" / "fugu")
    with lock.held(cache / "lock"):         # as by another checkout's set-up
        done = run("cc", "hi.c", "-o", "hi.elf")
    assert done.returncode == 0 and "waiting" not in done.stderr, done.stderr
    done = run("-n", "1", "./hi.elf")
    assert (done.returncode, done.stdout) == (0, "hi\n"), done.stderr
    own = {path.name for path in cache.iterdir()}
    assert own == {"CACHEDIR.TAG", "lock"}, "nothing is built a second time"

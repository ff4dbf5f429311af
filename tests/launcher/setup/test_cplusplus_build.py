"""C++ is built as an addition to the toolchain, and the toolchain stays as it is."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from fugu.build import cplusplus, toolchain
from fugu.errors import SetupError
from fugu.host import storage
from fugu.host.progress import Lines


@pytest.fixture
def base(tmp_path):
    """A toolchain that looks complete."""
    made = toolchain.Toolchain(tmp_path)
    proper = made.prefix / "libexec" / "gcc" / "sparc-elf" / "14.2.0"
    for folder in (made.prefix / "bin", proper):
        folder.mkdir(parents=True)
    (made.prefix / "bin" / "sparc-elf-gcc").write_text("driver for C")
    (made.prefix / "bin" / "cc").symlink_to("sparc-elf-gcc")
    (proper / "cc1").write_text("compiler for C")
    made.stamp.write({"gcc": "14.2.0-19"})
    return made


@pytest.fixture
def made(base, tmp_path, monkeypatch):
    """C++ for it, whose commands leave files as theirs would, and a list of their words."""
    made = cplusplus.CPlusPlus(tmp_path, base)
    ran = []

    def run(command, cwd, on_line=None):
        words = [str(word) for word in command]
        ran.append(words)
        if words[0] == "install":
            storage.write_atomically(made.prefix / words[3], words[2].rpartition("/")[2])
    monkeypatch.setattr(made, "run", run)
    monkeypatch.setattr(cplusplus.toolchain, "unpack_gcc", lambda *_: (made.work / "outer" / "newlib"))
    monkeypatch.setattr(cplusplus.subprocess, "run", lambda *_, **__: SimpleNamespace(stdout="host\n"))
    monkeypatch.setattr(cplusplus, "check", lambda prefix: None)
    return made, ran


def store(version="14.2.0-19"):
    return SimpleNamespace(get=lambda name: SimpleNamespace(version=version))


def test_toolchain_is_not_changed(made, base):
    plus, ran = made
    plus.ensure(store(), Lines())
    assert plus and base.prefix != plus.prefix
    assert (base.prefix / "bin" / "sparc-elf-gcc").read_text() == "driver for C"
    assert (plus.prefix / "bin" / "sparc-elf-gcc").read_text() == "xgcc"
    assert (plus.prefix / "bin" / "sparc-elf-g++").read_text() == "xg++"
    proper = plus.prefix / "libexec" / "gcc" / "sparc-elf" / "14.2.0"
    assert (proper / "cc1plus").read_text() == "cc1plus"
    assert (proper / "cc1").samefile(base.prefix / proper.relative_to(plus.prefix) / "cc1")
    assert (plus.prefix / "bin" / "cc").is_symlink()
    assert not plus.work.exists()
    count = len(ran)
    plus.ensure(store(), Lines())
    assert len(ran) == count


def test_interrupted_build_is_continued_and_not_complete(made, monkeypatch):
    plus, ran = made
    monkeypatch.setattr(plus, "_build_library", lambda step: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        plus.ensure(store(), Lines())
    assert not plus and (plus.prefix / "bin" / "sparc-elf-g++").exists()
    ran.clear()
    monkeypatch.setattr(plus, "_build_library", lambda step: None)
    plus.ensure(store(), Lines())
    assert plus and ran == []


def test_c_compiler_is_not_built_again(made):
    plus, ran = made
    plus.ensure(store(), Lines())
    targets = [word for words in ran if words[0] == "make" for word in words]
    assert {"cc1plus", "xgcc", "xg++"} <= set(targets) and not {"all", "all-gcc", "cc1"} & set(targets)


def test_another_release_is_refused(made):
    plus, ran = made
    with pytest.raises(SetupError, match=r"the toolchain is of GCC 14.2.0-19, and C\+\+ would be of 14.3.0-1.\nRemove "):
        plus.ensure(store("14.3.0-1"), Lines())
    assert ran == [] and not plus.work.exists()
    plus.ensure(store("14.2.0-20"), Lines())
    assert json.loads((plus.prefix / "complete.json").read_text()) == {"gcc": "14.2.0-20"}


def test_its_library_is_unpacked():
    assert {word.rpartition("/")[2] for word in set(toolchain.LEFT_OUT) - set(cplusplus.WITHOUT)} == {"c++tools", "libcody", "libstdc++-v3"}


@pytest.mark.parametrize("script, said", [
    (None, "the toolchain in PREFIX (FUGU_TOOLCHAIN or --toolchain) has no C++: there is no bin/sparc-elf-g++.\n"
           "Build its GCC with --enable-languages=c,c++, or name no toolchain."),
    ("#!/bin/sh\necho no string >&2\nexit 1\n", "the toolchain in PREFIX (FUGU_TOOLCHAIN or --toolchain) does not compile C++ for "
                                                "SPARC V7:\n| no string"),
    ("text", "the toolchain in PREFIX (FUGU_TOOLCHAIN or --toolchain) does not run: Exec format error.")])
def test_own_toolchain_without_cplusplus(script, said, tmp_path):
    (tmp_path / "bin").mkdir()
    if script:
        (tmp_path / "bin" / "sparc-elf-g++").write_text(script)
        (tmp_path / "bin" / "sparc-elf-g++").chmod(0o755)
    with pytest.raises(SetupError) as caught:
        cplusplus.check(tmp_path, own=True)
    assert str(caught.value) == said.replace("PREFIX", str(tmp_path))

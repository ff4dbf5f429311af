"""Which packages, sources and builds a set-up asks for, and in which order, with fakes for all that takes long."""

from __future__ import annotations

import contextlib
import io
import os
import tarfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from fugu.build import bring_up, toolchain
from fugu.errors import SetupError
from fugu.host.progress import Lines

ALL = {"qemu", "qtest", "guest", "tests", "fuzz", "arm64"}


@pytest.fixture
def setup(tmp_path, monkeypatch):
    """setup(parts, tools there, toolchain there, C++ there, own toolchain, own QEMU) -> a set-up, and a list of what it does."""
    done = []

    def make(*parts, tools=False, there=False, plus=False, own="", source="", memory=1 << 20):
        made = bring_up._Setup(tmp_path, set(parts))

        class Tools:
            def __bool__(self):
                return tools
            ensure = activate = lambda self, *_: None

            def bin(self, name):
                return Path("/venv", name)

        class Chain:
            prefix = tmp_path / "prefix"

            def __bool__(self):
                return there

            def ensure(self, store, display):
                done.append("build toolchain")

        class Plus:
            prefix = tmp_path / "plus"

            def __bool__(self):
                return plus

            def ensure(self, store, display):
                done.append("build C++")
        made.tools, made.toolchain, made.cplusplus = Tools(), Chain(), Plus()
        made.chosen = SimpleNamespace(toolchain=own, qemu_source=source, context=lambda: {"of": "tests"})
        made.display = Lines()
        monkeypatch.setattr(bring_up, "display", Lines)
        monkeypatch.setattr(bring_up, "Store", lambda *_: SimpleNamespace(get=lambda name: done.append(f"get {name}")))
        monkeypatch.setattr(bring_up, "Qemu", lambda cache, tools, given: SimpleNamespace(
            needs_source=lambda: not given, ensure=lambda store, display, qtests: done.append(f"build QEMU, qtests {qtests}") or {"qemu": "q"}))
        for name in ("Fuzzers", "Arm64"):
            monkeypatch.setattr(bring_up, name, lambda cache, qemu, name=name: SimpleNamespace(
                ensure=lambda store, display: done.append(f"build {name}") or {"of": name}))
        monkeypatch.setattr(bring_up, "Guest", lambda *of: SimpleNamespace(ensure=lambda display, tests: done.append(f"build guest by {of[2]}, tests {tests}") or {"build": "b"}))
        monkeypatch.setattr(bring_up.packages, "ensure_packages", lambda groups, *_: done.append(f"packages {' '.join(groups)}"))
        monkeypatch.setattr(bring_up.capacity, "check_room", lambda cache, needed: done.append(f"room for {', '.join(needed)}"))
        monkeypatch.setattr(bring_up.capacity, "memory", lambda: memory)
        monkeypatch.setattr(bring_up.capacity, "jobs", lambda: 4)
        monkeypatch.setattr(bring_up, "_side_by_side", lambda jobs: done.append("side by side") or [job() for job in jobs])
        monkeypatch.setattr(bring_up.fingerprint, "inputs", lambda part: [[part]])
        monkeypatch.setattr(bring_up.fingerprint, "save", lambda build, part, context, taken, outputs: done.append(
            f"note {part}") or (context == {"of": "tests"} and taken == [[part]]) or pytest.fail(part))
        monkeypatch.setattr(bring_up.lock, "held", lambda file: contextlib.nullcontext(done.append(f"lock {file.parent.name}/{file.name}")))
        return made, done
    return make


@pytest.mark.parametrize("parts, options, groups", [
    (["qemu"], {}, "QEMU fetch"), (["qtest"], {}, "QEMU fetch"), (["fuzz"], {}, "QEMU fuzzing fetch"), (["arm64"], {}, "QEMU fetch"),
    (["cplusplus"], {"there": True}, "toolchain fetch"), (["cplusplus"], {"there": True, "plus": True}, ""),
    (["guest", "cplusplus"], {"own": "/mine"}, ""),
    (["guest"], {}, "toolchain fetch"), (["guest"], {"there": True}, ""), (["guest"], {"own": "/mine"}, ""),
    (["qemu"], {"source": "/mine"}, "QEMU"), (["qemu", "guest"], {"source": "/mine"}, "QEMU toolchain fetch"),
    (["qemu", "guest"], {"source": "/mine", "there": True}, "QEMU"), (ALL, {}, "QEMU fuzzing toolchain fetch")])
def test_packages_that_are_needed(parts, options, groups, setup):
    made, done = setup(*parts, **options)
    made._packages()
    assert done == [f"packages {groups}"]


@pytest.mark.parametrize("parts, options, needed", [
    (["qemu"], {}, ["Python tools", "QEMU"]), (["qemu"], {"tools": True}, ["QEMU"]), (["guest"], {"tools": True}, ["toolchain"]),
    (["guest"], {"tools": True, "there": True}, []), (["guest"], {"tools": True, "own": "/mine"}, []),
    (["cplusplus"], {"tools": True}, ["toolchain", "C++"]), (["cplusplus"], {"tools": True, "there": True}, ["C++"]),
    (["cplusplus"], {"tools": True, "there": True, "plus": True}, []), (["cplusplus"], {"tools": True, "own": "/mine"}, []),
    (["fuzz"], {"tools": True}, ["QEMU", "QEMU for fuzzing"]), (["arm64"], {"tools": True}, ["QEMU", "QEMU for ARM hosts"]),
    (ALL, {}, ["Python tools", "toolchain", "QEMU", "QEMU for fuzzing", "QEMU for ARM hosts"])])
@pytest.mark.parametrize("built", [False, True])
def test_what_needs_room(parts, options, needed, built, setup, tmp_path):
    """What has been built before, in whichever tree, needs none."""
    made, _ = setup(*parts, **options)
    if built:
        for name in ("build", "fuzz", "arm64"):
            (tmp_path / "qemu" / "trees" / "a" / name).mkdir(parents=True)
            (tmp_path / "qemu" / "trees" / "a" / name / "configured.json").write_text("1")
        needed = [one for one in needed if "QEMU" not in one]
    assert made._to_build() == needed


@pytest.mark.parametrize("parts, options, changes", [
    (["guest"], {"tools": True, "there": True}, False), (["guest"], {"tools": True, "own": "/mine"}, False), (["guest"], {"there": True}, True),
    (["cplusplus"], {"tools": True, "there": True}, True), (["cplusplus"], {"tools": True, "there": True, "plus": True}, False),
    (["guest"], {"tools": True}, True), (["qemu"], {"tools": True, "there": True}, True), (["arm64"], {"tools": True, "there": True}, True)])
def test_what_changes_the_cache(parts, options, changes, setup):
    assert setup(*parts, **options)[0]._changes_cache() is changes


def test_all_that_a_first_set_up_does(setup, monkeypatch, tmp_path):
    made, done = setup(*ALL)
    monkeypatch.setenv("FUGU_BUILD", str(tmp_path / "build"))
    results = made.run()
    assert done == [f"lock {tmp_path.name}/lock", "packages QEMU fuzzing toolchain fetch",
                    "room for Python tools, toolchain, QEMU, QEMU for fuzzing, QEMU for ARM hosts", "get binutils", "get gcc-14", "get qemu",
                    "side by side", "build toolchain", "build QEMU, qtests True", "note qemu", "note qtest", "build Fuzzers", "note fuzz",
                    "build Arm64", "note arm64", "lock .fugu/lock", f"build guest by {tmp_path / 'prefix'}, tests True", "note guest", "note tests"]
    assert set(results) == ALL and results["guest"] == {"build": "b", "toolchain": str(tmp_path / "prefix"), "python": "/venv/python"}
    assert results["fuzz"] == {"of": "Fuzzers"} and results["qtest"] == {"qemu": "q"}


def test_a_first_run_builds_no_programs_of_tests(setup, monkeypatch, tmp_path):
    made, done = setup("qemu", "guest", tools=True, there=True)
    monkeypatch.setenv("FUGU_BUILD", str(tmp_path / "build"))
    assert set(made.run()) == {"qemu", "guest"}
    assert done[-2:] == [f"build guest by {tmp_path / 'prefix'}, tests False", "note guest"]


@pytest.mark.parametrize("parts, options, steps", [
    (["qemu"], {"tools": True}, ["get qemu", "build QEMU, qtests False", "note qemu"]),
    (["qemu"], {"tools": True, "source": "/mine"}, ["build QEMU, qtests False", "note qemu"]),
    (["fuzz"], {"tools": True}, ["get qemu", "build Fuzzers", "note fuzz"]),
    (["guest"], {"tools": True}, ["get binutils", "get gcc-14", "build toolchain"]),
    (["tests"], {"tools": True}, ["get binutils", "get gcc-14", "build toolchain"]),
    (["cplusplus"], {"tools": True}, ["get binutils", "get gcc-14", "build toolchain"]),
    (["cplusplus"], {"tools": True, "there": True}, ["get gcc-14"])])
def test_what_one_part_needs(parts, options, steps, setup):
    made, done = setup(*parts, **options)
    made._fill_cache()
    assert done[2:] == steps


@pytest.mark.parametrize("own, prefix", [("", "plus"), ("/mine", "/mine")])
def test_cplusplus_there_is_named_and_recorded(own, prefix, setup, tmp_path, monkeypatch):
    monkeypatch.setattr(bring_up.toolchain, "check", lambda *_, **__: None)
    monkeypatch.setattr(bring_up.cplusplus, "check", lambda prefix, own: None)
    made, done = setup("cplusplus", tools=True, there=True, plus=True, own=own)
    assert made.run() == {"cplusplus": {"cplusplus": str(tmp_path / prefix)}} and done == ["note cplusplus"]


def test_cplusplus_is_built_under_a_lock_of_its_own(setup, tmp_path):
    made, done = setup("cplusplus", tools=True, there=True)
    assert made.run() == {"cplusplus": {"cplusplus": str(tmp_path / "plus")}}
    assert done == [f"lock {tmp_path.name}/lock", "packages toolchain fetch", "room for C++", "get gcc-14",
                    f"lock {tmp_path.name}/cplusplus-lock", "build C++", "note cplusplus"]


@pytest.mark.parametrize("memory, together", [(2 * 4 * 750, False), (2 * 4 * 750 + 1, True)])
def test_builds_side_by_side_need_memory(memory, together, setup):
    made, done = setup("qemu", "guest", tools=True, memory=memory)
    made._fill_cache()
    assert ("side by side" in done) is together and {"build toolchain", "build QEMU, qtests False"} < set(done)


def test_own_parts_are_checked_first(setup, monkeypatch):
    checked = []
    monkeypatch.setattr(bring_up.toolchain, "check", lambda prefix, own: checked.append((str(prefix), own)))
    monkeypatch.setattr(bring_up.cplusplus, "check", lambda prefix, own: checked.append(f"C++ {prefix}"))
    monkeypatch.setattr(bring_up, "check_source", lambda path: checked.append(str(path)))
    setup("qemu")[0]._check_own()
    assert checked == []
    setup("qemu", own="/tools", source="/qemu")[0]._check_own()
    assert checked == [("/tools", True), "/qemu"]
    setup("cplusplus", own="/tools")[0]._check_own()
    assert checked[2:] == [("/tools", True), "C++ /tools"]


# ---- Debian's GCC ------------------------------------------------------------------------

def tarball(path, *files):
    with tarfile.open(path, "w:xz" if path.suffix == ".xz" else "w") as made:
        for name, text in files:
            info = tarfile.TarInfo(name)
            info.size = len(text)
            made.addfile(info, io.BytesIO(text.encode()))
    return path


@pytest.fixture
def gcc(tmp_path, monkeypatch):
    """gcc(tarballs in Debian's) -> a toolchain that has unpacked them."""
    def unpack(*inside):
        made = toolchain.Toolchain(tmp_path / "cache")
        made.work.mkdir(parents=True)
        for name in inside:
            tarball(tmp_path / name, ("top/" + name.split("-")[0], name), ("top/libgo/x", "left out"))
        outer = tmp_path / "gcc-14.orig.tar"
        with tarfile.open(outer, "w") as file:
            for name in inside:
                file.add(tmp_path / name, f"outer/{name}")
        debian = tarball(tmp_path / "gcc-14.debian.tar", ("debian/patches/gcc-gfdl-build.diff", ""))
        files = {r"\.orig\.tar": outer, r"\.debian\.tar": debian}
        monkeypatch.setattr(toolchain, "LEFT_OUT", ["--exclude=top/libgo"])
        ran = []
        real = made.run
        monkeypatch.setattr(made, "run", lambda command, cwd, *_: ran.append(command[0]) or (command[0] == "patch" or real(command, cwd)))
        made._unpack_gcc(SimpleNamespace(version="14.2", file=lambda pattern: files[pattern]))
        return made.work, ran
    return unpack


def test_newlib_is_linked_into_gcc(gcc):
    work, ran = gcc("newlib-4.4.0.tar.xz", "gcc-14.2.tar.xz")
    assert os.readlink(work / "gcc" / "newlib") == "../newlib/newlib"
    assert (work / "gcc" / "gcc").read_text() == "gcc-14.2.tar.xz" and (work / "newlib" / "newlib").read_text() == "newlib-4.4.0.tar.xz"
    assert not (work / "gcc" / "libgo").exists() and not (work / "gcc-source").exists()
    assert ran == ["tar"] * 3 + ["patch", "tar"]


@pytest.mark.parametrize("inside, has", [((), "none"), (("gcc-14.2.tar.xz",), "none"), (("newlib-4.4.0.tar.xz",), "newlib-4.4.0.tar.xz"),
                                         (("newlib-4.5.0.tar.xz", "gcc-14.2.tar.xz"), "newlib-4.5.0.tar.xz")])
def test_another_newlib_is_refused(inside, has, gcc):
    with pytest.raises(SetupError, match=f"Debian's GCC source 14.2 does not contain newlib 4.4 as expected, but {has}.\n"):
        gcc(*inside)


@pytest.mark.parametrize("lines, shares", [(1, [0.5 + 0.5 / 10]), (10, [1.0]), (25, [1.0])])
def test_progress_of_make(lines, shares, monkeypatch, tmp_path):
    """By the lines that make prints; more than expected are no more than all."""
    made = toolchain.Toolchain(tmp_path)
    monkeypatch.setattr(toolchain.Toolchain, "expected", {"gcc": 10})
    monkeypatch.setattr(made, "run", lambda command, cwd, on_line: [on_line("x") for _ in range(lines)])
    told = []
    made.make("gcc", SimpleNamespace(update=lambda done, of, what: told.append((done, of, what))), 0.5, 1.0, [])
    assert told[-1] == (pytest.approx(shares[-1]), 1.0, "gcc") and len(told) == lines

"""The build directory of guest programs, with a fake meson."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from fugu.build.guest import Guest
from fugu.host.progress import Bars, Lines
from fugu.paths import ROOT

# Like meson, it needs the cross file and makes a directory of its own.
MESON = """#!/bin/sh
[ -f "$3" ] || { echo "no cross file $3"; exit 1; }
mkdir -p "$4/meson-private" && : >"$4/build.ninja"
"""


STEP = SimpleNamespace(update=lambda *_: None)


def executable(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def guest(tmp_path: Path) -> Guest:
    tools = tmp_path / "venv"
    executable(tools / "bin" / "meson", MESON)
    executable(tmp_path / "one" / "bin" / "sparc-elf-gcc", "#!/bin/sh\necho 14.2.0\n")
    executable(tmp_path / "two" / "bin" / "sparc-elf-gcc", "#!/bin/sh\necho 14.2.0\n")
    (tmp_path / "logs").mkdir()
    return Guest(tmp_path / "build",
                 SimpleNamespace(path=tools, key="k", bin=lambda name: tools / "bin" / name),
                 tmp_path / "one")


def test_another_toolchain_starts_a_new_build(guest: Guest, tmp_path: Path) -> None:
    guest._set_up(STEP)
    (guest.build / "stale.elf").touch()
    (guest.build / ".fugu" / "guest.json").touch()
    (guest.build / ".fugu" / "lock").touch()
    guest._set_up(STEP)
    assert (guest.build / "stale.elf").exists(), "an unchanged toolchain must keep the build directory"

    guest.prefix = tmp_path / "two"
    guest._set_up(STEP)
    assert not (guest.build / "stale.elf").exists()
    assert not (guest.build / ".fugu" / "guest.json").exists(), "a record of what is gone"
    assert (guest.build / ".fugu" / "lock").exists(), "the caller holds the lock"
    assert str(tmp_path / "two") in (guest.build / ".fugu" / "sparc-elf.ini").read_text()


def test_nothing_is_shown_when_nothing_is_built(guest: Guest, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """So a makefile with ./run.sh cc as its compiler shows only what the compiler says."""
    executable(tmp_path / "venv" / "bin" / "ninja", "#!/bin/sh\necho 'ninja: no work to do.'\n")
    guest.ensure(Lines(), tests=True)
    first = capsys.readouterr().err.splitlines()
    assert first[0] == "fugu: building guest programs: ..." and "done in" in first[-1]      # it was set up
    guest.ensure(Lines(), tests=True)
    assert capsys.readouterr().err == ""
    executable(tmp_path / "venv" / "bin" / "ninja", "#!/bin/sh\necho '[1/2] Compiling a.c'\n")
    guest.ensure(Lines(), tests=True)
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_programs_of_the_tests_are_built_for_who_runs_them(guest: Guest, tmp_path: Path) -> None:
    """A first run would otherwise wait for all programs of the tests."""
    def target(name, folder, default=True):
        return {"filename": [str(guest.build / folder / name)], "build_by_default": default,
                "defined_in": str(ROOT / folder / "meson.build")}
    (guest.build / "meson-info").mkdir(parents=True)
    (guest.build / "meson-info" / "intro-targets.json").write_text(json.dumps([
        target("kernel.elf", "guest-os/kernel"), target("ring.elf", "tests/guest"), target("pingpong.elf", "apps"),
        target("costly", "apps", default=False)]))
    executable(tmp_path / "venv" / "bin" / "ninja", f"#!/bin/sh\nshift 3; echo \"$@\" >> {tmp_path}/asked\n")
    guest.ensure(Lines(), tests=False)
    guest.ensure(Lines(), tests=True)
    assert (tmp_path / "asked").read_text().splitlines() == ["build.ninja", "apps/pingpong.elf guest-os/kernel/kernel.elf", ""]


def test_bars_show_no_quiet_step() -> None:
    pytest.importorskip("rich")
    bars = Bars()
    try:
        with bars.step("one", quiet=True) as step:
            assert not bars.bars.tasks
            step.update(1, 2)
            assert [task.description for task in bars.bars.tasks] == ["one"]
        with bars.step("two"):
            assert [task.description for task in bars.bars.tasks] == ["two"]
    finally:
        bars.close()


def test_archives_in_a_folder_with_a_blank(tmp_path):
    """The names of members and archives have the clone's path; a blank in it makes no name of the path's first part."""
    place = tmp_path / "my clone"
    place.mkdir()
    scripts = {"ar": f"case $1 in t) echo '{place}/one two.o';; *) shift 2; printf '%s\\n' \"$@\" >> '{place}/packed';; esac",
               "nm": f"echo '{place}/lib.a[one two.o]:'; echo 'called T 0 4'",
               "objcopy": "exit 0"}
    for name, script in scripts.items():
        (place / name).write_text(f"#!/bin/sh\n{script}\n")
        (place / name).chmod(0o755)
    (place / "names").write_text("called\n")
    done = subprocess.run([sys.executable, ROOT / "guest-os" / "link" / "archives.py", *(place / name for name in scripts),
                           place / "names", place / "libc.a", place, place / "lib.a"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert (place / "new-names").read_text() == "called __lib_called\nerrno __lib_errno\n"
    assert (place / "packed").read_text() == f"{place}/one two.o\n"

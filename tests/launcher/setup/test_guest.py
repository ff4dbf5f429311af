"""The build directory of guest programs, with a fake meson."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from fugu.build.guest import Guest

# Like meson, it needs the cross file and makes a directory of its own.
MESON = """#!/bin/sh
[ -f "$3" ] || { echo "no cross file $3"; exit 1; }
mkdir -p "$4/meson-private" && : >"$4/build.ninja"
"""


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
    return Guest(tmp_path / "build", tmp_path,
                 SimpleNamespace(path=tools, key="k", bin=lambda name: tools / "bin" / name),
                 tmp_path / "one")


def test_another_toolchain_starts_a_new_build(guest: Guest, tmp_path: Path) -> None:
    guest._set_up()
    (guest.build / "stale.elf").touch()
    guest._set_up()
    assert (guest.build / "stale.elf").exists(), "an unchanged toolchain must keep the build directory"

    guest.prefix = tmp_path / "two"
    guest._set_up()
    assert not (guest.build / "stale.elf").exists()
    assert str(tmp_path / "two") in (guest.build / ".fugu" / "sparc-elf.ini").read_text()

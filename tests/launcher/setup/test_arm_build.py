"""The libraries and the script of QEMU for ARM hosts, with fakes for apt, dpkg-deb and the emulator."""

from __future__ import annotations

import subprocess

import pytest

from fugu.build.arm64 import LIBRARIES, RUNNER, Arm64
from fugu.errors import SetupError
from fugu.host.progress import Lines

APT = """
echo "$*" >> {calls}
case "$*" in
*indextargets*) echo "http://mirror/debian Debian/Debian" ;;
*" download "*) {download} ;;
esac
"""


class Cross:
    """Stands in for build.qemu.Qemu: its binary is an empty file."""

    def __init__(self, folder):
        self.folder, self.libraries = folder, []

    def ensure_arm64(self, store, display, libraries):
        self.libraries.append(libraries)
        self.folder.mkdir(exist_ok=True)
        (self.folder / "qemu-system-sparc").touch()
        return self.folder / "qemu-system-sparc"


@pytest.fixture
def arm64(fake, tmp_path):
    """arm64(download) -> an Arm64 whose apt-get downloads with this command."""
    def make(download="touch a.deb b.deb"):
        fake("apt-get", APT.format(calls=tmp_path / "calls", download=download))
        fake("dpkg-deb", 'touch "$3/lib/$(basename "$2")"')
        return Arm64(tmp_path / "cache", Cross(tmp_path / "with blanks"))
    return make


def downloads(tmp_path):
    return [line for line in (tmp_path / "calls").read_text().splitlines() if " download " in line]


def test_libraries_are_unpacked_once(arm64, tmp_path):
    made = arm64()
    for _ in range(2):
        made.ensure(None, Lines())
    assert len(downloads(tmp_path)) == 1
    assert downloads(tmp_path)[0].endswith(" download " + " ".join(LIBRARIES))
    assert made.qemu.libraries == [made.libraries] * 2
    # /lib is that of the packages, and the packages themselves are gone.
    assert sorted(path.name for path in (made.libraries / "usr" / "lib").iterdir()) == ["a.deb", "b.deb"]
    assert not (made.libraries / "packages").exists()


def test_half_unpacked_libraries_are_never_used(arm64, tmp_path):
    with pytest.raises(SetupError, match="downloading packages of arm64 failed"):
        arm64("touch a.deb; exit 100").ensure(None, Lines())
    made = arm64("touch b.deb")
    made.ensure(None, Lines())
    assert [path.name for path in (made.libraries / "usr" / "lib").iterdir()] == ["b.deb"]


def test_script_runs_qemu_on_this_host(arm64, fake):
    """The emulator gets the libraries, the binary, and all words as they are."""
    fake(RUNNER, 'for word; do echo "<$word>"; done')
    made = arm64()
    script = made.ensure(None, Lines())["qemu"]
    done = subprocess.run([script, "-M", "fugu,nodes=2", "a b", "$HOME"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["<-L>", f"<{made.libraries}>", f"<{made.qemu.folder}/qemu-system-sparc>", "<-M>",
                                        "<fugu,nodes=2>", "<a b>", "<$HOME>"]

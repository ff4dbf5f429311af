"""Debian packages: which are missing, and how they are installed."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from fugu.errors import SetupError
from fugu.host import capacity, packages
from fugu.host.progress import Lines
from fugu.paths import ROOT

ALL = [package for group in packages.PACKAGES.values() for package in group]


def dpkg(fake, missing=(), provides=None):
    """Makes a fake dpkg-query that knows all packages except for the missing ones."""
    lines = [f"installed {p} {(provides or {}).get(p, '')}" for p in ALL if p not in missing]
    fake("dpkg-query", "cat <<'END'\n" + "\n".join(lines) + "\nconfig-files gone\nEND")


def test_nothing_missing_calls_no_apt(fake, tmp_path):
    dpkg(fake)
    fake("apt-get", "echo called >&2; exit 1")
    packages.ensure_packages(["QEMU", "toolchain", "fetch"], tmp_path, Lines())


def test_missing_packages_are_installed(fake, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    dpkg(fake, missing=["libpixman-1-dev", "libmpc-dev"])
    fake("apt-get", f'echo "$*" >> {tmp_path}/calls')
    packages.ensure_packages(["QEMU"], tmp_path, Lines())
    update, install = (tmp_path / "calls").read_text().splitlines()
    assert update.endswith("update")
    assert install.endswith("install --no-install-recommends libpixman-1-dev")      # QEMU does not need libmpc-dev


def test_package_may_be_provided_by_another(fake, tmp_path):
    dpkg(fake, missing=["pkg-config"], provides={"make": "pkg-config (= 1.8.1-1), other"})
    assert packages.missing_packages(["pkg-config", "make"]) == []


def test_removed_package_is_missing(fake):
    dpkg(fake)
    fake("apt-get", "")
    assert packages.missing_packages(["gone"]) == ["gone"]


def test_failing_update_does_no_harm(fake, tmp_path, monkeypatch):
    """`apt-get update` may fail for a source that set-up does not need."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    dpkg(fake, missing=["libpixman-1-dev"])
    fake("apt-get", 'case "$*" in *update) exit 100;; esac')
    packages.ensure_packages(["QEMU"], tmp_path, Lines())


def test_failing_installation_is_reported(fake, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    dpkg(fake, missing=["libpixman-1-dev"])
    fake("apt-get", "echo E: no space; exit 100")
    with pytest.raises(SetupError, match="(?s)status 100.*E: no space.*as root: apt-get install .*libpixman-1-dev"):
        packages.ensure_packages(["QEMU"], tmp_path, Lines())


def test_without_root_and_sudo_the_command_is_printed(fake, tmp_path, monkeypatch):
    """The message has the command for root."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    real = packages.shutil.which
    monkeypatch.setattr(packages.shutil, "which", lambda name: None if name == "sudo" else real(name))
    dpkg(fake, missing=["libpixman-1-dev", "bison"])
    fake("apt-get", f"touch {tmp_path}/called")
    with pytest.raises(SetupError, match="(?s)takes root.*apt-get install .*libpixman-1-dev bison"):
        packages.ensure_packages(["QEMU"], tmp_path, Lines())
    assert not (tmp_path / "called").exists()


def test_sudo_is_used_without_password(fake, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    fake("sudo", "exit 0")
    assert packages.privilege("x") == ["sudo", "-n"]


def test_sudo_that_needs_a_password_is_not_used(fake, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    fake("sudo", "exit 1")
    with pytest.raises(SetupError, match="takes root"):
        packages.privilege("x")


@pytest.mark.parametrize("password", [True, False])
def test_sudo_asks_for_the_password_at_a_terminal(password, fake, monkeypatch, tmp_path, capsys):
    """It asks once; what is then called needs no terminal."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "stdin", type("", (), {"isatty": lambda self: True})())
    fake("sudo", f'echo "$*" >> {tmp_path}/calls; [ "$*" = -v ] && exit {int(not password)}; exit 1')
    if password:
        assert packages.privilege("x") == ["sudo", "-n"]
    else:
        with pytest.raises(SetupError, match="takes root(?s:.*)\n  x$"):
            packages.privilege("x")
    assert (tmp_path / "calls").read_text() == "-n true\n-v\n"
    assert capsys.readouterr().err == "fugu: packages are missing; sudo may ask for your password\n"


def test_host_without_apt_is_reported(monkeypatch):
    monkeypatch.setattr(packages.shutil, "which", lambda name: None)
    with pytest.raises(SetupError, match="(?s)no dpkg and apt-get.*FUGU_NO_APT=1.*Packages: gcc"):
        packages.missing_packages(["gcc"])


def test_no_apt_leaves_packages_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("FUGU_NO_APT", "1")
    monkeypatch.setattr(packages, "missing_packages", lambda wanted: pytest.fail("asked"))
    packages.ensure_packages(["QEMU"], tmp_path, Lines())


def test_too_little_room_is_reported(monkeypatch, tmp_path):
    monkeypatch.setattr(capacity.shutil, "disk_usage", lambda path: type("", (), {"free": 100 << 20}))
    message = f"(?s){tmp_path}.*toolchain, QEMU need 3000 MiB, and 100 MiB are free.*FUGU_CACHE"
    with pytest.raises(SetupError, match=message):
        capacity.check_room(tmp_path, ["toolchain", "QEMU"])
    capacity.check_room(tmp_path, [])


@pytest.mark.parametrize("works", [True, False])
def test_apt_is_silent_where_python_is_installed(works, fake, tmp_path):
    """What apt prints goes to the log of packages, as it does when the launcher calls it."""
    text = (ROOT / "run.sh").read_text()
    assert text.count("/usr/bin/python3 python3 python3.13 python3.12 python3.11") == 1
    script = tmp_path / "run.sh"
    script.write_text(text.replace("/usr/bin/python3 python3 python3.13 python3.12 python3.11", "python-of-the-test"))
    fake("id", "echo 0")
    made = f"cp {tmp_path}/python {tmp_path}/fakes/python-of-the-test" if works else "echo no room; exit 100"
    (tmp_path / "python").write_text("#!/bin/sh\n[ \"$3\" = -c ] || echo launched\n")
    (tmp_path / "python").chmod(0o755)
    fake("apt-get", f'echo "Get: $*"; case "$*" in install*) {made};; esac')
    done = subprocess.run(["bash", script], capture_output=True, text=True, stdin=subprocess.DEVNULL, env={
        "PATH": os.environ["PATH"], "HOME": str(tmp_path / "home")})
    log = tmp_path / "home" / ".cache" / "fugu" / "logs" / "packages.log"
    assert log.read_text().startswith("Get: update -q\nGet: install -y -q --no-install-recommends python3 python3-venv\n")
    lines = done.stderr.splitlines()
    assert lines[0] == "fugu: installing python3: ..."
    if works:
        assert (done.returncode, done.stdout, len(lines)) == (0, "launched\n", 1)
    else:
        assert done.returncode == 3
        assert lines[1] == f"fugu: installing python3 failed. The end of {log}:"
        assert "| no room" in lines and "fugu: Python 3.11 or newer is needed." in lines

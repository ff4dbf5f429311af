"""Debian packages: which are missing, and how they are installed."""

from __future__ import annotations

import io
import os
import sys

import pytest

from fugu.errors import SetupError
from fugu.host import capacity, packages
from fugu.host.progress import Lines

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

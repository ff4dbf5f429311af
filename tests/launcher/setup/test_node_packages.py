"""Packages of npm: fetched once, refused if they are not what they were, and none of their code is run."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile

import pytest

from fugu.errors import SetupError
from fugu.host import node_packages, python_tools
from fugu.host.node_packages import NodePackage


@pytest.fixture
def packed(tmp_path):
    """A package as npm fetches it, with a file that would leave its folder."""
    file = tmp_path / "a-1.0.0.tgz"
    with tarfile.open(file, "w:gz") as archive:
        for name in ("package/dist/index.html", "package/LICENSE", "package/package.json", "package/dist/more/b.js",
                     "package/dist/../../../../out.txt"):
            info = tarfile.TarInfo(name)
            info.size = len(name)
            archive.addfile(info, io.BytesIO(name.encode()))
    return file


@pytest.fixture
def npm(tmp_path, monkeypatch):
    """Lets npm be a script with these lines; it notes how it was called."""
    monkeypatch.setattr(node_packages, "cache_dir", lambda: tmp_path / "cache")
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")

    def write(lines):
        script = tmp_path / "bin" / "npm"
        script.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n{lines}\n')
        script.chmod(0o755)
    return write


def of(packed, sum_=None):
    right = base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode()
    return NodePackage("a", "1.0.0", sum_ or right, "dist")


def test_it_is_fetched_once(npm, packed, tmp_path):
    npm(f'for last; do :; done; while [ "$1" != --pack-destination ]; do shift; done; cp {packed} "$2"')
    first = of(packed).files("a test")
    assert first == of(packed).files("a test")
    assert sorted(path.name for path in first.iterdir()) == ["LICENSE", "complete.json", "index.html"]
    assert (first / "index.html").read_text() == "package/dist/index.html"
    (call,) = (tmp_path / "calls").read_text().splitlines()
    assert call.startswith("pack --ignore-scripts ") and call.endswith(" a@1.0.0")


def test_another_file_is_refused(npm, packed):
    npm(f'while [ "$1" != --pack-destination ]; do shift; done; cp {packed} "$2"')
    with pytest.raises(SetupError, match="a 1.0.0 from npm is not the file that this project knows: its SHA-512 is"):
        of(packed, "AAAA").files("a test")
    with pytest.raises(SetupError):                 # and is not kept
        of(packed, "AAAA").files("a test")


def test_no_network(npm, packed, tmp_path):
    npm("echo 'getaddrinfo EAI_AGAIN' >&2; exit 1")
    with pytest.raises(SetupError) as caught:
        of(packed).files("a test")
    lines = str(caught.value).splitlines()
    assert lines[0] == f"fetching a, which a test takes, failed (status 1). The end of {tmp_path}/cache/logs/npm.log:"
    assert lines[1:] == ["| getaddrinfo EAI_AGAIN", "npm is used as you have configured it (npm config list)."]


def test_nothing_is_fetched(npm, packed):
    npm("exit 0")
    with pytest.raises(SetupError, match="npm has fetched 0 files in place of a 1.0.0"):
        of(packed).files("a test")


def test_without_npm_there_is_one_of_our_own(npm, tmp_path, monkeypatch):
    asked = []

    class Tools:
        def bin(self, name):
            return tmp_path / name

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(python_tools, "environment", lambda names, what: asked.append((names, what)) or Tools())
    assert node_packages._npm() == tmp_path / "npm"             # noqa: SLF001
    assert asked == [(node_packages.NODE, "Node.js")]

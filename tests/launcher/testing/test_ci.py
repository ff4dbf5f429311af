""".ci/run gives a bare environment to ./run.sh."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from fugu.paths import ROOT

DOWNLOADS = {"https_proxy", "NO_PROXY", "PIP_INDEX_URL", "PIP_CERT", "SSL_CERT_FILE", "APT_CONFIG"}
OTHERS = {"PYTHONUNBUFFERED", "PYTHONPATH", "LANG", "LC_ALL", "COLUMNS", "CFLAGS", "PYTEST_ADDOPTS", "LD_PRELOAD_NOT",
          "XDG_CACHE_HOME"}


@pytest.fixture
def ci_run(tmp_path):
    """ci_run(script) -> the path of a copy of .ci/run, whose ./run.sh is that script."""
    def make(script):
        (tmp_path / ".ci").mkdir()
        shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
        (tmp_path / "run.sh").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "run.sh").chmod(0o755)
        return tmp_path / ".ci" / "run"
    return make


def test_environment_has_what_downloads_need_alone(ci_run):
    """Values with blanks stay as they are, and standard input is empty."""
    command = ci_run('echo "args: $*"\nenv\ncat')
    kept = {"HOME": "/some where", "TERM": "dumb", "FUGU_CACHE": "/a cache", **dict.fromkeys(DOWNLOADS, "a value")}
    env = kept | dict.fromkeys(OTHERS, "1") | {"PATH": os.environ["PATH"]}
    done = subprocess.run([command, "-k", "word"], input="typed\n", capture_output=True, text=True,
                          env=env, timeout=60)
    assert done.returncode == 0, done.stderr
    first, *lines = done.stdout.splitlines()
    assert first == "args: test -k word"
    found = dict(line.split("=", 1) for line in lines)      # fails if a typed line gets here, without "="
    # The other variables are set by the shells themselves.
    assert {name: found.get(name) for name in kept} == kept
    assert set(found) <= set(kept) | {"PATH", "PWD", "OLDPWD", "SHLVL", "_"}


def test_empty_environment_will_do(ci_run):
    assert subprocess.run([ci_run("exit 7")], env={"PATH": os.environ["PATH"]}, timeout=60).returncode == 7

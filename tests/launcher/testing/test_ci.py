""".ci/run: which environment it gives to ./run.sh."""

from __future__ import annotations

import os
import shutil
import subprocess

from fugu.paths import ROOT

DOWNLOADS = {"https_proxy", "NO_PROXY", "PIP_INDEX_URL", "PIP_CERT", "SSL_CERT_FILE", "APT_CONFIG"}
OTHERS = {"PYTHONUNBUFFERED", "PYTHONPATH", "LANG", "LC_ALL", "COLUMNS", "CFLAGS", "PYTEST_ADDOPTS", "LD_PRELOAD_NOT",
          "XDG_CACHE_HOME"}


def test_the_environment_is_bare(tmp_path):
    """What downloads need comes with it, and blanks in it stay."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    (tmp_path / "run.sh").write_text('#!/bin/sh\necho "args: $*"\nenv\ncat\n')
    (tmp_path / "run.sh").chmod(0o755)
    kept = {"HOME": "/some where", "TERM": "dumb", "FUGU_CACHE": "/a cache", **dict.fromkeys(DOWNLOADS, "a value")}
    env = kept | dict.fromkeys(OTHERS, "1") | {"PATH": os.environ["PATH"]}
    done = subprocess.run([tmp_path / ".ci" / "run", "-k", "word"], input="typed\n", capture_output=True, text=True,
                          env=env, timeout=60)
    assert done.returncode == 0, done.stderr
    first, *lines = done.stdout.splitlines()
    assert first == "args: test -k word"
    found = dict(line.split("=", 1) for line in lines)      # nothing typed comes through
    # Shells on the way set the others.
    assert {name: found.get(name) for name in kept} == kept
    assert set(found) <= set(kept) | {"PATH", "PWD", "OLDPWD", "SHLVL", "_"}


def test_an_empty_environment(tmp_path):
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    (tmp_path / "run.sh").write_text("#!/bin/sh\nexit 7\n")
    (tmp_path / "run.sh").chmod(0o755)
    assert subprocess.run([tmp_path / ".ci" / "run"], env={"PATH": os.environ["PATH"]}, timeout=60).returncode == 7

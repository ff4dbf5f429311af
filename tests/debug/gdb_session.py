"""Sessions of ./run.sh debug, as scripts."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def words_of(commands, *words):
    """The command line of a session that gives these commands, one after the other."""
    gdb = [word for command in commands for word in ("-ex", command)]
    return [ROOT / "run.sh", "debug", *(f"--gdb-arg={word}" for word in ["-batch", *gdb]), *map(str, words)]


@pytest.fixture
def environment(tmp_path):
    """Nobody's .gdbinit, and what the tests were built with."""
    return os.environ | {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path),
                         "FUGU_CACHE": os.environ.get("FUGU_CACHE") or os.path.expanduser("~/.cache/fugu")}


@pytest.fixture
def session(environment):
    """session([commands], *words, NAME=VALUE) -> how it ended; output and errors are one text.

    Names and values are GDB's environment."""
    def run(commands, *words, **more):
        return subprocess.run(words_of(commands, *words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=120,
                              env=environment | more)
    return run

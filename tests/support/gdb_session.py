"""Runs sessions of ./run.sh debug from a list of commands."""

from __future__ import annotations

import os
import subprocess

import pytest
from run_sh import COMMAND

from fugu.paths import ROOT


def words_of(commands, *words):
    """The command line of a session in which GDB executes these commands in order."""
    gdb = [word for command in commands for word in ("-ex", command)]
    return [COMMAND, "debug", *(f"--gdb-arg={word}" for word in ["-batch", *gdb]), *map(str, words)]


def place(file, function, text):
    """FILE:LINE, for GDB, of the first line with a text in a function of a source of this project."""
    lines = (ROOT / file).read_text().splitlines()
    start = next(k for k, line in enumerate(lines) if function in line and not line.startswith(" "))
    return f"{os.path.basename(file)}:{next(k for k in range(start, len(lines)) if text in lines[k]) + 1}"


@pytest.fixture
def environment(tmp_path):
    """An environment without the user's .gdbinit, and with the cache that the tests were built with."""
    return os.environ | {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path),
                         "FUGU_CACHE": os.environ.get("FUGU_CACHE") or os.path.expanduser("~/.cache/fugu")}


@pytest.fixture
def session(environment):
    """session([commands], *words, NAME=VALUE) -> the ended process, with output and errors as one text.

    NAME=VALUE are variables for GDB's environment.
    """
    def run(commands, *words, **more):
        return subprocess.run(words_of(commands, *words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=120,
                              env=environment | more)
    return run

"""`./run.sh test --changed [PYTEST ARGS]`, `./run.sh test --changed=REV [PYTEST ARGS]`."""

from __future__ import annotations

import sys

from ..host.python_tools import PythonTools
from ..paths import ROOT, build_dir, cache_dir
from .changes import changed
from .choose import choose, lines
from .programs import Programs
from .tests import TestFiles

OPTION = "--changed"


def revision(words: list[str]) -> str | None:
    """The revision with which the checkout is compared, or None without --changed."""
    found = [word for word in words if word == OPTION or word.startswith(f"{OPTION}=")]
    return (found[-1].partition("=")[2] or "HEAD") if found else None


def without(words: list[str]) -> list[str]:
    return [word for word in words if word.partition("=")[0] != OPTION]


def affected(since: str) -> list[str] | None:
    """The files of tests that what has changed since a revision can affect; None: all. Prints the reasons.

    The build directory must be up to date. UsageError if git does not know the revision.
    """
    paths = changed(ROOT, since)
    programs = Programs(build_dir(), ROOT, PythonTools(cache_dir()).bin("ninja"))
    choice = choose(paths, TestFiles(ROOT).all(), programs)
    for line in lines(choice):
        print(line, file=sys.stderr)
    # A file that has been deleted since cannot be run.
    return None if choice.everything else sorted(test for test in choice.reasons if (ROOT / test).exists())

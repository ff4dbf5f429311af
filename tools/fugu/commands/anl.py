"""`./run.sh anl`: a program's own makefile, with this project's compiler and macros.

    ./run.sh anl make
    ./run.sh anl make -C fft CFLAGS=-O3
    ./run.sh anl --sproc make           # as cc --anl --sproc

The command finds our compilers, ar, ranlib and m4 first on its path. MACROS
names our macros: in the environment, and for make on its command line too, where
it comes before what the makefile says. make's own rule from NAME.C to NAME.o gets
CFLAGS, unless CXXFLAGS is set.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from ..build.everything import up_to_date
from ..errors import SetupError, UsageError
from ..host import children
from . import _anl

MAKES = ("make", "gmake")


def main(words: list[str]) -> int:
    """Runs the command to its end, and returns its exit status."""
    modes = list(itertools.takewhile(lambda word: word in _anl.MODES, words))
    words = words[len(modes):]
    if not words:
        raise UsageError("anl needs a command that builds a program: ./run.sh anl make")
    toolchain = Path(up_to_date(["guest"])["guest"]["toolchain"])
    name = os.path.basename(words[0])
    macros = any(word.startswith("MACROS") and "=" in word for word in words)
    with _anl.commands(toolchain) as environment:
        if not _anl.found(words[0], environment["PATH"]):
            raise SetupError(f"there is no command {words[0]} on the path.")
        line = [*words, *[f"MACROS={_anl.MACROS}"] * (name in MAKES and not macros)]
        flags = {"CXXFLAGS": "$(CFLAGS)"} if name in MAKES else {}
        flags |= {_anl.MODE: " ".join(modes)} if modes else {}
        return children.run(line, env=flags | os.environ | environment)

"""`./run.sh cc`: the cross compiler, with the options that a program for Glaze needs.

    ./run.sh cc hello.c -o hello.elf
    ./run.sh cc hello.cc part.c -o hello.elf
    ./run.sh cc -O3 -c part.c
    ./run.sh cc --anl *.C -o solver.elf
    make CC="$PWD/run.sh cc"

sparc-elf-gcc gets all words of the command line, after the options of the
programs in this repository (guest-os/libos/meson.build). Where it links, it
follows guest-os/libos/program.specs. --anl is for programs with the ANL macros
(_anl), --sproc and --check-globals for those whose processes share variables (_globals).
The first words with a part in C++ build the compiler for it (_cplusplus).
"""

from __future__ import annotations

import os
from pathlib import Path

from ..build.everything import up_to_date
from ..errors import SetupError, UsageError
from ..paths import ROOT, build_dir
from . import _anl, _cplusplus

COMPILE = ("-mcpu=v7", "-O2", "-g")
# Searched after the folders that -I names, and before the system's: a program may have a header of the same name.
INCLUDE = ("guest-os/include", "guest-os/include/lib", "hw")
LIBOS = ROOT / "guest-os" / "libos"                 # has program.ld
LIBRARIES = ("link", "anl")                          # folders of build/guest-os
ANL = "--anl"


def main(words: list[str]) -> int:
    """Becomes the compiler; with --anl, expands the macros and then runs the compiler."""
    anl = ANL in words
    modes = [word for word in words if word in _anl.MODES]
    if modes and not anl:
        raise UsageError(f"{modes[0]} is for programs with ANL macros: ./run.sh cc --anl {modes[0]}")
    words = [word for word in words if word not in (ANL, *modes)]
    if not words:
        raise UsageError("cc needs something to compile: ./run.sh cc hello.c -o hello.elf")
    extended = _cplusplus.meant(words, anl)
    outputs = up_to_date(["guest", "cplusplus"] if extended else ["guest"])
    toolchain = Path(outputs["cplusplus"]["cplusplus"] if extended else outputs["guest"]["toolchain"])
    if extended:
        words = _cplusplus.completed(words)
    if anl:
        return _anl.compiled(words, lambda changed: command(toolchain, changed), modes)
    line = command(toolchain, words)
    try:
        os.execv(line[0], line)
    except OSError as error:
        raise SetupError(f"the compiler does not start: {line[0]}: {error.strerror}.") from None


def command(toolchain: Path, words: list[str], build: Path | None = None) -> list[str]:
    """The compiler's command line, with a toolchain's prefix."""
    built = (build or build_dir()) / "guest-os"
    return [str(toolchain / "bin" / "sparc-elf-gcc"), f"-specs={LIBOS / 'program.specs'}", *COMPILE,
            *(word for folder in INCLUDE for word in ("-isystem", str(ROOT / folder))),
            *(f"-L{folder}" for folder in (LIBOS, *(built / library for library in LIBRARIES))), *words]

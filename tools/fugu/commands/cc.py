"""`./run.sh cc`: the cross compiler, with the options that a program for Glaze needs.

    ./run.sh cc hello.c -o hello.elf
    ./run.sh cc -O3 -c part.c

sparc-elf-gcc gets all words of the command line. The options of the programs in
this repository (guest-os/libos/meson.build) come before them. If the compiler
is to link, the libraries and the linker script follow.
"""

from __future__ import annotations

import os
from pathlib import Path

from ..build.everything import up_to_date
from ..errors import SetupError, UsageError
from ..paths import ROOT, build_dir

COMPILE = ("-mcpu=v7", "-O2", "-g")
NO_LINK = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"}
LIBRARIES = ("crl", "measure", "collective")     # a library comes before those that it calls
INCLUDE = ("guest-os/include", "hw")
SCRIPT = ROOT / "guest-os" / "libos" / "program.ld"


def main(words: list[str]) -> int:
    """Checks the words, then becomes the compiler."""
    if not words:
        raise UsageError("cc needs something to compile: ./run.sh cc hello.c -o hello.elf")
    if not NO_LINK.intersection(words) and not any(word.startswith("-o") for word in words):
        raise UsageError("cc needs a name for its output: ./run.sh cc ... -o NAME.elf")
    line = command(Path(up_to_date(["guest"])["guest"]["toolchain"]), words)
    try:
        os.execv(line[0], line)
    except OSError as error:
        raise SetupError(f"the compiler does not start: {line[0]}: {error.strerror}.") from None


def command(toolchain: Path, words: list[str], build: Path | None = None) -> list[str]:
    """The compiler's command line, with a toolchain's prefix."""
    line = [str(toolchain / "bin" / "sparc-elf-gcc"), *COMPILE,
            *(f"-I{ROOT / folder}" for folder in INCLUDE), *words]
    if NO_LINK.intersection(words):
        return line
    built = (build or build_dir()) / "guest-os"
    return [*line, "-nostartfiles", "-T", str(SCRIPT), "-Wl,--fatal-warnings,--gc-sections",
            "-Wl,--whole-archive", str(built / "libos" / "libos.a"), "-Wl,--no-whole-archive",
            *(str(built / "lib" / name / f"{name}.a") for name in LIBRARIES),
            "-Wl,--start-group", "-lm", "-lc", "-lgcc", "-Wl,--end-group"]

"""Programs that only some commands need: installed when the first of them asks."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass

from ..errors import SetupError
from . import packages


@dataclass(frozen=True)
class Tool:
    """A program of the host: the name of its command, and what it is for.

    `instead` says what a user without Debian's packages can install.
    """

    command: str
    part: str                   # a key of packages.PACKAGES
    purpose: str
    instead: str


GDB = Tool("gdb-multiarch", "debug", "debugging", "any GDB for SPARC will do under the name gdb-multiarch on the path")
SPIN = Tool("spin", "model", "the model of two-case delivery", "any SPIN 6 will do")
M4 = Tool("m4", "macros", "the expansion of ANL macros", "any GNU m4 will do under the name m4 on the path")
CTAGS = Tool("ctags-universal", "floors", "reading declarations",
             "any Universal Ctags will do under the name ctags-universal on the path")
SLURM = Tool("srun", "cluster", "tests with Slurm", "any Slurm and MUNGE will do: slurmctld, slurmd, srun, munged")
MPI = Tool("mpirun", "cluster", "tests with Open MPI", "any Open MPI will do under the name mpirun on the path")
ARM64_COMPILER = Tool("aarch64-linux-gnu-gcc", "arm64", "the test of QEMU for ARM hosts",
                      "any cross compiler will do under the name aarch64-linux-gnu-gcc on the path")
ARM64_RUNNER = Tool("qemu-aarch64", "arm64", "the test of QEMU for ARM hosts",
                    "any QEMU for programs of 64-bit ARM will do under the name qemu-aarch64 on the path")
CHROMIUM = Tool("chromium", "browser", "the tests of pages",
                "any Chromium will do under the name chromium on the path")


def ensure(tool: Tool) -> str:
    """The path of a tool's command, which is installed if it is missing. SetupError."""
    if not shutil.which(tool.command):
        if os.environ.get("FUGU_NO_APT"):
            names = " ".join(packages.PACKAGES[tool.part])
            raise SetupError(f"{tool.purpose} takes {tool.command}, and it is not there.\n"
                             f"FUGU_NO_APT is set, so nothing is installed. Debian's package is {names};\n"
                             f"{tool.instead}.")
        from ..paths import cache_dir
        from .progress import Lines
        from .storage import make_cache

        packages.ensure_packages([tool.part], make_cache(cache_dir()) / "logs", Lines())
    found = shutil.which(tool.command)
    if not found:
        raise SetupError(f"there is no {tool.command} on the path, though its package is installed.")
    return found

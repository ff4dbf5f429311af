"""Python packages, which pip installs from PyPI into virtual environments in the cache.

Set-up needs one environment, the Python tools. Some commands need another one,
which the first of them makes: on_demand(). pip uses the user's configuration
(index, proxy, certificates).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ..paths import cache_dir
from . import execute, lock, storage
from .progress import Display, display

# QEMU's configure needs pycotap and distlib.
REQUIREMENTS = ["meson>=1.5,<2", "ninja>=1.11", "pycotap>=1.1", "distlib", "packaging",
                "pytest>=8", "pytest-xdist>=3.5", "pytest-timeout>=2.2", "rich>=13"]

# Perfetto's format as Python modules, with which the tests read timelines.
TIMELINE = ["perfetto>=0.16,<1"]

# What the page of `./run.sh paper` is made with, and what looks at it in the tests.
PAGE = ["matplotlib>=3.8,<4", "jinja2>=3.1,<4"]
BROWSER = ["playwright>=1.48,<2"]

# Lines that tests reach: the data, pages of them, and the lines of guest programs.
COVERAGE = ["coverage>=7.6,<8", "pyelftools>=0.31,<1"]

# Applies the rules by which `./run.sh test --mutants` makes mistakes.
MUTATOR = ["universalmutator>=1.14,<2"]

# What carries out the runs of a sweep. Its interfaces change between versions that fit by their numbers.
SNAKEMAKE = ["snakemake==9.27.1", "snakemake-executor-plugin-slurm==2.8.0",
             "snakemake-executor-plugin-slurm-jobstep==0.6.1", "snakemake-interface-common==1.23.0",
             "snakemake-interface-executor-plugins==9.4.0", "snakemake-interface-logger-plugins==2.1.0",
             "snakemake-interface-report-plugins==1.3.0", "snakemake-interface-scheduler-plugins==2.0.2",
             "snakemake-interface-storage-plugins==4.4.1"]


class PythonTools:
    """A virtual environment of the Python that runs the launcher. The object is true if it is complete."""

    def __init__(self, cache: Path, requirements: Sequence[str] = REQUIREMENTS) -> None:
        self.requirements = list(requirements)
        self.base = os.path.realpath(sys.executable)
        self.key = storage.key(self.requirements, self.base, sys.version)
        self.path = storage.entry(cache, "venv", self.key)
        self.log = cache / "logs" / "python-tools.log"
        self.stamp = storage.Stamp(self.path / "complete.json")

    def __bool__(self) -> bool:
        return self.stamp.read() is not None

    def bin(self, name: str) -> Path:
        """The path of a program in the environment."""
        return self.path / "bin" / name

    def ensure(self, display: Display, what: str = "Python tools") -> None:
        """Makes the environment unless it is complete; messages call it `what`. SetupError."""
        if self:
            return
        with display.step(f"installing {what}"):
            storage.remove(self.path)
            execute.run([self.base, "-m", "venv", self.path], self.log, what="making a virtual environment",
                        hint="On Debian it takes the package python3-venv.")
            execute.run([self.bin("python"), "-m", "pip", "install", "--disable-pip-version-check",
                         "--no-input", *self.requirements], self.log, what=f"installing {what}",
                        hint="pip is used as you have configured it (pip config list).")
            self.stamp.write(self.requirements)

    def activate(self) -> None:
        """Lets this process import the packages in the environment."""
        for site in sorted(self.path.glob("lib/python3*/site-packages")):
            if str(site) not in sys.path:
                sys.path.append(str(site))


def on_demand(requirements: Sequence[str], what: str) -> None:
    """Lets this process import packages that only some commands need. Installs them first if they are missing.

    Messages call them `what`. SetupError.
    """
    environment(requirements, what).activate()


def environment(requirements: Sequence[str], what: str) -> PythonTools:
    """The environment of packages that only some commands need, which is made if it is missing.

    Messages call the packages `what`. SetupError.
    """
    cache = storage.make_cache(cache_dir())
    tools = PythonTools(cache, requirements)
    if not tools:
        with lock.held(cache / "lock"):
            shown = display()
            try:
                tools.ensure(shown, what)
            finally:
                shown.close()
    return tools

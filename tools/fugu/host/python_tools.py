"""The Python tools, which pip installs from PyPI into a virtual environment in the cache.

pip uses the user's configuration (index, proxy, certificates).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from . import execute, storage
from .progress import Display

# QEMU's configure needs pycotap and distlib.
REQUIREMENTS = ["meson>=1.5,<2", "ninja>=1.11", "pycotap>=1.1", "distlib", "packaging",
                "pytest>=8", "pytest-xdist>=3.5", "pytest-timeout>=2.2", "rich>=13"]


class PythonTools:
    """A virtual environment for the Python that runs the launcher. The object is true if the environment is complete.

    `requirements` are what pip installs, and `name` is what messages call them.
    """

    def __init__(self, cache: Path, requirements: Sequence[str] = REQUIREMENTS, name: str = "Python tools") -> None:
        self.requirements, self.name = list(requirements), name
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

    def ensure(self, display: Display) -> None:
        """Makes the environment unless it is complete. SetupError."""
        if self:
            return
        with display.step(f"installing {self.name}"):
            storage.remove(self.path)
            execute.run([self.base, "-m", "venv", self.path], self.log, what="making a virtual environment",
                        hint="On Debian it takes the package python3-venv.")
            execute.run([self.bin("python"), "-m", "pip", "install", "--disable-pip-version-check",
                         "--no-input", *self.requirements], self.log, what=f"installing {self.name}",
                        hint="pip is used as you have configured it (pip config list).")
            self.stamp.write(self.requirements)

    def activate(self) -> None:
        """Lets this process import the packages in the environment (rich)."""
        for site in sorted(self.path.glob("lib/python3*/site-packages")):
            if str(site) not in sys.path:
                sys.path.append(str(site))

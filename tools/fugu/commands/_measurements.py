"""What `bench` and `paper` share: a package of measurements, a module each.

A module has a docstring, whose first line says what it measures, and
main(words) -> status or None. A package in it may be a measurement, too. Modules whose
names begin with _ are shared, and so are packages without main().
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from ..errors import UsageError
from ..suggest import did_you_mean


@dataclass(frozen=True)
class Measurements:
    """The measurements in a package. Messages call each of them a `kind`."""

    package: ModuleType
    kind: str

    def names(self) -> list[str]:
        """The names of all of them."""
        return sorted(module.name for module in pkgutil.iter_modules(self.package.__path__)
                      if not module.name.startswith("_")
                      and (not module.ispkg or hasattr(self.load(module.name), "main")))

    def load(self, name: str) -> ModuleType:
        """The module of a measurement."""
        return importlib.import_module(f"{self.package.__name__}.{name}")

    def main(self, words: list[str], prepare: Callable[[], None]) -> int:
        """Runs prepare(), then the named measurement with its arguments, or all. --list only lists them. UsageError.

        With --help among the arguments, the measurement prints its options, and nothing is prepared.
        """
        names = self.names()
        if words and words[0] == "--list":
            width = max(map(len, names))
            for name in names:
                print(f"{name:<{width}}  {(self.load(name).__doc__ or '').strip().partition(chr(10))[0]}")
            return 0
        if words and words[0] not in names:
            raise UsageError(f"there is no {self.kind} {words[0]}.{did_you_mean(words[0], names)}\n"
                             f"There are: {', '.join(names)}.")
        if not {"-h", "--help"} & set(words):
            prepare()
        if words:
            return self.load(words[0]).main(words[1:]) or 0
        return max(self.load(name).main([]) or 0 for name in names)

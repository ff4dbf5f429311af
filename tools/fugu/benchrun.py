"""`./run.sh bench`: the benchmarks, which are modules of fugu.bench."""

from __future__ import annotations

import importlib
import os
import pkgutil
from types import ModuleType

from . import bench
from .errors import UsageError
from .paths import cache_dir
from .suggest import did_you_mean


def main(words: list[str]) -> int:
    """Runs the named benchmark with its arguments, or all of them."""
    names = sorted(module.name for module in pkgutil.iter_modules(bench.__path__)
                   if not module.name.startswith("_"))
    if words and words[0] == "--list":
        for name in names:
            print(f"{name:<12} {_first_line(_load(name))}")
        return 0
    if words and words[0] not in names:
        raise UsageError(f"there is no benchmark {words[0]}.{did_you_mean(words[0], names)}\n"
                         f"There are: {', '.join(names) or 'none yet'}.")
    if not names:
        print("There are no benchmarks yet.")
        return 0
    _prepare()
    if words:
        return _load(words[0]).main(words[1:]) or 0
    return max(_load(name).main([]) or 0 for name in names)


def _load(name: str) -> ModuleType:
    return importlib.import_module(f"fugu.bench.{name}")


def _first_line(module: ModuleType) -> str:
    return (module.__doc__ or "").strip().partition("\n")[0]


def _prepare() -> None:
    """Everything built, its paths in the environment, rich importable."""
    from .pytools import PythonTools
    from .testrun import everything, paths

    os.environ.update(paths(everything()))
    PythonTools(cache_dir()).activate()

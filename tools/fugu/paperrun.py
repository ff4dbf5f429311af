"""`./run.sh paper`: the paper's tables and figures, which are modules of fugu.paper."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from . import paper
from .errors import UsageError
from .paths import cache_dir
from .suggest import did_you_mean


def main(words: list[str]) -> int:
    """Runs the named one with its arguments, or all of them."""
    names = sorted(module.name for module in pkgutil.iter_modules(paper.__path__) if not module.name.startswith("_"))
    if words and words[0] == "--list":
        for name in names:
            print(f"{name:<8} {_first_line(_load(name))}")
        return 0
    if words == ["--update-docs"]:
        _prepare()
        return _update_docs()
    if words and words[0] not in names:
        raise UsageError(f"there is no table or figure {words[0]}.{did_you_mean(words[0], names)}\n"
                         f"There are: {', '.join(names)}.")
    _prepare()
    if words:
        return _load(words[0]).main(words[1:]) or 0
    return max(_load(name).main([]) or 0 for name in names)


def _load(name: str) -> ModuleType:
    return importlib.import_module(f"fugu.paper.{name}")


def _first_line(module: ModuleType) -> str:
    return (module.__doc__ or "").strip().partition("\n")[0]


def _update_docs() -> int:
    """Measures all that docs/ say of our own, and writes it down."""
    from .paper import _docs, _transcripts

    changed = [*_docs.update({name: _load(name).measure() for name in _docs.NAMES}), *_transcripts.update()]
    print("Written: " + ", ".join(changed) if changed else "All is as it is written down.")
    return 0


def _prepare() -> None:
    """What the measurements run, built; rich importable."""
    from .launch import ready
    from .parse import parse
    from .pytools import PythonTools

    ready(parse(["hello"]))
    PythonTools(cache_dir()).activate()

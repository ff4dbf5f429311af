"""`./run.sh test --coverage [PYTEST ARGS]`; with --page alone, only the pages."""

from __future__ import annotations

from ..host import python_tools
from ..paths import build_dir
from . import gather, page
from .store import Store

ONLY_PAGE = ["--page"]


def coverage(words: list[str]) -> int:
    """Runs tests, notes what they reach, and makes the pages. Returns the tests' status. FuguError."""
    status = 0 if words == ONLY_PAGE else gather.gather(words)
    notes = gather.folder()
    known = gather.known_lines(notes)
    python_tools.on_demand(python_tools.COVERAGE, "what reads covered lines")
    store = Store(notes)
    reached = store.lines()
    print("\n".join(page.table(reached, known, len(store.all_tests()))))
    print(f"\nall files: {page.write(store, reached, known, build_dir() / 'coverage')}")
    return status

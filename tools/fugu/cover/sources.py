"""The sources as coverage.py's pages need them: which lines have code. coverage.py loads this module as a plugin."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import coverage

from . import gather


class Source(coverage.FileReporter):
    """A file of any language, in the copy of the checkout whose lines were noted."""

    def __init__(self, filename: str, known: set[int]) -> None:
        super().__init__(filename)
        self.known = known

    def lines(self) -> set[int]:
        return self.known

    def relative_filename(self) -> str:
        return str(Path(self.filename).relative_to(gather.noted_tree()))

    def source_token_lines(self) -> Iterable[list[tuple[str, str]]]:
        for line in self.source().splitlines():
            yield [("", line)]


class Sources(coverage.CoveragePlugin):
    """Knows the lines of all files that were noted."""

    def __init__(self) -> None:
        self.known = gather.known_lines(gather.folder())

    def file_reporter(self, filename: str) -> coverage.FileReporter:
        return Source(filename, self.known.get(str(Path(filename).relative_to(gather.noted_tree())), set()))


def coverage_init(reg: Any, options: Any) -> None:
    """What coverage.py calls."""
    reg.add_file_tracer(Sources())

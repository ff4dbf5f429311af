"""Standard output: an error of it says so."""

from __future__ import annotations

import io
import sys


class Output(io.TextIOWrapper):
    """Standard output. Its last error stays in `failed`: what could not be written is lost then, so nothing else says it."""

    failed: OSError | None = None

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self.failed = error
            raise

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self.failed = error
            raise


def install() -> None:
    """Makes standard output one of this class, unless something else reads it already, such as a test."""
    if type(sys.stdout) is io.TextIOWrapper:
        old = sys.stdout
        sys.stdout = Output(old.detach(), old.encoding, old.errors, line_buffering=old.line_buffering)

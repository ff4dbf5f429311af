"""`./run.sh test --coverage`."""

from __future__ import annotations

from . import gather


def coverage(words: list[str]) -> int:
    """Runs tests, notes what they reach, and makes the page. Returns the tests' status."""
    return gather.gather(words)

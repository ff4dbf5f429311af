"""Numbers in the output of the apps."""

from __future__ import annotations

import re

from ...errors import SetupError


def found(pattern: str, text: str) -> float:
    """The number that the pattern's group finds. SetupError if there is none."""
    match = re.search(pattern, text)
    if not match:
        raise SetupError(f"a program did not print what it measured ({pattern}):\n{text}")
    return float(match[1])

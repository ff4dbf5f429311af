"""Files that a run is to write: whether they can be written, before the run begins."""

from __future__ import annotations

import os

from ..abi import STATUS
from ..errors import FuguError


class CannotWrite(FuguError):
    """A file that an option names cannot be written."""

    status = STATUS["FILE"]


def check(option: str, file: str) -> None:
    """CannotWrite unless the file can be written."""
    folder = os.path.dirname(file) or "."
    if not os.path.isdir(folder):
        raise CannotWrite(f"{option} {file}: there is no directory {folder}.")
    if os.path.isdir(file):
        raise CannotWrite(f"{option} {file}: this is a directory.")
    if not os.access(file if os.path.exists(file) else folder, os.W_OK):
        raise CannotWrite(f"{option} {file}: the file cannot be written.")

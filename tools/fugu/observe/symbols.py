"""The files with the symbols of a snapshot's programs, as they were when it was saved.

The head of a snapshot has the hash of what the machine booted. A boot image is
known by hashes of kernel and programs, of which image/store.py keeps copies.
"""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import UsageError
from ..image import store
from ..run import snapshot


def of_snapshot(file: str, what: str) -> list[str]:
    """The files: kernel first, then programs; or the one program. `what` needs them, for messages. UsageError.

    Symbols of other builds would give wrong names, and marks at other places wrong counts, so they are refused.
    """
    program = snapshot.read_head(file).program
    boot = program.get("file", "")
    if not boot:
        return [""]
    found = store.sources(boot)
    lost = [path for path in found if not os.path.isfile(path)]
    if store.is_named(boot) and found == [boot]:
        lost = [boot]                           # its record has gone
    if not lost and store.sha256(boot) != program.get("sha256"):
        lost = [boot]
    if lost:
        raise UsageError(f"--load {file}: {what} takes names of functions and places to count at from "
                         f"{snapshot.shown_path(_first_name(lost[0]))} as it was when the snapshot was saved, and it is "
                         "not there any more.\nA run like the one that was saved makes it again, if its parts have not "
                         "changed.")
    return found


def _first_name(path: str) -> str:
    """A path as a user knows it: of a copy, the name of the file that it is a copy of."""
    return Path(path).name if store.PARTS in Path(path).parts else path

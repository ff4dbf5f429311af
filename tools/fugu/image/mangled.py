"""The names of C++'s functions and variables as their source has them, in place of the linker's."""

from __future__ import annotations

import subprocess

MANGLED = "_Z"
SECONDS = 20


def as_in_source(names: list[str]) -> list[str]:
    """Each name as the source has it, without parameters; the others, and all on a host without c++filt, as they are."""
    if not any(name.startswith(MANGLED) for name in names):
        return names
    try:
        done = subprocess.run(["c++filt", "--no-params"], input="\n".join(names), capture_output=True, text=True,
                              errors="replace", timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return names
    found = done.stdout.split("\n")
    if len(found) != len(names):            # a name in a damaged file may have a line's end
        return names
    return [plain if name.startswith(MANGLED) else name for name, plain in zip(names, found, strict=True)]

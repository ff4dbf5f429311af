"""Decides within milliseconds whether what was built is still up to date.

After a build, a record in the build directory keeps the outputs, and the
names, sizes and times of all input files. If they are unchanged, a run starts
QEMU at once. Records only save time: without a record, set-up compares contents.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from ..paths import ROOT

USED = 3600.0           # seconds: a use is noted so often

# What the operating system, its libraries and the apps are built from.
_GUEST = ("meson.build", "hw", "apps", "guest-os", "tools/fugu/build/guest.py", "tools/fugu/build/makefiles",
          "tools/fugu/build/toolchain.py")

# The inputs of each part. A directory stands for all files in it.
INPUTS = {
    "qemu": ("hw", "qemu-patches", "tools/fugu/build/qemu.py"),
    "qtest": ("hw", "qemu-patches", "tests/hw", "tools/fugu/build/qemu.py"),
    "fuzz": ("hw", "qemu-patches", "tests/hw", "tests/fuzz", "tests/unit", "tools/fugu/build/qemu.py",
             "tools/fugu/build/fuzzers.py"),
    "arm64": ("hw", "qemu-patches", "tools/fugu/build/qemu.py", "tools/fugu/build/arm64.py"),
    "cplusplus": ("tools/fugu/build/cplusplus.py", "tools/fugu/build/makefiles", "tools/fugu/build/toolchain.py"),
    "guest": _GUEST,
    # Programs that tests, benchmarks and measurements run, with what they are linked with.
    "tests": (*_GUEST, "tests/clib", "tests/debug", "tests/ends", "tests/glaze", "tests/guest", "tests/hostile",
              "tests/kinds", "tests/libos", "tests/mbcf", "tests/paper", "tests/reverse", "tests/rq", "tests/shm",
              "tests/unit", "tests/vary"),
}


def inputs(part: str, root: Path = ROOT) -> list[list[Any]]:
    """[path, size, time] of each input of a part, sorted."""
    found: list[list[Any]] = []
    for name in INPUTS[part]:
        _collect(str(root / name), found)
    return sorted(found)


def _collect(path: str, found: list[list[Any]]) -> None:
    try:
        if not os.path.isdir(path):
            stat = os.stat(path)
            found.append([path, stat.st_size, stat.st_mtime_ns])
            return
        with os.scandir(path) as entries:
            for entry in entries:
                if not is_junk(entry.name):
                    _collect(entry.path, found)
    except FileNotFoundError:
        pass                    # the input does not exist, or was just removed


def is_junk(name: str) -> bool:
    """Whether a file is left over from an editor or from Python, and so is no input."""
    return name.startswith(".") or name.endswith(("~", ".pyc", ".orig", ".rej")) or name == "__pycache__"


def load(build: Path, part: str, context: dict[str, Any]) -> dict[str, Any] | None:
    """The recorded outputs of a part, or None if its inputs or context have changed, or an output is missing."""
    try:
        record = json.loads(_file(build, part).read_text())
    except (OSError, ValueError):
        return None
    if record.get("context") != context or record.get("inputs") != inputs(part):
        return None
    outputs: dict[str, Any] = record["outputs"]
    if not all(os.path.exists(p) for p in outputs.values()):
        return None
    for path in outputs.values():
        _note_use(path)
    return outputs


def _note_use(path: str) -> None:
    """A folder of the cache counts as used now: those that were used last are kept (qemu.py, drop_oldest)."""
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    try:
        if os.path.exists(os.path.join(folder, "complete.json")) and os.stat(folder).st_mtime < time.time() - USED:
            os.utime(folder)
    except OSError:
        pass                    # another user's cache


def save(build: Path, part: str, context: dict[str, Any], taken: list[list[Any]],
         outputs: dict[str, str]) -> None:
    """Records a build. `taken` are the inputs() from before the build."""
    from ..host.storage import write_atomically

    record = {"context": context, "inputs": taken, "outputs": outputs}
    file = _file(build, part)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, json.dumps(record))


def _file(build: Path, part: str) -> Path:
    return build / ".fugu" / f"{part}.json"

"""Is what was built still up to date? Answered in milliseconds.

After a build, a record in the build directory keeps the names, sizes and
times of all files that went in, and what came out. A run whose record still
holds goes straight to QEMU. Nothing else than speed depends on it: the slow
path compares contents.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ..paths import ROOT

# What goes into each part. Directories count with all that is in them.
INPUTS = {
    "qemu": ("hw", "qemu-patches", "tools/fugu/build/qemu.py"),
    "qtest": ("hw", "qemu-patches", "tests/hw", "tools/fugu/build/qemu.py"),
    "fuzz": ("hw", "qemu-patches", "tests/hw", "tests/fuzz", "tests/unit", "tools/fugu/build/qemu.py",
             "tools/fugu/build/fuzzers.py"),
    "guest": ("meson.build", "hw", "tests/debug", "tests/glaze", "tests/guest", "tests/hostile",
              "tests/libos", "tests/paper", "tests/unit", "apps", "guest-os", "tools/fugu/build/guest.py"),
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
        pass                    # not there, or gone meanwhile


def is_junk(name: str) -> bool:
    """Files that editors and Python leave behind; they are no inputs."""
    return name.startswith(".") or name.endswith(("~", ".pyc", ".orig", ".rej")) or name == "__pycache__"


def load(build: Path, part: str, context: dict[str, Any]) -> dict[str, Any] | None:
    """The outputs that a part recorded, if its inputs and context still hold."""
    try:
        record = json.loads(_file(build, part).read_text())
    except (OSError, ValueError):
        return None
    if record.get("context") != context or record.get("inputs") != inputs(part):
        return None
    outputs: dict[str, Any] = record["outputs"]
    return outputs if all(os.path.exists(p) for p in outputs.values()) else None


def save(build: Path, part: str, context: dict[str, Any], taken: list[list[Any]],
         outputs: dict[str, str]) -> None:
    """Records a build. `taken` are the inputs as they were before it started."""
    from ..host.storage import write_atomically

    record = {"context": context, "inputs": taken, "outputs": outputs}
    file = _file(build, part)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, json.dumps(record))


def _file(build: Path, part: str) -> Path:
    return build / ".fugu" / f"{part}.json"

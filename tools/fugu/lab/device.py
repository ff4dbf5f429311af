"""The simulator with a file of the student's in place of one of hw/.

check.py of a lab says which, by DEVICE = ("word-ni.c", "ni/none/none-ni.c"). QEMU's other objects come from the copy
that build.relink keeps, so building takes a second or two.
"""

from __future__ import annotations

import io
import shutil
from pathlib import Path

from ..build import fingerprint, relink, settings
from ..build.copies import lab
from ..build.qemu import BINARY
from ..host import lock
from ..paths import ROOT, build_dir


def base() -> relink.Base:
    """The copy of QEMU's build, made if it is missing: that may take minutes. SetupError."""
    found = relink.Base(lab() / "qemu")
    with lock.held(lab() / "qemu.lock", io.StringIO()):
        found.ensure()
    return found


def simulator(source: Path, place: str, folder: Path, before: str = "") -> Path:
    """Builds QEMU with the text `before` and `source` in place of hw/`place`. SetupError has the compiler's complaints.

    Returns a build directory, for FUGU_BUILD, whose commands take this QEMU. `folder` is an empty one.
    """
    found = base()
    shutil.copytree(ROOT / "hw", folder / "hw")
    (folder / "hw" / place).write_bytes(before.encode() + source.read_bytes())
    (folder / "bin").mkdir()
    binary = folder / "bin" / BINARY
    found.link(folder / "hw", found.objects(place), binary, ["-Wno-error"])
    build = folder / "build"
    (build / ".fugu").mkdir(parents=True)
    for record in ("guest.json", "tests.json"):
        if (build_dir() / ".fugu" / record).exists():
            shutil.copyfile(build_dir() / ".fugu" / record, build / ".fugu" / record)
    fingerprint.save(build, "qemu", settings.current().context(), fingerprint.inputs("qemu"), {"qemu": str(binary)})
    for entry in build_dir().iterdir():
        if entry.name not in (".fugu", "images", "lab"):
            (build / entry.name).symlink_to(entry)
    return build

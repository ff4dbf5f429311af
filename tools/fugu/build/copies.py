"""Copies of the checkout, each with a build directory of its own, in which sources may be changed.

The copies are in the folder lab/ of the build directory. What was built in a copy stays for its next use.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..host import children, processor
from ..paths import ROOT, build_dir
from . import fingerprint, settings, tree

# What a copy has of the checkout.
PARTS = ("apps", "docs", "guest-os", "hw", "qemu-patches", "tests", "tools", ".ci", ".github")
FILES = ("run.sh", "meson.build", "README.md", "LICENSE")


def lab() -> Path:
    """The folder of all copies."""
    return build_dir() / "lab"


class Copy:
    """A copy of the checkout: its sources in the folder tree/, what is built of them in build/."""

    def __init__(self, name: str, root: Path = ROOT) -> None:
        self.root, self.folder = root, lab() / name
        self.tree, self.build = self.folder / "tree", self.folder / "build"

    def refresh(self) -> None:
        """Makes the sources equal to the checkout's. Files that are equal keep their times, and so their objects."""
        for part in PARTS:
            tree.mirror(tree.snapshot(self.root / part), self.tree / part)
            for path in tree.files(self.root / part):
                if os.access(path, os.X_OK):
                    (self.tree / path.relative_to(self.root)).chmod(0o755)
        for name in FILES:
            if (self.root / name).exists():
                tree.write_if_different(self.tree / name, (self.root / name).read_bytes(),
                                        (self.root / name).stat().st_mode & 0o777)

    def use_qemu(self, qemu: Path, qtests: str) -> None:
        """Makes the copy's commands take this QEMU for one that is built from the copy's sources."""
        context = settings.current().context()
        fingerprint.save(self.build, "qemu", context, fingerprint.inputs("qemu", self.tree), {"qemu": str(qemu)})
        fingerprint.save(self.build, "qtest", context, fingerprint.inputs("qtest", self.tree),
                         {"qemu": str(qemu), "qtests": qtests})

    def run(self, words: Sequence[str], output: Path, seconds: float, env: Mapping[str, str] | None = None,
            started: Callable[[subprocess.Popen[bytes]], None] = lambda child: None) -> int | None:
        """Runs the copy's ./run.sh, with its output in a file. Returns its status, or None if it does not end within
        `seconds` of processor time, or waits for ever.

        All processes that it has started end with it.
        """
        with output.open("wb") as file:
            child = children.start([str(self.tree / "run.sh"), *words], stdin=subprocess.DEVNULL, stdout=file,
                                   stderr=subprocess.STDOUT, start_new_session=True, cwd=self.tree,
                                   env=os.environ | {"FUGU_BUILD": str(self.build)} | dict(env or {}))
            started(child)
            try:
                code = processor.wait(child, seconds)
                return None if code is None else children.as_status(code)
            finally:
                children.end_group(child)

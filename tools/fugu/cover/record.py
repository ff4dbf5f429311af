"""What one test reaches: set up before it, and read after it. Runs inside pytest (tests/support/covered.py).

The folder FUGU_COVER holds:

    raw/        what the running tests leave, each in a folder of its own
    lines/      tables of lines of guest programs
    new/        what this run has noted, in coverage.py's format
    objects/    the objects of QEMU with counters, and gcov's notes for them
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from ..host import storage
from ..image import store as images
from ..paths import ROOT
from . import device, guest

FOLDER = "COVER_TEST"           # the variable that tells commands of a test where to leave what they reach


class Recorder:
    """Notes what tests reach, one after the other."""

    def __init__(self, folder: Path) -> None:
        import coverage

        self.folder = folder
        self.own = f"{os.uname().nodename}-{os.getpid()}"
        self.raw = folder / "raw" / self.own
        self.python = coverage.Coverage(data_file=None, config_file=False, source=[str(ROOT / "tools")])
        self.programs: dict[str, list[guest.Program]] = {}

    def begin(self) -> None:
        """Before a test."""
        storage.fresh_dir(self.raw)
        os.environ[FOLDER] = str(self.raw)
        self.python.start()

    def end(self, test: str, seconds: float, keep: bool) -> None:
        """After a test, which gets its lines if `keep`."""
        self.python.stop()
        os.environ.pop(FOLDER, None)
        if keep:
            lines = self._lines()
            self._save(test, seconds, lines)
        self.python.erase()
        storage.remove(self.raw)

    def _lines(self) -> guest.Lines:
        import coverage

        lines: guest.Lines = {}
        self._python_lines(self.python.get_data(), lines)
        for file in self.raw.glob("tools.*"):
            data = coverage.CoverageData(str(file))
            data.read()
            self._python_lines(data, lines)
        device.reached(self.raw / "hw", self.folder / "objects", lines)
        for blocks in self.raw.glob("guest.*[0-9]"):
            words = blocks.with_suffix(f"{blocks.suffix}.words").read_text()
            guest.reached(blocks, self._booted(words), lines)
        return lines

    @staticmethod
    def _python_lines(data: Any, lines: guest.Lines) -> None:
        for file in data.measured_files():
            if Path(file).is_relative_to(ROOT):
                lines.setdefault(str(Path(file).relative_to(ROOT)), set()).update(data.lines(file) or ())

    def _booted(self, words: str) -> list[guest.Program]:
        """The programs of a run, from QEMU's command line, a word on each line."""
        found = re.search(r"^-kernel\n(.*)$", words, re.MULTILINE) or re.search(r"^fugu,.*?\bload=([^,\n]*)", words, re.MULTILINE)
        boot = found[1] if found else ""
        if boot not in self.programs:
            try:
                paths = [path for path in images.sources(boot) if path and os.path.isfile(path)]
                self.programs[boot] = [guest.Program(Path(path), ROOT, self.folder / "lines") for path in paths]
            except Exception:           # noqa: BLE001: tests boot damaged files too
                self.programs[boot] = []
        return self.programs[boot]

    def _save(self, test: str, seconds: float, lines: guest.Lines) -> None:
        import coverage

        slug = re.sub(r"\W+", "_", test.partition("::")[0])
        new = self.folder / "new"
        new.mkdir(parents=True, exist_ok=True)
        data = coverage.CoverageData(str(new / f"{slug}.{self.own}"))
        data.read()             # otherwise the first lines would take the place of what is there
        data.set_context(test)
        data.add_lines(lines)
        data.close()
        with (new / f"{slug}.{self.own}.times").open("a") as file:
            file.write(json.dumps([test, round(seconds, 3)]) + "\n")

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
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..host import storage
from ..image import store as images
from ..paths import ROOT
from . import device, guest

FOLDER = "COVER_TEST"           # the variable that tells commands of a test where to leave what they reach


class Part:
    """A test, or a fixture that is set up for it and for others: what it has reached, and its processor time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder            # what its commands leave
        self.lines: guest.Lines = {}
        self.seconds = 0.0              # of processor time, without the fixtures that were set up meanwhile


class Recorder:
    """Notes what tests reach, one after the other.

    A fixture that several tests share counts for each of them: each looks at what it has done.
    """

    def __init__(self, folder: Path) -> None:
        import coverage

        self.folder = folder
        self.own = f"{os.uname().nodename}-{os.getpid()}"
        self.raw = folder / "raw" / self.own
        self.python = coverage.Coverage(data_file=None, config_file=False, source=[str(ROOT / "tools")])
        self.programs: dict[str, list[guest.Program]] = {}
        self.shared: dict[str, Part] = {}       # by fixture, as last set up
        self.running: list[Part] = []           # the test, and fixtures that are being set up for it, one inside the other
        self.done: list[Part] = []              # fixtures that were set up for this test

    def begin(self) -> None:
        """Before a test."""
        storage.fresh_dir(self.raw)
        self.done = []
        self.running = [Part(storage.fresh_dir(self.raw / "test"))]
        self._go_on()

    def begin_shared(self) -> None:
        """Before a fixture is set up that other tests may share."""
        self._pause()
        folder = storage.fresh_dir(self.raw / f"shared{len(self.done)}-{len(self.running)}")
        self.running.append(Part(folder))
        self._go_on()

    def end_shared(self, fixture: str, seconds: float) -> None:
        """After it."""
        self._pause()
        one = self.running.pop()
        one.seconds += seconds
        self.running[-1].seconds -= seconds
        self.shared[fixture] = one
        self.done.append(one)
        self._go_on()

    def end(self, test: str, seconds: float, fixtures: Iterable[str], keep: bool) -> None:
        """After a test, which gets its lines and those of the fixtures that it uses, if `keep`.

        `seconds` are all its processor time, with the fixtures that were set up for it.
        """
        self._pause()
        os.environ.pop(FOLDER, None)
        for one in (*self.done, *self.running):
            self._read(one)
        if keep:
            lines = self.running[0].lines
            used = {fixture: self.shared[fixture] for fixture in fixtures if fixture in self.shared}
            for one in used.values():
                _merge(one.lines, lines)
            alone = max(0.0, self.running[0].seconds + seconds)
            self._save(test, alone, {fixture: one.seconds for fixture, one in used.items()}, lines)
        storage.remove(self.raw)

    def _go_on(self) -> None:
        os.environ[FOLDER] = str(self.running[-1].folder)
        self.python.start()

    def _pause(self) -> None:
        self.python.stop()
        self._python_lines(self.python.get_data(), self.running[-1].lines)
        self.python.erase()

    def _read(self, one: Shared) -> None:
        """Adds what the commands have left that ran for it."""
        import coverage

        for file in one.folder.glob("tools.*"):
            data = coverage.CoverageData(str(file))
            data.read()
            self._python_lines(data, one.lines)
        device.reached(one.folder / "hw", self.folder / "objects", one.lines)
        for blocks in one.folder.glob("guest.*[0-9]"):
            words = os.fsdecode(blocks.with_suffix(f"{blocks.suffix}.words").read_bytes())
            guest.reached(blocks, self._booted(words), one.lines)

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

    def _save(self, test: str, seconds: float, shared: dict[str, float], lines: guest.Lines) -> None:
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
            file.write(json.dumps([test, round(seconds, 3), {name: round(took, 3) for name, took in shared.items()}]) + "\n")


def _merge(more: guest.Lines, lines: guest.Lines) -> None:
    for file, numbers in more.items():
        lines.setdefault(file, set()).update(numbers)

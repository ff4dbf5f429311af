"""For the pytest that runs the checks of a lab: the fixture `lab`, and a line for each check.

A check is a function `test_what_it_shows(lab)`, whose docstring names the place of the text that helps. If it holds,
the line is "ok   what it shows", otherwise "no   what it shows: SEEN; read PLACE". SEEN is the assertion's message.
The first check is what the others need: if it fails, they do not run.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ..abi import STATUS
from ..api import Result, run
from ..api.whole import TooLong, compile_program
from ..errors import FuguError
from ..host import scratch
from . import device
from .checks import FOLDER
from .course import GIVEN

TIMEOUT = "20M"             # cycles that a run may take, unless a check says otherwise
PATIENCE = 60.0             # seconds of the host, for a run or a compiler
LONGEST = 300               # characters of what was seen
STATUSES = {STATUS["TIMEOUT"]: f"it does not end within {TIMEOUT} cycles",
            STATUS["DEADLOCK"]: "deadlock: all nodes wait",
            STATUS["CHECK"]: "--check has found a mistake"}
# Statuses of a program that a signal of these has ended.
CRASHES = {128 + number: number.name for number in (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV)}
LAUNCH = re.compile(r"^fugu_ni_launch node (\d+): network 0, to (\d+), (\d+) words, body (\d+) bytes, "
                    r"header (0x[0-9a-f]+) @(\d+)$", re.MULTILINE)


@dataclass(frozen=True)
class Launch:
    """A message that a node sends: from where to where, its words with header and handler, its body's bytes, its job's
    GID, when."""

    sender: int
    receiver: int
    words: int
    body: int
    gid: int
    cycle: int


class Student:
    """What the student has made: `folder`, the programs built of its files, and runs of them.

    `given` is the folder of the lab's own files, or None.
    """

    def __init__(self, folder: Path, builds: Path, given: Path | None = None) -> None:
        self.folder = folder
        self.given = given
        self._builds = builds
        self._built: dict[tuple[str, ...], Path] = {}
        self._ran: dict[str, Result] = {}

    def build(self, *words: str | Path, name: str = "") -> Path:
        """The program of files of the folder, and of other words for ./run.sh cc, such as absolute paths and -DSIZE=2.

        Headers that the folder has not are those of `given`. The program is called `name`, or as the first file is. If it
        does not build, a line says so, and the checks end.
        """
        key = (name, *map(str, words))
        if key not in self._built:
            program = self._builds / str(len(self._built)) / f"{_name(name, words)}.elf"
            program.parent.mkdir()
            headers = [f"-I{self.given}"] if self.given else []
            given = [*headers, *(word if str(word).startswith("-") else self.folder / word for word in words)]
            try:
                compile_program(*given, "-o", program, patience=PATIENCE)
            except TooLong:
                _end(f"no   the program builds: the compiler has not ended after {PATIENCE:g} s")
            except FuguError as error:
                _end(f"no   the program builds: {_compilers(str(error), self.folder)}")
            self._built[key] = program
        return self._built[key]

    def simulator(self, name: str, place: str, before: str = "") -> None:
        """From now on, runs are on a simulator with this file of the folder in place of hw/`place`, after a text of the check's.

        If it does not build, a line says so, and the checks end.
        """
        folder = self._builds / "simulator"
        folder.mkdir()
        try:
            os.environ["FUGU_BUILD"] = str(device.simulator(self.folder / name, place, folder, before))
        except FuguError as error:
            said = re.sub(rf"[|] [^ :]*/{Path(place).name}", name, str(error))
            _end(f"no   the simulator builds: {_compilers(said, self.folder)}")

    def run(self, program: str | Path | None, *args: object, status: int | None = 0, called: str = "the run",
            **options: Any) -> Result:
        """A whole run, as fugu.api.run() does it, of 20 million cycles at most unless `timeout` says otherwise.

        The check fails if the run ends with another status, unless `status` is None. The message names the run as
        `called`. The check also fails if the simulator crashes or needs too long. A second run with the same words would do
        the same, so it takes the result of the first.
        """
        key = repr((str(program), args, sorted(options.items())))
        if key not in self._ran:
            try:
                self._ran[key] = run(program, *args, **{"timeout": TIMEOUT, "patience": PATIENCE} | options)
            except TooLong:
                pytest.fail(f"{called} has not ended after {PATIENCE:g} s: it prints without an end, or the device loops",
                            pytrace=False)
        result = self._ran[key]
        if result.status in CRASHES:
            pytest.fail(f"{called}: the simulator has crashed, with {CRASHES[result.status]}{_reason(result)}", pytrace=False)
        if status is not None and result.status != status:
            pytest.fail(f"{called} has ended with status {result.status}, not {status}{_reason(result)}", pytrace=False)
        return result

    @staticmethod
    def lines(pattern: str, output: str) -> list[str]:
        """Returns the lines that match a pattern, since the student's files may print others. Without a match, returns all."""
        found = re.finditer(f"^(?:{pattern}) ?$", output, re.MULTILINE)
        return [line[0].strip() for line in found] or [line.strip() for line in output.splitlines()]

    @classmethod
    def printed(cls, pattern: str, output: str) -> str:
        """Returns the last line that matches a pattern. Without a match, returns all lines, with commas between them."""
        lines = cls.lines(pattern, output)
        return lines[-1] if lines and re.fullmatch(pattern, lines[-1]) else ", ".join(lines)

    def launches(self, program: str | Path, *args: object, **options: Any) -> list[Launch]:
        """The messages that the programs of a run send on the main network, by time. The run must end with 0."""
        result = self.run(program, *args, trace=["fugu_ni_launch"], **options)
        return [Launch(*map(int, found[:4]), int(found[4], 16) >> 16 & 0xfff, int(found[5]))
                for found in LAUNCH.findall(result.errors)]


@pytest.fixture(scope="session")
def lab(pytestconfig: pytest.Config) -> Iterator[Student]:
    """The student's folder, its programs and runs of them."""
    given = pytestconfig.rootpath / GIVEN
    with scratch.folder() as builds:
        yield Student(Path(os.environ[FOLDER]), Path(builds), given if given.is_dir() else None)


def _name(name: str, words: Sequence[str | Path]) -> str:
    """What a program is called."""
    return Path(name or next(word for word in words if not str(word).startswith("-"))).stem


def _end(line: str) -> None:
    print(line, flush=True)
    pytest.exit(line, returncode=1)


def _compilers(said: str, folder: Path) -> str:
    """The compiler's first complaint."""
    lines = [line.replace(f"{folder}/", "") for line in said.splitlines()[1:] if line.strip()]
    wrong = [line for line in lines if re.search(r"error:|undefined reference|multiple definition|out of memory", line)]
    return re.sub(r"^.*(?=undefined reference)", "", [*wrong, *lines, said][0].strip())


def _reason(result: Result) -> str:
    """What kernel and machine have said of a status."""
    ended = re.search(r"is ended: (.*?)(; pc|;|$)", result.output + result.errors, re.MULTILINE)
    runs = re.search(r"^  (node \d+: runs, .*)$", result.errors, re.MULTILINE)
    machines = re.search(r"^(?:fugu|qemu-system-\w+|ERROR): ?(.*)$", result.errors, re.MULTILINE)
    said = STATUSES.get(result.status) or (machines[1] if machines else "")
    parts = [ended[1]] if ended else [said, runs[1] if runs and result.status == STATUS["TIMEOUT"] else ""]
    return "".join(f": {part}" for part in parts if part)


# ---- a line for each check ------------------------------------------------------

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Prints the line of a check that has ended."""
    report = yield
    failed = call.excinfo is not None
    if failed or call.when == "call":
        what = re.sub(r"\[(.*)\]$", r", \1", item.name.removeprefix("test_").replace("_", " "))
        print(f"no   {what}: {_seen(call.excinfo)}{_place(item)}" if failed else f"ok   {what}", flush=True)
    if failed and item is item.session.items[0]:
        item.session.shouldfail = "the others need it"
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Prepares what checks of a device need, which may take longer than a check may."""
    if any(hasattr(getattr(item, "module"), "DEVICE") for item in items):
        device.base()


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """A file of checks that is no Python has no checks."""
    if report.failed:
        print(report.longreprtext, flush=True)


def _seen(excinfo: Any) -> str:
    """What a failed check has seen, in one line."""
    text = str(excinfo.value).partition("\nassert ")[0]
    if not isinstance(excinfo.value, (AssertionError, FuguError, pytest.fail.Exception)):
        text = f"{excinfo.typename}: {text}"
    line = " ".join(text.split()).removesuffix(".")
    return line if len(line) <= LONGEST else line[:LONGEST] + "..."


def _place(item: pytest.Item) -> str:
    place = " ".join((getattr(item, "function").__doc__ or "").split()).removesuffix(".")
    return f"; read {place}" if place else ""

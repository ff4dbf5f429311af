"""What the tests share: runs of the machine, and tests that are programs.

`./run.sh test` builds everything first and says in the environment where it
is: FUGU_QEMU, FUGU_GUEST_DIR, FUGU_QTEST_DIR, FUGU_BUILD. Nothing is built
here.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from fugu.options.table import BY_KEY  # noqa: E402
from fugu.run import partition, peers  # noqa: E402
from fugu.run import qemu_command as qemu_line  # noqa: E402
from fugu.run.parse import parse  # noqa: E402
from fugu.run.ready import boot_file  # noqa: E402

pytest_plugins = ["qemu_runs", "rsp"]         # fixtures of tests/support

HOST_TIMEOUT = 120.0        # seconds of host time that a run may take


# ---- runs of the machine -------------------------------------------------

@dataclass
class Result:
    """How a run ended. `digest` is None unless the run was asked for it;
    `others` are the statuses of the processes beside the first."""

    status: int
    stdout: str
    stderr: str
    digest: str | None
    command: list[str]
    others: list[int] = field(default_factory=list)

    def check(self, status: int = 0) -> Result:
        """Fails the test, with all output, unless the status is this one."""
        if self.status != status:
            pytest.fail(f"status {self.status}, {status} expected\n{self.report()}", pytrace=False)
        return self

    def report(self) -> str:
        """Command and output, for messages."""
        import shlex

        others = f", and {self.others} of the other processes" if self.others else ""
        return (f"$ {shlex.join(self.command)}\n--- stdout\n{self.stdout}"
                f"--- stderr\n{self.stderr}--- status {self.status}{others}")


class Running:
    """A machine that runs: its processes, the first one first.

    Their output is collected in files, so nobody waits for a reader. Leaving
    the context kills what still runs.
    """

    def __init__(self, starts: Sequence[peers.Start]) -> None:
        self.command = starts[0].command
        self.out, self.err = (tempfile.TemporaryFile() for _ in range(2))     # noqa: SIM115
        others = peers.start(starts[1:], self.out, self.err)
        first = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=self.out, stderr=self.err,
                                 pass_fds=starts[0].files)
        self.processes = [first, *others]
        self.link: socket.socket | None = None
        self.secret = b""

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        peers.end([process for process in self.processes if process.poll() is None])
        if self.link:
            self.link.close()
        for file in (self.out, self.err, self.processes[0].stdin):
            with contextlib.suppress(OSError):
                file.close()

    def wait(self, seconds: float, stdin: bytes = b"") -> Result:
        """All ends; TimeoutExpired when one still runs after so many seconds."""
        deadline = time.monotonic() + seconds
        self.processes[0].communicate(stdin, seconds)
        for process in self.processes[1:]:
            process.wait(max(0.0, deadline - time.monotonic()))
        return self.result()

    def result(self) -> Result:
        """What there is so far; a process that still runs counts as -9."""
        texts = []
        for file in (self.out, self.err):
            # Not by the offset, which is the writers' as well.
            texts.append(os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode(errors="replace"))
        statuses = [process.returncode if process.poll() is not None else -9 for process in self.processes]
        # The machine prints it last, whatever the guest has printed before.
        found = re.findall(r"^digest: ([0-9a-f]{16})$", texts[0], re.MULTILINE)
        return Result(statuses[0], texts[0], texts[1], found[-1] if found else None, self.command, statuses[1:])


def start_machine(program: str | Path | None, *args: object, without: int | None = None, **options: Any) -> Running:
    """Boots the machine as run_machine does, and returns while it runs.

    The process `without` is not started: its socket and what it should know
    are the result's `link` and `secret`.
    """
    run = parse([*_words(options), *([] if program is None else ["--", str(program), *map(str, args)])])
    kernel = "" if program is None else boot_file(run, Path(_path("FUGU_BUILD")), _path("FUGU_TOOLCHAIN_PREFIX"))
    parts = partition.of(run)
    if not parts:
        return Running([peers.Start(0, qemu_line.command(_path("FUGU_QEMU"), kernel, run))])
    with peers.prepared(_path("FUGU_QEMU"), str(kernel), run, parts) as starts:
        running = Running([one for one in starts if one.number != without])
        if without is not None:
            link, *secret = starts[without].files
            running.link = socket.socket(fileno=os.dup(link))
            running.secret = os.pread(secret[0], 1024, 0) if secret else b""
    return running


def run_machine(program: str | Path | None, *args: object, host_timeout: float = HOST_TIMEOUT,
                stdin: str | bytes | None = None, **options: Any) -> Result:
    """Boots the machine with a program, and waits for its end.

    `program` is a name or a path; further apps stand behind a word "+".
    With load=FILE it is None. Options are those of run.sh, with
    underscores: nodes=4, cache="off" (or False), digest=True,
    timeout="10M" (guest cycles), disk=["0=f.img"], qemu_arg=[...],
    processes=4, transport="unix".
    `stdin` is fed to the console; without it, it is at its end.
    Fails the test after `host_timeout` seconds, and when one of several
    processes ends with another status than the first.
    """
    data = stdin.encode() if isinstance(stdin, str) else stdin or b""
    with start_machine(program, *args, **options) as running:
        try:
            result = running.wait(host_timeout, data)
        except subprocess.TimeoutExpired:
            pytest.fail(f"no end after {host_timeout:.0f} s of host time\n{running.result().report()}", pytrace=False)
    if any(status != result.status for status in result.others):
        pytest.fail(f"the processes do not agree how it ended\n{result.report()}", pytrace=False)
    return result


def _words(options: dict[str, Any]) -> Iterator[str]:
    """Keyword arguments as words of run.sh's command line."""
    for name, value in options.items():
        key = name.replace("_", "-")
        option = BY_KEY[key]
        if option.parse is None:
            if value:
                yield f"--{key}"
            continue
        for one in value if option.repeat and isinstance(value, (list, tuple)) else [value]:
            yield f"--{key}={'on' if one is True else 'off' if one is False else one}"


def _path(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        pytest.fail(f"{name} is not set: run the tests with ./run.sh test", pytrace=False)
    return value


@pytest.fixture(scope="session")
def machine() -> Callable[..., Result]:
    """machine(program, *args, nodes=8, ...) -> Result: see run_machine."""
    return run_machine


@pytest.fixture(scope="session")
def start() -> Callable[..., Running]:
    """start(program, *args, nodes=8, ...) -> Running: see start_machine."""
    return start_machine


@pytest.fixture(scope="session")
def guest_dir() -> Path:
    """Where the built guest programs of tests/guest are."""
    return Path(_path("FUGU_GUEST_DIR"))


@pytest.fixture(scope="session")
def qemu() -> str:
    """The path of QEMU's binary."""
    return _path("FUGU_QEMU")


@pytest.fixture(scope="session")
def cross() -> Callable[[str], str]:
    """cross("objdump") -> the path of that tool of the cross toolchain."""
    return lambda tool: str(Path(_path("FUGU_TOOLCHAIN_PREFIX")) / "bin" / f"sparc-elf-{tool}")


# ---- tests that are programs: qtests, and unit tests on the host ---------

class TapItem(pytest.Item):
    """A program whose output is TAP, or whose exit status alone counts."""

    def __init__(self, *, command: list[str], env: dict[str, str], bound: float, **rest: Any) -> None:
        super().__init__(**rest)
        self.command, self.env, self.bound = command, env, bound

    def runtest(self) -> None:
        try:
            done = subprocess.run(self.command, capture_output=True, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, timeout=self.bound, env=os.environ | self.env)
        except subprocess.TimeoutExpired:
            pytest.fail(f"no end after {self.bound:.0f} s: {' '.join(self.command)}", pytrace=False)
        except OSError as error:
            pytest.fail(f"{self.command[0]}: {error.strerror}", pytrace=False)
        points = re.findall(r"^\s*((?:not )?ok\b.*)$", done.stdout, re.MULTILINE)
        bad = [point for point in points if point.startswith("not ok") and "# TODO" not in point]
        if bad or done.returncode:
            how = f"status {done.returncode}: {' '.join(self.command)}"
            pytest.fail("\n".join([*bad, how, done.stdout[-4000:], done.stderr[-4000:]]), pytrace=False)
        if points and all(re.search(r"# SKIP", point, re.IGNORECASE) for point in points):
            pytest.skip(points[0])

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name


class QtestFile(pytest.File):
    """tests/hw/FOLDER/NAME-test.c: one test for each path that the built one lists."""

    def collect(self) -> Iterator[pytest.Item]:
        folder = os.environ.get("FUGU_QTEST_DIR")
        exe = Path(folder or "", self.path.stem)
        env = {"QTEST_QEMU_BINARY": os.environ.get("FUGU_QEMU", ""),
               "FUGU_CORPUS": str(ROOT / "tests" / "fuzz" / "corpus" / "ni")}
        if not folder or not exe.exists():
            raise self.CollectError(f"{self.path.name} is not built: run the tests with ./run.sh test")
        listed = subprocess.run([exe, "-l"], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                                env=os.environ | env)
        paths = [line for line in listed.stdout.splitlines() if line.startswith("/")]
        if listed.returncode or not paths:
            raise self.CollectError(f"{exe} -l lists no tests\n{listed.stdout}{listed.stderr}")
        for path in paths:
            yield TapItem.from_parent(self, name=path, env=env, bound=120,
                                      command=[str(exe), "--tap", "-k", "-p", path])


class UnitFile(pytest.File):
    """tests/unit/meson.build: one test for each that meson knows of there."""

    def collect(self) -> Iterator[pytest.Item]:
        info = Path(os.environ.get("FUGU_BUILD", ""), "meson-info", "intro-tests.json")
        if not info.exists():
            raise self.CollectError(f"there is no {info}: run the tests with ./run.sh test")
        for test in json.loads(info.read_text()):
            if any(suite.rpartition(":")[2] == "unit" for suite in test["suite"]):
                yield TapItem.from_parent(self, name=test["name"], command=test["cmd"], env=test["env"],
                                          bound=float(test["timeout"] or 120))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    folder = file_path.parent.relative_to(ROOT) if file_path.is_relative_to(ROOT) else None
    if folder and folder.parent == Path("tests/hw") and file_path.name.endswith("-test.c"):
        return QtestFile.from_parent(parent, path=file_path)
    if folder == Path("tests/unit") and file_path.name == "meson.build":
        return UnitFile.from_parent(parent, path=file_path)
    return None


# ---- long tests, and the count at the end --------------------------------

def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also the tests that take minutes")
    parser.addoption("--fuzz-time", type=int, default=120, metavar="SECONDS",
                     help="how long each target is fuzzed, with --long")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="takes minutes: --long"))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What tests have to say (record_property("summary", ...)), and the
    counts for ./run.sh test, which prints the last line."""
    for one in getattr(terminalreporter, "stats", {}).get("passed", []):
        for name, text in one.user_properties:
            if name == "summary":
                terminalreporter.write_line(text)
    report = os.environ.get("FUGU_TEST_REPORT")
    if not report or not hasattr(terminalreporter, "stats"):
        return
    stats = terminalreporter.stats

    def count(*kinds: str) -> int:
        return sum(len(stats.get(kind, [])) for kind in kinds)
    Path(report).write_text(json.dumps({"passed": count("passed", "xfailed"), "skipped": count("skipped"),
                                        "failed": count("failed", "error", "xpassed")}))

"""Runs of the machine as run.sh starts them: options, one or several processes, and how each ended.

Nothing is built here: `./run.sh test` builds everything first, and puts the
paths into the environment (FUGU_QEMU, FUGU_GUEST_DIR, FUGU_BUILD, ...).
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fugu.observe import figures, plan, programs, stats
from fugu.observe.request import Request
from fugu.observe.session import NETWORKS
from fugu.options import keywords
from fugu.run import partition, peers
from fugu.run import qemu_command as qemu_line
from fugu.run.parse import parse
from fugu.run.ready import boot_file

HOST_TIMEOUT = 120.0        # seconds of host time that a run may take


@dataclass
class Result:
    """How a run ended.

    `digest` is None unless the run was asked for it. `others` are the
    statuses of all processes but the first.
    """

    status: int
    stdout: str
    stderr: str
    digest: str | None
    command: list[str]
    others: list[int] = field(default_factory=list)

    def check(self, status: int = 0) -> Result:
        """Fails the test, with all output, unless the run ended with this status."""
        if self.status != status:
            pytest.fail(f"status {self.status}, {status} expected\n{self.report()}", pytrace=False)
        return self

    def passed(self, checks: int) -> Result:
        """Fails the test unless the program ended with 0 after this many checks, all of them "ok"."""
        assert "FAIL" not in self.stdout, self.report()
        assert len(re.findall(r"^ok ", self.check().stdout, re.MULTILINE)) == checks, self.report()
        return self

    def all_right(self, processes: int) -> bool:
        """Whether the program ended with 0, and so many processes have printed how many checks they have made
        (check_end() of tests/glaze/lib/check.h): as many as there are lines, and none failed."""
        totals = [int(count) for count in re.findall(r"^(\d+) checks?, 0 failed(?: \(node \d+\))?$", self.stdout, re.MULTILINE)]
        made = len(re.findall(r"^ok ", self.stdout, re.MULTILINE))
        return self.status == 0 and "FAIL" not in self.stdout and len(totals) == processes and sum(totals) == made > 0

    def finished(self, processes: int) -> Result:
        """Fails the test unless all is right with these processes."""
        self.check()
        assert self.all_right(processes), self.report()
        return self

    def report(self) -> str:
        """The command and its output, for messages."""
        others = f", and {self.others} of the other processes" if self.others else ""
        return (f"$ {shlex.join(self.command)}\n--- stdout\n{self.stdout}"
                f"--- stderr\n{self.stderr}--- status {self.status}{others}")


class Running:
    """A running machine: its processes, in their order.

    Their output goes to files, so that no process waits for a reader. Leaving
    the context kills the processes that still run.
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
        """Waits for the end of all processes. TimeoutExpired if one still runs after this many seconds."""
        deadline = time.monotonic() + seconds
        self.processes[0].communicate(stdin, seconds)
        for process in self.processes[1:]:
            process.wait(max(0.0, deadline - time.monotonic()))
        return self.result()

    def result(self) -> Result:
        """Status and output so far. The status of a process that still runs is -9."""
        texts = []
        for file in (self.out, self.err):
            # pread leaves the offset alone, which the writers share.
            texts.append(os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode(errors="replace"))
        statuses = [process.returncode if process.poll() is not None else -9 for process in self.processes]
        # The machine prints its digest last; the guest may have printed such a line before.
        found = re.findall(r"^digest: ([0-9a-f]{16})$", texts[0], re.MULTILINE)
        return Result(statuses[0], texts[0], texts[1], found[-1] if found else None, self.command, statuses[1:])


def start_machine(program: str | Path | None, *args: object, without: int | None = None, **options: Any) -> Running:
    """Boots the machine as run_machine does, and returns while it runs.

    The process number `without` is not started: its socket and its secret are
    the result's `link` and `secret`.
    """
    run = parse([*keywords.words(options), *([] if program is None else ["--", str(program), *map(str, args)])])
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

    `program` is a name or a path, or None with load=FILE; further jobs follow
    after a word "+". Options are those of run.sh, with underscores: nodes=4,
    cache="off" (or False), digest=True, timeout="10M" (guest cycles),
    disk=["0=f.img"], qemu_arg=[...], processes=4, transport="unix". `stdin` is
    the console's input, which is empty without it. Fails the test after
    `host_timeout` seconds, and if one of several processes ends with another
    status than the first.
    """
    data = stdin.encode() if isinstance(stdin, str) else stdin or b""
    with start_machine(program, *args, **options) as running:
        try:
            result = running.wait(host_timeout, data)
        except subprocess.TimeoutExpired:
            pytest.fail(f"still running after {host_timeout:.0f} s of host time\n{running.result().report()}",
                        pytrace=False)
    if any(status != result.status for status in result.others):
        pytest.fail(f"the processes ended with different statuses\n{result.report()}", pytrace=False)
    return result


def observed_machine(folder: Path, program: str | Path, *args: object, host_timeout: float = HOST_TIMEOUT,
                     **options: Any) -> tuple[Result, dict[str, Any]]:
    """Runs a machine of one process as run_machine does. Returns its result, and the figures that --stats-json has.

    It takes half of the processor time of a ./run.sh with that option. `folder` is an empty one, for what QEMU counts.
    """
    run = parse([*keywords.words(options), "--", str(program), *map(str, args)])
    kernel = boot_file(run, Path(_path("FUGU_BUILD")), _path("FUGU_TOOLCHAIN_PREFIX"))
    known = programs.of(run, kernel)
    plan.write(folder / "plan", Request(stats=True), known)
    run.options["observe"] = str(folder)
    with Running([peers.Start(0, qemu_line.command(_path("FUGU_QEMU"), kernel, run))]) as running:
        try:
            result = running.wait(host_timeout)
        except subprocess.TimeoutExpired:
            pytest.fail(f"still running after {host_timeout:.0f} s of host time\n{running.result().report()}",
                        pytrace=False)
    found = figures.read(folder, range(1))
    return result, stats.of(found, known, [run.value(name) for name in NETWORKS])


def long_rounds(processes: int) -> dict[str, int]:
    """The options of a machine that is split, whose rounds are eight times as long as usual.

    Processes take most of their time to meet at the end of each round. For tests of what programs do, in one process or
    in several; those of the split itself (tests/link/, most digests) have rounds of the usual length.
    """
    return {"processes": processes, "quantum": 512, "mesh_base": 512, "second_base": 512}


def _path(name: str) -> str:
    """The path in an environment variable of ./run.sh test."""
    value = os.environ.get(name)
    if not value:
        pytest.fail(f"{name} is not set: run the tests with ./run.sh test", pytrace=False)
    return value


@pytest.fixture(scope="session")
def machine() -> Callable[..., Result]:
    """machine(program, *args, nodes=8, ...) -> Result: see run_machine."""
    return run_machine


@pytest.fixture(scope="session")
def checked_machine() -> Callable[..., Result]:
    """As `machine`, and the kernel has to flush the MMU wherever it changes a page's entry (--check mmu)."""
    def run(*words: Any, **options: Any) -> Result:
        return run_machine(*words, **{"check": "mmu"} | options)
    return run


@pytest.fixture(scope="session")
def start() -> Callable[..., Running]:
    """start(program, *args, nodes=8, ...) -> Running: see start_machine."""
    return start_machine


@pytest.fixture(scope="session")
def guest_dir() -> Path:
    """The folder with the built programs of tests/guest."""
    return Path(_path("FUGU_GUEST_DIR"))


@pytest.fixture(scope="session")
def qemu() -> str:
    """The path of QEMU's binary."""
    return _path("FUGU_QEMU")


@pytest.fixture(scope="session")
def cross() -> Callable[[str], str]:
    """cross("objdump") -> the path of that tool of the cross toolchain."""
    return lambda tool: str(Path(_path("FUGU_TOOLCHAIN_PREFIX")) / "bin" / f"sparc-elf-{tool}")

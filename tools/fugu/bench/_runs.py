"""What the benchmarks share: runs of the machine, and what they took."""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import SetupError
from ..options.table import BY_KEY
from ..run import partition, peers, qemu_command
from ..run.parse import Run, parse


@dataclass(frozen=True)
class Measured:
    """A run that has ended. `cpu` is user and system time: QEMU's nodes run
    in one thread, so on a busy host it says more than `wall`."""

    status: int
    stdout: str
    stderr: str
    cpu: float
    wall: float


def qemu() -> str:
    """The path of QEMU's binary."""
    return os.environ["FUGU_QEMU"]


def guest(name: str) -> str:
    """The path of a built guest program."""
    return str(Path(os.environ["FUGU_GUEST_DIR"], f"{name}.elf"))


def command(program: str, *args: str, accel: str = "", more: tuple[str, ...] = (), **options: Any) -> list[str]:
    """QEMU's command line for a run with these options of run.sh.

    `accel` is put behind the accelerator's other options (a second `-accel`
    would be a second choice, not more options), `more` at the end.
    """
    run = Run({key.replace("_", "-"): value for key, value in options.items()}, program, list(args))
    line = qemu_command.command(qemu(), guest(program), run)
    at = line.index("-accel") + 1
    line[at] += accel
    return [*line, *more]


def measure(line: list[str], status: int = 0) -> Measured:
    """Runs it to its end. SetupError, with what it said, on another status."""
    before, start = _children(), time.monotonic()
    done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          check=False)
    wall, cpu = time.monotonic() - start, _children() - before
    if done.returncode != status:
        import shlex

        raise SetupError(f"a run that is measured ended with status {done.returncode}:\n"
                         f"{shlex.join(line)}\n{done.stdout}{done.stderr}")
    return Measured(status, done.stdout, done.stderr, cpu, wall)


def measure_split(words: list[str], status: int = 0) -> Measured:
    """The same for a command line of run.sh whose run has several processes.

    `cpu` is that of all of them, `stderr` is lost.
    """
    run = parse(words)
    parts = partition.of(run)
    assert parts
    before, start = _children(), time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        with peers.prepared(qemu(), run.program, run, parts) as starts:
            children = peers.start(starts, stdout=output, stderr=subprocess.DEVNULL)
        ended = [child.wait() for child in children]
        wall, cpu = time.monotonic() - start, _children() - before
        output.seek(0)
        stdout = output.read()
    if ended != [status] * len(children):
        raise SetupError(f"a run that is measured ended with statuses {ended}: ./run.sh {' '.join(words)}\n{stdout}")
    return Measured(status, stdout, "", cpu, wall)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cpu(line: list[str], status: int = 0) -> Callable[[], float]:
    """What measures the CPU time of a run."""
    return lambda: measure(line, status).cpu


def latencies(quantum: int) -> dict[str, Any]:
    """Options for a quantum, and latencies that allow it where the usual ones do not."""
    options = {"quantum": quantum}
    for key in ("mesh-base", "second-base"):
        if quantum > BY_KEY[key].default:
            options[key.replace("-", "_")] = quantum
    return options

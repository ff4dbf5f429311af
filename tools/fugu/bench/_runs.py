"""What the benchmarks share: runs of the machine, with their output and times."""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..abi import STATUS
from ..errors import SetupError
from ..options.table import BY_KEY
from ..run import partition, peers, qemu_command
from ..run.parse import Run, parse
from ._words import whole

QUANTUM = 64                    # of the runs that are measured, in cycles
TIMEOUT = STATUS["TIMEOUT"]     # the status of a run that its time limit ended


@dataclass(frozen=True)
class Measured:
    """A run that has ended. `cpu` is user and system time, in seconds like `wall`.

    All nodes run in one thread, so on a busy host `cpu` is the better measure.
    """

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

    `accel` is appended to the options of -accel: a second -accel would name
    another accelerator. `more` comes at the end.
    """
    run = Run({key.replace("_", "-"): value for key, value in options.items()}, program, list(args))
    line = qemu_command.command(qemu(), guest(program), run)
    at = line.index("-accel") + 1
    line[at] += accel
    return [*line, *more]


def measure(line: list[str], status: int = 0) -> Measured:
    """Runs a command to its end. Raises SetupError, with the output, if it ends with another status."""
    before, start = _children(), time.monotonic()
    done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          check=False)
    wall, cpu = time.monotonic() - start, _children() - before
    if done.returncode != status:
        import shlex

        raise SetupError(f"a measured run ended with status {done.returncode}:\n"
                         f"{shlex.join(line)}\n{done.stdout}{done.stderr}")
    return Measured(status, done.stdout, done.stderr, cpu, wall)


def measure_split(words: list[str], status: int = 0) -> Measured:
    """The same for a command line of run.sh with several processes.

    `cpu` is the sum of all processes; their standard error is dropped.
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
        raise SetupError(f"a measured run ended with statuses {ended}: ./run.sh {' '.join(words)}\n{stdout}")
    return Measured(status, stdout, "", cpu, wall)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def option_parser(name: str, times: int) -> argparse.ArgumentParser:
    """The parser for a benchmark's words. It has the option --times, the number of turns."""
    parser = argparse.ArgumentParser(prog=f"./run.sh bench {name}")
    parser.add_argument("--times", type=whole, default=times, metavar="N",
                        help="the median of N turns counts (default: %(default)s)")
    return parser


def cpu(line: list[str], status: int = 0) -> Callable[[], float]:
    """A function that runs the command and returns its CPU time."""
    return lambda: measure(line, status).cpu


def latencies(quantum: int) -> dict[str, Any]:
    """Options for a quantum, with longer latencies where the default ones are shorter than the quantum."""
    options = {"quantum": quantum}
    for key in ("mesh-base", "second-base"):
        if quantum > BY_KEY[key].default:
            options[key.replace("-", "_")] = quantum
    return options

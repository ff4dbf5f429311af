"""Carries out one run of a sweep, and writes down how it has ended.

Every end of the run is a result, a failure too: only a process that is killed
leaves none.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_NB, LOCK_SH, flock
from pathlib import Path
from typing import IO, Any

from ..abi import STATUS
from ..errors import STATUS_SETUP, FuguError
from ..host.storage import write_atomically
from ..run import partition, peers, qemu_command
from ..run.parse import parse
from .plan import LOCK, PLAN

OUTPUT_MAX = 256 << 20      # bytes that a run may print on either output, and QEMU may write to any other file
LIMIT, SPACE, LAUNCHER = "limit", "space", "launcher"     # why a run was ended: host time, output; why it did not begin
WATCH = 1.0                 # seconds between two looks whether the sweep goes on
SIGXFSZ = -25               # the status of a process that has written too much

# How a run ends for reasons that the host has: next time it may end otherwise.
HOSTS = {STATUS[name] for name in ("PEER", "FILE", "START", "SIGNAL", "READER")}


def carry_out(folder: Path, name: str) -> None:
    """Carries out the run of that key. OSError if its result cannot be written; KeyboardInterrupt if the sweep has been
    killed."""
    plan = json.loads((folder / PLAN).read_text())
    start = time.monotonic()
    files = [folder / "runs" / f"{name}.{kind}" for kind in ("out", "err")]
    if plan["here"] and _abandoned(folder):
        raise KeyboardInterrupt
    with files[0].open("wb") as out, files[1].open("wb") as err:
        try:
            os.chdir(plan["directory"])
            status, ended = _run(plan["runs"][name], folder, plan, out, err)
        except (FuguError, OSError) as error:
            err.write(f"fugu: {error}\n".encode())
            status, ended = getattr(error, "status", STATUS_SETUP), LAUNCHER
    write_atomically(folder / "runs" / f"{name}.json", json.dumps({
        "status": status, "ended": ended, "seconds": round(time.monotonic() - start, 2)}))


def is_final(result: dict[str, Any]) -> bool:
    """Whether a run that is repeated would end in the same way: the machine ended it, not the host."""
    return not result["ended"] and result["status"] >= 0 and result["status"] not in HOSTS


def _run(planned: dict[str, Any], folder: Path, plan: dict[str, Any], out: IO[bytes],
         err: IO[bytes]) -> tuple[int, str]:
    """The exit status of the run, and why it was ended before its end, if it was.

    KeyboardInterrupt if the sweep has been killed.
    """
    _limit_output()
    with _processes(planned, str(folder / planned["image"]), out, err) as processes:
        deadline = time.monotonic() + plan["limit"]
        while (status := _wait(processes[0], min(WATCH, deadline - time.monotonic()))) is None:
            if time.monotonic() >= deadline:
                return STATUS["SIGNAL"], LIMIT
            if plan["here"] and _abandoned(folder):
                raise KeyboardInterrupt
    return (STATUS["FILE"], SPACE) if status == SIGXFSZ else (status, "")


def _wait(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """The exit status of a process, or None if it still runs after so many seconds."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None


def _abandoned(folder: Path) -> bool:
    """Whether no sweep works in the folder any more: nothing holds its lock. Only on the sweep's own host."""
    try:
        with (folder / LOCK).open() as lock:
            flock(lock, LOCK_SH | LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass                # the folder is gone
    return True


def _limit_output() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    lowest = min([OUTPUT_MAX, *(limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY)])
    resource.setrlimit(resource.RLIMIT_FSIZE, (lowest, hard))


@contextmanager
def _processes(planned: dict[str, Any], image: str, out: IO[bytes],
               err: IO[bytes]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Starts QEMU, in one process or several. At the end, none of them is left."""
    run = parse(["--digest", *planned["words"]])
    parts = partition.of(run)
    processes = []
    try:
        if parts:
            with peers.prepared(planned["qemu"], image, run, parts) as starts:
                processes = peers.start(starts, out, err)
        else:
            command = qemu_command.command(planned["qemu"], image, run)
            processes = peers.start([peers.Start(0, command)], out, err)
        yield processes
        if parts:
            for other in processes[1:]:
                other.wait(partition.link_timeout(run))
    finally:
        peers.end(processes)


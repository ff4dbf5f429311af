"""The output of programs that measure themselves: several run at a time, and none twice.

The output of a run is kept in the cache, in results/KEY.json. KEY is a hash of
everything that decides the output: QEMU, what it boots, its command line. So a
sweep that was interrupted continues where it stopped, and one after a change
runs only what the change concerns.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from ...errors import SetupError
from ...host import capacity, storage
from ...host.progress import Step, display, duration
from ...paths import cache_dir
from ...run import qemu_command
from ...run.parse import parse
from ...run.ready import ready

RESULTS = "results"     # folder of the cache
KEEP = 2000             # results in it

@dataclass(frozen=True)
class Job:
    """A run of a program on Glaze with these options of run.sh.

    `work` is how long it takes, in a unit that all jobs share. The estimate needs it.
    """

    app: str
    words: tuple[str, ...]
    options: tuple[str, ...]
    work: int

    def __str__(self) -> str:
        return f"./run.sh {shlex.join([*self.options, self.app, *self.words])}"


def outputs(jobs: Sequence[Job], fresh: bool = False) -> dict[Job, str]:
    """The standard output of each job: of a run that is kept, unless `fresh`, or of a new one. SetupError."""
    runs = {job: _Run(job) for job in dict.fromkeys(jobs)}
    found = {} if fresh else {job: kept for job, run in runs.items() if (kept := run.kept()) is not None}
    missing = {job: run for job, run in runs.items() if job not in found}
    if missing:
        with display().step(f"running {len(missing)} of {len(runs)} programs") as step:
            found.update(_run_all(missing, step))
    return found


class _Run:
    """The run of a job, and the file in which its output is kept."""

    def __init__(self, job: Job) -> None:
        self.job = job
        run = parse([*job.options, "--", job.app, *job.words])
        qemu, self.image = ready(run)
        self.line = qemu_command.command(qemu, self.image, run)
        words = [word for word in self.line if self.image not in word]      # the reporter's word names it too
        key = hashlib.sha256(f"{_digest(Path(qemu))} {_digest(Path(self.image))} {shlex.join(words[1:])}".encode())
        self.file = cache_dir() / RESULTS / f"{key.hexdigest()[:16]}.json"

    def kept(self) -> str | None:
        """The output of an earlier run, or None."""
        try:
            output: str = json.loads(self.file.read_text())["output"]
            os.utime(self.file)
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return output

    def run(self) -> str:
        """Runs the program, and keeps its output. SetupError if it fails."""
        start = time.monotonic()
        done = subprocess.run(self.line, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        if done.returncode:
            raise SetupError(f"{self.job} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
        self.file.parent.mkdir(parents=True, exist_ok=True)
        storage.write_atomically(self.file, json.dumps({
            "command": self.line, "seconds": round(time.monotonic() - start, 1), "output": done.stdout}))
        return done.stdout


@functools.cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _run_all(runs: Mapping[Job, _Run], step: Step) -> dict[Job, str]:
    """Runs all of them, as many at a time as there are cores. After a failure, those that have begun end first."""
    start = time.monotonic()
    total = sum(job.work for job in runs)
    found: dict[Job, str] = {}
    with ThreadPoolExecutor(capacity.jobs()) as pool:
        begun = {pool.submit(run.run): job for job, run in runs.items()}
        try:
            for one in as_completed(begun):
                found[begun[one]] = one.result()
                done = sum(job.work for job in found)
                seconds = (time.monotonic() - start) * (total - done) / done
                step.update(done, total, f"about {duration(seconds)} left")
                for job in runs.keys() - found.keys():
                    os.utime(runs[job].image)       # image/store.py keeps images that were used lately
        finally:
            pool.shutdown(cancel_futures=True)
    _prune()
    return found


def _prune() -> None:
    """Removes all results but those that were used last."""
    files = sorted((cache_dir() / RESULTS).glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for file in files[KEEP:]:
        file.unlink(missing_ok=True)

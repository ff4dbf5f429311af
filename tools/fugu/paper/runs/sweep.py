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
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from ...build.everything import up_to_date
from ...errors import FuguError, SetupError
from ...host import capacity, children, storage
from ...host.progress import Step, display, duration
from ...paths import cache_dir
from ...run import qemu_command
from ...run.parse import parse
from ...run.ready import ready
from .estimate import seconds_left

RESULTS = "results"     # folder of the cache
KEEP = 4000             # results in it: more than a report has runs

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
    runs = _runs(jobs)
    found = {} if fresh else {job: kept for job, run in runs.items() if (kept := run.kept()) is not None}
    missing = {job: run for job, run in runs.items() if job not in found}
    if missing:
        with display().step(f"running {len(missing)} of {len(runs)} programs") as step:
            found.update(_run_all(missing, step))
    return found


@dataclass(frozen=True)
class Attempt:
    """What became of some jobs."""

    ran: int                            # how many have run now; the others were kept
    seconds: dict[Job, float]           # of the host, for each job that has not failed
    failures: dict[Job, Exception]      # of those that failed


def attempt(jobs: Iterable[Job], fresh: bool = False) -> Attempt:
    """Runs what outputs() would run. A failure does not keep the other jobs from running."""
    failures: dict[Job, Exception] = {}
    runs = _runs(jobs, failures)
    missing = {job: run for job, run in runs.items() if fresh or run.kept() is None}
    if missing:
        with display().step(f"running {len(missing)} of {len(runs)} programs") as step:
            _run_all(missing, step, failures)
    return Attempt(len(missing), {job: run.seconds() for job, run in runs.items() if job not in failures}, failures)


def _runs(jobs: Iterable[Job], failures: dict[Job, Exception] | None = None) -> dict[Job, _Run]:
    """The run of each job. Looks once whether what they all need is up to date.

    The error of a job that cannot begin, such as one without its program, goes to `failures`, or is raised.
    """
    known = functools.cache(up_to_date)
    found = {}
    for job in dict.fromkeys(jobs):
        try:
            found[job] = _Run(job, known)
        except FuguError as error:
            if failures is None:
                raise
            failures[job] = error
    return found


class _Run:
    """The run of a job, and the file in which its output is kept."""

    def __init__(self, job: Job, built: Callable[[tuple[str, ...]], dict[str, dict[str, str]]]) -> None:
        self.job = job
        self.child: subprocess.Popen[str] | None = None
        self.stopped = False
        self.began: float | None = None         # by the host's clock
        self.took = 0.0                         # its seconds, once it has ended
        run = parse([*job.options, "--", job.app, *job.words])
        qemu, self.image = ready(run, built)
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

    def seconds(self) -> float:
        """The host's seconds that the run took whose output is kept."""
        return float(json.loads(self.file.read_text()).get("seconds", 0))

    def run(self) -> str:
        """Runs the program, and keeps its output. SetupError if it fails."""
        self.began = start = time.monotonic()
        with children.start(self.line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, errors="replace") as child:
            self.child = child
            if self.stopped:        # meanwhile
                child.terminate()
            output, errors = child.communicate()
        self.took = time.monotonic() - start
        if child.returncode:
            raise SetupError(f"{self.job} ended with status {child.returncode}:\n{output}{errors}")
        self.file.parent.mkdir(parents=True, exist_ok=True)
        storage.write_atomically(self.file, json.dumps({
            "command": self.line, "seconds": round(self.took, 1), "output": output}))
        return output

    def stop(self) -> None:
        """Ends the program if it runs, or as soon as it does."""
        self.stopped = True
        if self.child and self.child.poll() is None:
            self.child.terminate()


@functools.cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _run_all(runs: Mapping[Job, _Run], step: Step, failures: dict[Job, Exception] | None = None) -> dict[Job, str]:
    """Runs all of them, as many at a time as there are cores, those with the most work first.

    The error of a job that fails goes to `failures`. Without `failures`, it is raised after the jobs that have begun.
    An interrupt ends those that have begun.
    """
    total, done, cores = sum(job.work for job in runs), 0, capacity.jobs()
    found: dict[Job, str] = {}
    waiting = dict(sorted(runs.items(), key=lambda item: -item[0].work))
    with ThreadPoolExecutor(cores) as pool:
        begun = {pool.submit(run.run): job for job, run in waiting.items()}
        try:
            for one in as_completed(begun):
                job = begun[one]
                error = one.exception()
                if isinstance(error, Exception) and failures is not None:
                    failures[job] = error
                else:
                    found[job] = one.result()
                waiting.pop(job)
                done += job.work
                step.update(done, total, f"about {duration(_left(runs, waiting, cores))} left")
                for image in {run.image for run in waiting.values()}:
                    os.utime(image)             # image/store.py keeps images that were used lately
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for run in waiting.values():
                run.stop()
            raise
        finally:
            pool.shutdown(cancel_futures=True)
    _prune()
    return found


def _left(runs: Mapping[Job, _Run], waiting: Mapping[Job, _Run], cores: int) -> float:
    """Seconds until the runs have ended that have not: `waiting`, some of which have begun."""
    now = time.monotonic()
    running = {job: now - run.began for job, run in list(waiting.items()) if run.began is not None}
    return seconds_left({job: run.took for job, run in runs.items() if job not in waiting}, running,
                        [job for job in waiting if job not in running], cores)


def _prune() -> None:
    """Removes all results but those that were used last."""
    files = sorted((cache_dir() / RESULTS).glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for file in files[KEEP:]:
        file.unlink(missing_ok=True)

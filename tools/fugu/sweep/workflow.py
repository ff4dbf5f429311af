"""Carries out the runs of a sweep: as jobs of Snakemake, on all cores of this host or on a cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import SetupError, UsageError
from ..host import children, execute, scratch
from ..host.progress import Step, display, duration
from ..host.python_tools import SNAKEMAKE, environment
from ..host.storage import write_atomically
from ..suggest import did_you_mean
from .plan import LOG, PLAN, Plan

NAME = "Snakemake"
PROFILES = Path(__file__).parent / "profiles"
POLL = 0.2                  # seconds
PATIENCE = 60.0             # seconds for Snakemake to cancel its jobs
CONFIG = "config.yaml"


@dataclass(frozen=True)
class How:
    """How to carry out runs: the cores of this host to use, or a folder with a profile; more words for Snakemake."""

    cores: int
    profile: Path | None = None
    more: Sequence[str] = ()


def profile(name: str) -> Path:
    """The folder of a profile: one of ours by its name, or the user's own by its path. UsageError."""
    own = Path(name)
    found = PROFILES / name if os.sep not in name and (PROFILES / name).is_dir() else own
    if not (found / CONFIG).is_file():
        names = sorted(path.name for path in PROFILES.iterdir())
        raise UsageError(f"--profile {name}: there is no {found / CONFIG}.{did_you_mean(name, names)}\n"
                         f"Give a folder with a {CONFIG} for Snakemake, or one of: {', '.join(names)}.")
    return found.absolute()


def carry_out(plan: Plan, missing: Sequence[str], how: How) -> None:
    """Carries out these runs. Those that leave no result are no error. SetupError if Snakemake itself fails."""
    if not missing:
        return
    tools = environment([*SNAKEMAKE, *_more(how.profile)], NAME)
    record = json.loads((plan.folder / PLAN).read_text())
    write_atomically(plan.folder / PLAN, json.dumps(record | {"missing": list(missing), "here": how.profile is None}))

    def done() -> int:
        return sum(plan.result(key).exists() for key in missing)
    shown = display()
    try:
        with shown.step(f"running {len(missing)} of {len(set(plan.keys))} runs") as step:
            status = _snakemake(_command(tools.bin("python"), how), plan.folder, done, len(missing), step)
            if status and not done():
                log = plan.folder / LOG
                tail = log.read_text(errors="replace").strip().splitlines()[-execute.TAIL:]
                raise execute.failure(NAME, log, tail, status)
    finally:
        shown.close()


def _more(profile: Path | None) -> list[str]:
    """What pip installs for a profile: the lines of its requirements.txt, if it has one."""
    file = profile / "requirements.txt" if profile else None
    if not file or not file.exists():
        return []
    lines = (line.partition("#")[0].strip() for line in file.read_text().splitlines())
    return [line for line in lines if line]


def _command(python: Path, how: How) -> list[str]:
    where = ["--profile", str(how.profile)] if how.profile else ["--cores", str(how.cores)]
    return [str(python), "-m", "snakemake", "--snakefile", str(Path(__file__).parent / "Snakefile"), *where,
            "--keep-going", "--nolock", "--rerun-incomplete", "--rerun-triggers", "mtime", "--scheduler", "greedy",
            "--runtime-source-cache-path", ".snakemake/sources", *how.more]


def _snakemake(command: list[str], folder: Path, done: Callable[[], int], total: int, step: Step) -> int:
    """Runs Snakemake to its end, with its output in a log. Returns its status.

    If this process is interrupted, Snakemake and its jobs are ended, too.
    """
    begin = time.monotonic()
    # A Snakemake that is killed leaves its temporary files; the next run of the launcher removes them.
    with scratch.folder() as temporary, (folder / LOG).open("w") as log:
        try:
            # SIGINT cancels Snakemake's jobs. It comes from _end(), and counts also where the caller ignores it.
            # If this process is killed, Snakemake must not get SIGTERM: its handler takes a lock that its
            # main thread may hold, and then it waits for itself. The runs of this host end by themselves.
            child = children.start(command, interruptible=True, death=signal.SIGKILL, cwd=folder,
                                   env=execute.environment({"TMPDIR": temporary}),
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, process_group=0)
        except OSError as error:
            raise SetupError(f"Snakemake does not start: {command[0]}: {error.strerror}.") from None
        try:
            while child.poll() is None:
                if count := done():
                    left = (time.monotonic() - begin) * (total - count) / count
                    step.update(count, total, f"about {duration(left)} left")
                time.sleep(POLL)
        finally:
            _end(child)
    return child.returncode


def _end(child: subprocess.Popen[bytes]) -> None:
    """Ends Snakemake as Control-C would, and if that takes too long, kills it with all jobs of this host."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGINT)
        try:
            child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    try:
        os.killpg(child.pid, signal.SIGTERM)        # jobs that are left if Snakemake was killed
    except ProcessLookupError:
        pass

"""The jobs of a run: apps, each with its arguments, joined by a word `+`.

Their words, joined by single blanks, become the machine's command line, which
is split at blanks. So other bytes stand for a blank within a word, and for a
word without bytes (guest-os/include/glaze.h).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from ..abi import GLAZE, IMAGE, PROCESS
from ..errors import UsageError
from ..options import types
from ..options.table import OPTIONS
from ..paths import program_name
from . import programs

if TYPE_CHECKING:
    from .parse import Run

JOINT = "+"
PARAMETER = "glaze."        # how parameters of the kernel begin
BLANK, NOTHING = chr(GLAZE["ARGS_BLANK"]), chr(GLAZE["ARGS_NOTHING"])


@dataclass(frozen=True)
class Job:
    """A program and its arguments."""

    program: str                # as the user names it
    args: list[str]
    start: int = 0              # the cycle at which it starts; 0: at once

    @property
    def name(self) -> str:
        """The name that the kernel knows the program by."""
        return program_name(self.program) if programs.is_path(self.program) else self.program

    @property
    def words(self) -> str:
        """The job's part of the command line."""
        # A name that has an @ of its own needs a time after it.
        time = f"@{self.start}" if self.start or "@" in self.name else ""
        return " ".join([self.name + time, *(word.replace(" ", BLANK) or NOTHING for word in self.args)])


def of(program: str, args: list[str]) -> list[Job]:
    """The jobs of a run, in order; an empty list for a program on the bare machine. UsageError."""
    words = [program, *args]
    if JOINT not in words and not programs.runs_on_glaze(split_time(program)[0]):
        _check_not_bare(program)
        return []
    jobs: list[list[str]] = [[]]
    for word in words:
        if word == JOINT:
            jobs.append([])
        else:
            jobs[-1].append(word)
    if not all(jobs):
        raise UsageError(f"{JOINT} joins two jobs, but there is none on one side of it.\n"
                         f"Two apps at once: ./run.sh pingpong 10 {JOINT} null")
    return [_job(job[0], job[1:]) for job in jobs]


def _job(word: str, args: list[str]) -> Job:
    """The job of a first word, PROGRAM or PROGRAM@CYCLES. UsageError."""
    name, time = split_time(word)
    try:
        return Job(name, args, types.cycles(time) if time else 0)
    except ValueError as error:
        raise UsageError(f"{word}: the time at which {name} starts {error}") from None


def split_time(word: str) -> tuple[str, str]:
    """PROGRAM and CYCLES of the word PROGRAM@CYCLES; the second is empty if the word is a program's file or name."""
    name, _, time = word.rpartition("@")
    return (name, time) if name and time[:1].isdigit() and not os.path.isfile(word) else (word, "")


def _check_not_bare(word: str) -> None:
    name, time = split_time(word)
    if time:
        programs.check_exists(name)
        raise UsageError(f"{word}: only apps can start later, and {name} runs on the bare machine.")


def command_line(run: Run) -> str:
    """The machine's command line: parameters of the kernel, then the jobs."""
    if not run.jobs:
        return " ".join(run.args)
    parameters = [f"glaze.{option.kernel}={run.options[option.key]}" for option in OPTIONS
                  if option.kernel and option.key in run.options]
    return " ".join([*parameters, f" {JOINT} ".join(job.words for job in run.jobs)])


def check(run: Run) -> None:
    """Checks the jobs of a run, and its input files. Raises UsageError."""
    jobs = run.jobs
    if not jobs:
        for option in OPTIONS:
            if option.key in run.options and (option.kernel or option.key in ("input", "scheduler")):
                programs.check_exists(run.program)
                raise UsageError(f"{option.names[-1]} is for apps, and {run.program} runs on the bare machine.")
    if len(jobs) > GLAZE["JOBS_LISTED"]:
        raise UsageError(f"{len(jobs)} jobs are joined by {JOINT}; a machine can run {GLAZE['JOBS_LISTED']}.")
    for job in jobs:
        _check_program(job.program, len(jobs))
        _check_words(job)
    by_name(jobs)
    _check_scheduler(run)
    _check_inputs(run)


def by_name(jobs: list[Job]) -> dict[str, str]:
    """The programs of these jobs by name, each once, in order. UsageError if two programs share a name."""
    found: dict[str, str] = {}
    for job in jobs:
        other = found.setdefault(job.name, job.program)
        if os.path.realpath(other) != os.path.realpath(job.program) \
                or programs.is_path(other) != programs.is_path(job.program):
            raise UsageError(f"two programs have the name {job.name}: {other} and {job.program}.\n"
                             "Copy one of them to a file of another name.")
    return found


def name_max() -> int:
    """Bytes that the name of a program or a file may have in a boot image, its final zero left out."""
    return IMAGE["NAME"] - 1


def _check_program(program: str, jobs: int) -> None:
    if programs.runs_on_glaze(program):
        if programs.is_path(program):
            programs.check_file(program)
        return
    programs.check_exists(program)
    others = "the other jobs" if jobs > 2 else "the other job"
    raise UsageError(f"{program} runs on the bare machine, so nothing can run beside it.\n"
                     f"Leave out {others}; ./run.sh apps lists what {JOINT} can join.")


def _check_words(job: Job) -> None:
    if job.name.split() != [job.name] and programs.is_path(job.program):
        path = Path(job.program)
        other = path.with_name("-".join(path.name.split()))
        raise UsageError(f"{path}: the name of an app's file cannot have a blank, as it is one of the job's words.\n"
                         f"Give the file another name: cp {quote(str(path))} {quote(str(other))}")
    if job.name.startswith(PARAMETER):
        raise UsageError(f"{job.program}: the kernel takes a word that begins with {PARAMETER} for a parameter of its own.\n"
                         f"Give the file another name: cp {quote(job.program)} {quote(job.name.removeprefix(PARAMETER))}.elf")
    for word in job.args:
        if BLANK in word or NOTHING in word:
            raise UsageError(f"{job.name}: {word!r} has a byte that stands for a blank or for no bytes when words are "
                             "passed to a job.\nPut such text into a file: --input FILE")
    if len(job.name.encode()) > name_max():
        raise UsageError(f"the program's name {job.name} is {len(job.name.encode())} bytes long; "
                         f"at most {name_max()} are possible.")
    length = len(" ".join([job.name, *job.args]).encode())
    if length > GLAZE["I_ARGS_MAX"]:
        raise UsageError(f"{job.name}: its name and arguments are {length} bytes long; "
                         f"a job has room for {GLAZE['I_ARGS_MAX']}.\nPut longer text into a file: --input FILE")


def _check_scheduler(run: Run) -> None:
    server = run.options.get("scheduler", "none")
    if server != "none":
        programs.check_file(server)
        if not programs.runs_on_glaze(server):
            raise UsageError(f"--scheduler {server}: the scheduler's server is an app, and this file is for the bare "
                             "machine.\ndocs/scheduler says how to write one.")
    elif "scheduler" in run.options and any(job.start for job in run.jobs):
        raise UsageError("--scheduler none: the scheduler's server starts the jobs that come later.\n"
                         "Leave out --scheduler, or the @CYCLES of the jobs.")
    elif "scheduler" in run.options and len(run.jobs) > PROCESS["JOBS_MAX"]:
        raise UsageError(f"--scheduler none: {len(run.jobs)} jobs are joined by {JOINT}. {PROCESS['JOBS_MAX']} can exist "
                         "at one time, and the\nscheduler's server starts the others after them. Leave out --scheduler.")


def _check_inputs(run: Run) -> None:
    seen: dict[str, str] = {}
    for name, file in run.options.get("input", []):
        given = f"--input {name}={file}"
        if len(name.encode()) > name_max():
            raise UsageError(f"{given}: the name is {len(name.encode())} bytes long; "
                             f"at most {name_max()} are possible.\nGive a shorter one: --input NAME=FILE")
        if name in seen:
            raise UsageError(f"{given}: {seen[name]} has that name already.\nGive another one: --input NAME=FILE")
        seen[name] = file
        if not os.path.isfile(file):
            raise UsageError(f"{given}: there is no such file.")
        if not os.access(file, os.R_OK):
            raise UsageError(f"{given}: the file cannot be read.")

"""What a sweep has to run: for each run what it boots, and a key of everything that decides its result.

A sweep keeps its files in a folder:

    plan.json       what carry_out needs of each run, by key
    images/         what the runs boot, as it was when the sweep began
    runs/KEY.json   how a run has ended; KEY.out and KEY.err are its output
    results.csv     the table of results
    snakemake.log   what Snakemake and Slurm have said

So a sweep that was interrupted continues where it stopped, and one whose table,
programs or machine have changed runs only what the change concerns.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import Any

from ..build.everything import up_to_date
from ..errors import SetupError, UsageError
from ..host.storage import key, write_atomically
from ..paths import ROOT, build_dir
from ..run.parse import Run, parse
from ..run.ready import check_kind, ready
from .table import Table, Wanted

PLAN, RESULTS, LOG, LOCK = "plan.json", "results.csv", "snakemake.log", "lock"
FOLDERS = "images", "runs"
MIB = 1 << 20
PROCESS_MIB = 256           # of host memory for a process of QEMU, beside the memory of its nodes
JOB_MIB = 512               # for the Snakemake that starts the run, where it is a job of a cluster


@dataclass(frozen=True)
class Plan:
    """A folder, the table, and the key of each of the table's runs."""

    folder: Path
    table: Table
    keys: tuple[str, ...]
    limit: float                # seconds of host time that a run may take

    def result(self, run: str) -> Path:
        """The file that says how a run has ended."""
        return self.folder / "runs" / f"{run}.json"


def make(table: Table, folder: Path, limit: float) -> Plan:
    """Writes the plan of a table into its folder. Builds what is missing. SetupError or UsageError."""
    for name in FOLDERS:
        (folder / name).mkdir(exist_ok=True)
    runs: dict[str, dict[str, Any]] = {}
    keys = []
    boots: dict[tuple[str, ...], tuple[str, str]] = {}
    built = functools.cache(up_to_date)
    for wanted in table.runs:
        run = parse(wanted.words)
        if wanted.words not in boots:       # trials have the same words
            with _placed(table, wanted):
                qemu, image = ready(run, built)
            boots[wanted.words] = qemu, _frozen(image, folder)
        qemu, image = boots[wanted.words]
        name = key(_digest(qemu), image, wanted.words, wanted.trial)
        keys.append(name)
        runs[name] = {"qemu": qemu, "image": image, "words": wanted.words, **_needs(run, limit)}
    write_atomically(folder / PLAN, json.dumps({
        "command": [sys.executable, "-X", "utf8", "-S", "-E", "-B", str(ROOT / "tools" / "fugu" / "sweep")],
        "directory": os.getcwd(), "limit": limit, "runs": runs}))
    return Plan(folder, table, tuple(keys), limit)


def check(table: Table) -> None:
    """Checks that the programs of all runs, as far as they are built, run on their machines. Builds and writes nothing.
    UsageError."""
    checked: set[tuple[str, ...]] = set()
    for wanted in table.runs:
        if wanted.words not in checked:     # trials have the same words
            with _placed(table, wanted):
                check_kind(parse(wanted.words), build_dir())
            checked.add(wanted.words)


@contextmanager
def _placed(table: Table, wanted: Wanted) -> Iterator[None]:
    """What is wrong with a run is said with the place of its row."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{table.file}: line {wanted.line}: {error}") from None


def _needs(run: Run, limit: float) -> dict[str, int]:
    """What a run needs of a host: processes, MiB of memory, minutes."""
    processes = run.processes
    return {"processes": processes, "memory": JOB_MIB + processes * PROCESS_MIB + run.value("nodes") * run.value("ram") // MIB,
            "minutes": int(limit // 60) + 2}


def _frozen(image: str, folder: Path) -> str:
    """A copy of what a run boots, under a name of its contents, from the sweep's folder."""
    name = os.path.join("images", f"{_digest(image)}.elf")
    if not (folder / name).exists():
        part = folder / "images" / f".{os.getpid()}"
        shutil.copyfile(image, part)
        part.replace(folder / name)
    return name


@functools.cache
def _digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]


# ---- the folder ------------------------------------------------------------------

@contextmanager
def opened(folder: Path) -> Iterator[None]:
    """Makes the folder of a sweep, and keeps other sweeps out of it. UsageError or SetupError.

    A sweep that is refused or interrupted before it has a plan leaves nothing of a new folder.
    """
    made = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not (folder / LOCK).exists():
            raise UsageError(f"{folder} has files that are not a sweep's.\nName another folder: --output DIR")
        new = not (folder / LOCK).exists()
        lock = (folder / LOCK).open("a")
    except OSError as error:
        raise SetupError(f"the folder of the sweep {folder} cannot be made: {error.strerror}.\n"
                         "Name another one: --output DIR") from None
    with lock:
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except OSError:
            raise UsageError(f"another sweep works in {folder}.\nWait for its end, or name another folder: "
                             "--output DIR") from None
        try:
            yield
        finally:
            if new and not (folder / PLAN).exists():
                _leave(folder, made)


def _leave(folder: Path, made: list[Path]) -> None:
    """Removes what make() has written, and those of the folders `made` that are empty then, the innermost first."""
    for name in FOLDERS:
        shutil.rmtree(folder / name, ignore_errors=True)
    with suppress(OSError):
        (folder / LOCK).unlink()
        for path in made:
            path.rmdir()

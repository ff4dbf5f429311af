"""Where the tasks of srun or mpirun learn the hub's address and the secret: tickets in a folder that all hosts share.

Task 0 writes a ticket for each other task: a file that only its owner can read.
A task that has read its ticket removes it, and the last one removes the folder.
A file system is the one thing that tasks share under every launcher: they start
the same ./run.sh. It also proves who wrote a ticket.
"""

from __future__ import annotations

import json
import os
import stat
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from ..abi import STATUS
from ..errors import FuguError, UsageError
from ..host.storage import remove

POLL = 0.05             # seconds
STALE = 24 * 3600       # seconds after which nothing waits for a ticket any more


class Apart(FuguError):
    """The tasks do not come together."""

    status = STATUS["PEER"]


@dataclass(frozen=True)
class Ticket:
    """What a task needs to join: the hub's HOST:PORT, the secret. `build` names the hub's QEMU."""

    address: str
    secret: str
    build: str


def call(folder: Path, tasks: range, ticket: Ticket) -> None:
    """Writes a ticket for each of these tasks. UsageError if the folder cannot be written."""
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _tidy(folder.parent)
        remove(folder)
        folder.mkdir(mode=0o700)
        # A task that has read its ticket removes the folder if it is empty: until all tickets are there, it is not.
        parts = {task: folder / f".{task}" for task in tasks}
        for part in parts.values():
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                json.dump(asdict(ticket), file)
        for task, part in parts.items():
            part.replace(folder / str(task))
    except OSError as error:
        raise UsageError(f"--meet {folder.parent}: the tasks cannot meet there: {error.strerror}.\n"
                         "Name a folder that all hosts share: --meet DIR") from None


def find(folder: Path, task: int, seconds: float, build: str) -> Ticket:
    """The ticket of this task, which is removed. Waits until task 0 has written it.

    Raises Apart after so many seconds, and if task 0 has another build.
    """
    file = folder / str(task)
    deadline = time.monotonic() + seconds
    while (ticket := _read(file)) is None:
        if time.monotonic() > deadline:
            raise Apart(f"task {task} waited {seconds:g} s for task 0, which has left no {file}.\n"
                        f"Did task 0 start, and do all hosts share {folder.parent}? Another folder: --meet DIR; "
                        "more time: --link-timeout SECONDS")
        time.sleep(POLL)
    file.unlink(missing_ok=True)
    try:
        folder.rmdir()
    except OSError:
        pass                # other tickets are left
    if ticket.build != build:
        raise Apart(f"task {task} has another QEMU than task 0: {build}, and not {ticket.build}.\n"
                    "All hosts need the same checkout: run ./run.sh setup on each of them.")
    return ticket


def _read(file: Path) -> Ticket | None:
    """The ticket in a file; None if there is none yet. Apart if it is not this user's."""
    try:
        os.listdir(file.parent)         # otherwise NFS may remember for a minute that there is no such file
        with open(file) as opened:
            found = os.fstat(opened.fileno())
            if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) != 0o600:
                raise Apart(f"{file} is not the ticket of this run: another user has written it, or could have.\n"
                            "Name a folder of your own that all hosts share: --meet DIR")
            return Ticket(**json.load(opened))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise Apart(f"{file} cannot be read: {error}.") from None


def _tidy(parent: Path) -> None:
    """Removes what is left of earlier runs in which a task did not take its ticket."""
    for folder in parent.iterdir():
        if folder.name.startswith(("slurm-", "mpi-")) and time.time() - folder.lstat().st_mtime > STALE:
            remove(folder)

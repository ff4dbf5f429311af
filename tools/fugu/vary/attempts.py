"""Runs a program with options, several at a time."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import SetupError
from ..host import capacity, children, scratch
from ..paths import ROOT

LOOK = 0.02         # seconds between two looks at the runs


@dataclass(frozen=True)
class Ran:
    """How a run has ended, and what it has printed."""

    status: int
    output: str
    errors: str


@dataclass
class Attempt:
    """A run to be made: the words after ./run.sh, and for each disk the image of which it gets a copy."""

    words: Sequence[str]
    disks: Sequence[tuple[int, str]] = ()


class _Started:
    """A run that goes on in a folder of its own."""

    def __init__(self, attempt: Attempt, seconds: float) -> None:
        self.closed = ExitStack()
        folder = Path(self.closed.enter_context(scratch.folder()))
        copies = []
        for node, image in attempt.disks:
            copy = folder / f"disk{node}"
            copy.write_bytes(Path(image).read_bytes())
            copies += ["--disk", f"{node}={copy}"]
        self.out, self.err = folder / "out", folder / "err"
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.child: subprocess.Popen[Any] = children.start(
                [ROOT / "run.sh", *copies, *attempt.words], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                start_new_session=True)
        self.deadline = time.monotonic() + seconds

    def ended(self) -> Ran | None:
        """How it has ended; None if it goes on. SetupError if it takes too much of the host's time."""
        code = self.child.poll()
        if code is None:
            if time.monotonic() < self.deadline:
                return None
            raise SetupError("a run has taken too much time of this host, and was ended: "
                             f"{' '.join(map(str, self.child.args))}\n"                 # type: ignore[union-attr]
                             "Bound its cycles: --timeout 100M.")
        ran = Ran(children.as_status(code), *(file.read_bytes().decode(errors="backslashreplace") for file in (self.out, self.err)))
        self.closed.close()
        return ran

    def stop(self) -> None:
        children.end_group(self.child)
        self.closed.close()


def results(attempts: Sequence[Attempt], seconds: float) -> Iterator[tuple[int, Ran]]:
    """Makes the runs, as many at a time as there are cores. Yields (number, how it has ended) as they end.

    A run may take so many seconds of the host. SetupError. Those that go on are ended when the caller stops.
    """
    waiting = list(enumerate(attempts))[::-1]
    running: dict[int, _Started] = {}
    try:
        while waiting or running:
            while waiting and len(running) < capacity.jobs():
                number, attempt = waiting.pop()
                running[number] = _Started(attempt, seconds)
            for number in list(running):
                if ran := running[number].ended():
                    del running[number]
                    yield number, ran
            if running:
                time.sleep(LOOK)
    finally:
        for one in running.values():
            one.stop()


def only(attempt: Attempt, seconds: float) -> Ran:
    """One run. SetupError."""
    return next(results([attempt], seconds))[1]


def image_of(path: str) -> str:
    """A disk image that can be copied. SetupError."""
    if not os.path.isfile(path):
        raise SetupError(f"there is no disk image {path}.")
    return path

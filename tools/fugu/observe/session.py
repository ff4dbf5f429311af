"""Runs an observed machine as a child of the launcher, then writes what the user has asked for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..abi import STATUS
from ..errors import SetupError
from ..host import children, scratch
from ..run import partition, peers, qemu_command
from ..run.parse import Run, mesh_shape
from ..run.writable import CannotWrite
from . import figures, flame, page, picture, plan, profile, programs, sharing, stats, text, timeline
from .request import Request

NETWORKS = ("mesh-word", "second-word")         # options: cycles of a word on a link


def observed(request: Request, run: Run, qemu: str, kernel: str) -> int:
    """Runs the machine and returns its status. The figures of a run that a signal has ended are written too."""
    known = programs.of(run, kernel)
    # Events may be many: on the disk that the timeline is for.
    beside = os.path.dirname(request.timeline) or "." if request.timeline else None
    if request.races:
        from .races import report

        del run.options["check"]
        places = report.places_of(known)
    with scratch.folder(beside) as folder:
        plan.write(Path(folder, "plan"), request, known)
        run.options["observe"] = os.path.abspath(folder)
        parts = partition.of(run) if "processes" in run.options else None
        if parts:
            with peers.prepared(qemu, kernel, run, parts) as starts:
                status = _wait(starts)
        else:
            status = _wait([peers.Start(0, qemu_command.command(qemu, kernel, run))])
        try:
            found = figures.read(Path(folder), range(parts.processes if parts else 1))
        except figures.Lost:
            if status:
                return status           # QEMU has said why
            raise
        _present(request, run, Path(folder), found, known)
        if request.races and _say(report.lines(Path(folder, "races.0"), known, places)):
            return status or STATUS["CHECK"]
    return status


def _say(lines: list[str]) -> bool:
    """Says which races a run has had. Returns whether there were any."""
    for line in lines or ["--check races: none found"]:
        print(f"fugu: {line}", file=sys.stderr)
    return bool(lines)


def _present(request: Request, run: Run, folder: Path, found: figures.Figures, known: programs.Programs) -> None:
    """Shows and writes what is asked for. What cannot be written costs none of the rest. CannotWrite: the first of these."""
    failed: list[CannotWrite] = []
    for output in _outputs(request, run, folder, found, known):
        try:
            output()
        except CannotWrite as error:
            failed.append(error)
    if failed:
        raise failed[0]


def _outputs(request: Request, run: Run, folder: Path, found: figures.Figures, known: programs.Programs) -> Iterator[Callable[[], None]]:
    """What is shown and written, one after the other."""
    if request.timeline:
        facts = page.facts(run, request, found, known, timeline.counters(found.netif))
        yield lambda: timeline.write(request.timeline, folder, found, known, request.nodes, facts)
    if request.profile:
        yield lambda: _show_profile(found, known)
    if request.stacks:
        yield lambda: write(request.stacks, "".join(f"{line}\n" for line in profile.stacks(found, known)))
    if request.flame:
        title = page.title(run)
        yield lambda: write(request.flame, flame.page(flame.SPEEDSCOPE.files("a flame graph"), title, flame.data(found, known, title)))
    if request.stats or request.json or request.picture:
        all_figures = stats.of(found, known, [run.value(name) for name in NETWORKS])
        if request.json:
            yield lambda: write(request.json, json.dumps(all_figures, indent=1) + "\n")
        if request.picture:
            yield lambda: write(request.picture, picture.make(all_figures, mesh_shape(run), page.title(run)))
        if request.stats:
            yield lambda: print("\n".join(text.lines(all_figures)))


def _show_profile(found: figures.Figures, known: programs.Programs) -> None:
    print("\n".join(profile.table(found, known)))
    for gid in known.jobs:
        lines = list(text.shared({"sharing": sharing.of(found, known, gid)}))
        if lines:
            print("\n".join(["", known.job(gid), *lines]))


def write(file: str, content: str) -> None:
    """Writes a file; bytes of names that are not UTF-8 are as they were. CannotWrite."""
    try:
        Path(file).write_text(content, errors="surrogateescape")
    except OSError as error:
        raise CannotWrite(f"{file} cannot be written: {error.strerror}.") from None


# ---- processes ---------------------------------------------------------------------

def _wait(starts: Sequence[peers.Start]) -> int:
    """Runs the processes of a machine to their end, and returns the first one's status.

    Signals that ask the launcher to end are passed on to the first process; those that come before it runs, as soon
    as it does. Control-C reaches it from the terminal too, so that a signal may well come twice.
    """
    sys.stdout.flush()
    first, *others = starts
    running: list[subprocess.Popen[bytes]] = []
    asked: list[int] = []

    def pass_on(number: int, _: Any) -> None:
        asked.append(number)
        for child in running[:1]:
            child.send_signal(number)

    old = children.handle(pass_on)
    try:
        started = peers.start(others)
        try:
            running.append(_start(first))
            for number in asked:
                running[0].send_signal(number)
            status = running[0].wait()
            for child in started:
                child.wait()
        finally:
            peers.end([child for child in [*running, *started] if child.poll() is None])
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
    return children.as_status(status)


def _start(first: peers.Start) -> subprocess.Popen[bytes]:
    try:
        return children.start(first.command, pass_fds=first.files)
    except OSError as error:
        raise SetupError(f"QEMU does not start: {first.command[0]}: {error.strerror}.") from None

"""`./run.sh [OPTIONS] [PROGRAM [ARGS] [+ ...]]`: brings all parts up to date, then becomes QEMU."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..build import fingerprint, settings
from ..errors import SetupError
from ..paths import build_dir, images_dir
from ..options.table import OBSERVE, OPTIONS
from ..run import automatic, programs, qemu_command, terminals
from ..run.parse import Run, parse
from ..run.ready import boot_file, ready

if TYPE_CHECKING:
    from ..observe.request import Request


def main(words: list[str]) -> int:
    """Becomes QEMU; returns only after --dry-run. Raises FuguError.

    So Control-C and signals reach QEMU directly, its exit status is that of
    run.sh, and no parent process remains.
    """
    run = parse(words)
    if run.options.get("check") == "order":
        from ..run import orders

        return orders.compare(run, words)
    terminals.note(run)
    automatic.choose(run)
    request = wanted(run)
    if run.options.get("dry-run"):
        return dry_run(run)
    terminals.show_progress(run)
    if request:
        from ..observe.session import observed

        return observed(request, run, *ready(run))
    if "processes" in run.options:
        from ..run import partition, peers

        if parts := partition.of(run):
            return peers.become_one(*ready(run), run, parts)
    command = qemu_command.command(*ready(run), run)
    try:
        os.execv(command[0], command)
    except OSError as error:
        raise SetupError(f"QEMU does not start: {command[0]}: {error.strerror}.") from None


def wanted(run: Run) -> Request | None:
    """What is to be observed, if anything is. UsageError, CannotWrite."""
    races = run.options.get("check") == "races"
    if not races and not any(option.group == OBSERVE and option.key in run.options for option in OPTIONS):
        return None
    from ..observe import request

    return request.of(run)


def dry_run(run: Run) -> int:
    """Prints QEMU's command line for a shell. Nothing needs to be built.

    If the apps are built, their boot image is made, so that the command works.
    """
    import shlex

    context, build = settings.current().context(), build_dir()
    kernel: Path | str
    if "load" in run.options:
        kernel = ""
    elif run.jobs:
        guest = fingerprint.load(build, "guest", context)
        kernel = boot_file(run, build, guest["toolchain"]) if guest else images_dir(build) / "not-built.elf"
    elif programs.is_path(run.program):
        kernel = boot_file(run, build, "")
    elif programs.built():
        kernel = boot_file(run, build, "")
    else:
        kernel = programs.expected(run.program)
    known = fingerprint.load(build, "qemu", context)
    qemu = known["qemu"] if known else "qemu-system-sparc"
    if "processes" in run.options:
        from ..run.peers import dry_lines

        lines = dry_lines(qemu, kernel, run)
    else:
        lines = [shlex.join(qemu_command.command(qemu, kernel, run))]
    print("\n".join(lines))
    return 0

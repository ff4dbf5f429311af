"""Fixtures of machines that can go back."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

import pytest
from debugged import Debugged
from gdb_session import environment, session
from history_machine import HISTORY, RAM, Traveller, with_history

from fugu.paths import build_dir
from fugu.run import qemu_command as qemu_line
from fugu.run.parse import parse
from fugu.run.ready import boot_file

__all__ = ["environment", "session"]


@pytest.fixture
def traveller(debug, line):
    """traveller(program, *args, nodes=N) -> a Traveller of a new machine, before its first instruction.

    `console` is another chardev for QEMU.
    """
    def make(program, *args, console=None, **options):
        given = {"ram": RAM} | with_history() | options
        if console:
            given["more"] = (*given["more"], "-chardev", console)
        machine, client = debug(program, *args, **given)
        return Traveller(client, machine.nodes, machine, line(program, *args, digest=True, **{**given, "more": ()}))
    return make


@pytest.fixture
def jobs_traveller(tmp_path):
    """jobs_traveller(word...) -> a Traveller of a new machine under Glaze, before its first instruction.

    The words are those after ./run.sh. Disks have to be raw images.
    """
    machines, number = [], count()

    def make(*words):
        path = tmp_path / f"gdb-jobs{next(number)}"
        run = parse(["--digest", *map(str, words)])
        image = boot_file(run, build_dir(), os.environ["FUGU_TOOLCHAIN_PREFIX"])
        line = qemu_line.command(os.environ["FUGU_QEMU"], image, run)
        machine = Debugged([*line, *with_history(HISTORY)["more"]], path, run.value("nodes"))
        machines.append(machine)
        disks = [Path(file) for _, file in run.options.get("disk", [])]
        return Traveller(machine.connect(path), machine.nodes, machine, line, disks)
    yield make
    for machine in machines:
        machine.kill()

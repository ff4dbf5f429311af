"""The heads of snapshot files.

hw/snapshot/snapshot.h describes the files. The machine writes, reads and checks them.
The launcher reads only the head, to find out which machine to start.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from dataclasses import dataclass
from typing import Any

from ..abi import SNAPSHOT, SNAPSHOT_FILE
from ..errors import UsageError
from ..options.table import OBSERVE, OPTIONS, OTHER, RUN
from .parse import Run
from .qemu_command import disk_format

MAGIC = SNAPSHOT_FILE.text("MAGIC").encode()
VERSION = SNAPSHOT["VERSION"]
HEAD_MAX = SNAPSHOT_FILE["HEAD_MAX"]


@dataclass(frozen=True)
class Head:
    """The second line of a snapshot."""

    cycle: int
    parameters: dict[str, Any]      # by name of the machine's property
    program: dict[str, str]         # file, sha256, args
    disks: dict[int, str]           # files, by node


def read_head(file: str) -> Head:
    """The head of a snapshot. Raises UsageError."""
    try:
        with open(file, "rb") as opened:
            first, second = opened.readline(len(MAGIC) + 10), opened.readline(HEAD_MAX)
    except OSError as error:
        raise UsageError(f"--load {file}: the file cannot be read: {error.strerror}.") from None
    if not first.startswith(MAGIC):
        raise UsageError(f"--load {file}: the file is not a snapshot; --save makes one.")
    version = first[len(MAGIC):].strip().decode(errors="replace")
    if version != str(VERSION):
        raise UsageError(f"--load {file}: the snapshot has version {version}, but version {VERSION} is needed.\n"
                         "Load it with the version of this project that saved it.")
    try:
        head = json.loads(second)
        return Head(int(head["cycle"]), dict(head["parameters"]), dict(head["program"]),
                    {int(node): str(path) for node, path in head["disks"].items()})
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"--load {file}: the file is damaged or cut short.") from None


def resume(run: Run, words: list[str]) -> None:
    """Sets the options and the program of `run` to those of the snapshot that --load names.

    `words` are the words of the command line in the place of a program. There
    may be none. Raises UsageError.
    """
    file = run.options["load"]
    given = [f"--{option.key}" for option in OPTIONS
             if option.group not in (RUN, OBSERVE, OTHER) and option.key in run.options]
    if given or words:
        raise UsageError(f"--load takes machine, program and arguments from {file}.\n"
                         f"Leave out: {' '.join([*given, *words])}")
    head = read_head(file)
    for option in OPTIONS:
        value = head.parameters.get(option.prop or "", option.default)
        if value != option.default:
            run.options[option.key] = value
    width, _, height = str(head.parameters.get("mesh", "")).partition("x")
    if width.isdigit() and height.isdigit():
        run.options["mesh"] = int(width), int(height)
    run.program = head.program.get("file", "")
    _take_disks(run, head)
    _note_program(head)
    for saved, cycle in run.options.get("save", []):
        if cycle <= head.cycle:
            raise UsageError(f"--save {saved}@{cycle}: {file} begins at cycle {head.cycle}.")


def _take_disks(run: Run, head: Head) -> None:
    for node, file in head.disks.items():
        if not os.access(file, os.R_OK | os.W_OK):
            raise UsageError(f"--load {run.options['load']}: the disk of node {node}, {file}, is not there, "
                             "or cannot be read and written.")
        run.options.setdefault("disk", []).append((node, file))


def _note_program(head: Head) -> None:
    """Prints a note if the program's file has changed since: the snapshot contains the old program."""
    file = head.program.get("file")
    try:
        with open(file or "", "rb") as opened:
            now = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return
    if now != head.program.get("sha256"):
        print(f"fugu: note: {file} has changed since; the snapshot continues with the old one", file=sys.stderr)


def check_target(file: str) -> None:
    """Raises UsageError unless --save can write this file. Only a snapshot is overwritten."""
    folder = os.path.dirname(file) or "."
    if not os.path.isdir(folder):
        raise UsageError(f"--save {file}: there is no directory {folder}.")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"--save {file}: nothing can be written in {folder}.")
    if not os.path.lexists(file):
        return
    try:
        with open(file, "rb") as opened:
            ours = os.path.isfile(file) and opened.read(len(MAGIC)) == MAGIC
    except OSError:
        ours = False
    if not ours:
        raise UsageError(f"--save {file}: the file exists and is not a snapshot, so it is not overwritten.")


def check_disks(run: Run) -> None:
    """Raises UsageError if a disk cannot be part of a snapshot."""
    for node, file in run.options.get("disk", []):
        if disk_format(file) == "raw":
            raise UsageError(f"--save: the disk of node {node}, {file}, is a raw image, which cannot hold "
                             f"a snapshot.\nMake a qcow2 image of it: qemu-img convert -O qcow2 {file} {file}.qcow2\n"
                             f"(Debian's package qemu-utils), and use that: --disk {node}={file}.qcow2")

"""The heads of snapshot files.

hw/snapshot/snapshot.h describes the files. The machine writes, reads and checks them.
The launcher reads only the head, to find out which machine to start.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..abi import SNAPSHOT, SNAPSHOT_FILE
from ..errors import UsageError
from ..options.table import OBSERVE, OPTIONS, OTHER, RUN, Option
from ..paths import build_dir
from .parse import Run
from .qemu_command import disk_format

MAGIC = SNAPSHOT_FILE.text("MAGIC").encode()
VERSION = SNAPSHOT["VERSION"]
HEAD_MAX = SNAPSHOT_FILE["HEAD_MAX"]


# The options that a snapshot decides, by the name of the machine's property.
SAVED = {option.prop or option.key: option for option in OPTIONS if option.saved}
CYCLES_MAX = 1 << 57    # when time ends (docs/machine.md, "Nodes and time")
SHOWN = 60              # characters of a value in a message


@dataclass(frozen=True)
class Head:
    """The second line of a snapshot, checked: a snapshot may come from anybody."""

    cycle: int
    options: dict[str, Any]         # of the machine, by key, as the command line gives them
    program: dict[str, str]         # file, sha256, args, as far as the machine had a program
    disks: dict[int, str]           # the files that were the disks, by node


def read_head(file: str) -> Head:
    """The head of a snapshot. Raises UsageError."""
    try:
        with open(file, "rb") as opened:
            first, second = opened.readline(len(MAGIC) + 10), opened.readline(HEAD_MAX)
    except OSError as error:
        raise UsageError(f"--load {file}: the file cannot be read: {error.strerror}.") from None
    if not first.startswith(MAGIC):
        raise UsageError(f"--load {file}: the file is not a snapshot; --save makes one.")
    version = first[len(MAGIC):].strip()
    if version != str(VERSION).encode():
        raise UsageError(f"--load {file}: the snapshot has version {shown(version.decode(errors='replace'))}, but "
                         f"version {VERSION} is needed.\nLoad it with the version of this project that saved it.")
    try:
        head = json.loads(second.decode())
    except (ValueError, RecursionError):
        raise UsageError(f"--load {file}: the file is damaged or cut short.") from None
    try:
        return _checked(head)
    except ValueError as error:
        raise UsageError(f"--load {file}: the file is damaged: {error}.") from None


def shown(value: Any) -> str:
    """A value of a file as a message has it: on one line, without bytes that a terminal obeys, and short."""
    text = value if isinstance(value, str) and value.isascii() and value.isprintable() else ascii(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def shown_path(path: str) -> str:
    """A path as a message has it: as it is, unless a terminal would obey some of its bytes."""
    return path if path.isprintable() else ascii(path)


def _checked(head: Any) -> Head:
    """The head of these JSON values. ValueError says what no snapshot of the machine has."""
    program, disks = _entry(head, "program", dict), _entry(head, "disks", dict)
    known = {name: _text(program, name) for name in ("file", "sha256", "args") if name in program}
    if not os.path.isabs(known.get("file", "/")):
        raise ValueError(f"the program's file {shown(known['file'])} has no whole path")
    cycle = _entry(head, "cycle", int)
    if not 0 <= cycle <= CYCLES_MAX:
        raise ValueError(f"its cycle is {shown(cycle)}")
    return Head(cycle, _options(_entry(head, "parameters", dict)), known,
                {_node(key): _text(disks, key) for key in disks})


def _entry(values: Any, name: str, kind: type) -> Any:
    """The entry of that name, which has to be of this type."""
    if type(values) is not dict or type(values.get(name)) is not kind:
        raise ValueError(f"its head has no right {name!r}")
    return values[name]


def _text(values: dict[str, Any], name: str) -> str:
    """The entry of that name: text that a path can have."""
    text: str = _entry(values, name, str)
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"its {shown(name)} is {shown(text)}")
    return text


def _node(text: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,5}", text):
        raise ValueError(f"{shown(text)} is no number of a node")
    return int(text)


def _options(parameters: dict[str, Any]) -> dict[str, Any]:
    """The options that these parameters of a machine stand for; each as strict as on the command line."""
    found = {}
    for name, given in parameters.items():
        option = SAVED.get(name)
        if option:
            value = _value(option, name, given)
            if value != option.default:
                found[option.key] = value
        else:
            raise ValueError(f"no snapshot is of a machine with {shown(name)}={shown(given)}")
    return found


def _value(option: Option, name: str, given: Any) -> Any:
    """The option's value, for which a snapshot has the JSON value `given`."""
    assert option.parse
    text = {True: "on", False: "off"}[given] if type(given) is bool else str(given)
    try:
        value = option.parse(text)
    except ValueError as error:
        raise ValueError(f"{name}={shown(given)}: {error}") from None
    # A parser takes several texts for one value. A snapshot has one of them.
    if given != ("{}x{}".format(*value) if isinstance(value, tuple) else value) or type(given) not in (int, bool, str):
        raise ValueError(f"{name}={shown(given)}: a snapshot has it as {shown(value)}")
    return value


def resume(run: Run, words: list[str]) -> None:
    """Sets the options and the program of `run` to those of the snapshot that --load names.

    `words` are the words of the command line in the place of a program. There
    may be none. Raises UsageError.
    """
    file = run.options["load"]
    given = [f"--{option.key}" for option in OPTIONS if option.key in run.options and option.key != "disk"
             and (option.saved or option.group not in (RUN, OBSERVE, OTHER))]
    if given or words:
        raise UsageError(f"--load takes machine, program and arguments from {file}.\n"
                         f"Leave out: {' '.join([*given, *words])}")
    head = read_head(file)
    run.options |= head.options
    run.program = _own_file(head.program.get("file", ""))
    _check_disks(run, head)
    for saved, cycle in run.options.get("save", []):
        if cycle <= head.cycle:
            raise UsageError(f"--save {saved}@{cycle}: {file} begins at cycle {head.cycle}.")


def _check_disks(run: Run, head: Head) -> None:
    """Checks that the user has named a file for each disk: loading changes these files. UsageError."""
    given, file = {node for node, _ in run.options.get("disk", [])}, run.options["load"]
    for node, disk in head.disks.items():
        if node not in given:
            raise UsageError(f"--load {file}: node {node} has a disk, which --load takes back to the time of the "
                             f"snapshot.\nName its file, which was: --disk {node}={shown_path(disk)}")
    for node in sorted(given - head.disks.keys()):
        raise UsageError(f"--load {file}: node {node} had no disk when the snapshot was saved.\n"
                         "Leave out its --disk.")


def _own_file(file: str) -> str:
    """The file with the symbols for reports on the nodes, if it lies in the build directory; otherwise empty.

    A snapshot may come from a stranger, so no other file that it names is opened: the user has not asked for it.
    """
    if not file:
        return ""
    try:
        real = Path(file).resolve()
        ours = real.is_relative_to(build_dir().resolve()) and real.is_file()
    except (OSError, RuntimeError):         # no right to look, or a circle of links
        return ""
    return str(real) if ours else ""


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

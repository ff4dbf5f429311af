"""From the command line of a run to a checked `Run`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..abi import PROCESS, REGS
from ..errors import UsageError
from ..options.read import read, value
from ..options.table import AUTO, BY_KEY, BY_NAME, CMDLINE_MAX, OPTIONS, PROCESSES, Option
from . import jobs, programs
from .jobs import Job

_SPLIT = {option.key for option in OPTIONS if option.group == PROCESSES}


@dataclass
class Run:
    """What to run: options that the user set, by key, and the program.

    With apps, the run has jobs: `program` is the first job's program, and
    `args` are all words after it. A program on the bare machine has no jobs.
    """

    options: dict[str, Any] = field(default_factory=dict)
    program: str = field(default_factory=programs.default)
    args: list[str] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    auto: bool = False          # the user has asked for --processes auto

    @property
    def processes(self) -> int:
        """The number of processes: 1 if the user gave none and automatic.choose() has not chosen any."""
        return int(self.options.get("processes", 1))

    def value(self, key: str) -> Any:
        """The option's value, or the machine's default if it was not set."""
        return self.options.get(key, BY_KEY[key].default)


def parse(words: Sequence[str], more: Sequence[Option] = ()) -> Run:
    """Parses [OPTIONS] [PROGRAM [ARGS] [+ PROGRAM [ARGS]]...]. Raises UsageError.

    `more` are options that a command takes in addition to those of a run.
    """
    names = BY_NAME | {name: option for option in more for name in option.names}
    options, rest = read(words, names)
    run = Run(options)
    _take_auto(run)
    if "load" in run.options:
        from . import snapshot

        snapshot.resume(run, rest)
        try:
            _check_machine(run)
        except UsageError as error:
            raise UsageError(f"--load {run.options['load']}: {error}") from None
        _check_disks(run)
    else:
        if rest:
            programs.check_blanks(rest)
            run.program, run.args = rest[0], rest[1:]
        run.jobs = jobs.of(run.program, run.args)
        check(run)
    _check_saves(run)
    _check_output(run)
    _check_files(run)
    if "trace" in run.options:
        from . import trace

        trace.check(run)
    return run


def _take_auto(run: Run) -> None:
    """Until automatic.choose() chooses, a run with --processes auto has one process. UsageError."""
    if run.options.get("processes") != AUTO:
        return
    del run.options["processes"]
    run.auto = True
    for option in OPTIONS:
        if option.key in _SPLIT & run.options.keys():
            raise UsageError(f"--processes {AUTO} and --{option.key} contradict each other: give a number of processes, "
                             f"or leave --{option.key} out.")


def check(run: Run) -> None:
    """Checks options against each other. Raises UsageError."""
    _check_machine(run)
    _check_split(run)
    _check_disks(run)
    jobs.check(run)
    line = jobs.command_line(run)
    if len(os.fsencode(line)) > CMDLINE_MAX:
        whose = "the jobs' names and arguments are" if run.jobs else "the program's arguments are"
        raise UsageError(f"{whose} {len(os.fsencode(line))} bytes long; a node has room for {CMDLINE_MAX}.")


def _check_machine(run: Run) -> None:
    """Checks the options of the machine, which may be those of a snapshot. Raises UsageError."""
    _check_interface(run)
    _check_room(run)
    _check_mesh(run)
    _check_quantum(run)
    _check_cache(run)


def _check_interface(run: Run) -> None:
    """Checks that the kind of network interface has the options that are given."""
    kind = run.value("ni")
    for option in OPTIONS:
        if option.key in run.options and kind not in option.kinds:
            raise UsageError(f"--{option.key} is an option of --ni {' and '.join(option.kinds)}, but the machine has --ni "
                             f"{kind}: leave one of them out.")


def _check_room(run: Run) -> None:
    """Checks that each priority of the M-Machine's messages has room for the longest one: it has half of the words."""
    if run.value("ni") != "m-machine":
        return
    least = REGS["MM_PRIORITIES"] * (REGS["MM_HEAD"] + REGS["MM_BODY_MAX"])
    for key in ("input-queue", "source-space"):
        if run.value(key) < least:
            raise UsageError(f"--{key} {run.value(key)}: --ni m-machine has two priorities, and needs {least} words or more.")


def _check_mesh(run: Run) -> None:
    if "mesh" not in run.options:
        return
    width, height = run.options["mesh"]
    if "nodes" not in run.options:
        # The shape gives the number of nodes.
        run.options["nodes"] = value(BY_KEY["nodes"], f"--mesh {width}x{height}: --nodes",
                                      str(width * height))
    elif width * height != run.options["nodes"]:
        nodes = run.options["nodes"]
        wide, high = square(nodes)
        raise UsageError(f"--mesh {width}x{height} has {width * height} places, but --nodes is {nodes}.\n"
                         f"Leave one of them out, or give a shape of {nodes}, such as {wide}x{high}.")


def mesh_shape(run: Run) -> tuple[int, int]:
    """Width and height of a run's mesh."""
    width, height = run.options.get("mesh", square(run.value("nodes")))
    return width, height


def square(nodes: int) -> tuple[int, int]:
    """Width and height of a mesh with exactly `nodes` places that is closest to a square: what machine/mesh.c makes."""
    height = max(h for h in range(1, int(nodes ** 0.5) + 1) if nodes % h == 0)
    return nodes // height, height


def _check_quantum(run: Run) -> None:
    quantum = run.value("quantum")
    bases = [name for name in ("mesh-base", "second-base") if run.value("ni") in BY_KEY[name].kinds]
    name = min(bases, key=run.value)
    if quantum > run.value(name):
        raise UsageError(
            f"the quantum ({quantum} cycles) is longer than the smallest latency "
            f"(--{name}: {run.value(name)} cycles), so messages would come too late.\n"
            f"Use --quantum {run.value(name)} or less, or --{name} {quantum} or more.")


def _check_cache(run: Run) -> None:
    if run.value("cache"):
        return
    for key in ("cache-size", "cache-miss"):
        if key in run.options:
            raise UsageError(f"--cache off and --{key} contradict each other: leave one of them out.")


def _check_split(run: Run) -> None:
    if _SPLIT & run.options.keys():
        from . import partition

        partition.check(run)


def _check_disks(run: Run) -> None:
    seen: dict[int, str] = {}
    nodes = run.value("nodes")
    for node, file in run.options.get("disk", []):
        if node >= nodes:
            raise UsageError(f"--disk {node}={file}: there is no node {node}; "
                             f"the nodes are 0 to {nodes - 1}.")
        if node in seen:
            raise UsageError(f"--disk: node {node} can have one disk, but was given two: "
                             f"{seen[node]} and {file}.")
        seen[node] = file
        if not _has_disk_here(run, node, file):
            continue
        if not os.path.isfile(file):
            raise UsageError(f"--disk {node}={file}: there is no such file.\n"
                             f"An empty disk of 16 MiB: truncate -s 16M {file}")
        if not os.access(file, os.R_OK | os.W_OK):
            raise UsageError(f"--disk {node}={file}: the file cannot be read and written.")


def _has_disk_here(run: Run, node: int, file: str) -> bool:
    if run.processes == 1:
        return True
    from . import partition

    return partition.has_disk_here(run, node, file)


def _check_output(run: Run) -> None:
    if "raw" in run.options and "label" in run.options:
        raise UsageError("--raw and --label contradict each other: leave one of them out.")
    if "output" not in run.options:
        return
    folder = run.options["output"]
    # The machine makes the directories that are missing.
    there = os.path.abspath(folder)
    while not os.path.lexists(there):
        there = os.path.dirname(there)
    if not os.path.isdir(there):
        raise UsageError(f"--output {folder}: {there} is not a directory.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UsageError(f"--output {folder}: nothing can be written in {there}.")


def _check_files(run: Run) -> None:
    """Checks the files that the run is to write, against each other and against those that it reads."""
    from . import writable

    options = run.options
    outputs = [(f"--{key}", options[key]) for key in writable.OPTIONS if key in options]
    if "trace-file" in options and run.processes > 1:
        outputs += [("--trace-file", f"{options['trace-file']}.{process}") for process in range(run.processes)]
    outputs += [("--save", file) for file, _ in options.get("save", [])
                if os.path.realpath(file) != os.path.realpath(options.get("load", ""))]     # a snapshot may be replaced
    if outputs:
        inputs = [(f"--{key}", options[key]) for key in ("load", "scheduler", "stdin") if key in options]
        inputs += [(f"--{key}", file) for key in ("input", "disk") for _, file in options.get(key, [])]
        inputs += [("the command line", program) for program in {run.program, *(job.program for job in run.jobs)}
                   if programs.is_path(program)]
        writable.check(outputs, inputs, options.get("output", ""))


def _check_saves(run: Run) -> None:
    if not run.options.get("save"):
        return
    if _SPLIT & run.options.keys():
        raise UsageError("--save is for a machine in one process: leave out --processes and related options.")
    from . import snapshot

    seen: set[str] = set()
    for file, _ in run.options["save"]:
        if os.path.realpath(file) in seen:
            raise UsageError(f"--save: {file} is given twice, but can be saved to only once.")
        seen.add(os.path.realpath(file))
        snapshot.check_target(file)
    snapshot.check_disks(run)

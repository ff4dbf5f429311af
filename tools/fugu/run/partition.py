"""Several processes: which nodes each one has, and on which host it runs.

Imported only when one of the options for several processes is given.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..options.table import BY_KEY, DEFAULT_PORT, LOOPBACK, OPTIONS, PROCESSES_MAX, Option
from ..paths import cache_dir
from . import tasks
from .parse import Run

SECRET_MIN = 16                 # bytes
LOCAL_TIMEOUT, HOSTS_TIMEOUT = 10.0, 60.0       # seconds

# Addresses that listen on all interfaces, and the address at which this host reaches itself.
WILDCARDS = {"0.0.0.0": LOOPBACK, "[::]": "[::1]"}

MAKE_SECRET = """\
Make one:  (umask 077; head -c 32 /dev/urandom | base64 > {file})
All hosts need the same one:  scp -p {file} HOST:"""


@dataclass(frozen=True)
class Split:
    """The processes of a run, and which of them start on this host."""

    nodes: int
    processes: int
    here: range
    hub: bool                   # whether process 0 starts here
    transport: str

    def nodes_of(self, process: int) -> range:
        """The nodes of a process. The board divides the nodes in the same way."""
        return range(process * self.nodes // self.processes, (process + 1) * self.nodes // self.processes)

    def process_of(self, node: int) -> int:
        """The process that has this node."""
        return next(process for process in range(self.processes) if node in self.nodes_of(process))


def of(run: Run) -> Split | None:
    """How the run is split, or None for a run in one process."""
    count = run.processes
    if "join" in run.options:
        first, last = run.options["process"]
        return Split(run.value("nodes"), count, range(first, last + 1), False, "tcp")
    if count == 1:
        return None
    if task := task_of(run):
        return Split(run.value("nodes"), count, task.share(count), task.number == 0, "tcp")
    here = run.options["hosts"][0][1] if "hosts" in run.options else count
    transport = "tcp" if "hosts" in run.options else run.value("transport")
    return Split(run.value("nodes"), count, range(here), True, transport)


def task_of(run: Run) -> tasks.Task | None:
    """The task of srun or mpirun that this command is, or None if --hosts does not say that it is one. UsageError."""
    launcher = run.options.get("hosts")
    return tasks.of(launcher) if isinstance(launcher, str) else None


def meeting_folder(run: Run, task: tasks.Task) -> Path:
    """Where the tasks of this start leave each other tickets."""
    return Path(run.options.get("meet") or cache_dir() / "meet").absolute() / task.name


def link_timeout(run: Run) -> float:
    """Seconds to wait for all processes. The default is longer if the user has to start some on another host."""
    default = HOSTS_TIMEOUT if {"hosts", "join"} & run.options.keys() else LOCAL_TIMEOUT
    return float(run.options.get("link-timeout", default))


def listen_address(run: Run) -> tuple[str, int]:
    """Host and port at which to listen for processes on other hosts."""
    host, port = run.options.get("listen", (LOOPBACK, None))
    return host, DEFAULT_PORT if port is None else port


def listen_addresses(run: Run) -> list[tuple[str, int]]:
    """Where to listen: at the first of these that is free. UsageError."""
    if "hosts" not in run.options:
        return [(LOOPBACK, 0)]
    if not (task := task_of(run)):
        return [listen_address(run)]
    host, port = run.options.get("listen", (None, None))
    return [(host or tasks.own_address(task), number) for number in (task.ports if port is None else [port])]


# ---- checks ----------------------------------------------------------------

def check(run: Run) -> None:
    """Checks the options for several processes. Raises UsageError."""
    options = run.options
    if "join" in options:
        _check_join(run)
    elif "hosts" in options:
        _check_hosts(run)
    else:
        _check_local(run)
    processes, nodes = run.processes, run.value("nodes")
    if processes > nodes:
        raise UsageError(f"--processes {processes}: there are only {nodes} nodes, and each process needs at least "
                         f"one.\nUse --processes {nodes} or less, or more --nodes.")
    split = of(run)
    if "secret-file" in options:
        if not split or split.transport != "tcp":
            raise UsageError("--secret-file is for TCP: with --hosts, --join or --transport tcp.")
        check_secret(options["secret-file"])


def _check_tasks(run: Run, launcher: str) -> None:
    _only_with(run, ("secret-file",), f"not needed with --hosts {launcher}: the tasks agree on a secret themselves")
    count = tasks.of(launcher).count
    command = tasks.LAUNCHERS[launcher]
    if count > PROCESSES_MAX:
        raise UsageError(f"{command} has started {count} tasks; there can be {PROCESSES_MAX} processes.")
    if count > (nodes := run.value("nodes")):
        raise UsageError(f"{command} has started {count} tasks, and the machine has {nodes} node{'s' * (nodes > 1)}; each "
                         "task needs at least one.\nStart fewer tasks, or use more --nodes.")
    if run.options.setdefault("processes", count) < count:
        raise UsageError(f"{command} has started {count} tasks, but --processes is {run.options['processes']}.\n"
                         "Each task needs one process or more: start fewer tasks, or leave --processes out.")


def _only_with(run: Run, keys: tuple[str, ...], what: str) -> None:
    for key in keys:
        if key in run.options:
            raise UsageError(f"--{key} is {what}.")


def _check_local(run: Run) -> None:
    _only_with(run, ("meet",), "for --hosts slurm and --hosts mpi")
    _only_with(run, ("listen",), "for runs over several hosts: it needs --hosts")
    _only_with(run, ("process",), "for joining a run of another host: it needs --join")
    if "processes" not in run.options:
        _only_with(run, ("transport", "link-timeout", "secret-file"), "for several processes: it needs --processes")


def _check_hosts(run: Run) -> None:
    _only_with(run, ("process",), "for --join; --hosts decides which processes run where")
    _check_tcp(run, "hosts")
    entries = run.options["hosts"]
    if isinstance(entries, str):
        _check_tasks(run, entries)
        return
    _only_with(run, ("meet",), "for --hosts slurm and --hosts mpi")
    count = sum(number for _, number in entries)
    if len(entries) == 1:
        raise UsageError(f"--hosts names this host alone. For several processes here: --processes {max(2, count)}")
    if count > PROCESSES_MAX:
        raise UsageError(f"--hosts asks for {count} processes; there can be {PROCESSES_MAX}.")
    if run.options.setdefault("processes", count) != count:
        raise UsageError(f"--hosts asks for {count} processes in all, but --processes is {run.options['processes']}.\n"
                         "Leave --processes out, or change the numbers after the hosts.")
    _need_secret(run, "hosts")


def _check_join(run: Run) -> None:
    _only_with(run, ("hosts", "listen", "meet"), "for the host that others join, which --join names")
    _check_tcp(run, "join")
    for key in ("process", "processes"):
        if key not in run.options:
            raise UsageError(f"--join needs --{key} {BY_KEY[key].metavar}.\n"
                             "The joined host prints the whole command.")
    (first, last), count = run.options["process"], run.options["processes"]
    if first == 0:
        raise UsageError("--process 0 is the one that is joined; it runs where --hosts was given.")
    if last >= count:
        raise UsageError(f"--process {last}: there is no such process; with --processes {count} they are "
                         f"0 to {count - 1}.")
    _need_secret(run, "join")


def _check_tcp(run: Run, key: str) -> None:
    if run.options.get("transport", "tcp") != "tcp":
        raise UsageError(f"--{key} uses TCP: --transport {run.options['transport']} contradicts it.")


def _need_secret(run: Run, key: str) -> None:
    if "secret-file" not in run.options:
        raise UsageError(f"--{key} needs --secret-file FILE: only processes that know the secret can connect.\n"
                         + MAKE_SECRET.format(file="fugu.secret"))


def check_secret(file: str) -> None:
    """Checks that only the owner can read the file and that it is long enough. Raises UsageError."""
    import shlex

    name = shlex.quote(file)
    try:
        found = os.stat(file)
        with open(file, "rb") as opened:
            length = len(opened.read(SECRET_MIN))
    except FileNotFoundError:
        raise UsageError(f"--secret-file {file}: there is no such file.\n{MAKE_SECRET.format(file=name)}") from None
    except OSError as error:
        raise UsageError(f"--secret-file {file} cannot be read: {error.strerror}.") from None
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"--secret-file {file}: other users of this host can read or change it, so it is not secret.\n"
                         f"If no other user has read it yet:  chmod 600 {name}")
    if length < SECRET_MIN:
        raise UsageError(f"--secret-file {file} has {length} bytes; at least {SECRET_MIN} are needed.\n"
                         f"{MAKE_SECRET.format(file=name)}")


# ---- disks, which belong to nodes --------------------------------------------

def has_disk_here(run: Run, node: int, file: str) -> bool:
    """Whether the node of a --disk runs on this host. UsageError if a process that joins is given a foreign disk."""
    split = of(run)
    if not split or split.process_of(node) in split.here:
        return True
    if split.hub or task_of(run):
        return False            # join_command() passes the disk on; every task is given all disks
    raise UsageError(f"--disk {node}={file}: node {node} is not in the processes that run here; their nodes are "
                     f"{split.nodes_of(split.here[0])[0]} to {split.nodes_of(split.here[-1])[-1]}.")


# ---- processes on other hosts --------------------------------------------------

def others(run: Run) -> list[tuple[str, range]]:
    """The hosts of --hosts other than this one, each with its processes; none if srun or mpirun starts them."""
    found, start = [], 0
    if task_of(run):
        return []
    for name, count in run.options.get("hosts", []):
        found.append((name, range(start, start + count)))
        start += count
    return found[1:]


def reached_at(run: Run, port: int) -> str:
    """The address at which other hosts reach the one that listens."""
    host = listen_addresses(run)[0][0]
    if host in WILDCARDS:
        # This host listens on all interfaces. It is reached by its name, or as the tasks of srun and mpirun reach it.
        task = task_of(run)
        host = tasks.own_address(task) if task else run.options["hosts"][0][0]
    return f"{host}:{port}"


def join_command(run: Run, processes: range, address: str) -> list[str]:
    """The command that starts these processes of the run on another host."""
    split = of(run)
    assert split
    first, last = processes[0], processes[-1]
    words = ["./run.sh", "--join", address, "--process", f"{first}-{last}" if last > first else str(first),
             "--processes", str(split.processes), "--secret-file", run.options["secret-file"],
             "-n", str(split.nodes)]
    own = {"hosts", "listen", "join", "process", "processes", "secret-file", "nodes", "transport", "dry-run"}
    for option in OPTIONS:
        if option.key not in run.options or option.key in own:
            continue
        given = run.options[option.key] if option.repeat else [run.options[option.key]]
        for value in given:
            if option.key != "disk" or split.process_of(value[0]) in processes:
                words += _words(option, value)
    return [*words, run.program, *run.args]


def _words(option: Option, value: Any) -> list[str]:
    """An option as words of the command line."""
    name = f"--{option.key}"
    if option.parse is None:
        return [name]
    if isinstance(value, bool):
        return [name, "on" if value else "off"]
    if isinstance(value, tuple):
        return [name, {"mesh": "{}x{}", "disk": "{}={}", "input": "{}={}"}[option.key].format(*value)]
    return [name, f"{value:g}" if isinstance(value, float) else str(value)]

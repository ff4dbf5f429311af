"""The tasks that srun and mpirun start: what the environment of a task says about it and the others.

`srun ./run.sh --hosts slurm ...` starts the same command once for each task.
So does `mpirun ./run.sh --hosts mpi ...`. The tasks share the processes of the
run as processes share nodes. Task 0 has the hub.

The names of the variables are Slurm's (man srun, "OUTPUT ENVIRONMENT
VARIABLES") and Open MPI's (4.1: man mpirun; since 5 without orte_hnp_uri).
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import UsageError
from ..host.storage import key

LAUNCHERS = {"slurm": "srun", "mpi": "mpirun"}     # the values of --hosts, and the commands that start tasks
DISCARD = 9         # a port of UDP; nothing is sent there


@dataclass(frozen=True)
class Task:
    """One of the tasks.

    `name` is the same for all tasks of a start, and different for each start.
    `towards` are addresses of the host where the launcher runs. `ports` are
    those that the launcher has reserved for the tasks.
    """

    number: int
    count: int
    one_host: bool
    name: str
    towards: tuple[str, ...]
    ports: range = range(0, 1)      # 0: any free port

    def share(self, processes: int) -> range:
        """The processes that this task starts."""
        return range(self.number * processes // self.count, (self.number + 1) * processes // self.count)


def of(launcher: str, environ: Mapping[str, str] = os.environ) -> Task:
    """The task that runs this command. `launcher` is a key of LAUNCHERS. UsageError if it is not such a task."""
    found = _slurm(environ) if launcher == "slurm" else _mpi(environ)
    if not 0 <= found.number < found.count:
        raise UsageError(f"--hosts {launcher}: the environment says that this is task {found.number} of {found.count}; "
                         f"{LAUNCHERS[launcher]} numbers tasks from 0.")
    return found


def _slurm(environ: Mapping[str, str]) -> Task:
    number, count, hosts, job, step = _numbers("slurm", environ, (
        "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_NUM_NODES", "SLURM_JOB_ID", "SLURM_STEP_ID"))
    # The port at which srun listens distinguishes two starts of the same step.
    also = [environ.get(f"SLURM_{name}") for name in ("CLUSTER_NAME", "RESTART_COUNT", "SRUN_COMM_HOST", "SRUN_COMM_PORT")]
    towards = environ.get("SLURM_LAUNCH_NODE_IPADDR")
    reserved = re.match(r"(\d+)(?:-(\d+))?", environ.get("SLURM_STEP_RESV_PORTS", ""))
    ports = range(int(reserved[1]), int(reserved[2] or reserved[1]) + 1) if reserved else Task.ports
    return Task(number, count, hosts == 1, f"slurm-{key(job, step, also)}", (towards,) if towards else (), ports)


def _mpi(environ: Mapping[str, str]) -> Task:
    number, count, here = _numbers("mpi", environ, (
        "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"))
    uri = environ.get("OMPI_MCA_orte_hnp_uri", "")
    name = key(uri, environ.get("PMIX_NAMESPACE"), environ.get("OMPI_MCA_orte_precondition_transports"))
    lists = re.findall(r"tcp6?://\[?([^\];]+?)\]?:\d+(?:;|$)", uri)
    return Task(number, count, here == count, f"mpi-{name}", tuple(host for hosts in lists for host in hosts.split(",")))


def _numbers(launcher: str, environ: Mapping[str, str], names: tuple[str, ...]) -> list[int]:
    """The numbers in these variables. UsageError if one is missing or is no number."""
    for name in names:
        if not re.fullmatch(r"\d{1,18}", environ.get(name, "")):
            what = f"is {environ[name]!r}" if name in environ else "is not set"
            command = LAUNCHERS[launcher]
            raise UsageError(f"--hosts {launcher} is for the tasks that {command} starts, and {name} {what}.\n"
                             f"Start it as: {command} -n 2 ./run.sh --hosts {launcher} ...")
    return [int(environ[name]) for name in names]


def own_address(task: Task) -> str:
    """The address at which the other tasks reach this host, as --listen takes it. UsageError."""
    if task.one_host:
        return "127.0.0.1"
    for host in (*task.towards, socket.gethostname()):
        if found := _address_towards(host):
            return found
    raise UsageError("no address is known by which the other hosts of this run reach this one.\n"
                     "Name one: --listen HOST")


def _address_towards(host: str) -> str | None:
    """The address of this host on the way to another one, or None if there is no way but loopback."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, DISCARD, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(address)          # sends nothing: the kernel only chooses a route
            name: str = probe.getsockname()[0]
    except OSError:
        return None
    if name.startswith("127.") or name == "::1":
        return None
    return f"[{name}]" if ":" in name else name

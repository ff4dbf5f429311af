"""A Slurm of one node, with its MUNGE, in a folder: three daemons, whose clients are found first on the path."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("srun", "sbatch", "squeue", "scancel", "sacct", "scontrol", "sinfo")
PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
BOUND = 60.0            # seconds for the daemons to start, and for each of them to end
CPUS = 8                # that Slurm believes to have: tasks share those of the host

CONFIG = """\
ClusterName=fugu-test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={controller}
SlurmdPort={daemon}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MinJobAge=300
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=16000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Unavailable(Exception):
    """Slurm is not there, or cannot be started by this user."""


class Slurm:
    """The daemons. `environment` are the variables by which commands find them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.daemons: list[subprocess.Popen[bytes]] = []
        missing = [name for name in (*DAEMONS, *CLIENTS) if not shutil.which(name, path=PATH)]
        if missing:
            raise Unavailable(f"there is no {', '.join(missing)} (Debian: slurmctld slurmd slurm-client munge)")
        self.environment = {"PATH": f"{folder / 'bin'}{os.pathsep}{PATH}"}
        try:
            self._configure()
            self._start()
        except BaseException:
            self.end()
            raise

    def _configure(self) -> None:
        for name in ("state", "spool", "bin"):
            (self.folder / name).mkdir()
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o600)
        host = socket.gethostname().partition(".")[0]
        (self.folder / "slurm.conf").write_text(CONFIG.format(
            folder=self.folder, host=host, user=getpass.getuser(), controller=free_port(), daemon=free_port(), cpus=CPUS))
        # Snakemake's plugin for Slurm removes SLURM_CONF from the environment.
        for name in CLIENTS:
            script = self.folder / "bin" / name
            script.write_text(f"#!/bin/sh\nSLURM_CONF={self.folder}/slurm.conf exec {shutil.which(name, path=PATH)} \"$@\"\n")
            script.chmod(0o755)

    def _start(self) -> None:
        self._daemon("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket",
                     f"--key-file={self.folder}/munge.key", f"--pid-file={self.folder}/munge.pid",
                     f"--log-file={self.folder}/munge.log", f"--seed-file={self.folder}/munge.seed")
        self._wait("munged", lambda: (self.folder / "munge.socket").exists())
        for name in ("slurmctld", "slurmd"):
            self._daemon(name, "-D", "-f", f"{self.folder}/slurm.conf")
        self._wait("slurmd", lambda: "idle" in self.call("sinfo", "-h", "-o", "%T").stdout)

    def _daemon(self, name: str, *words: str) -> None:
        with (self.folder / f"{name}.out").open("wb") as out:
            self.daemons.append(subprocess.Popen([shutil.which(name, path=PATH) or name, *words], stdin=subprocess.DEVNULL,
                                                 stdout=out, stderr=out))

    def _wait(self, name, condition) -> None:
        deadline = time.monotonic() + BOUND
        while not condition():
            ended = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            if ended or time.monotonic() > deadline:
                said = (self.folder / f"{name}.out").read_text(errors="replace").strip().splitlines()[-3:]
                raise Unavailable(f"{', '.join(ended) or name} does not start: {' '.join(said)}")
            time.sleep(0.1)

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A client's command, to its end."""
        return subprocess.run([self.folder / "bin" / words[0], *words[1:]], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=BOUND)

    def end(self) -> None:
        """Ends all jobs and daemons."""
        if len(self.daemons) == len(DAEMONS):
            self.call("scancel", "--state=RUNNING,PENDING", f"--user={getpass.getuser()}")
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(BOUND)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


def free_port() -> int:
    """A port of loopback on which nothing listens now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]

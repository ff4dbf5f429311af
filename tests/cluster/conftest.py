"""Fixtures: a Slurm, Open MPI, and tables of runs."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from run_sh import run_sh
from slurm_node import Slurm, Unavailable

from fugu.paths import ROOT


@pytest.fixture(scope="session")
def slurm():
    """A Slurm of one node, which ends with the tests."""
    with tempfile.TemporaryDirectory(prefix="fugu-slurm-") as folder:      # a short path: it has a socket
        try:
            node = Slurm(Path(folder))
        except Unavailable as error:
            pytest.skip(f"no Slurm here: {error}")
        yield node
        node.end()


class Launcher:
    """srun or mpirun. `kind` is the value of --hosts."""

    def __init__(self, kind, words, environment):
        self.kind, self.words, self.environment = kind, words, environment

    def line(self, tasks, *words):
        """The command that starts so many tasks of ./run.sh."""
        return [*self.words, "-n", str(tasks), "./run.sh", "--hosts", self.kind, *map(str, words)]

    def start(self, line, **popen):
        """Starts a command line in a process group of its own."""
        return subprocess.Popen(line, cwd=ROOT, env=os.environ | self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0, **popen)

    def run(self, line, seconds=100):
        """Runs a command line to its end. Returns (status, standard output, standard error)."""
        process = self.start(line)
        try:
            out, err = process.communicate(timeout=seconds)
        finally:
            process.kill()
        return process.returncode, out, err


@pytest.fixture(params=["slurm", "mpi"])
def launcher(request, tmp_path):
    """Starts tasks. The folder where they meet is the test's."""
    if request.param == "slurm":
        node = request.getfixturevalue("slurm")
        return Launcher("slurm", [str(node.folder / "bin" / "srun"), "--quiet"], node.environment)
    if not shutil.which("mpirun"):
        pytest.skip("there is no mpirun (Debian: openmpi-bin)")
    allowed = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return Launcher("mpi", ["mpirun", "--oversubscribe", *allowed], {})


@pytest.fixture
def meet(tmp_path):
    """The folder where the tasks of a test meet."""
    return tmp_path / "meet"


class Sweep:
    """A folder with a table of runs."""

    def __init__(self, folder):
        self.folder = folder
        self.results = folder / "t-results"

    def run(self, text, *words, **popen):
        """Writes the table, and runs ./run.sh sweep to its end."""
        (self.folder / "t.csv").write_text(text)
        return run_sh("sweep", *words, "t.csv", cwd=self.folder, timeout=250, **popen)

    def rows(self):
        """The rows of the table of results."""
        with (self.results / "results.csv").open(newline="") as file:
            return list(csv.DictReader(file))


@pytest.fixture
def sweep(tmp_path):
    """sweep.run(TEXT, *OPTIONS) carries out a table of runs in a folder of the test."""
    return Sweep(tmp_path)

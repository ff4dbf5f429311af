"""Fixtures: a Slurm, Open MPI, and tables of runs."""

from __future__ import annotations

import csv
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from run_sh import run_sh
from slurm_node import Slurm, Unavailable
from task_launcher import Launcher


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

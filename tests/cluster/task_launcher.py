"""Commands that start tasks of ./run.sh: srun and mpirun."""

from __future__ import annotations

import os
import subprocess

from fugu.paths import ROOT


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

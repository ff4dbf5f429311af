"""A run to save and load: what it must end with, and the ways to save it and to go on from a snapshot."""

from __future__ import annotations

import contextlib
import re
import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import qcow2
from qmp import Qmp

SECTOR = 512
SECTORS = 64
QUANTUM = 64                    # cycles of a round, if a case does not say otherwise

# A trace of where each processor stops: at the end of a stretch, on a yield, or for the debugger.
STOPS = ("-trace", "enable=fugu_node_stop", "-D")
DEBUG, YIELD, STRETCH = "10002", "10004", "10006"       # QEMU's EXCP_...


def stops_in(log):
    """(node, pc, time) of each stop in a trace, without those that the host asked for."""
    found = re.findall(r"^fugu_node_stop node (\d+): why 0x(\w+), pc 0x(\w+) @(\d+)$", log.read_text(), re.MULTILINE)
    assert found
    return [(node, pc, int(time)) for node, why, pc, time in found if why in (STRETCH, YIELD)]


@dataclass
class Tools:
    """The fixtures that a case runs with."""

    tmp_path: Path
    run: Callable
    line: Callable
    digest_of: Callable


class Case:
    """A program on a machine with little memory, so that a save writes less.

    Unless `undisturbed` is False, the case first runs without any snapshot:
    `expected`, `digest` and `cycles` are those of that run. `more` are words
    of QEMU for every run that starts at cycle 0.
    """

    def __init__(self, tools, words, options, undisturbed=True, more=()):
        self.tools, self.words, self.more = tools, words, more
        self.options = {"ram": 1 << 20} | options
        if not undisturbed:
            return
        log = tools.tmp_path / "rounds"
        self.expected = self.run("-trace", "enable=fugu_rounds_end", "-D", str(log))
        self.digest = tools.digest_of(self.expected.stdout)
        self.cycles = int(re.search(r"fugu_rounds_end.*?(\d+)", log.read_text())[1])

    @property
    def quantum(self):
        return self.options.get("quantum", QUANTUM)

    @property
    def disk_file(self):
        return self.tools.tmp_path / "disk.qcow2"

    def has_disk(self):
        return "disk" in self.words

    def disk(self):
        """The options for a new disk, if the program uses one."""
        if not self.has_disk():
            return {}
        content = b"".join(struct.pack(">I", number) * (SECTOR // 4) for number in range(SECTORS))
        return {"disk": [(0, str(qcow2.make(self.disk_file, content)))]}

    def same_disk(self):
        """The options for the disk as it is now."""
        return {"disk": [(0, str(self.disk_file))]} if self.has_disk() else {}

    def run(self, *more, **options):
        """Runs the case from cycle 0 to its end."""
        return self.tools.run(*self.words, more=(*more, *self.more), digest=True,
                              **self.options | self.disk() | options)

    def saves(self, cycles):
        """The file for a snapshot at each of these cycles, and QEMU's words that make it save them."""
        files = {cycle: self.tools.tmp_path / f"{cycle}.snap" for cycle in cycles}
        return files, [word for cycle, file in files.items()
                       for word in ("-device", f"fugu-save,cycle={cycle},file={file}")]

    def load(self, file, *more, accel="", **run):
        """Goes on from a file to the end, in a new process."""
        words = self.tools.line(*self.words, digest=True, accel=accel, more=more,
                                **self.options | run | self.same_disk())
        words[words.index("-M") + 1] += f",load={file}"
        del words[words.index("-kernel"):][:2]
        if "-append" in words:
            del words[words.index("-append"):][:2]
        return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    def stops(self):
        """(node, pc, time) of the end of each stretch of the run."""
        log = self.tools.tmp_path / "stops"
        self.run(*STOPS, str(log))
        return stops_in(log)

    def check(self, done):
        """Checks that the run `done` ended as the undisturbed one did. `done` may be only the last part of that run."""
        assert done.returncode == self.expected.returncode, done.stderr
        assert self.tools.digest_of(done.stdout) == self.digest
        assert self.expected.stdout.endswith(done.stdout)

    def saved_and_loaded(self, cycles, **ways):
        """Checks a run that saves at these cycles, and a run from each of the snapshots."""
        files, words = self.saves(cycles)
        done = self.run(*words)
        self.check(done)
        assert done.stdout == self.expected.stdout
        for cycle, file in files.items():
            saved = int(re.search(rf"fugu: saved at cycle (\d+): {file}", done.stderr)[1])
            assert cycle <= saved < cycle + self.quantum
            self.check(self.load(file, **ways))


# ---- with QEMU's monitor ---------------------------------------------------------

@contextlib.contextmanager
def controlled(case, *more, loaded=False, **options):
    """The case's machine, stopped before its first cycle: (process, monitor).

    savevm writes into store.qcow2, or into the case's disk if it has one.
    With `loaded` these stay as they are, for -loadvm.
    """
    path = case.tools.tmp_path / "qmp"
    path.unlink(missing_ok=True)
    store = case.tools.tmp_path / "store.qcow2"
    if not loaded:
        qcow2.make(store, size=1 << 28)
    drive = [] if case.has_disk() else ["-drive", f"if=none,id=store,format=qcow2,file={store}"]
    disk = case.same_disk() if loaded else case.disk()
    words = case.tools.line(*case.words, digest=True, **case.options | disk | options,
                            more=("-S", "-qmp", f"unix:{path},server=on,wait=off", *drive, *more))
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        try:
            yield process, Qmp(path)
        finally:
            if process.poll() is None:
                process.kill()


def end(case, process):
    """Waits for the end, which must be that of the undisturbed run."""
    output, errors = process.communicate(timeout=60)
    assert process.returncode == case.expected.returncode, errors
    assert case.tools.digest_of(output) == case.digest


def resume_to_end(case, name, stops=None):
    """Goes on from a snapshot of savevm, by -loadvm in a new process.

    `stops` are those of the whole run, if given: the resumed run must make
    the last of them again. A difference shows there first.
    """
    log = case.tools.tmp_path / "loaded"
    log.unlink(missing_ok=True)
    with controlled(case, "-loadvm", name, *((*STOPS, str(log)) if stops else ()), loaded=True) as (process, monitor):
        monitor.ask("cont")
        end(case, process)
    if stops:
        again = stops_in(log)
        assert again == stops[-len(again):]

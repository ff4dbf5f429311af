"""`./run.sh debug`: the machine under GDB. Every node is an inferior.

QEMU starts stopped, in a new session, so that Control-C at the terminal
reaches only GDB. The two talk over a private UNIX socket; tools/gdb/fugu.py
runs in GDB. When one of the two ends, the other is ended too.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from socket import socket, socketpair
from typing import Any, BinaryIO

from ..abi import STATUS
from ..errors import UsageError
from ..host import children, on_demand, scratch
from ..image import store
from ..observe import symbols
from ..options import types
from ..options.table import OBSERVE, Option
from ..options.table import OPTIONS as OPTION_TABLE
from ..paths import ROOT
from ..run import monitor, qemu_command, terminals
from ..run.parse import Run, parse
from ..run.ready import ready

ATTACHED_MAX = 32       # inferiors; with more, GDB is slow at every stop

HISTORY = 512 << 20     # bytes of history that the machine can go back in
HISTORY_MAX = 1 << 40

# A command of GDB's, by which its main thread gets no SIGINT, or gets it again.
MASK = "python import signal; signal.pthread_sigmask(signal.{}, [signal.SIGINT])"

OPTIONS = (
    Option("Debugging", ("--attach",), "NODES", "the nodes to debug, such as 0,5,60-63", types.nodes),
    Option("Debugging", ("--history",), "SIZE", "memory for going back, 0 for none (default 512M)",
           types.size(0, HISTORY_MAX), HISTORY),
    Option("Debugging", ("--stdin",), "FILE", "the program's standard input (default: none)", types.word),
    Option("Debugging", ("--gdb-arg",), "ARG", "another argument for GDB (repeatable)", types.word, repeat=True),
)


def main(words: list[str]) -> int:
    """Returns the machine's status if that is not 0, otherwise GDB's."""
    run = parse(words, OPTIONS)
    terminals.note(run)
    nodes = attached(run)
    if run.options.get("dry-run"):
        raise UsageError("debug and --dry-run contradict each other: leave one of them out.")
    for option in OPTION_TABLE:
        if option.group == OBSERVE and option.key in run.options:
            raise UsageError(f"debug and --{option.key} contradict each other: leave one of them out.\n"
                             "The run without debug is the same one, cycle for cycle.")
    if int(run.options.get("processes", 1)) > 1 or "join" in run.options:
        raise UsageError("debug is for a machine in one process: leave --processes and --join out.\n"
                         "The run is the same one, cycle for cycle.")
    with _input(run.options.get("stdin")) as given:
        return _debug(run, nodes, given)


def _debug(run: Run, nodes: list[int], given: BinaryIO) -> int:
    """Runs the session, with the machine's standard input. Returns as main() does."""
    gdb = on_demand.ensure(on_demand.GDB)
    qemu, kernel = ready(run)
    files = store.sources(kernel) if kernel else symbols.of_snapshot(run.options["load"], "GDB")
    with scratch.folder() as folder, monitor.usable(folder) as short:
        stub = Path(short, "gdb")
        return Session([*qemu_command.command(qemu, kernel, run),
                        *monitor.stopped(stub, run.options.get("history", HISTORY))],
                       gdb_line(gdb, files, stub, run, nodes), ready_file(stub), given).run()


def _input(file: str | None) -> BinaryIO:
    """The machine's standard input, opened. UsageError if the file cannot be read."""
    try:
        return Path(file or os.devnull).open("rb")
    except OSError as error:
        raise UsageError(f"--stdin {file}: {error.strerror}.") from None


def attached(run: Run) -> list[int]:
    """The nodes to debug. Raises UsageError."""
    count: int = run.value("nodes")
    if "attach" not in run.options:
        if count > ATTACHED_MAX:
            raise UsageError(f"GDB would have to handle {count} nodes; up to {ATTACHED_MAX} work well.\n"
                             f"Choose some of them: --attach 0-{ATTACHED_MAX - 1}, or --attach 0,5,{count - 1}.\n"
                             "The others run, and stop, with them.")
        return list(range(count))
    nodes: list[int] = run.options["attach"]
    if nodes[-1] >= count:
        raise UsageError(f"--attach: there is no node {nodes[-1]}; the nodes are 0 to {count - 1}.")
    return nodes


def gdb_line(gdb: str, symbols: list[str], stub: Path, run: Run, nodes: list[int]) -> list[str]:
    """GDB's command line. The user's arguments come last, when all nodes are attached.

    `symbols` are the files with symbols: the kernel or the bare-machine program first, then apps.
    """
    which = ",".join(map(str, nodes))
    first, *apps = symbols
    # Until GDB has connected, Control-C ends the session (Session). It would
    # only end the command of GDB's that runs.
    return [gdb, "-quiet", "-iex", MASK.format("SIG_BLOCK"), "-iex", "set confirm off",
            "-iex", "set osabi GNU/Linux", first, "-x", str(ROOT / "tools" / "gdb" / "fugu.py"),
            "-ex", shlex.join(["fugu", "connect", str(stub), which, *apps]),
            "-ex", f"python open({str(ready_file(stub))!r}, 'w').close()", "-ex", MASK.format("SIG_UNBLOCK"),
            *run.options.get("gdb-arg", [])]


def ready_file(stub: Path) -> Path:
    """The file that GDB makes as soon as it has connected to the stub and handles Control-C."""
    return stub.with_name("ready")


class Session:
    """QEMU and GDB, which start and end together.

    GDB makes the file `ready` when it has connected. Before that, Control-C ends
    both; after that, GDB handles it.
    """

    def __init__(self, qemu: list[str], gdb: list[str], ready: Path,
                 given: BinaryIO | int = subprocess.DEVNULL) -> None:
        self.qemu_line, self.gdb_line, self.ready, self.given = qemu, gdb, ready, given
        self.gdb: subprocess.Popen[bytes] | None = None
        self.interrupted = False

    def run(self) -> int:
        """Runs both to their end. Returns the launcher's exit status."""
        children.handle(_ended, (signal.SIGTERM, signal.SIGHUP))
        signal.signal(signal.SIGINT, self._interrupt)       # a handler, unlike SIG_IGN, is not inherited
        ours, qemus = socketpair()
        with ours, self._start_qemu(qemus) as qemu:
            qemus.close()
            try:
                # If QEMU has ended already, it has printed why.
                gdb_status = self._run_gdb() if monitor.listens(ours) and not self.interrupted else 0
            finally:
                machines_status = monitor.end(qemu, ours)
        if self.interrupted:
            return STATUS["SIGNAL"]
        return _exit_status(machines_status or gdb_status)

    def _start_qemu(self, end: socket) -> subprocess.Popen[bytes]:
        """Starts QEMU with one end of a monitor. Its console reads from a file or nothing: GDB has the terminal."""
        return monitor.start(self.qemu_line, end, stdin=self.given)

    def _run_gdb(self) -> int:
        sys.stdout.flush()
        self.gdb = gdb = children.start(self.gdb_line)
        if self.interrupted:            # meanwhile
            gdb.kill()
        try:
            return gdb.wait()
        finally:
            if gdb.poll() is None:      # a signal ends the launcher
                gdb.kill()
                gdb.wait()

    def _interrupt(self, *_: Any) -> None:
        """The handler of Control-C."""
        if not self.ready.exists():
            self.interrupted = True
            if self.gdb:
                self.gdb.kill()


def _ended(*_: Any) -> None:
    """The handler of signals that end the launcher: leaves run(), which ends QEMU and GDB."""
    sys.exit(STATUS["SIGNAL"])


def _exit_status(code: int) -> int:
    """The exit status for a return code, as a shell reports it: 128 + N for signal N."""
    return code if code >= 0 else 128 - code

"""Control-C while the launcher starts, and while ./run.sh debug starts QEMU and GDB."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from run_sh import COMMAND

from fugu.commands import debug
from fugu.paths import ROOT
from fugu.run import monitor

# Runs the launcher, and sends it SIGINT when it imports a module.
WHILE_IT_IMPORTS = """
import os, runpy, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == MODULE:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv = ["fugu", "apps"]
runpy.run_path(MAIN, run_name="__main__")
"""

# A QEMU that answers on its monitor, and ends when it is told to.
QEMU = f"""#!{sys.executable}
import re, socket, sys
monitor = socket.socket(fileno=int(re.search("fd=(\\\\d+)", " ".join(sys.argv))[1]))
monitor.recv(4096)
monitor.sendall(b'{{"return": {{}}}}')
monitor.recv(4096)
"""


@pytest.mark.parametrize("module, says", [("fugu.cli.main", ""), ("fugu.abi", ""),
                                          ("fugu.commands.apps", "fugu: interrupted")])
def test_no_traceback_while_modules_are_imported(module, says):
    script = f"MODULE = {module!r}\nMAIN = {str(ROOT / 'tools' / 'fugu' / '__main__.py')!r}\n" + WHILE_IT_IMPORTS
    done = subprocess.run([sys.executable, "-S", "-E", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == (130 if says else -signal.SIGINT)
    assert done.stdout == "" and done.stderr.startswith(says) and "Traceback" not in done.stderr
    assert says or done.stderr == ""


def test_while_python_is_tried_out(tmp_path):
    """SIGINT comes to run.sh alone here, and its child ends well."""
    python = tmp_path / "python3"
    python.write_text("#!/bin/sh\nkill -INT $PPID\nexit 0\n")
    python.chmod(0o755)
    done = subprocess.run([COMMAND, "--version"], env=os.environ | {"FUGU_PYTHON": str(python)}, capture_output=True,
                          text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


# ---- debug -----------------------------------------------------------------------

@pytest.fixture
def session(tmp_path):
    """session(script) -> a session whose GDB is this shell script; $0.up and ready are files beside it."""
    befores = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}

    def make(script):
        for name, text in (("qemu", QEMU), ("gdb", f"#!/bin/sh\ntrap '' INT\n{script}\n")):
            (tmp_path / name).write_text(text)
            (tmp_path / name).chmod(0o755)
        return debug.Session([str(tmp_path / "qemu")], [str(tmp_path / "gdb")], tmp_path / "ready")
    yield make
    for number, handler in befores.items():
        signal.signal(number, handler)


def test_before_gdb_has_connected(session):
    """GDB, which would go on, is ended, and the session with it."""
    started = time.monotonic()
    assert session("kill -INT $PPID\nsleep 60").run() == 130
    assert time.monotonic() - started < 30


def test_before_gdb_starts(session, monkeypatch):
    def listens(_):
        signal.raise_signal(signal.SIGINT)
        return True
    monkeypatch.setattr(monitor, "listens", listens)
    made = session("echo started > $0.up; sleep 60")
    assert made.run() == 130
    assert not (made.ready.parent / "gdb.up").exists()


def test_after_gdb_has_connected(session):
    """Control-C is GDB's own."""
    assert session(": > ${0%gdb}ready\nkill -INT $PPID\nexit 7").run() == 7


def test_gdb_says_that_it_has_connected(tmp_path):
    """And it gets Control-C before the user's commands."""
    from fugu.run.parse import parse

    run = parse(["--gdb-arg=-ex", "--gdb-arg=next", "ring"], debug.OPTIONS)
    line = debug.gdb_line("gdb", ["ring.elf"], tmp_path / "stub", run, [0])
    commands = line[line.index("-x"):]
    connect = next(number for number, word in enumerate(commands) if word.startswith("fugu connect"))
    assert str(debug.ready_file(tmp_path / "stub")) in commands[connect + 2]
    assert commands[connect + 4:] == [debug.MASK.format("SIG_UNBLOCK"), "-ex", "next"]
    assert debug.MASK.format("SIG_BLOCK") in line[:line.index("ring.elf")]

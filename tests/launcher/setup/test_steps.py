"""Steps of a set-up are repeated until they are done, and the lock keeps set-ups apart."""

from __future__ import annotations

import fcntl
import io
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from own_tree import own_tree
from run_sh import COMMAND

from fugu.build import bring_up, qemu
from fugu.build.toolchain import Toolchain
from fugu.errors import SetupError
from fugu.host import execute, lock, python_tools, storage
from fugu.host.progress import Lines
from fugu.host.python_tools import PythonTools


def test_step_is_redone_until_it_is_done(tmp_path):
    made = Toolchain(tmp_path)
    made.work.mkdir(parents=True)
    calls = []

    def action():
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        made.once("x", action)
    made.once("x", action)
    made.once("x", action)
    assert len(calls) == 2


def fake_venv(fake, tmp_path, pip):
    """Makes a Python whose virtual environments have a pip that runs this script."""
    return str(fake("base-python", f"""
[ "$2" = venv ] || exit 9
mkdir -p "$3/bin"; echo half >> "$3/made"
printf '#!/bin/sh\\n{pip}\\n' > "$3/bin/python"; chmod +x "$3/bin/python" """))


def test_half_a_venv_is_never_used(fake, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", fake_venv(fake, tmp_path, "exit 1"))
    tools = PythonTools(tmp_path / "cache")
    with pytest.raises(SetupError, match="(?s)installing Python tools failed.*pip config list"):
        tools.ensure(Lines())
    assert not tools and tools.path.exists()
    monkeypatch.setattr(sys, "executable", fake_venv(fake, tmp_path, "exit 0"))
    tools.ensure(Lines())
    assert tools
    assert (tools.path / "made").read_text() == "half\n"        # made anew, and not twice


def test_packages_of_a_command_are_installed_when_it_asks(fake, tmp_path, monkeypatch):
    """They have an environment of their own, which is made once, and what is in it can be imported."""
    monkeypatch.setenv("FUGU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "executable", fake_venv(fake, tmp_path, (
        'site=$(dirname "$0")/../lib/python3.99/site-packages; mkdir -p "$site"; echo "words = \\"$*\\"" > '
        '"$site/fugu_asked.py"')))
    for _ in range(2):
        python_tools.on_demand(["one>=1", "two"], "this and that")
    import fugu_asked

    assert fugu_asked.words.endswith("one>=1 two")
    (made,) = (tmp_path / "cache" / "venv").glob("*/made")
    assert made.read_text() == "half\n" and made.parent != PythonTools(tmp_path / "cache").path


def test_packages_that_cannot_be_had(fake, tmp_path, monkeypatch):
    monkeypatch.setenv("FUGU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "executable", fake_venv(fake, tmp_path, "echo no such package; exit 1"))
    with pytest.raises(SetupError, match="(?s)installing this and that failed.*no such package.*pip config list"):
        python_tools.on_demand(["nonesuch"], "this and that")


def test_half_an_unpacked_qemu_is_never_used(tmp_path):
    own = own_tree(tmp_path / "own")
    made = qemu.Qemu(tmp_path / "cache", PythonTools(tmp_path / "cache"), str(own))
    src = tmp_path / "tree" / "src"
    (tmp_path / "tree" / "src.part").mkdir(parents=True)
    (tmp_path / "tree" / "src.part" / "rest").touch()
    made._unpack(None, src)
    assert not (src / "rest").exists()
    assert (src / "VERSION").exists() and not (src / ".git").exists() and not (src / "b").exists()


def test_stamp_survives_a_crash(tmp_path):
    stamp = storage.Stamp(tmp_path / "s.json")
    (tmp_path / "s.json").write_text('{"half')
    assert stamp.read() is None
    stamp.write([1])
    assert stamp.read() == [1]


def test_first_build_goes_before_the_other(tmp_path):
    """The commands of the second one have a lower priority, and those of the launcher keep theirs."""
    def nice(name):
        return lambda: execute.run(["nice"], tmp_path / name, what="nice")

    def seen(name):
        return int((tmp_path / name).read_text().splitlines()[-2])
    usual = os.getpriority(os.PRIO_PROCESS, 0)
    bring_up._side_by_side([nice("first"), nice("second")])
    assert seen("first") == usual
    assert seen("second") == min(usual + bring_up.NICENESS, 19)
    assert os.getpriority(os.PRIO_PROCESS, 0) == usual


def test_failure_of_one_build_ends_the_other(tmp_path):
    def fails():
        time.sleep(0.2)
        raise SetupError("first")
    start = time.monotonic()
    with pytest.raises(SetupError, match="first"):
        bring_up._side_by_side([lambda: execute.run(["sleep", "30"], tmp_path / "log", what="sleeping"), fails])
    assert time.monotonic() - start < 10


def test_failure_shows_the_end_of_the_log(tmp_path):
    with pytest.raises(SetupError) as caught:
        execute.run(["sh", "-c", "seq 100; exit 7"], tmp_path / "log", what="counting")
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("counting failed (status 7).") and lines[-1] == "| 100"
    assert len(lines) == 1 + execute.TAIL
    assert "50\n" in (tmp_path / "log").read_text()


# ---- the lock --------------------------------------------------------------

def test_second_set_up_waits_and_says_so(tmp_path):
    path = tmp_path / "lock"
    script = ("import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; from fugu.host import lock\n"
              "with lock.held(Path(sys.argv[2])): print('in', flush=True); sys.stdin.read()")
    holder = subprocess.Popen([sys.executable, "-c", script, str(storage.__file__.rsplit("/", 3)[0]), path],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "in\n"
    out = (tmp_path / "out").open("w+")
    entered = threading.Event()

    def second():
        with lock.held(path, out):
            entered.set()
    thread = threading.Thread(target=second)
    thread.start()
    assert not entered.wait(0.3)
    holder.stdin.close()
    assert entered.wait(10)
    thread.join()
    holder.wait()
    out.seek(0)
    text = out.read()
    assert f"waiting for another set-up to end (process {holder.pid} in" in text and "continuing" in text


def test_lock_of_a_killed_holder_is_free(tmp_path):
    child = os.fork()
    if child == 0:
        with lock.held(tmp_path / "lock"):
            os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    with lock.held(tmp_path / "lock"):
        pass


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_a_set_up_alike(tmp_path, number):
    """As Control-C does: with a line that says that the next run goes on from there."""
    cache = storage.make_cache(tmp_path / "cache")
    with lock.held(cache / "lock", io.StringIO()):
        child = subprocess.Popen([COMMAND, "null"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        assert "waiting for another set-up to end" in child.stderr.readline()
        child.send_signal(number)
        _, said = child.communicate(timeout=60)
    assert (child.returncode, said) == (130, "fugu: interrupted; the next run continues from here\n")


@pytest.mark.parametrize("part", ["guest", "qemu"])
def test_what_is_built_is_locked(tmp_path, monkeypatch, part):
    """Guest programs take the lock of their build directory alone, QEMU that of the cache."""
    monkeypatch.setenv("FUGU_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(bring_up, "display", Lines)
    monkeypatch.setattr(bring_up.PythonTools, "__bool__", lambda _: True)
    monkeypatch.setattr(bring_up._Setup, "_builds_toolchain", lambda _: False)
    taken = []

    def note(*_):
        for name in ("cache", "build/.fugu"):
            path = tmp_path / name / "lock"
            if not path.exists():
                continue
            with path.open() as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    taken.append(name)
    monkeypatch.setattr(bring_up._Setup, "_build_guest", note)
    monkeypatch.setattr(bring_up._Setup, "_fill_cache", note)
    bring_up._Setup(storage.make_cache(tmp_path / "cache"), {part}).run()
    assert taken == [{"guest": "build/.fugu", "qemu": "cache"}[part]]

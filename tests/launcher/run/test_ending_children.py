"""Children that are ended get the time to end by themselves; nothing is left of those that do not."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from fugu.host import children
from fugu.sweep import workflow

# Says that it is there, and when the signal comes, takes its time to write what it has to.
SLOW = """import os, signal, sys, time
def end(*_):
    time.sleep(0.5)
    open(sys.argv[1], "w").write("ended")
    os._exit(7)
signal.signal(signal.{number}, end)
print("there", flush=True)
while True: time.sleep(60)"""
DEAF = """import signal, time
for number in (signal.SIGINT, signal.SIGTERM): signal.signal(number, signal.SIG_IGN)
print("there", flush=True)
while True: time.sleep(60)"""
# Ends at the signal, and leaves a process of its group that does not.
LEAVES = """import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-S", "-c", sys.argv[1]], stdout=subprocess.PIPE)
child.stdout.readline()
print("there", flush=True)
{then}"""
WAYS = {"end_group": (children, children.end_group, "SIGTERM"), "sweep": (workflow, workflow._end, "SIGINT")}   # noqa: SLF001


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


@pytest.fixture
def start():
    """start(text, *words) -> a process in a session of its own, once it is there."""
    begun = []

    def started(text, *words):
        begun.append(subprocess.Popen([sys.executable, "-S", "-c", text, *map(str, words)], stdout=subprocess.PIPE,
                                      start_new_session=True))
        assert begun[-1].stdout.readline() == b"there\n"
        return begun[-1]
    yield started
    for one in begun:
        one.kill()
        one.wait()
        one.stdout.close()


def is_alone(child):
    """Whether all processes of a child's group have ended: none holds its pipe any more."""
    assert child.stdout.read() == b""
    return child.returncode


def test_a_child_has_the_time_to_end(way, start, tmp_path):
    _, end, number = way
    child = start(SLOW.replace("{number}", number), tmp_path / "file")
    end(child)
    assert is_alone(child) == 7 and (tmp_path / "file").read_text() == "ended"


def test_a_deaf_child_is_killed_when_the_time_is_over(way, start, monkeypatch):
    module, end, _ = way
    monkeypatch.setattr(module, "PATIENCE", 0.4)
    child = start(DEAF)
    begin = time.monotonic()
    end(child)
    assert is_alone(child) == -signal.SIGKILL and 0.4 <= time.monotonic() - begin < 20


@pytest.mark.parametrize("then", ["time.sleep(60)", "sys.exit(5)"], ids=["running", "ended"])
def test_what_a_child_leaves_is_killed(then, start):
    child = start(LEAVES.format(then=then), DEAF)
    if then.startswith("sys"):
        child.wait()
    children.end_group(child)
    assert is_alone(child) == (5 if then.startswith("sys") else -signal.SIGTERM)


def test_a_child_that_has_ended_keeps_its_status(way, start):
    _, end, _ = way
    child = start("print('there')\nraise SystemExit(3)")
    child.wait()
    end(child)
    assert is_alone(child) == 3

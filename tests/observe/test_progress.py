"""The line of progress: on a terminal, after two seconds, gone at the end; never in a pipe."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time

import pytest
from run_sh import COMMAND, run_sh

LINE = re.compile(r"\r\x1b\[K(\d+\.\d) M cycles, (\d+\.\d) M/s; (\d+) messages; node (\d+) waits least, (\d+) %")
LONG = ("-n", "4", "alltoall", "messages=100000000")
PATIENCE = 60.0         # seconds until something must have happened


@pytest.fixture
def terminal():
    """terminal(*words) -> (process, read): ./run.sh whose standard error is a terminal; read(pattern) waits for it."""
    if not os.path.exists("/dev/ptmx"):
        pytest.skip("this host has no devpts")
    opened = []

    def start(*words):
        ours, theirs = pty.openpty()
        process = subprocess.Popen([COMMAND, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs,
                                   text=True)
        os.close(theirs)
        opened.append((process, ours))
        said = ""

        def read(pattern):
            nonlocal said
            end = time.monotonic() + PATIENCE
            while not (found := re.search(pattern, said)):
                ready, _, _ = select.select([ours], [], [], max(0.0, end - time.monotonic()))
                assert ready, f"nothing like {pattern} after {PATIENCE} s: {said!r}"
                try:
                    said += os.read(ours, 4096).decode()
                except OSError:         # the other end was closed
                    break
            return found, said
        return process, read
    yield start
    for process, ours in opened:
        process.kill()
        process.communicate()
        os.close(ours)


def test_line_says_how_far_the_run_is(terminal):
    process, read = terminal(*LONG)
    first, said = read(LINE)
    assert first and said.startswith(first[0])
    assert float(first[1]) > 0 and float(first[2]) > 0 and int(first[4]) < 4 and 0 <= int(first[5]) <= 100
    second, _ = read(LINE.pattern + ".*" + LINE.pattern)
    assert second and float(second[6]) > float(second[1])
    process.terminate()
    _, said = read("never")
    assert process.wait(PATIENCE) == 130
    assert said.rpartition("\r\x1b[K")[2].strip() == "", "the line is still there"


def test_short_run_has_no_line(terminal):
    process, read = terminal("-n", "2", "--digest", "ring")
    assert process.communicate(timeout=PATIENCE)[0].count("digest") == 1
    _, said = read("never")
    assert "\x1b" not in said


def test_pipe_gets_no_line():
    """Four seconds of host time, and standard error is a pipe."""
    process = subprocess.Popen([COMMAND, *LONG], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    process.terminate()
    assert "cycles" not in process.communicate(timeout=PATIENCE)[1]


@pytest.mark.parametrize("more, shown", [((), True), (("--trace", "fugu_node_end"), False),
                                         (("--trace", "fugu_node_end", "--trace-file", "/dev/null"), True)])
def test_no_line_among_a_trace(more, shown, monkeypatch):
    from fugu.run import terminals
    from fugu.run.parse import parse

    monkeypatch.setattr(terminals, "_is_terminal", lambda fd: fd == 2)
    run = parse([*more, "null"])
    terminals.show_progress(run)
    assert run.options["progress"] is shown


def test_output_comes_after_the_line_has_gone(machine, tmp_path):
    """What is printed does not stand behind the line: QEMU erases it first. A prompt that waits is not erased."""
    assert "\x1b" not in machine("ring", nodes=2, qemu_arg=["-machine", "progress=on"]).check().stderr
    assert run_sh("-n", "2", "ring").stderr == ""

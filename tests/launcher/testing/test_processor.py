"""Processor time, by which ./run.sh test --mutants chooses tests and limits them (tools/fugu/host/processor.py)."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from fugu.host import children, processor

BURN = "import time\nwhile time.process_time() < {}: pass\n"
# The first process only starts another and waits for it.
STARTS = "import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {!r}], start_new_session={})"


@pytest.fixture
def start():
    """start(Python text) -> a process in a session of its own, which ends with the test."""
    begun = []

    def started(text):
        begun.append(children.start([sys.executable, "-S", "-c", text], start_new_session=True))
        return begun[-1]
    yield started
    for one in begun:
        children.end_group(one)


def test_waiting_is_no_processor_time(start):
    """A limit that is below the time that passes: what a busy host does to a test."""
    child = start("import time; time.sleep(1.5); raise SystemExit(7)")
    assert processor.wait(child, 0.8) == 7


@pytest.mark.parametrize("session", [False, True])
def test_a_limit_counts_what_a_process_starts(session, start):
    child = start(STARTS.format(BURN.format(60), session))
    assert processor.wait(child, 0.5) is None and child.poll() is None
    assert 0.5 < processor.spent_by(child.pid) < 20


def test_programs_that_have_ended_count(start):
    child = start(STARTS.format(BURN.format(0.5), True) + "; import time; time.sleep(60)")
    assert processor.wait(child, 0.4) is None
    assert processor.spent_by(child.pid) < 20


def test_a_process_that_waits_for_ever_ends_the_wait(start, monkeypatch):
    monkeypatch.setattr(processor, "STILL", 1.0)
    begun = time.monotonic()
    assert processor.wait(start("import time; time.sleep(60)"), 100) is None
    assert time.monotonic() - begun < 30


def test_a_process_that_works_all_the_time_is_not_still(start, monkeypatch):
    """It uses more than BUSY after each STILL, and not within it."""
    monkeypatch.setattr(processor, "STILL", 2.0)
    monkeypatch.setattr(processor, "BUSY", 0.02)        # a hundredth: what a busy host lets it have
    assert processor.wait(start(BURN.format(2.5)), 100) == 0


def test_no_process_has_spent_nothing():
    ended = subprocess.Popen(["true"])
    ended.wait()
    assert processor.spent_by(ended.pid) == 0

"""Runs of programs for the paper's tables: none twice, unless an input has changed. With a script in QEMU's place."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from fugu.errors import SetupError
from fugu.paper.runs import sweep
from fugu.paper.runs.estimate import seconds_left
from fugu.paper.runs.sweep import Job, attempt, outputs
from fugu.paths import ROOT

# In place of QEMU: notes that it has run, and prints its words.
SCRIPT = """\
import sys
ran, *words = sys.argv[1:]
with open(ran, "a") as file:
    print(*words, file=file)
print("output of", *words)
sys.exit(3 if "bad" in words else 0)
"""
# Runs two programs, of which the second does not end.
INTERRUPTED = f"""\
import sys
sys.path[:0] = {[str(ROOT / "tools")]!r}
from fugu.host import execute
from fugu.paper.runs import sweep
from pathlib import Path
folder = Path(sys.argv[1])
(folder / "image").touch()
sweep.parse = lambda words: words
sweep.ready = lambda run, built: (sys.executable, str(folder / "image"))
sweep.qemu_command.command = lambda qemu, image, run: [sys.executable, "-c", {{
    "short": "print(1)",
    "long": "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(100)",
}}[run[-1]], str(folder / "pid")]
execute.terminate_like_interrupt()
try:
    sweep.outputs([sweep.Job(name, (), (), 1) for name in ("short", "long")])
except KeyboardInterrupt:
    sys.exit(130)
"""
ONE, OTHER, BAD = (Job(app, ("1",), ("--nodes", "2"), 10) for app in ("one", "other", "bad"))


@pytest.fixture
def host(tmp_path, monkeypatch):
    """A folder with qemu, image and the cache. Each run adds a line to `ran`."""
    monkeypatch.setenv("FUGU_CACHE", str(tmp_path / "cache"))
    for name in ("qemu", "image"):
        (tmp_path / name).write_text(name)
    (tmp_path / "script").write_text(SCRIPT)
    monkeypatch.setattr(sweep, "parse", lambda words: words)
    monkeypatch.setattr(sweep, "ready", lambda run, built: (str(tmp_path / "qemu"), str(tmp_path / "image")))
    line = [sys.executable, str(tmp_path / "script"), str(tmp_path / "ran")]
    monkeypatch.setattr(sweep.qemu_command, "command", lambda qemu, image, run: [*line, *run])
    sweep._digest.cache_clear()
    return tmp_path


def ran(host):
    """How many runs there were."""
    return len((host / "ran").read_text().splitlines())


def results(host):
    """The kept results, the oldest first."""
    return sorted((host / "cache" / "results").iterdir(), key=lambda path: path.stat().st_mtime)


def test_a_run_is_not_repeated(host):
    first = outputs([ONE, OTHER, ONE])
    assert first == {ONE: "output of --nodes 2 -- one 1\n", OTHER: "output of --nodes 2 -- other 1\n"}
    assert ran(host) == 2
    assert outputs([OTHER, ONE]) == first and ran(host) == 2
    assert outputs([ONE], fresh=True) == {ONE: first[ONE]} and ran(host) == 3


@pytest.mark.parametrize("change", ["qemu", "image", "words", "options"])
def test_a_run_is_repeated_when_an_input_has_changed(host, change):
    outputs([ONE])
    job = ONE
    if change in ("qemu", "image"):
        (host / change).write_text("changed")
        sweep._digest.cache_clear()
    else:
        job = Job("one", ("2",) if change == "words" else ("1",), ("--nodes", "3"), 10)
    outputs([job])
    assert ran(host) == 2


def test_work_is_an_estimate_and_no_input(host):
    outputs([ONE])
    outputs([Job(ONE.app, ONE.words, ONE.options, 99)])
    assert ran(host) == 1


def test_a_run_that_fails(host, monkeypatch):
    """The error has command and output. What the other runs gave is kept."""
    monkeypatch.setattr(sweep.capacity, "jobs", lambda: 1)
    with pytest.raises(SetupError, match="^./run.sh --nodes 2 bad 1 ended with status 3:\noutput of .* bad 1"):
        outputs([ONE, BAD])
    assert ran(host) == 2 and len(results(host)) == 1
    with pytest.raises(SetupError):
        outputs([ONE, BAD])
    assert ran(host) == 3


def test_an_attempt_goes_on_after_a_failure(host, monkeypatch):
    monkeypatch.setattr(sweep.capacity, "jobs", lambda: 1)
    tried = attempt([BAD, ONE, OTHER, ONE])
    assert (tried.ran, list(tried.seconds), list(tried.failures)) == (3, [ONE, OTHER], [BAD]) and ran(host) == 3
    assert "bad 1 ended with status 3:" in str(tried.failures[BAD])
    again = attempt([BAD, ONE, OTHER])
    assert (again.ran, list(again.failures)) == (1, [BAD]) and ran(host) == 4
    assert attempt([ONE], fresh=True).ran == 1


def test_an_attempt_goes_on_after_a_program_that_does_not_begin(host, monkeypatch):
    """Such as a QEMU that has gone meanwhile. The time that is left is told after it."""
    monkeypatch.setattr(sweep.capacity, "jobs", lambda: 1)
    usual = sweep.qemu_command.command
    monkeypatch.setattr(sweep.qemu_command, "command",
                        lambda qemu, image, run: [str(host / "gone")] if "bad" in run else usual(qemu, image, run))
    tried = attempt([BAD, ONE])
    assert (tried.ran, list(tried.seconds), list(tried.failures)) == (2, [ONE], [BAD]) and ran(host) == 1
    assert isinstance(tried.failures[BAD], FileNotFoundError)


def test_host_seconds_of_kept_runs(host):
    outputs([ONE])
    (kept,) = results(host)
    kept.write_text(json.dumps(json.loads(kept.read_text()) | {"seconds": 1.5}))
    assert attempt([ONE, ONE]).seconds == {ONE: 1.5}


def test_after_a_failure_no_run_begins(host, monkeypatch):
    monkeypatch.setattr(sweep.capacity, "jobs", lambda: 1)
    with pytest.raises(SetupError):
        outputs([BAD, *(Job("one", (str(k),), (), 10) for k in range(50))])
    assert ran(host) < 50


@pytest.mark.parametrize("text", ["", "{", "[]", '{"output": null}', "{}"])
def test_damaged_result(host, text):
    outputs([ONE])
    results(host)[0].write_text(text)
    outputs([ONE])
    assert ran(host) == 2 and json.loads(results(host)[0].read_text())["output"]


def test_only_the_last_results_are_kept(host, monkeypatch):
    """Those that were used last: the first result is the oldest, but it is used again."""
    monkeypatch.setattr(sweep, "KEEP", 2)
    outputs([ONE])
    (first,) = results(host)
    outputs([OTHER])
    (second,) = set(results(host)) - {first}
    os.utime(first, (1, 1))
    os.utime(second, (2, 2))
    outputs([ONE])
    outputs([Job("third", (), (), 10)])
    assert len(results(host)) == 2 and first.exists() and not second.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_programs_that_run(tmp_path, number):
    """What has ended before is kept."""
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path)]
    with subprocess.Popen(command, env=os.environ | {"FUGU_CACHE": str(tmp_path / "cache")}) as process:
        try:
            assert poll(lambda: len(list(tmp_path.glob("cache/results/*"))) == 1 and (tmp_path / "pid").exists())
            process.send_signal(number)
            assert process.wait(20) == 130
        finally:
            process.kill()
    assert poll(lambda: not os.path.exists(f"/proc/{(tmp_path / 'pid').read_text()}"))


def poll(condition):
    """Whether the condition holds within 20 seconds."""
    for _ in range(400):
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_images_of_runs_that_wait_stay(host, monkeypatch):
    """image/store.py removes images that were not used for some minutes."""
    monkeypatch.setattr(sweep.capacity, "jobs", lambda: 1)
    os.utime(host / "image", (1, 1))
    outputs([ONE])
    assert (host / "image").stat().st_mtime == 1
    outputs([OTHER, Job("third", (), (), 10)])
    assert (host / "image").stat().st_mtime > 1


@pytest.mark.parametrize("cores, left", [(1, 2 * 30 + 5 + 9 * 1), (2, (2 * 30 + 5 + 9) / 2), (40, 30)])
def test_the_time_left_is_by_program(cores, left):
    """Programs whose cycles take the host 1, 10 and 100 units: what has ended says how long the others of each take."""
    def job(app, number, *words):
        return Job(app, (str(number), *words), (), 10)
    ended = {job("light", 0): 1.0, job("heavy", 0): 10.0, job("heavy", 0, "+", "null"): 30.0}
    running = {job("heavy", 1): 5.0}
    waiting = [job("heavy", 2, "+", "null"), job("heavy", 3, "+", "null"), *(job("light", number) for number in range(1, 10))]
    assert seconds_left(ended, running, waiting, cores) == pytest.approx(left)
    assert seconds_left({job("light", 0): 4.0}, {}, [job("other", 1)], 1) == pytest.approx(4)


def test_progress_has_an_estimate(host, monkeypatch):
    shown = []
    monkeypatch.setattr(sweep.capacity, "jobs", lambda: 1)

    class Step:
        def update(self, done, total, detail):
            shown.append((done, total, detail))
    runs = {job: sweep._Run(job, None) for job in (ONE, Job("long", (), (), 30))}
    sweep._run_all(runs, Step())
    assert [line[:2] for line in shown] == [(30, 40), (40, 40)]      # the one with the most work came first
    assert shown[0][2].startswith("about ") and shown[0][2].endswith(" s left") and shown[1][2] == "about 0.0 s left"

"""One run of a sweep, as Snakemake starts it: how it ends, and what is written down. A script stands for QEMU."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

from fugu.abi import STATUS
from fugu.errors import STATUS_SETUP, UsageError
from fugu.paths import ROOT
from fugu.sweep import carry_out
from fugu.sweep.plan import LOCK, PLAN

# Does what the program's first word says.
QEMU = """\
#!/bin/sh
case "$*" in
*ends*) echo out; ulimit -f; echo err >&2; exit 7 ;;
*waits*) echo $$ > pid; exec sleep 60 ;;
*writes*) ulimit -f 8; exec yes ;;
esac
"""


@pytest.fixture
def folder(tmp_path):
    """The folder of a sweep, whose lock the test holds."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "qemu").write_text(QEMU)
    (tmp_path / "qemu").chmod(0o755)
    with (tmp_path / LOCK).open("w") as lock:
        flock(lock, LOCK_EX)
        yield tmp_path


def carried(folder, program, limit=60.0, here=True, qemu="qemu", nodes="2"):
    """Carries a run out in a process of its own. Returns its status and what it has written down."""
    words = [f"--nodes={nodes}", "--", f"/{program}.elf"]
    (folder / PLAN).write_text(json.dumps({
        "directory": str(folder), "limit": limit, "here": here,
        "runs": {"key": {"qemu": str(folder / qemu), "image": f"{program}.image", "words": words}}}))
    done = subprocess.run([sys.executable, ROOT / "tools" / "fugu" / "sweep", folder, "key"], capture_output=True, text=True,
                          timeout=60, env=os.environ | {"TMPDIR": str(folder)})
    file = folder / "runs" / "key.json"
    return done, json.loads(file.read_text()) if file.exists() else None


def text(folder, kind):
    return (folder / "runs" / f"key.{kind}").read_text()


def test_a_run_that_ends(folder):
    done, record = carried(folder, "ends")
    assert done.returncode == 0 and (record["status"], record["ended"]) == (7, "")
    assert text(folder, "out") == f"out\n{carry_out.OUTPUT_MAX // 512}\n"          # the shell counts in blocks
    assert text(folder, "err") == "err\n"
    assert record["seconds"] < 30 and round(record["seconds"], 2) == record["seconds"]


def test_a_run_that_takes_too_long(folder):
    done, record = carried(folder, "waits", limit=1.2)
    assert done.returncode == 0 and (record["status"], record["ended"]) == (STATUS["SIGNAL"], carry_out.LIMIT)
    assert 1.2 <= record["seconds"] < 30
    assert not Path("/proc", (folder / "pid").read_text().strip()).exists()


def test_a_run_that_prints_too_much(folder):
    done, record = carried(folder, "writes")
    assert done.returncode == 0 and (record["status"], record["ended"]) == (STATUS["FILE"], carry_out.SPACE)


def test_a_run_that_does_not_begin(folder):
    done, record = carried(folder, "ends", qemu="gone")
    assert done.returncode == 0 and (record["status"], record["ended"]) == (STATUS_SETUP, carry_out.LAUNCHER)
    assert text(folder, "err").startswith("fugu: ") and "gone" in text(folder, "err")


def test_a_run_whose_words_are_wrong(folder):
    """It has the launcher's own status for them."""
    done, record = carried(folder, "ends", nodes="none")
    assert done.returncode == 0 and (record["status"], record["ended"]) == (UsageError.status, carry_out.LAUNCHER)
    assert UsageError.status != STATUS_SETUP and "--nodes" in text(folder, "err")


@pytest.mark.parametrize("here, status", [(True, STATUS["SIGNAL"]), (False, 0)])
def test_a_run_whose_sweep_has_gone(here, status, folder):
    """It leaves no result. On another host the lock says nothing, and the run goes on."""
    (folder / LOCK).unlink()
    done, record = carried(folder, "ends", here=here)
    assert done.returncode == status and "Traceback" not in done.stderr
    assert record is None if here else record["status"] == 7


def test_a_run_whose_sweep_goes_meanwhile(folder):
    """It looks each second."""
    (folder / "qemu").write_text(f"#!/bin/sh\nrm {folder / LOCK}\nexec sleep 60\n")
    done, record = carried(folder, "waits")
    assert done.returncode == STATUS["SIGNAL"] and record is None


@pytest.mark.parametrize("result, final", [
    ({"status": 0, "ended": ""}, True), ({"status": 1, "ended": ""}, True), ({"status": -9, "ended": ""}, False),
    ({"status": 0, "ended": carry_out.LIMIT}, False), ({"status": STATUS["PEER"], "ended": ""}, False),
    ({"status": STATUS["SIGNAL"], "ended": ""}, False), ({"status": STATUS["TIMEOUT"], "ended": ""}, True)])
def test_what_would_end_alike_again(result, final):
    assert carry_out.is_final(result) == final


@pytest.mark.parametrize("limits, wanted", [
    ((-1, -1), carry_out.OUTPUT_MAX), ((1 << 20, -1), 1 << 20), ((-1, 1 << 20), 1 << 20), ((1 << 40, 1 << 41), carry_out.OUTPUT_MAX),
    ((carry_out.OUTPUT_MAX + 1, -1), carry_out.OUTPUT_MAX), ((carry_out.OUTPUT_MAX - 1, -1), carry_out.OUTPUT_MAX - 1)])
def test_the_lowest_limit_of_output_counts(limits, wanted, monkeypatch):
    """-1 is no limit. The hard limit stays."""
    found = []
    monkeypatch.setattr(carry_out.resource, "getrlimit", lambda which: limits)
    monkeypatch.setattr(carry_out.resource, "setrlimit", lambda which, both: found.append((which, both)))
    carry_out._limit_output()
    assert found == [(carry_out.resource.RLIMIT_FSIZE, (wanted, limits[1]))]

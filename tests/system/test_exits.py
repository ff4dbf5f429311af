"""One test for each row of the table of exit statuses (docs/setup.md)."""

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLE = (ROOT / "docs" / "setup.md").read_text().partition("## Exit statuses")[2].partition("\n## ")[0]
ROWS = dict(re.findall(r"^\| (\d[\d.]*) \| (.*?) \|$", TABLE, re.MULTILINE))


@pytest.fixture
def run_sh():
    """run_sh(*words): ./run.sh, to its end."""
    def run(*words):
        return subprocess.run([ROOT / "run.sh", *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60)
    return run


def row(status):
    """The row's text: there must be one."""
    assert status in ROWS, f"no row for {status} in docs/setup.md"
    return ROWS[status]


@pytest.mark.parametrize("split", [(), ("--processes", "2")], ids=["one process", "two"])
class TestOfARun:
    def test_0_all_programs_are_done(self, run_sh, split):
        assert "all nodes ended with 0" in row("0")
        done = run_sh(*split, "-n", "2", "whoami")
        assert (done.returncode, done.stderr) == (0, "")

    @pytest.mark.parametrize("status", [1, 2, 3, 119])
    def test_a_programs_own(self, run_sh, split, status):
        assert "first non-zero status" in row("1..119")
        done = run_sh(*split, "-n", "2", "exitstatus", f"status={status}", "node=1")
        assert done.returncode == status
        assert f"node 1 ended with status {status}" in done.stderr

    def test_121_a_trace_on_a_full_disk(self, run_sh, split):
        assert "trace" in row("121")
        done = run_sh(*split, "-n", "2", "--trace", "fugu_ni_*", "--trace-file", "/dev/full", "alltoall")
        assert done.returncode == 121
        assert "the trace file cannot be written" in done.stderr

    def test_124_timeout(self, run_sh, split):
        assert "--timeout" in row("124")
        done = run_sh(*split, "-n", "2", "--timeout", "10000", "spin")
        assert done.returncode == 124
        assert "timeout" in done.stderr

    def test_125_deadlock(self, run_sh, split):
        assert "deadlock" in row("125")
        done = run_sh(*split, "-n", "2", "deadlock")
        assert done.returncode == 125
        assert "deadlock" in done.stderr

    def test_126_error_mode(self, run_sh, split):
        assert "error mode" in row("126")
        done = run_sh(*split, "-n", "2", "errormode", "node=1")
        assert done.returncode == 126
        assert "error mode" in done.stderr

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_130_a_signal(self, split, number):
        assert "Control-C" in row("130")
        process = subprocess.Popen([ROOT / "run.sh", *split, "-n", "2", "--label", "spin"], stdin=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            time.sleep(2)
            assert process.poll() is None
            process.send_signal(number)
            assert process.wait(30) == 130
        finally:
            process.kill()
            process.wait()


def test_120_a_process_that_never_comes(run_sh, tmp_path):
    assert "another process" in row("120")
    secret = tmp_path / "secret"
    secret.write_text("0123456789abcdef")
    secret.chmod(0o600)
    done = run_sh("--hosts", "here,there", "--listen", "127.0.0.1:0", "--link-timeout", "0.3", "--secret-file", secret,
                  "whoami")
    assert done.returncode == 120
    assert re.search(r"^fugu: process 1 ", done.stderr, re.MULTILINE)


@pytest.mark.parametrize("transport", ["shm", "unix", "tcp"])
def test_120_a_process_that_dies_at_its_start(run_sh, tmp_path, transport):
    """It has said nothing yet, and nobody waits for it: the bound is longer than the test's."""
    disk = tmp_path / "disk.qcow2"
    disk.write_bytes(b"QFI\xfb")
    done = run_sh("--processes", "2", "--transport", transport, "--link-timeout", "600", "--disk", f"7={disk}", "whoami")
    assert done.returncode == 120
    assert re.findall(r"^fugu: (.*)$", done.stderr, re.MULTILINE) == ["process 1 (nodes 4 to 7) has gone"]


def test_2_a_command_line_that_makes_no_sense(run_sh):
    assert "command line" in row("2")
    assert run_sh("-n", "0").returncode == 2


def test_3_a_set_up_that_failed(tmp_path):
    assert "set-up" in row("3")
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "FUGU_CACHE": str(tmp_path / "cache"),
           "FUGU_BUILD": str(tmp_path / "build")}
    done = subprocess.run([ROOT / "run.sh", "setup", "--toolchain", tmp_path], capture_output=True, text=True,
                          timeout=60, env=env)
    assert done.returncode == 3
    assert done.stderr.startswith("fugu: ")


def test_127_a_mistake_in_the_launcher(run_sh, monkeypatch, capsys):
    from fugu import cli

    assert "mistake in the launcher" in row("127")
    monkeypatch.setattr(cli, "_dispatch", lambda words: 1 // 0)
    assert cli.main([]) == 127
    assert "Traceback" in capsys.readouterr().err


def test_the_help_has_the_same_statuses():
    from fugu.help import STATUSES

    assert sorted(re.findall(r"(?:^|  )(\d[\d.]*)  +\S", STATUSES, re.MULTILINE)) == sorted(
        "0..119" if status == "0" else status for status in ROWS if status != "1..119")

"""--trace and --trace-file are checked before the run, and ./run.sh trace lists the events."""

from __future__ import annotations

import re

import pytest

from fugu.errors import UsageError
from fugu.paths import ROOT
from fugu.run import trace, writable
from fugu.run.parse import Run

NAMES = re.findall(r"^(\w+)\(", (ROOT / "hw" / "trace-events").read_text(), re.MULTILINE)

# A QEMU whose list of events has one that is not the machine's.
QEMU = "#!/bin/sh\n[ \"$1 $2\" = '-trace help' ] && printf 'cpu_halt\\nfugu_ni_launch\\n' && exit\necho runs\n"


def test_every_event_is_listed_on_one_line(launcher):
    done = launcher("trace")
    assert done.returncode == 0
    assert re.findall(r"^  (\w+)  +\S", done.stdout, re.MULTILINE) == NAMES
    assert "fugu_ni_space        node NODE: network NETWORK, source space SPACE words @TIME\n" in done.stdout
    assert "%" not in done.stdout and "PRI" not in done.stdout
    assert launcher("trace", "--list").stdout == done.stdout


def test_only_events_that_match_are_listed(launcher):
    lines = launcher("trace", "fugu_rounds_*", "fugu_node_end").stdout.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("  ")] == ["fugu_node_end", "fugu_rounds_skip",
                                                                          "fugu_rounds_end"]


@pytest.mark.parametrize("pattern", ["*", "fugu_*", "fugu_ni_launch", "-fugu_ni_launch", "cpu_*", "-cpu_halt", "cpu_hal?"])
def test_patterns_with_events(pattern, fake_qemu, launcher, elf):
    fake_qemu(QEMU)
    done = launcher("--trace", pattern, elf)
    assert (done.returncode, done.stdout) == (0, "runs\n"), done.stderr


def test_pattern_without_events(fake_qemu, launcher, elf):
    fake_qemu(QEMU)
    done = launcher("--trace", "cpu_hat", elf)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no trace event cpu_hat. The nearest: cpu_halt" in done.stderr
    done = launcher("--trace", "nosuch*", elf)
    assert done.returncode == 2
    assert "no trace event matches nosuch*" in done.stderr


def test_qemu_is_only_asked_for_what_is_not_ours(monkeypatch):
    monkeypatch.setattr("fugu.host.execute.output", lambda command: 1 / 0)
    trace.check_others("qemu", Run({"trace": ["fugu_*", "*"]}))
    with pytest.raises(ZeroDivisionError):
        trace.check_others("qemu", Run({"trace": ["cpu_halt"]}))


def test_qemu_without_a_list_is_left_to_say_why(monkeypatch):
    monkeypatch.setattr("fugu.host.execute.output", lambda command: None)
    trace.check_others("/nowhere/qemu", Run({"trace": ["cpu_halt"]}))


def test_brackets_are_no_pattern():
    assert trace.matching("fugu_[n]*", NAMES) == []
    with pytest.raises(UsageError):
        trace.check(Run({"trace": ["fugu_[n]*"]}))


# ---- the file ------------------------------------------------------------------

@pytest.mark.parametrize("file, says", [("/nowhere/t.log", "there is no directory /nowhere"),
                                        ("/tmp", "this is a directory"),
                                        ("/etc/passwd/t.log", "there is no directory /etc/passwd")])
@pytest.mark.parametrize("more", [[], ["--processes", "2"]], ids=["one process", "two"])
def test_file_that_cannot_be_written_is_status_121(file, says, more, launcher, elf):
    done = launcher(*more, "--trace", "fugu_*", "--trace-file", file, elf)
    assert done.returncode == 121
    assert done.stderr == f"fugu: --trace-file {file}: {says}.\n"


@pytest.mark.parametrize("file", ["/dev/null", "t.log", "./t.log"])
def test_file_that_can_be_written(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    writable.check([("--trace-file", file)])
    assert not list(tmp_path.iterdir())

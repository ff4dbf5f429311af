"""./run.sh debug: its options, GDB's command line, and a host without GDB."""

from __future__ import annotations

from pathlib import Path

import pytest

from fugu.commands import debug
from fugu.errors import UsageError
from fugu.run.parse import Run, parse


def attached(*words):
    return debug.attached(parse(words, debug.OPTIONS))


def test_nodes_to_attach_to():
    assert attached() == list(range(8))
    assert attached("-n", "32") == list(range(32))
    assert attached("-n", "64", "--attach", "60-63,0,5,61") == [0, 5, 60, 61, 62, 63]


def test_gdbs_arguments_come_last():
    run = parse(["--gdb-arg=-batch", "--gdb-arg", "-x", "--gdb-arg=f.gdb", "ring"], debug.OPTIONS)
    line = debug.gdb_line("gdb", ["ring.elf"], Path("/s"), run, [0, 2])
    assert line[0] == "gdb" and line[-3:] == ["-batch", "-x", "f.gdb"]
    assert "fugu connect /s 0,2" in line and "ring.elf" in line


def test_symbols_of_apps_are_added():
    """GDB starts with the kernel's symbols, and adds those of the apps."""
    line = debug.gdb_line("gdb", ["kernel.elf", "/a/one.elf", "/a b/two.elf"], Path("/s"), parse(["ring"]), [0])
    assert line[line.index("-x") - 1] == "kernel.elf"
    assert "fugu connect /s 0 /a/one.elf '/a b/two.elf'" in line


@pytest.mark.parametrize("options", [{"processes": 2}, {"join": "host:1"}])
def test_several_processes_are_refused(options, monkeypatch):
    monkeypatch.setattr(debug, "parse", lambda words, more: Run(dict(options)))
    with pytest.raises(UsageError, match="machine in one process"):
        debug.main([])


def test_one_process_is_accepted(monkeypatch):
    monkeypatch.setattr(debug, "parse", lambda words, more: Run({"processes": 1}))
    monkeypatch.setattr(debug.on_demand, "ensure", lambda tool: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        debug.main([])


def test_no_gdb_and_nothing_may_be_installed(launcher, fake, tmp_path):
    fake("env", "exit 1")           # makes the folder
    (tmp_path / "fakes" / "bash").symlink_to("/bin/bash")
    for tool in ("readlink", "dirname"):
        (tmp_path / "fakes" / tool).symlink_to(f"/usr/bin/{tool}")
    done = launcher("debug", "ring", PATH=str(tmp_path / "fakes"), FUGU_NO_APT="1", FUGU_PYTHON="/usr/bin/python3")
    assert done.returncode == 3
    assert "debugging takes gdb-multiarch" in done.stderr and "FUGU_NO_APT" in done.stderr

"""How run.sh's command line becomes QEMU's, with --dry-run and at the start itself."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess

import pytest

from fugu.build import fingerprint, settings
from fugu.options.table import KINDS
from fugu.paths import ROOT
from fugu.run import programs, qemu_command
from fugu.run.parse import parse

# Options of run.sh, and what they become in QEMU's -M.
MACHINE = {
    "-n 4": "nodes=4",
    "-n16": "nodes=16",
    "--nodes=1_000": "nodes=1000",
    "--quantum 32": "quantum=32",
    "--mesh 4x2": "nodes=8,mesh=4x2",
    "--mesh 2x2 -n 4": "nodes=4,mesh=2x2",
    "--mesh-base 100 --mesh-hop 3 --mesh-word 5": "mesh-base=100,mesh-hop=3,mesh-word=5",
    "--second-base 300 --second-hop 1 --second-word 9": "second-base=300,second-hop=1,second-word=9",
    "--quantum 128 --mesh-base 128": "quantum=128,mesh-base=128",
    "--input-queue 256 --source-space 32 --dma-word 0": "input-queue=256,source-space=32,dma-word=0",
    "--ni none": "network-interface=none",
    "--ni shrimp --packet-max 64 --incoming-word 3": "network-interface=shrimp,packet-max=64,incoming-word=3",
    "--ni shrimp --write-through 9": "network-interface=shrimp,write-through=9",
    "--ni m-machine --pin-cycles 9": "network-interface=m-machine,pin-cycles=9",
    "--ni fugu --atomicity soft": "network-interface=fugu,atomicity=soft",
    "--atomicity soft": "atomicity=soft",
    "--atomicity hard": "atomicity=hard",
    "--cache off": "cache=off",
    "--cache on --cache-size 16K --cache-miss 20": "cache=on,cache-size=16384,cache-miss=20",
    "--ram 16M": "node-ram=16777216",
    "--digest --label": "digest=on,label=on",
    "--timeout 500": "timeout=500",
    "--timeout 1_000_000": "timeout=1000000",
    "--timeout 10M": "timeout=10000000",
    "--timeout 2g": "timeout=2000000000",
    "--quantum 1K --mesh-base 1k --second-base 2K": "quantum=1000,mesh-base=1000,second-base=2000",
    "--mesh-hop 1K --mesh-word 1_000 --second-hop 1K --second-word 1K":
        "mesh-hop=1000,mesh-word=1000,second-hop=1000,second-word=1000",
    "--dma-word 1K --cache-miss 1K": "dma-word=1000,cache-miss=1000",
    "--ni shrimp --incoming-word 1K --write-through 1K": "network-interface=shrimp,incoming-word=1000,write-through=1000",
    "--ni m-machine --pin-cycles 1K": "network-interface=m-machine,pin-cycles=1000",
    "-n 4 -n 4": "nodes=4",
}


def test_kinds_of_network_interface_are_those_of_the_machine():
    folders = {path.name for path in (ROOT / "hw" / "ni").iterdir() if path.is_dir()}
    assert set(KINDS) == folders - {"system"}


@pytest.mark.parametrize("words", MACHINE)
def test_machine_options(words):
    line = qemu_command.command("qemu", "my.elf", parse([*shlex.split(words), "ring"]))
    given = line[line.index("-M") + 1].split(",")
    assert given[0] == "fugu" and given[-1] == "console=console"
    assert sorted(given[1:-1]) == sorted(MACHINE[words].split(","))


def test_defaults_are_not_passed():
    line = qemu_command.command("qemu", "my.elf", parse(["ring"]))
    at = line.index("-machine")
    assert line[at + 1].startswith("reporter=") and line[at + 1].endswith("tools/fugu/report my.elf")
    assert line[:at] + line[at + 2:] == [
        "qemu", "-M", "fugu,console=console", "-accel", "tcg,thread=single", "-nodefaults", "-no-user-config",
        "-display", "none", "-monitor", "none", "-serial", "none",
        "-chardev", "stdio,id=console,signal=on", "-kernel", "my.elf"]


def test_options_beside_the_machines(tmp_path):
    disk = tmp_path / "a,b.img"
    disk.write_bytes(bytes(512))
    run = parse(["--disk", f"3={disk}", "--trace", "fugu_ni_*", "--trace", "fugu_hub_*", "--trace-file", "t.log",
                 "--qemu-arg", "-S", "--qemu-arg=-gdb", "my.elf", "-n", "5"])
    line = qemu_command.command("qemu", "my.elf", run)
    assert run.args == ["-n", "5"]
    assert line[line.index("-append") + 1] == "-n 5"
    assert line[line.index("-drive") + 1] == f"if=none,id=disk3,format=raw,file={tmp_path}/a,,b.img"
    assert line[line.index("-trace"):] == ["-trace", "enable=fugu_ni_*", "-trace", "enable=fugu_hub_*",
                                           "-D", "t.log", "-S", "-gdb"]


def test_default_program_is_an_app(monkeypatch, tmp_path):
    """The default is an app if there is one, and a program for the bare machine if not."""
    monkeypatch.setattr(programs, "APPS", tmp_path)
    assert (parse([]).program, parse([]).jobs) == ("ring", [])
    (tmp_path / "pingpong").mkdir()
    (tmp_path / "pingpong" / "pingpong.c").touch()
    assert [job.words for job in parse([]).jobs] == ["pingpong"]


def test_dry_run_needs_nothing_built(launcher, elf, tmp_path):
    done = launcher("--dry-run", "-n", "2", elf, "3", "4")
    assert done.returncode == 0
    assert shlex.split(done.stdout)[-4:] == ["-kernel", str(elf), "-append", "3 4"]
    assert not (tmp_path / "cache").exists() and not (tmp_path / "build").exists()


# ---- the start: with a script in place of QEMU, recorded as up to date ----

@pytest.fixture
def shell_qemu(fake_qemu):
    """shell_qemu(script) makes run.sh take that shell script for QEMU."""
    return lambda script: fake_qemu(f"#!/bin/sh\n{script}\n")


@pytest.mark.parametrize("status", [0, 1, 42, 119, 124, 125, 126])
def test_status_is_qemus(status, shell_qemu, launcher, elf):
    shell_qemu(f"exit {status}")
    assert launcher(elf).returncode == status


def test_qemu_replaces_the_launcher(shell_qemu, elf):
    """QEMU has the pid of run.sh, so a signal to run.sh reaches QEMU."""
    shell_qemu("echo $$; exec sleep 60")
    child = subprocess.Popen([fingerprint.ROOT / "run.sh", elf], stdout=subprocess.PIPE, text=True)
    assert int(child.stdout.readline()) == child.pid
    child.send_signal(signal.SIGTERM)
    assert child.wait(10) == -signal.SIGTERM


def test_warm_start_loads_nothing_of_the_set_up(shell_qemu, elf):
    """This keeps the start fast; `./run.sh bench start` measures it."""
    shell_qemu("exit 0")
    done = subprocess.run(["/usr/bin/python3", "-S", "-E", "-X", "importtime",
                           fingerprint.ROOT / "tools" / "fugu", elf], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}
    assert "fugu.commands.run" in loaded
    for module in ("rich", "fugu.build.sources", "fugu.build.toolchain", "fugu.build.qemu", "fugu.build.apt",
                   "fugu.host.storage", "fugu.run.partition", "fugu.run.trace", "fugu.cli.help", "fugu.run.peers"):
        assert module not in loaded


def test_edit_makes_the_record_stale(shell_qemu, tmp_path, monkeypatch):
    qemu = shell_qemu("exit 0")
    context = settings.current().context()
    assert fingerprint.load(tmp_path / "build", "qemu", context) == {"qemu": str(qemu)}
    assert fingerprint.load(tmp_path / "build", "qemu", context | {"toolchain": "/other"}) is None
    real = fingerprint.inputs
    monkeypatch.setattr(fingerprint, "inputs", lambda part: [*real(part), ["hw/new.c", 1, 1]])
    assert fingerprint.load(tmp_path / "build", "qemu", context) is None
    monkeypatch.undo()
    qemu.unlink()
    assert fingerprint.load(tmp_path / "build", "qemu", context) is None


def test_qemu_that_does_not_start_is_reported(shell_qemu, launcher, elf):
    shell_qemu("exit 0").chmod(0o644)
    done = launcher(elf)
    assert done.returncode == 3
    assert "QEMU does not start" in done.stderr


def test_missing_python_is_reported(launcher):
    done = launcher("--version", FUGU_PYTHON="/nowhere/python3")
    assert done.returncode == 3
    assert "Python 3.11" in done.stderr and "FUGU_PYTHON" in done.stderr


def test_python_may_be_a_name(launcher):
    assert launcher("--version", FUGU_PYTHON="python3").returncode == 0


def test_run_sh_works_through_a_link(tmp_path):
    link = tmp_path / "go"
    link.symlink_to(fingerprint.ROOT / "run.sh")
    done = subprocess.run([link, "--version"], capture_output=True, text=True, cwd="/", env=os.environ)
    assert done.stdout.startswith("fugu ")

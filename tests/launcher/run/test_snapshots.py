"""What the launcher does with --save and --load."""

from __future__ import annotations

import hashlib
import json

import pytest

from fugu.errors import UsageError
from fugu.run import qemu_command
from fugu.run.parse import parse
from fugu.run.snapshot import MAGIC, VERSION

FIRST = MAGIC + str(VERSION).encode()
HEAD = {"cycle": 5000, "disks": {}, "disk-snapshot": "fugu-1", "program": {"args": "laps=3"},
        "parameters": {"nodes": 6, "mesh": "3x2", "quantum": 64, "atomicity": "soft", "cache": False,
                       "node-ram": 1 << 20}}


@pytest.fixture
def snapshot(tmp_path):
    """snapshot(**changes) -> the path of a snapshot whose head has these changes."""
    def write(**changes):
        path = tmp_path / "my.snap"
        path.write_bytes(FIRST + f"\n{json.dumps(HEAD | changes)}\n".encode() + b"QEVM...")
        return path
    return write


def command(*words):
    return qemu_command.command("qemu", "", parse([str(word) for word in words]))


def test_save_becomes_a_device():
    line = command("--save", "a,b.snap@500", "--save", "c@d.snap@10M", "ring")
    saves = [line[i + 1] for i, word in enumerate(line) if word == "-device"]
    assert saves == ["fugu-save,cycle=500,file=a,,b.snap", "fugu-save,cycle=10000000,file=c@d.snap"]


def test_load_takes_the_machine_from_the_file(snapshot):
    """The options of the machine come from the snapshot, and no program is passed."""
    file = snapshot()
    line = command("--load", file, "--digest", "--timeout", "9K", "--save", "next.snap@5001")
    options = line[line.index("-M") + 1].split(",")
    assert sorted(options) == sorted(["fugu", "nodes=6", "mesh=3x2", "atomicity=soft", "cache=off",
                                      "node-ram=1048576", "digest=on", "timeout=9000", "console=console",
                                      f"load={file}"])
    assert "-kernel" not in line and "-append" not in line
    assert line[line.index("-device") + 1] == "fugu-save,cycle=5001,file=next.snap"


def test_load_needs_the_disk(snapshot, tmp_path):
    disk = tmp_path / "disk.qcow2"
    file = snapshot(disks={"2": str(disk)})
    with pytest.raises(UsageError, match=f"the disk of node 2, {disk}, is not there"):
        command("--load", file)
    disk.write_bytes(b"QFI\xfb")
    assert f"if=none,id=disk2,format=qcow2,file={disk}" in command("--load", file)


@pytest.mark.parametrize("content, says", [
    (b"", "is not a snapshot"),
    (FIRST, "damaged or cut short"),
    (FIRST + b"\n", "damaged or cut short"),
    (FIRST + b"\n{\"cycle\": 5}\n", "damaged or cut short"),
    (FIRST + b"\n[]\n", "damaged or cut short"),
    (FIRST + b"\n{\"cycle\": 5", "damaged or cut short"),
    (MAGIC + b"1\n{}\n", f"the snapshot has version 1, but version {VERSION}"),
    (MAGIC + b"99\n{}\n", f"the snapshot has version 99, but version {VERSION}"),
])
def test_bad_head_is_refused(tmp_path, content, says):
    file = tmp_path / "my.snap"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=says):
        command("--load", file)


def test_save_before_the_start_is_refused(snapshot):
    with pytest.raises(UsageError, match="begins at cycle 5000"):
        command("--load", snapshot(), "--save", "next.snap@5000")


def test_raw_disk_is_refused(tmp_path):
    disk = tmp_path / "my.img"
    disk.write_bytes(bytes(512))
    with pytest.raises(UsageError, match=f"qemu-img convert -O qcow2 {disk} {disk}.qcow2"):
        command("--disk", f"0={disk}", "--save", "my.snap@5")


def test_snapshot_may_be_overwritten(snapshot):
    command("--save", f"{snapshot()}@5")


def test_changed_program_is_noted(snapshot, tmp_path, capfd):
    """A note is printed, as the snapshot itself holds the program."""
    program = tmp_path / "my.elf"
    program.write_bytes(b"old")
    about = {"file": str(program), "sha256": hashlib.sha256(b"old").hexdigest(), "args": ""}
    command("--load", snapshot(program=about))
    assert capfd.readouterr().err == ""
    program.write_bytes(b"new")
    command("--load", snapshot(program=about))
    assert capfd.readouterr().err.startswith(f"fugu: note: {program} has changed since")
    program.unlink()
    command("--load", snapshot(program=about))
    assert capfd.readouterr().err == ""

"""What the launcher does with --save and --load."""

from __future__ import annotations

import builtins
import hashlib
import json
import os
import random
import re
import shlex
import time

import heads
import pytest

from fugu.errors import UsageError
from fugu.paths import ROOT
from fugu.run import qemu_command
from fugu.run.parse import parse
from fugu.run.snapshot import CYCLES_MAX, MAGIC, SAVED, SHOWN, VERSION, read_head, shown

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


def test_load_needs_the_users_own_disk(snapshot, tmp_path):
    """Loading changes the disk, so its file is never the one that the snapshot names."""
    disk = tmp_path / "disk.qcow2"
    disk.write_bytes(b"QFI\xfb")
    file = snapshot(disks={"2": str(disk)})
    with pytest.raises(UsageError, match=f"node 2 has a disk.*\nName its file, which was: --disk 2={disk}"):
        command("--load", file)
    assert f"if=none,id=disk2,format=qcow2,file={disk}" in command("--load", file, "--disk", f"2={disk}")
    with pytest.raises(UsageError, match="node 1 had no disk"):
        command("--load", file, "--disk", f"2={disk}", "--disk", f"1={disk}")
    with pytest.raises(UsageError, match="there is no such file"):
        command("--load", file, "--disk", f"2={disk}2")


def test_what_a_snapshot_decides_is_what_the_machine_compares():
    source = (ROOT / "hw" / "snapshot" / "parameters.c").read_text()
    listed = re.search(r"parameters\[\] = \{(.*?)\};", source, re.DOTALL)
    assert listed
    assert set(re.findall(r'"([\w-]+)"', listed[1])) == SAVED.keys()


DEEP = b'{"cycle": 5, "disks": ' + b"[" * 20_000 + b"]" * 20_000 + b"}"


@pytest.mark.parametrize("content, says", [
    (b"", "is not a snapshot"),
    (FIRST, "damaged or cut short"),
    (FIRST + b"\n", "damaged or cut short"),
    (FIRST + b"\n{\"cycle\": 5}\n", "damaged: its head has no right 'program'"),
    (FIRST + b"\n[]\n", "damaged: its head has no right 'program'"),
    (FIRST + b"\n" + DEEP, "damaged or cut short"),
    (FIRST + b"\n\xff\xfe{\0}\0\n", "damaged or cut short"),
    (MAGIC + b"\x1b[2J\n", "version '.x1b.2J', but"),
    (FIRST + b"\n{\"cycle\": 5", "damaged or cut short"),
    (MAGIC + b"1\n{}\n", f"the snapshot has version 1, but version {VERSION}"),
    (MAGIC + b"99\n{}\n", f"the snapshot has version 99, but version {VERSION}"),
])
def test_bad_head_is_refused(tmp_path, content, says):
    file = tmp_path / "my.snap"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=says):
        command("--load", file)


# Entries of a head that no machine writes, and what the message says.
HOSTILE = [
    ({"parameters": {"digest": "on,output=here"}}, "a machine with digest=on,output=here"),
    ({"parameters": {"output": "here"}}, "a machine with output=here"),
    ({"parameters": {"console": "x"}}, "a machine with console=x"),
    ({"parameters": {"reporter": "touch here"}}, "a machine with reporter=touch here"),
    ({"parameters": {"": 1}}, "a machine with =1"),
    ({"parameters": {"network-interface": "other"}}, "network-interface=other: must be fugu, m-machine, none or shrimp"),
    ({"parameters": {"network-interface": "none", "atomicity": "soft"}}, "--atomicity is an option of --ni fugu"),
    ({"parameters": {"atomicity": "soft,output=here"}}, "atomicity=soft,output=here: must be hard or soft"),
    ({"parameters": {"mesh": "3x2,output=here"}}, "must be WIDTHxHEIGHT"),
    ({"parameters": {"mesh": "\u0663x2"}}, "a snapshot has it as"),
    ({"parameters": {"mesh": "03x2"}}, "a snapshot has it as"),
    ({"parameters": {"nodes": "\u0663"}}, "a snapshot has it as 3"),
    ({"parameters": {"nodes": "6"}}, "a snapshot has it as 6"),
    ({"parameters": {"nodes": 6.0}}, "must be a whole number"),
    ({"parameters": {"nodes": True}}, "must be a whole number"),
    ({"parameters": {"nodes": -1}}, "must be a whole number"),
    ({"parameters": {"nodes": [6]}}, "must be a whole number"),
    ({"parameters": {"nodes": {}}}, "must be a whole number"),
    ({"parameters": {"nodes": None}}, "must be a whole number"),
    ({"parameters": {"cache": 1}}, "must be on or off"),
    ({"parameters": {"cache": "off"}}, "a snapshot has it as False"),
    ({"parameters": {"nodes": 6, "mesh": "3x3"}}, "--nodes is 6"),
    ({"parameters": {"quantum": 65}}, "the quantum"),
    ({"parameters": {"cache": False, "cache-miss": 3}}, "contradict"),
    ({"parameters": []}, "no right 'parameters'"),
    ({"cycle": 1e999}, "no right 'cycle'"),
    ({"cycle": 5.0}, "no right 'cycle'"),
    ({"cycle": "5"}, "no right 'cycle'"),
    ({"cycle": True}, "no right 'cycle'"),
    ({"cycle": -5}, "its cycle is -5"),
    ({"cycle": 10 ** 4000}, "its cycle is 1000"),
    ({"program": "x"}, "no right 'program'"),
    ({"program": {"file": 3}}, "no right 'file'"),
    ({"program": {"file": "/a\0b", "sha256": ""}}, "its file is"),
    ({"program": {"file": "/a\ud800b", "sha256": ""}}, "its file is"),
    ({"program": {"file": "--eval-command=shell", "sha256": ""}}, "no whole path"),
    ({"program": {"file": "/a", "sha256": 5}}, "no right 'sha256'"),
    ({"disks": {"": "/a"}}, "is no number of a node"),
    ({"disks": {"\u0663": "/a"}}, "is no number of a node"),
    ({"disks": {"-1": "/a"}}, "is no number of a node"),
    ({"disks": {"1": 5}}, "no right '1'"),
    ({"disks": {"1": "/a\x1b[2Jb"}}, "--disk 1='/a.x1b.2Jb'"),
    ({"disks": {"7": "/a"}}, "node 7 has a disk"),
]


@pytest.mark.parametrize("changes, says", HOSTILE)
def test_hostile_head_is_refused(snapshot, changes, says):
    """The check sum of such a file is right. One message, which a terminal can show, and nothing is started."""
    file = snapshot(**changes)
    with pytest.raises(UsageError, match=re.escape(says).replace(r"\.", ".")) as error:
        command("--load", file)
    assert str(error.value).startswith(f"--load {file}: ")
    assert str(error.value).replace("\n", "").isprintable()


def reporter(line):
    """The words of the command that QEMU runs for a report on the nodes."""
    [command] = [word for word in line if word.startswith("reporter=")]
    return shlex.split(command)


def test_nothing_opens_the_program_that_a_snapshot_names(snapshot, tmp_path, monkeypatch, capfd):
    """Neither the launcher nor the command for reports: the user has not asked for it."""
    program = tmp_path / "my.elf"
    program.write_bytes(b"new")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "link.elf").symlink_to(program)
    monkeypatch.setenv("FUGU_BUILD", str(tmp_path / "build"))
    opened, opens = [], builtins.open
    monkeypatch.setattr("builtins.open", lambda file, *words, **more: (opened.append(file), opens(file, *words, **more))[1])
    file = snapshot(program={})
    for named in (program, tmp_path / "build" / "link.elf", tmp_path / "build" / ".." / "my.elf"):
        snapshot(program={"file": str(named), "sha256": hashlib.sha256(b"old").hexdigest(), "args": ""})
        opened.clear()
        assert reporter(command("--load", file))[-1] == ""
        assert {str(one) for one in opened} == {str(file)}
    assert capfd.readouterr().err == ""


def test_report_takes_names_from_a_file_of_the_build_directory(snapshot, tmp_path, monkeypatch):
    built, pipe = tmp_path / "build" / "kernel.elf", tmp_path / "build" / "pipe"
    built.parent.mkdir()
    built.touch()
    os.mkfifo(pipe)
    monkeypatch.setenv("FUGU_BUILD", str(tmp_path / "build"))
    for named, used in ((built, str(built)), (pipe, ""), (tmp_path / "build" / "gone", "")):
        file = snapshot(program={"file": str(named), "sha256": "", "args": ""})
        assert reporter(command("--load", file))[-1] == used


def test_a_random_head_gives_a_machine_or_a_message(tmp_path):
    heads.check(tmp_path / "my.snap", seed=1, times=3000)


@pytest.mark.long
@pytest.mark.fuzzes
def test_random_heads_give_machines_or_messages(request, tmp_path):
    end, seed = time.monotonic() + request.config.getoption("--fuzz-time"), random.randrange(1 << 32)
    while time.monotonic() < end:
        seed += 1
        heads.check(tmp_path / "my.snap", seed, 1000)


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


# ---- each entry of the head, and its limits ----------------------------------------

@pytest.mark.parametrize("name", ["program", "disks", "cycle", "parameters"])
@pytest.mark.parametrize("value", ["absent", None, "text", 1.5, True, []])
def test_each_entry_of_the_head_has_its_type(name, value, snapshot):
    """Whatever the others say: one test for each, as the first wrong one ends the look at the head."""
    file = snapshot(**{name: value})
    if value == "absent":
        head = {key: entry for key, entry in HEAD.items() if key != name}
        file.write_bytes(FIRST + f"\n{json.dumps(head)}\n".encode() + b"QEVM...")
    with pytest.raises(UsageError, match=f"the file is damaged: its head has no right '{name}'"):
        command("--load", file)


@pytest.mark.parametrize("name", ["file", "sha256", "args"])
def test_each_entry_of_the_program_is_text(name, snapshot):
    for value, said in ((5, f"no right '{name}'"), ("/a\0b", f"its {name} is "), ("/\ud800", f"its {name} is ")):
        with pytest.raises(UsageError, match=said):
            command("--load", snapshot(program={name: value}))
    command("--load", snapshot(program={name: "/text \ue000"}))


@pytest.mark.parametrize("cycle, right", [(-1, False), (0, True), (CYCLES_MAX, True), (CYCLES_MAX + 1, False)])
def test_limits_of_the_cycle(cycle, right, snapshot):
    if right:
        assert read_head(str(snapshot(cycle=cycle))).cycle == cycle
    else:
        with pytest.raises(UsageError, match=f"the file is damaged: its cycle is {cycle}"):
            read_head(str(snapshot(cycle=cycle)))


@pytest.mark.parametrize("node, right", [("0", True), ("9", True), ("999999", True), ("1000000", False), ("00", False),
                                         ("01", False), ("-1", False), ("", False), ("1 ", False)])
def test_numbers_of_nodes(node, right, snapshot):
    if right:
        assert read_head(str(snapshot(disks={node: "/d"}))).disks == {int(node): "/d"}
    else:
        with pytest.raises(UsageError, match="is no number of a node"):
            read_head(str(snapshot(disks={node: "/d"})))


def test_values_of_a_file_are_shown_on_one_short_line():
    assert shown("x" * SHOWN) == "x" * SHOWN
    assert shown("x" * (SHOWN + 1)) == "x" * SHOWN + "..."
    assert shown("a\nb\x1b") == r"'a\nb\x1b'" and shown("\xe9") == r"'\xe9'"

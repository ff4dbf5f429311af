"""A command line that makes no sense ends with a message and status 2, and starts nothing."""

from __future__ import annotations

import re
from itertools import product

import pytest

from fugu import bench, paper
from fugu.cli.command_table import COMMANDS
from fugu.cli.main import _dispatch
from fugu.commands._measurements import Measurements
from fugu.paths import ROOT

# The words, and parts of the message.
BAD = {
    "unknown option": (["--nodez", "4"], ["no option --nodez", "Did you mean --nodes?"]),
    "unknown short option": (["-x"], ["no option -x"]),
    "unknown option without a neighbour": (["--zzz"], ["no option --zzz.", "--help lists"]),
    "option without its value": (["--quantum"], ["--quantum needs a value: --quantum CYCLES"]),
    "flag with a value": (["--digest=yes"], ["--digest takes no value", "'yes'"]),
    "nodes: none": (["-n", "0"], ["-n 0", "1 to 1024"]),
    "nodes: too many": (["--nodes=1025"], ["--nodes 1025", "1 to 1024"]),
    "nodes: no number": (["-n", "four"], ["-n four", "whole number"]),
    "nodes: negative": (["-n", "-1"], ["-n -1", "1 to 1024"]),
    "quantum: zero": (["--quantum", "0"], ["whole number of cycles from 1"]),
    "quantum: more than there can be": (["--quantum", "99G"], ["--quantum 99G", "cycles from 1 to", "powers of ten"]),
    "quantum: a suffix of its own": (["--quantum", "1T"], ["--quantum 1T", "whole number of cycles"]),
    "nodes: no cycles": (["-n", "1K"], ["-n 1K", "whole number"]),
    "quantum: beyond the mesh's latency": (["--quantum", "65"], ["--mesh-base: 64", "--quantum 64 or less"]),
    "quantum: beyond the second network's": (["--second-base", "32"], ["--second-base: 32", "--quantum 32 or less"]),
    "mesh: no shape": (["--mesh", "4"], ["--mesh 4", "WIDTHxHEIGHT"]),
    "mesh: no width": (["--mesh", "0x4"], ["WIDTHxHEIGHT"]),
    "mesh: against the nodes": (["--mesh", "3x3", "-n", "8"], ["9 places", "--nodes is 8", "4x2"]),
    "mesh: too many": (["--mesh", "64x64"], ["--nodes 4096", "1 to 1024"]),
    "mesh: a word for nothing": (["--mesh-word", "0"], ["cycles from 1"]),
    "interface: no such kind": (["--ni", "shrump"], ["--ni shrump: must be fugu, m-machine, none or shrimp"]),
    "interface: packets of another kind": (["--packet-max", "64", "ring"], ["--packet-max is an option of --ni shrimp"]),
    "interface: the pace of another kind": (["--ni=none", "--incoming-word=2", "hello"], ["--incoming-word is an option of"]),
    "interface: the bus of another kind": (["--write-through=2", "hello"], ["--write-through is an option of --ni shrimp"]),
    "interface: the pins of another kind": (["--pin-cycles=2", "hello"], ["--pin-cycles is an option of --ni m-machine"]),
    "interface: a packet that is too large": (["--ni=shrimp", "--packet-max", "504"], ["a multiple of 8 from 8 to 496"]),
    "interface: a packet of half a word": (["--ni=shrimp", "--packet-max", "12"], ["a multiple of 8 from 8 to 496"]),
    "interface: no queue of words": (["--ni=shrimp", "--input-queue", "64"], ["--input-queue is an option of --ni fugu"]),
    "interface: without atomicity": (["--ni", "none", "--atomicity", "hard", "ring"],
                                     ["--atomicity is an option of --ni fugu, but the machine has --ni none"]),
    "interface: without the input queue": (["--ni=none", "--input-queue", "128", "ring"], ["--input-queue is an option of"]),
    "interface: without source space": (["--ni=none", "--source-space", "64", "ring"], ["--source-space is an option of"]),
    "interface: without the first network's base": (["--ni=none", "--mesh-base", "64", "hello"],
                                                    ["--mesh-base is an option of --ni fugu"]),
    "interface: without its hops": (["--ni=none", "--mesh-hop", "2", "hello"], ["--mesh-hop is an option of --ni fugu"]),
    "interface: without its words": (["--ni=none", "--mesh-word", "4", "hello"], ["--mesh-word is an option of --ni fugu"]),
    "interface: quantum beyond the one network's": (["--ni=none", "--quantum", "257", "hello"],
                                                    ["--second-base: 256", "--quantum 256 or less"]),
    "interface: without DMA": (["--ni=none", "--dma-word", "1", "ring"], ["--dma-word is an option of --ni fugu"]),
    "interface: without buffers": (["--ni=none", "--buffer-latency", "5", "hello"], ["--buffer-latency is an option of"]),
    "interface: without a timeout": (["--ni=none", "--atomicity-timeout", "9", "hello"], ["--atomicity-timeout is an option"]),
    "interface: without shared memory": (["--ni=none", "--shm-order", "keep", "hello"], ["--shm-order is an option of"]),
    "interface: without an order": (["--ni=none", "--check", "order", "hello"],
                                   ["--check order is about shared memory, which --ni none does not have"]),
    "interface: without busy flags": (["--ni=none", "--shm-visits", "off", "hello"], ["--shm-visits is an option of"]),
    "interface: pages of another kind": (["--shrimp-paging", "pin", "hello"],
                                         ["--shrimp-paging is an option of --ni shrimp, but the machine has --ni fugu"]),
    "interface: no such paging": (["--ni=shrimp", "--shrimp-paging", "shoot", "maps"],
                                  ["--shrimp-paging shoot: must be pin or shoot-down"]),
    "cache: neither on nor off": (["--cache", "yes"], ["must be on or off"]),
    "cache: off, with a size": (["--cache", "off", "--cache-size", "4K"], ["--cache off and --cache-size contradict"]),
    "cache: off, with a cost": (["--cache", "off", "--cache-miss", "3"], ["--cache off and --cache-miss contradict"]),
    "cache size: no power of two": (["--cache-size", "5K"], ["a power of two from 4K to 1M"]),
    "cache size: too small": (["--cache-size", "2K"], ["from 4K to 1M"]),
    "cache size: too large": (["--cache-size", "2M"], ["from 4K to 1M"]),
    "memory: too much": (["--ram", "2G"], ["from 64K to 1G"]),
    "memory: uneven": (["--ram", "66K"], ["a multiple of 4K"]),
    "timeout: zero": (["--timeout", "0"], ["number of cycles such as"]),
    "timeout: beyond the end of time": (["--timeout", "144115189G"], ["--timeout 144115189G", "number of cycles"]),
    "timeout: unknown suffix": (["--timeout", "10T"], ["--timeout 10T", "10M or 2G"]),
    "twice, differently": (["-n", "4", "--nodes", "8"], ["--nodes is given twice"]),
    "disk: no node": (["--disk", "d.img"], ["NODE=FILE"]),
    "disk: no such node": (["-n", "2", "--disk", "2=d.img"], ["there is no node 2", "0 to 1"]),
    "disk: no such file": (["--disk", "0=/nowhere/d.img"], ["no such file", "truncate -s"]),
    "save: no cycle": (["--save", "my.snap"], ["--save my.snap", "FILE@CYCLE"]),
    "save: no file": (["--save", "@500"], ["FILE@CYCLE"]),
    "save: no number": (["--save", "my.snap@half"], ["FILE@CYCLE, such as my.snap@500K"]),
    "save: no such directory": (["--save", "/nowhere/my.snap@5"], ["there is no directory /nowhere"]),
    "save: twice": (["--save", "my.snap@5", "--save=./my.snap@6"], ["my.snap is given twice"]),
    "save: no snapshot of ours": (["--save", "/etc/passwd@5"], ["is not a snapshot, so it is not overwritten"]),
    "save: a device": (["--save", "/dev/null@5"], ["is not a snapshot, so it is not overwritten"]),
    "save: before the first cycle": (["--save", "my.snap@0"], ["at cycle 0 nothing has run yet", "first cycle is 1"]),
    "load: no such file": (["--load", "/nowhere/my.snap"], ["--load /nowhere/my.snap", "No such file"]),
    "load: a directory": (["--load", "/tmp"], ["--load /tmp", "directory"]),
    "load: no snapshot": (["--load", "/etc/passwd"], ["is not a snapshot; --save makes one"]),
    "load: with options of the machine": (["--load", "my.snap", "-n", "4", "--cache=off"],
                                          ["takes machine, program and arguments from my.snap",
                                           "Leave out: --nodes --cache"]),
    "load: with a program": (["--load", "my.snap", "ring", "laps=3"], ["Leave out: ring laps=3"]),
    "trace: empty": (["--trace", ""], ["must not be empty"]),
    "trace: no event": (["--trace", "fugu_ni_lanch"], ["no trace event fugu_ni_lanch", "nearest: fugu_ni_launch,",
                                                       "./run.sh trace lists"]),
    "trace: no events": (["--trace", "fugu_ni_x*"], ["no trace event matches fugu_ni_x*", "fugu_ni_"]),
    "trace: no list": (["--trace", "help"], ["./run.sh trace lists"]),
    "trace: lists nothing": (["trace", "fugu_x*"], ["no trace event of the machine matches fugu_x*", "fugu_ni_launch"]),
    "program: no such name": (["rinng"], ["no app, no guest program and no command 'rinng'", "give its path"]),
    "program: nearly a command": (["tset"], ["no command 'tset'", "Did you mean the command test?"]),
    "program: a command after options": (["-n", "2", "tset"], ["no command 'tset'"]),
    "program: no such file": (["./none.elf"], ["there is no file ./none.elf"]),
    "program: no ELF file": (["/etc/passwd"], ["is not an ELF file"]),
    "program: for another machine": (["/bin/sh"], ["not for 32-bit SPARC"]),
    "program: a directory": (["/tmp/"], ["cannot be read"]),
    "program: too long arguments": (["--dry-run", "ring", "x" * 4080], ["4080 bytes", "4079"]),
    "jobs: none before the +": (["+", "ring"], ["+ joins two jobs", "./run.sh pingpong 10 + null"]),
    "jobs: none after the +": (["ring", "5", "+"], ["+ joins two jobs"]),
    "jobs: none between two +": (["ring", "+", "+", "ring"], ["+ joins two jobs"]),
    "jobs: on the bare machine": (["ring", "laps=3", "+", "whoami"],
                                  ["ring runs on the bare machine, so nothing can run beside it", "Leave out the other job;"]),
    "jobs: many on the bare machine": (["ring", "+", "whoami", "+", "ring"], ["Leave out the other jobs;"]),
    "jobs: no such app": (["rinng", "+", "ring"], ["no app, no guest program and no command 'rinng'"]),
    "jobs: no such file": (["./none.elf", "+", "ring"], ["there is no file ./none.elf"]),
    "input: for the bare machine": (["--input", "README.md", "ring"], ["--input is for apps, and ring runs on the"]),
    "input: no such program": (["--input", "README.md", "./none.elf"], ["there is no file ./none.elf"]),
    "input: no such name": (["--input", "README.md", "rinng"], ["no command 'rinng'"]),
    "input: no name": (["--input", "=f", "ring"], ["--input =f", "FILE or NAME=FILE"]),
    "input: a directory's name": (["--input", "/tmp/", "ring"], ["--input /tmp/", "FILE or NAME=FILE"]),
    "apps: no such app": (["apps", "nonesuch"], ["there is no app nonesuch"]),
    "processes: none": (["--processes", "0"], ["--processes 0", "from 1 to 64"]),
    "processes: too many": (["-n", "100", "--processes", "65"], ["from 1 to 64"]),
    "processes: more than nodes": (["-n", "4", "--processes", "5"], ["only 4 nodes", "--processes 4 or less"]),
    "atomicity: unknown": (["--atomicity", "none"], ["--atomicity none", "hard or soft"]),
    "skew: more than a slot": (["--skew", "101"], ["--skew 101", "percent from 0 to 100"]),
    "skew: a share": (["--skew", "0.4"], ["whole number of percent"]),
    "skew: for the bare machine": (["--skew", "5", "ring"], ["--skew is for apps, and ring runs on the bare machine"]),
    "buffer-latency: too much": (["--buffer-latency", "1000001"], ["--buffer-latency 1000001", "from 0 to 1000000"]),
    "seed: no number": (["--seed", "x"], ["--seed x", "from 0 to 4294967295"]),
    "transport: unknown": (["--processes", "2", "--transport", "udp"], ["shm, unix or tcp"]),
    "transport: for nothing": (["--transport", "tcp"], ["--transport is for several processes", "needs --processes"]),
    "link timeout: for nothing": (["--link-timeout", "3"], ["needs --processes"]),
    "link timeout: none": (["--processes", "2", "--link-timeout", "0"], ["number of seconds from 0.1"]),
    "link timeout: no number": (["--processes", "2", "--link-timeout", "1s"], ["number of seconds from 0.1"]),
    "secret: for nothing": (["--secret-file", "s"], ["--secret-file is for several processes"]),
    "secret: without TCP": (["--processes", "2", "--secret-file", "s"], ["is for TCP"]),
    "secret: no such file": (["--processes", "2", "--transport", "tcp", "--secret-file", "/nowhere/s"],
                             ["no such file", "Make one:", "/nowhere/s"]),
    "secret: a directory": (["--processes", "2", "--transport", "tcp", "--secret-file", "/tmp"], ["cannot be read"]),
    "listen: without hosts": (["--processes", "2", "--listen", "0.0.0.0"], ["it needs --hosts"]),
    "listen: no address": (["--listen", "::1:80"], ["HOST or HOST:PORT", "in brackets"]),
    "listen: no port": (["--listen", "h:65536"], ["the port must be 0 to 65535"]),
    "hosts: nothing": (["--hosts", "a,,b"], ["NAME[:PROCESSES],"]),
    "hosts: no process": (["--hosts", "a:0,b"], ["one process or more each"]),
    "hosts: options in a name": (["--hosts", "a,b=c"], ["NAME[:PROCESSES],"]),
    "hosts: this one alone": (["--hosts", "a:3"], ["this host alone", "--processes 3"]),
    "hosts: another sum": (["--hosts", "a:2,b", "--processes", "4"], ["asks for 3 processes", "--processes is 4"]),
    "hosts: too many": (["-n", "100", "--hosts", "a:60,b:5"], ["asks for 65 processes", "can be 64"]),
    "hosts: not by TCP": (["--hosts", "a,b", "--transport", "shm"], ["--transport shm contradicts"]),
    "hosts: no secret": (["--hosts", "a,b"], ["needs --secret-file FILE", "umask 077", "fugu.secret"]),
    "hosts: and a process": (["--hosts", "a,b", "--process", "1"], ["--process is for --join"]),
    "join: nowhere": (["--join", "a"], ["must be HOST:PORT"]),
    "join: no port": (["--join", "a:0"], ["the port must be 1 to 65535"]),
    "join: as whom": (["--join", "a:1", "--processes", "4"], ["needs --process I[-J]", "prints the whole command"]),
    "join: of how many": (["--join", "a:1", "--process", "1"], ["needs --processes P"]),
    "join: as the first": (["--join", "a:1", "--process", "0", "--processes", "2"], ["--process 0 is the one that is"]),
    "join: beyond the last": (["--join", "a:1", "--process", "1-2", "--processes", "2"], ["they are 0 to 1"]),
    "join: backwards": (["--join", "a:1", "--process", "3-1", "--processes", "4"], ["such as 1 or 2-3"]),
    "join: not by TCP": (["--join", "a:1", "--transport", "unix"], ["--transport unix contradicts"]),
    "join: no secret": (["--join", "a:1", "--process", "1", "--processes", "2"], ["--join needs --secret-file"]),
    "join: and hosts": (["--join", "a:1", "--hosts", "a,b"], ["--hosts is for the host that others join"]),
    "join: and listen": (["--join", "a:1", "--listen", "a"], ["--listen is for the host that others join"]),
    "process: without join": (["--processes", "2", "--process", "1"], ["it needs --join"]),
    "a command that is to come": (["snapshot"], ["no command snapshot yet", "apps, cc, certify, anl, setup, debug"]),
    "cc: nothing": (["cc"], ["cc needs something to compile"]),
    "setup: unknown option": (["setup", "--tool-chain", "x"],
                              ["Did you mean --toolchain?", "It takes: --qemu-source, --toolchain, --forget, --key.\n"]),
    "setup: no directory": (["setup", "--toolchain"], ["needs a directory"]),
    "debug: unknown option": (["debug", "--atach", "1"], ["no option --atach", "Did you mean --attach?"]),
    "debug: too many nodes": (["debug", "-n", "33", "ring"], ["33 nodes; up to 32 work", "--attach 0-31, or --attach 0,5,32"]),
    "debug: no numbers": (["debug", "--attach", "all"], ["--attach all", "such as 0,5,60-63"]),
    "debug: backwards": (["debug", "--attach", "5-3"], ["such as 0,5,60-63"]),
    "debug: no such node": (["debug", "-n", "4", "--attach", "0-4"], ["there is no node 4", "0 to 3"]),
    "debug: not started": (["debug", "--dry-run"], ["debug and --dry-run contradict"]),
    "debug: no input": (["debug", "--stdin", "/no/such/file", "hello"], ["--stdin /no/such/file: No such file or dir"]),
    "debug's option without debug": (["--attach", "1"], ["no option --attach"]),
    "paper: no such table": (["paper", "table3"], ["no table or figure table3", "Did you mean", "table4, table5"]),
    "bench: no such benchmark": (["bench", "nonesuch"], ["no benchmark nonesuch"]),
    "completion: no shell": (["completion"], ["./run.sh completion bash"]),
    "completion: another shell": (["completion", "fish"], ["./run.sh completion bash"]),
    "man: of a word": (["man", "cc"], ["man takes no words"]),
    "clean: unknown option": (["clean", "--cach"], ["Did you mean --cache?"]),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_command_line_is_refused(name, launcher):
    words, wanted = BAD[name]
    done = launcher(*words)
    assert done.returncode == 2, done.stderr
    for text in wanted:
        assert text in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_second_disk_of_a_node_is_refused(launcher, tmp_path):
    disk = tmp_path / "d.img"
    disk.write_bytes(bytes(512))
    done = launcher("--disk", f"0={disk}", "--disk", f"0={disk}")
    assert done.returncode == 2
    assert "was given two" in done.stderr


def test_nearest_program_is_suggested_first(launcher, tmp_path):
    folder = tmp_path / "build" / "tests" / "guest"
    folder.mkdir(parents=True)
    for name in ("whoami", "ring", "spin"):
        (folder / f"{name}.elf").touch()
    done = launcher("--dry-run", "rign")
    assert done.returncode == 2
    assert "nearest first: ring, " in done.stderr


@pytest.mark.parametrize("more, end", [(0, "."), (1, "."), (2, ", and 2 more: ./run.sh apps")])
def test_eight_names_are_shown_or_nine_if_these_are_all(monkeypatch, more, end):
    from fugu.run import programs
    monkeypatch.setattr(programs, "apps", lambda: [f"close{at}" for at in range(8)])
    monkeypatch.setattr(programs, "built", lambda: ["zzz", "yyy"][:more])
    shown = [f"close{at}" for at in range(8)] + ["zzz"] * (more == 1)
    assert f"\nThere are, nearest first: {', '.join(shown)}{end}\n" in str(programs.unknown("close"))


def test_help_names_every_option_and_command(launcher):
    from fugu.options.table import BY_NAME

    done = launcher("--help")
    assert done.returncode == 0
    for name in [*BY_NAME, *COMMANDS]:
        assert name in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_help_says_which_options_only_some_kinds_have(launcher):
    from fugu.options.table import KINDS, OPTIONS

    text = " ".join(launcher("--help").stdout.split())
    entries = re.split(r" (?=--?[a-z])(?!--ni fugu\))", text.partition("Mesh (in cycles)")[2])
    assert {entry.split()[0] for entry in entries if "only with --ni fugu" in entry} == \
        {option.names[0] for option in OPTIONS if option.kinds == ("fugu",) != KINDS}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command, launcher):
    done = launcher(command, "--help")
    assert done.returncode == 0
    assert f"./run.sh {command}" in done.stdout


@pytest.mark.parametrize("command, package", [("bench", bench), ("paper", paper)])
def test_every_part_has_help(command, package, monkeypatch, capsys):
    """Nothing is built for it."""
    monkeypatch.setattr(f"fugu.commands.{command}._prepare", lambda: pytest.fail("something was prepared"))
    names = Measurements(package, "").names()
    assert len(names) > 5
    for name, option in product(names, ("-h", "--help")):
        with pytest.raises(SystemExit) as ended:
            _dispatch([command, name, option])
        assert ended.value.code == 0
        assert capsys.readouterr().out.startswith(f"usage: ./run.sh {command} {name} ")


def test_help_of_a_part_that_does_not_exist(launcher):
    done = launcher("bench", "nack", "--help")
    assert done.returncode == 2 and "there is no benchmark nack. Did you mean back?" in done.stderr


def test_version_is_printed(launcher):
    from fugu import VERSION

    assert launcher("--version").stdout == f"fugu {VERSION}\n"


def test_help_after_the_program_is_its_argument(launcher, elf):
    done = launcher("--dry-run", elf, "--help")
    assert "-append --help" in done.stdout


def test_help_has_each_option_of_a_table():
    """Of commands whose options do not come from their page."""
    from fugu.cli.help import options_of
    from fugu.commands import debug

    explained = {name for name, _ in options_of("debug")}
    assert [option.names for option in debug.OPTIONS if not explained & set(option.names)] == []
    added = re.findall(r'addoption\("(--[\w-]+)"', (ROOT / "tests" / "conftest.py").read_text())
    assert len(added) > 2 and set(added) <= {name for name, _ in options_of("test")}

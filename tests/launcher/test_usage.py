"""Command lines that make no sense: message and status 2, nothing started."""

from __future__ import annotations

import pytest

# The words, and what the message has to say.
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
    "quantum: beyond the mesh's latency": (["--quantum", "65"], ["--mesh-base: 64", "--quantum 64 or less"]),
    "quantum: beyond the second network's": (["--second-base", "32"], ["--second-base: 32", "--quantum 32 or less"]),
    "mesh: no shape": (["--mesh", "4"], ["--mesh 4", "WIDTHxHEIGHT"]),
    "mesh: no width": (["--mesh", "0x4"], ["WIDTHxHEIGHT"]),
    "mesh: against the nodes": (["--mesh", "3x3", "-n", "8"], ["9 places", "--nodes is 8", "4x2"]),
    "mesh: too many": (["--mesh", "64x64"], ["--nodes 4096", "1 to 1024"]),
    "mesh: a word for nothing": (["--mesh-word", "0"], ["cycles from 1"]),
    "cache: neither on nor off": (["--cache", "yes"], ["must be on or off"]),
    "cache: off, with a size": (["--cache", "off", "--cache-size", "4K"], ["--cache off and --cache-size contradict"]),
    "cache: off, with a cost": (["--cache", "off", "--cache-miss", "3"], ["--cache off and --cache-miss contradict"]),
    "cache size: no power of two": (["--cache-size", "5K"], ["a power of two from 4K to 1M"]),
    "cache size: too small": (["--cache-size", "2K"], ["from 4K to 1M"]),
    "cache size: too large": (["--cache-size", "2M"], ["from 4K to 1M"]),
    "memory: too much": (["--ram", "2G"], ["from 64K to 1G"]),
    "memory: uneven": (["--ram", "66K"], ["a multiple of 4K"]),
    "timeout: zero": (["--timeout", "0"], ["number of cycles such as"]),
    "timeout: unknown suffix": (["--timeout", "10T"], ["--timeout 10T", "10M or 2G"]),
    "twice, differently": (["-n", "4", "--nodes", "8"], ["--nodes is given twice"]),
    "disk: no node": (["--disk", "d.img"], ["NODE=FILE"]),
    "disk: no such node": (["-n", "2", "--disk", "2=d.img"], ["there is no node 2", "0 to 1"]),
    "disk: no such file": (["--disk", "0=/nowhere/d.img"], ["no such file", "truncate -s"]),
    "trace: empty": (["--trace", ""], ["must not be empty"]),
    "program: no such name": (["rinng"], ["no guest program 'rinng'", "named by its path"]),
    "program: no such file": (["./none.elf"], ["there is no file ./none.elf"]),
    "program: no ELF file": (["/etc/passwd"], ["is not an ELF file"]),
    "program: for another machine": (["/bin/sh"], ["not for 32-bit SPARC"]),
    "program: a directory": (["/tmp/"], ["cannot be read"]),
    "program: too long arguments": (["--dry-run", "ring", "x" * 4080], ["4080 bytes", "4079"]),
    "a command that is to come": (["paper"], ["no command paper yet", "setup, debug, test"]),
    "setup: unknown option": (["setup", "--tool-chain", "x"], ["Did you mean --toolchain?"]),
    "setup: no directory": (["setup", "--toolchain"], ["needs a directory"]),
    "debug: unknown option": (["debug", "--atach", "1"], ["no option --atach", "Did you mean --attach?"]),
    "debug: too many nodes": (["debug", "-n", "33", "ring"], ["33 nodes; 32 is", "--attach 0-31, or --attach 0,5,32"]),
    "debug: no numbers": (["debug", "--attach", "all"], ["--attach all", "such as 0,5,60-63"]),
    "debug: backwards": (["debug", "--attach", "5-3"], ["such as 0,5,60-63"]),
    "debug: no such node": (["debug", "-n", "4", "--attach", "0-4"], ["there is no node 4", "0 to 3"]),
    "debug: not started": (["debug", "--dry-run"], ["debug and --dry-run contradict"]),
    "debug's option without debug": (["--attach", "1"], ["no option --attach"]),
    "bench: no such benchmark": (["bench", "nonesuch"], ["no benchmark nonesuch"]),
    "clean: unknown option": (["clean", "--cach"], ["Did you mean --cache?"]),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_command_line(name, launcher):
    words, wanted = BAD[name]
    done = launcher(*words)
    assert done.returncode == 2, done.stderr
    for text in wanted:
        assert text in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_disk_twice(launcher, tmp_path):
    disk = tmp_path / "d.img"
    disk.write_bytes(bytes(512))
    done = launcher("--disk", f"0={disk}", "--disk", f"0={disk}")
    assert done.returncode == 2
    assert "was given two" in done.stderr


def test_nearest_program_comes_first(launcher, tmp_path):
    folder = tmp_path / "build" / "tests" / "guest"
    folder.mkdir(parents=True)
    for name in ("hello", "ring", "spin"):
        (folder / f"{name}.elf").touch()
    done = launcher("--dry-run", "rign")
    assert done.returncode == 2
    assert "nearest first: ring, " in done.stderr


def test_help_names_every_option_and_command(launcher):
    from fugu.cli import COMMANDS
    from fugu.options import BY_NAME

    done = launcher("--help")
    assert done.returncode == 0
    for name in [*BY_NAME, *COMMANDS]:
        assert name in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("command", ["setup", "test", "bench", "clean"])
def test_help_of_commands(command, launcher):
    done = launcher(command, "--help")
    assert done.returncode == 0
    assert f"./run.sh {command}" in done.stdout


def test_version(launcher):
    from fugu import VERSION

    assert launcher("--version").stdout == f"fugu {VERSION}\n"


def test_help_behind_the_program_is_the_programs(launcher, elf):
    done = launcher("--dry-run", elf, "--help")
    assert "-append --help" in done.stdout

"""A machine with SHRIMP's network interface, --ni shrimp: what runs there, and the same run however it is carried out.

tests/guest/shrimp/ has the programs that use the interface; test_programs.py checks what they print.
"""

from __future__ import annotations

import re
import struct
import subprocess

import pytest

from fugu.errors import UsageError


SECTOR = 512                # bytes of the disk


@pytest.fixture
def shrimp(machine):
    """shrimp(word..., option=...) -> the result of a run with --ni shrimp."""
    def run(*words, **options):
        return machine(*words, **{"ni": "shrimp", "nodes": 4, "timeout": "400M"} | options)
    return run


def test_a_program_without_messages_runs(shrimp):
    result = shrimp("hello", "some", "words", nodes=3).check(0)
    assert sorted(result.stdout.splitlines()) == [f"hello from node {node} of 3: hello some words" for node in range(3)]


def test_a_program_with_messages_is_refused(shrimp):
    for program, uses in (("pingpong", "UDM"), ("ring", "messages")):
        with pytest.raises(UsageError, match=rf"^{program} needs --ni fugu, as it uses {uses}, but the machine has --ni "
                                             r"shrimp\.$"):
            shrimp(program)


@pytest.fixture(scope="module")
def whole(machine):
    """The undisturbed run of a program that maps pages over the network."""
    return machine("deliberate", ni="shrimp", nodes=4, digest=True, timeout="400M").check(0)


@pytest.fixture(scope="module", params=["deliberate", "automatic", "full", "snooped"])
def each(machine, request):
    """The undisturbed run of each program that maps pages over the network, by its name."""
    return request.param, machine(request.param, ni="shrimp", nodes=4, digest=True, timeout="400M").check(0)


@pytest.mark.parametrize("way", ["one-insn-per-tb=on", "line-filter=off"])
def test_the_host_s_way_of_running_it_changes_nothing(each, way):
    whole, plain = each[1], "tcg,thread=single"
    assert plain in whole.command
    done = subprocess.run([word.replace(plain, f"{plain},{way}") for word in whole.command], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and f"digest: {whole.digest}" in done.stdout


def test_a_run_that_is_observed_is_the_same(shrimp, each, tmp_path):
    program, whole = each
    seen = shrimp(program, digest=True, stats=True, timeline=str(tmp_path / "timeline")).check(0)
    assert seen.digest == whole.digest


def test_dma_is_not_snooped(shrimp, tmp_path):
    """The disk reads a sector into a page that is mapped out."""
    image = tmp_path / "disk.img"
    image.write_bytes(b"".join(struct.pack(">I", number) * (SECTOR // 4) for number in range(2)))
    shrimp("snooped", "disk=1", nodes=1, disk=[f"0={image}"]).passed(56 + 3)


@pytest.mark.parametrize(("option", "value"), [("packet-max", 64), ("incoming-word", 3), ("dma-word", 2), ("mesh-word", 5),
                                               ("write-through", 9)])
def test_each_option_counts(shrimp, whole, option, value):
    """The program knows how many packets 256 bytes make of a page; all else holds with each value."""
    args = {"dma-word": [f"dma={value}"], "mesh-word": [f"word={value}"]}.get(option, [])
    result = shrimp("deliberate", *args, digest=True, **{option: value})
    assert result.digest != whole.digest
    failed = set(re.findall(r"^FAIL ([^:(]*)(?:: got| \()", result.stdout, re.MULTILINE))
    assert {name.strip() for name in failed} == ({"in 16 packets, all of which have entered their FIFO", "as many as were sent",
                                                 "nothing was sent by these"} if option == "packet-max" else set())

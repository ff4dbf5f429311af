"""Guaranteed delivery: message buffers that are larger than a node's memory (docs/paging.md)."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from fugu.abi import GLAZE, PROCESS
from fugu.paths import ROOT

PAGE, RECORDS_A_PAGE = GLAZE["PAGE"], PROCESS["RECORDS_A_PAGE"]
SMALL = {"ram": "1M", "timeout": "400M"}
BYSTANDER = (50, 20, 60_000_000)

def app(name: str) -> Path:
    return Path(os.environ["FUGU_BUILD"], "tests", "glaze", "paging", f"{name}.elf")


@pytest.fixture
def disk(tmp_path):
    """disk(pages) -> the path of a disk that has room for so many."""
    def make(pages: int) -> str:
        path = tmp_path / f"{pages}.img"
        path.touch()
        os.truncate(path, pages * PAGE)
        return str(path)
    return make


def reports(stdout: str) -> list[dict[str, int]]:
    """What the sinks say: full, when all lies in the buffer; the rest, when all has been taken."""
    return [{name: int(value) for name, value in re.findall(r"(\w+)=(-?\d+)", line)}
            for line in re.findall(r"^sink: (.*)$", stdout, re.MULTILINE)]


def pages_of(messages: int, every: int) -> int:
    """Of a buffer that holds them: records, and a page for each body."""
    bodies = -(-messages // every) if every else 0
    return -(-messages // RECORDS_A_PAGE) + bodies


def unread(messages: int, every: int) -> int:
    """Bodies that the sink disposes of without a look, one in four (flood.c): they need not come back."""
    return sum(number % 4 == 2 for number in range(0, messages, every)) if every else 0


def check_delivery(found: dict[str, int], messages: int, every: int) -> None:
    """Once, in order, bodies included; and no page or slot is left behind."""
    assert (found["received"], found["wrong"]) == (messages, 0)
    assert found["full"] + found["full_out"] == pages_of(messages, every)
    assert found["full_out"] == found["full_slots"] > 0
    assert found["full_out"] <= found["outs"]
    assert 0 <= found["outs"] - found["ins"] <= unread(messages, every)
    assert (found["pages"], found["out"], found["slots"], found["more"]) == (0, 0, 0, 0)


@pytest.mark.parametrize("low_water", [0, 12])
@pytest.mark.parametrize("server", [0, 1])
@pytest.mark.parametrize(("messages", "every"), [(15_000, 0), (1000, 3)])
def test_everything_comes(machine, disk, messages, every, server, low_water):
    """By eviction when there is no frame, and by overflow control before; from the node's own disk and another's."""
    result = machine(app("flood"), messages, every, nodes=2, disk=[f"{server}={disk(4096)}"], low_water=low_water,
                     **SMALL).check(0)
    [found] = reports(result.stdout)
    check_delivery(found, messages, every)
    assert (found["suspensions"] > 0) == (low_water > 0) == found["gang"]
    assert found["suspensions"] == found["resumptions"]


def test_overflow_control(machine, disk):
    """Each suspension clears the node from the low-water mark to the high-water mark, no further."""
    flood = (app("flood"), 2000, 5)
    with_it = machine(*flood, nodes=2, disk=[f"1={disk(4096)}"], **SMALL).check(0)
    without = machine(*flood, nodes=2, disk=[f"1={disk(4096)}"], low_water=0, **SMALL).check(0)
    other = machine(*flood, nodes=2, disk=[f"1={disk(4096)}"], low_water=20, high_water=30, **SMALL).check(0)
    [found], [free], [often] = reports(with_it.stdout), reports(without.stdout), reports(other.stdout)
    frames = found["frames"]
    each = frames * 25 // 100 - frames * 12 // 100 + 1
    assert each * found["suspensions"] <= found["outs"] < each * (found["suspensions"] + 2)
    assert found["suspensions"] > 5
    assert found["most"] < frames * 88 // 100 < free["most"]
    assert often["suspensions"] > found["suspensions"]
    assert often["most"] < frames * 80 // 100


def test_two_nodes_at_once(machine, disk):
    """The job goes on when the last of them has been cleared; all nodes see the same suspensions."""
    result = machine(app("flood"), 600, 3, 2, nodes=6, disk=[f"2={disk(8192)}"], **SMALL).check(0)
    first, second = reports(result.stdout)
    for found in (first, second):
        check_delivery(found, 1200, 3)
        assert found["suspensions"] == found["resumptions"] > 0
    assert first["suspensions"] == second["suspensions"]


def test_the_lowest_node_with_a_disk_serves(machine, disk):
    """The other disk is too small to be of use, and is not touched."""
    result = machine(app("flood"), 999, 3, nodes=4, disk=[f"2={disk(4096)}", f"3={disk(16)}"], **SMALL).check(0)
    check_delivery(reports(result.stdout)[0], 2997, 3)


@pytest.fixture(scope="module")
def alone(machine) -> int:
    """Frames that are free at the end of a bystander of nothing."""
    return bystander(machine(app("bystander"), *BYSTANDER, nodes=2, **SMALL).check(0).stdout)


def bystander(stdout: str) -> int:
    found = re.search(r"^bystander: seen 50, wrong 0, frames free (\d+) of \d+, slots used 0", stdout, re.MULTILINE)
    assert found, stdout
    return int(found[1])


@pytest.mark.parametrize(("slots", "reason"), [
    (0, "there is no backing store (give a node a disk: --disk NODE=FILE)"),
    (128, "the backing store is full"),
])
def test_end_of_the_road(machine, disk, alone, slots, reason):
    """The job that overflows ends, and says why. Nobody else notices, and nothing of it is left."""
    disks = {"disk": [f"1={disk(2 * slots)}"]} if slots else {}
    result = machine(app("flood"), 2000, 5, "+", app("bystander"), *BYSTANDER, nodes=2, timeslice=50_000, **disks,
                     **SMALL).check(102)
    [line] = re.findall(r"^glaze: (flood.*)$", result.stdout, re.MULTILINE)
    assert line.startswith(f"flood (job 1) on node 0 is ended: the node has no memory left for it, and {reason}: ")
    # Two pages tell whoever still sends that the process has ended.
    assert bystander(result.stdout) == alone - 2


def test_whose_fault_it_is(machine):
    """It is the bystander that finds no frame, and the flood that has them."""
    result = machine(app("flood"), 170, 1, 1, 0, 1, "+", app("bystander"), 200, 100, 60_000_000, nodes=2,
                     timeslice=50_000, **SMALL).check(102)
    assert ("glaze: flood (job 1) on node 0 is ended: the node has no memory left for it, and there is no"
            in result.stdout)
    assert re.search(r"^bystander: seen 200, wrong 0, ", result.stdout, re.MULTILINE)


@pytest.mark.parametrize("server", [0, 1])
def test_nothing_is_left(machine, disk, alone, server):
    """Of a job that has paged, beside another one."""
    result = machine(app("flood"), 2000, 5, "+", app("bystander"), 50, 20, 250_000_000, nodes=2, timeslice=50_000,
                     disk=[f"{server}={disk(4096)}"], **SMALL).check(0)
    assert [found["received"] for found in reports(result.stdout)] == [2000]
    of_the_server = 2 if server == 0 else 0
    assert bystander(result.stdout) == alone - 2 - of_the_server


@pytest.mark.parametrize("sent", [460, 500, 650, 802, 5000, 20_000, 30_000])
def test_a_job_ends_in_the_middle(machine, disk, alone, sent):
    """While it is suspended, or while pages of it are on their way, out or in."""
    result = machine(app("flood"), 800, 5, 1, sent, "+", app("bystander"), 50, 20, 150_000_000, nodes=3,
                     timeslice=50_000, second_base=1500, disk=[f"1={disk(4096)}"], **SMALL).check(7)
    assert "flood (job 1) on node 2 is ended: it wants to" in result.stdout
    assert bystander(result.stdout) == alone - 2


def test_a_process_ends_on_the_verge(machine, disk):
    """It has asked for a suspension, and is gone before that comes: the others go on."""
    result = machine(app("flood"), 600, 3, 1, 0, 148, nodes=3, second_base=100_000, disk=[f"2={disk(4096)}"],
                     low_water=60, high_water=70, **SMALL).check(0)
    assert result.stdout == "begin\n"


def test_pages_of_other_processes(machine, disk):
    """Heaps that do not fit together take turns."""
    result = machine(app("bystander"), 150, 120, 250_000_000, "+", app("bystander"), 150, 120, 250_000_000, nodes=2,
                     timeslice=50_000, disk=[f"1={disk(4096)}"], **SMALL).check(0)
    assert len(re.findall(r"^bystander: seen 150, wrong 0, frames free 0 ", result.stdout, re.MULTILINE)) == 2


@pytest.mark.parametrize("transport", ["shm", "unix"])
def test_split(machine, disk, transport):
    flood = (app("flood"), 600, 2)
    options = {"nodes": 2, "digest": True, "quantum": 1000, "mesh_base": 1000, "second_base": 1000, **SMALL}
    one = machine(*flood, disk=[f"1={disk(4096)}"], **options).check(0)
    two = machine(*flood, disk=[f"1={disk(4096)}"], processes=2, transport=transport, **options).check(0)
    check_delivery(reports(one.stdout)[0], 600, 2)
    assert (two.stdout, two.digest) == (one.stdout, one.digest)


@pytest.mark.parametrize(("event", "line"), [
    ("write_aio", "the node has no memory left for it, and the disk of the backing store has failed: "),
    ("read_aio", "a page of it cannot be read: the disk of the backing store has failed"),
])
def test_a_disk_that_fails(machine, disk, event, line):
    """The job that needed it ends."""
    drive = (f"if=none,id=disk1,driver=raw,file.driver=blkdebug,file.image.driver=file,"
             f"file.image.filename={disk(4096)},file.inject-error.0.event={event},file.inject-error.0.errno=5")
    result = machine(app("flood"), 2000, 5, nodes=2, qemu_arg=["-drive", drive], **SMALL).check(102)
    assert f"glaze: flood (job 1) on node 0 is ended: {line}" in result.stdout


def test_clean_frames_last(machine):
    """On a node that never idles: insertions use none up, and first touches leave some for insertions."""
    result = machine(app("clean"), 100, "+", "null", 250_000_000, nodes=1, ram="1M", timeout="400M", timeslice=100_000)
    found = {when: (int(clean), int(free)) for when, clean, free in
             re.findall(r"^(\w+): clean (\d+), of (\d+) free$", result.stdout, re.MULTILINE)}
    for when in ("begin", "buffered"):
        assert found[when][0] == found[when][1] > 200, result.report()
    assert found["touched"][0] == 16 < found["touched"][1], result.report()


def test_cost_of_a_page(machine, disk):
    """As docs/paging.md says, to a tenth: from another node's disk and to it, with nothing else on the way."""
    text = (ROOT / "docs" / "paging.md").read_text()
    said = int(re.search(r"A page takes some ([\d,]+) cycles either way", text)[1].replace(",", ""))
    result = machine(app("cost"), 150, nodes=2, ram="512K", disk=[f"1={disk(1024)}"], timeout="400M").check(0)
    found = int(re.search(r"^cost: (\d+) cycles a page$", result.stdout, re.MULTILINE)[1])
    assert 0.9 * said < found < 1.1 * said, result.report()

"""Messages are delivered although their buffers are larger than a node's memory (docs/paging.md)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from guest_programs import built

from fugu.abi import GLAZE, PROCESS, REGS
from fugu.paths import ROOT

PAGE, RECORDS_A_PAGE = GLAZE["PAGE"], PROCESS["RECORDS_A_PAGE"]
BODY_WORDS = REGS["BODY_MAX"] // 4
SMALL = {"ram": "1M", "timeout": "400M"}
BYSTANDER = (50, 20, 180_000_000)


def app(name: str) -> Path:
    return built(f"glaze/paging/{name}")


def reports(stdout: str) -> list[dict[str, int]]:
    """The counters that each sink prints: full* when its buffer holds all messages, the others when it has taken
    all."""
    return [{name: int(value) for name, value in re.findall(r"(\w+)=(-?\d+)", line)}
            for line in re.findall(r"^sink: (.*)$", stdout, re.MULTILINE)]


def pages_of(messages: int, every: int, words: int = BODY_WORDS) -> int:
    """The pages of a buffer that holds these messages: pages of records and of bodies.

    A body begins at a doubleword and lies in one page.
    """
    bodies = -(-messages // every) if every else 0
    return -(-messages // RECORDS_A_PAGE) + -(-bodies // (BODY_WORDS // (words + words % 2)))


def unread(messages: int, every: int) -> int:
    """The number of bodies that the sink disposes of unread, one in four (flood.c). The pages of these bodies need not
    come back."""
    return sum(number % 4 == 2 for number in range(0, messages, every)) if every else 0


def check_delivery(found: dict[str, int], messages: int, every: int, words: int = BODY_WORDS) -> None:
    """Every message came once and in order, with its body, and no page or slot stays in use."""
    assert (found["received"], found["wrong"]) == (messages, 0)
    assert (found["disposed"], found["inserted"]) == (messages, messages), "the machine's counters"
    assert found["handled"] == messages - messages // 2, "half of them by polling"
    assert found["full"] + found["full_out"] == pages_of(messages, every, words)
    assert found["full_out"] == found["full_slots"] > 0
    assert found["full_out"] <= found["outs"]
    assert 0 <= found["outs"] - found["ins"] <= unread(messages, every)
    assert (found["pages"], found["out"], found["slots"], found["more"]) == (0, 0, 0, 0)


@pytest.mark.parametrize("low_water", [0, 12])
@pytest.mark.parametrize("server", [0, 1])
@pytest.mark.parametrize(("messages", "every"), [(15_000, 0), (1000, 3)])
def test_every_message_comes(machine, disk, messages, every, server, low_water):
    """Pages go to the node's own disk or another's: by overflow control, or by eviction when no frame is free."""
    result = machine(app("flood"), messages, every, nodes=2, disk=[f"{server}={disk(4096)}"], low_water=low_water,
                     **SMALL).check(0)
    [found] = reports(result.stdout)
    check_delivery(found, messages, every)
    assert (found["suspensions"] > 0) == (low_water > 0) == found["gang"]
    assert found["suspensions"] == found["resumptions"]


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("words", [1, 7, 16, 300, 1022])
def test_every_packed_body_comes(machine, disk, words, atomicity):
    """Pages with several bodies go out and come back, too."""
    messages, every = (8000, 2) if words < 1000 else (800, 2)
    result = machine(app("flood"), messages, every, 1, 0, 0, words, nodes=2, disk=[f"1={disk(16384)}"], ram="512K",
                     timeout="2000M", atomicity=atomicity).check(0)
    [found] = reports(result.stdout)
    check_delivery(found, messages, every, words)


def test_overflow_control_keeps_to_its_marks(machine, disk):
    """Each suspension frees frames from the low-water mark to the high-water mark, and no more."""
    flood = (app("flood"), 2000, 5)
    with_it = machine(*flood, nodes=2, disk=[f"1={disk(4096)}"], **SMALL).check(0)
    without = machine(*flood, nodes=2, disk=[f"1={disk(4096)}"], low_water=0, **SMALL).check(0)
    other = machine(*flood, nodes=2, disk=[f"1={disk(4096)}"], low_water=20, high_water=30, **SMALL).check(0)
    [found], [free], [often] = reports(with_it.stdout), reports(without.stdout), reports(other.stdout)
    frames = found["frames"]
    # It is suspended with fewer than 12 % free, and goes on with 25 % free or more.
    each = -(-frames * 25 // 100) - (-(-frames * 12 // 100) - 1)
    assert each * found["suspensions"] <= found["outs"] < each * (found["suspensions"] + 2)
    assert found["suspensions"] > 5
    assert found["most"] < frames * 88 // 100 < free["most"]
    assert often["suspensions"] > found["suspensions"]
    assert often["most"] < frames * 80 // 100


def test_two_overflowing_nodes_suspend_the_job_together(machine, disk):
    """The job goes on when the last of two overflowing nodes has frames again. All nodes see the same suspensions."""
    result = machine(app("flood"), 600, 3, 2, nodes=6, disk=[f"2={disk(8192)}"], **SMALL).check(0)
    first, second = reports(result.stdout)
    for found in (first, second):
        check_delivery(found, 1200, 3)
        assert found["suspensions"] == found["resumptions"] > 0
    assert first["suspensions"] == second["suspensions"]


def test_the_lowest_node_with_a_disk_serves(machine, disk):
    """The other disk would be too small for the pages."""
    result = machine(app("flood"), 999, 3, nodes=4, disk=[f"2={disk(4096)}", f"3={disk(16)}"], **SMALL).check(0)
    check_delivery(reports(result.stdout)[0], 2997, 3)


@pytest.fixture(scope="module")
def beside(machine) -> int:
    """The number of free frames at the end of a bystander beside a job that uses hardly any memory and has ended."""
    return bystander(machine("null", 1000, "+", app("bystander"), *BYSTANDER, nodes=2, timeslice=50_000,
                             **SMALL).check(0).stdout)


def bystander(stdout: str) -> int:
    found = re.search(r"^bystander: seen 50, wrong 0, frames free (\d+) of \d+, slots used 0", stdout, re.MULTILINE)
    assert found, stdout
    return int(found[1])


def test_ended_job_leaves_all_but_two_frames(machine):
    """Two pages stay, to tell processes that still send that this one has ended."""
    null = ("null", 1000, "+", app("bystander"), *BYSTANDER)
    alone, with_null = (bystander(machine(*words, nodes=2, scheduler="none", **SMALL).check(0).stdout)
                        for words in (null[3:], null))
    assert with_null == alone - 2


@pytest.mark.parametrize(("slots", "reason"), [
    (0, "there is no backing store (give a node a disk: --disk NODE=FILE)"),
    (128, "the backing store is full"),
])
def test_overflowing_job_ends_without_backing_store(machine, disk, beside, slots, reason):
    """The job that overflows ends with the reason. The other job is not affected, and all frames are free again."""
    disks = {"disk": [f"1={disk(2 * slots)}"]} if slots else {}
    result = machine(app("flood"), 2000, 5, "+", app("bystander"), *BYSTANDER, nodes=2, timeslice=50_000, **disks,
                     **SMALL).check(102)
    [line] = re.findall(r"^glaze: (flood.*)$", result.stdout, re.MULTILINE)
    assert line.startswith(f"flood (job 1) on node 0 is ended: the node has no memory left for it, and {reason}: ")
    assert bystander(result.stdout) == beside


def test_job_with_the_most_frames_ends(machine):
    """When the bystander finds no frame, the kernel ends the flood, which has most frames."""
    result = machine(app("flood"), 170, 1, 1, 0, 1, "+", app("bystander"), 200, 100, 60_000_000, nodes=2,
                     timeslice=50_000, **SMALL).check(102)
    assert ("glaze: flood (job 1) on node 0 is ended: the node has no memory left for it, and there is no"
            in result.stdout)
    assert re.search(r"^bystander: seen 200, wrong 0, ", result.stdout, re.MULTILINE)


@pytest.mark.parametrize("server", [0, 1])
def test_ended_job_leaves_no_frame(machine, disk, beside, server):
    """All frames of a job that has paged are free at its end."""
    result = machine(app("flood"), 2000, 5, "+", app("bystander"), 50, 20, 600_000_000, nodes=2, timeslice=50_000,
                     disk=[f"{server}={disk(4096)}"], **SMALL | {"timeout": "700M"}).check(0)
    assert [found["received"] for found in reports(result.stdout)] == [2000]
    of_the_server = 2 if server == 0 else 0
    assert bystander(result.stdout) == beside - of_the_server


@pytest.mark.parametrize("sent", [460, 500, 650, 802, 5000, 20_000, 30_000])
def test_job_that_ends_while_paging_leaves_no_frame(machine, disk, beside, sent):
    """A job may end while it is suspended, or while its pages are on their way out or in."""
    result = machine(app("flood"), 800, 5, 1, sent, "+", app("bystander"), 50, 20, 350_000_000, nodes=3,
                     timeslice=50_000, second_base=1500, disk=[f"1={disk(4096)}"], **SMALL).check(7)
    assert "flood (job 1) on node 2 is ended: it wants to" in result.stdout
    assert bystander(result.stdout) == beside


def test_process_that_ends_before_its_suspension(machine, disk):
    """A process ends after it has asked for a suspension, and before the suspension begins. The other processes go
    on."""
    result = machine(app("flood"), 600, 3, 1, 0, 148, nodes=3, second_base=100_000, disk=[f"2={disk(4096)}"],
                     low_water=60, high_water=70, **SMALL).check(0)
    assert result.stdout == "begin\n"


def test_heaps_of_two_jobs_take_turns(machine, disk):
    """Two heaps that do not fit into memory together take turns. The frames that are left are for messages."""
    result = machine(app("bystander"), 150, 120, 250_000_000, "+", app("bystander"), 150, 120, 250_000_000, nodes=2,
                     timeslice=50_000, disk=[f"1={disk(4096)}"], **SMALL).check(0)
    assert len(re.findall(r"^bystander: seen 150, wrong 0, frames free 7 of 245",
                          result.stdout, re.MULTILINE)) == 2


@pytest.mark.parametrize("transport", ["shm", "unix"])
def test_split_run_is_the_same(machine, disk, transport):
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
def test_failing_disk_ends_the_job(machine, disk, event, line):
    """A job ends when the disk that holds its pages fails."""
    drive = (f"if=none,id=disk1,driver=raw,file.driver=blkdebug,file.image.driver=file,"
             f"file.image.filename={disk(4096)},file.inject-error.0.event={event},file.inject-error.0.errno=5")
    result = machine(app("flood"), 2000, 5, nodes=2, qemu_arg=["-drive", drive], **SMALL).check(102)
    assert f"glaze: flood (job 1) on node 0 is ended: {line}" in result.stdout


def test_clean_frames_are_left_for_insertions(machine):
    """On a node that never idles, insertions use up no clean frames, and first touches leave some for insertions."""
    result = machine(app("clean"), 100, "+", "null", 250_000_000, nodes=1, ram="1M", timeout="400M", timeslice=100_000)
    found = {when: (int(clean), int(free)) for when, clean, free in
             re.findall(r"^(\w+): clean (\d+), of (\d+) free$", result.stdout, re.MULTILINE)}
    for when in ("begin", "buffered"):
        assert found[when][0] == found[when][1] > 200, result.report()
    assert found["touched"][0] == 16 < found["touched"][1], result.report()


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("until", [0, 50_000_000])
def test_cost_of_a_page_is_as_documented(machine, disk, until, atomicity):
    """A page costs within a tenth of what docs/paging.md says, to and from another node's disk on an idle network, whether
    that node idles or computes. If the pieces of a page took the way through C, it would cost 1.8 times as much."""
    text = (ROOT / "docs" / "paging.md").read_text()
    said = int(re.search(r"A page takes some ([\d,]+) cycles either way", text)[1].replace(",", ""))
    result = machine(app("cost"), 150, until, nodes=2, ram="512K", disk=[f"1={disk(1024)}"], timeout="400M",
                     atomicity=atomicity).check(0)
    found = int(re.search(r"^cost: (\d+) cycles a page$", result.stdout, re.MULTILINE)[1])
    assert 0.9 * said < found < 1.1 * said, result.report()
    parts = re.search(r"([\d,]+) at the disk, and some ([\d,]+)\s+for each of the (\d+) pieces", text)
    at_disk, piece, pieces = (int(part.replace(",", "")) for part in parts.groups())
    assert 0.95 * said < at_disk + pieces * piece < 1.05 * said

"""Mapped pages that go out: --shrimp-paging shoot-down (docs/shrimp.md, paging). mapshoot.c says what it checks."""

from __future__ import annotations

import json
import random
import re
import shutil

import pytest
import qcow2
from guest_programs import built
from machine_runs import long_rounds
from run_sh import run_sh
from served import BOUND, longest

SHOOT, MAPS, BYSTANDER, FUZZ, PRAM, STEPS, LITMUS = (
    built(f"kinds/{name}") for name in ("mapshoot", "maps", "messageless", "mapfuzz", "pram", "mapsteps", "litmus"))
POLICY = {"ni": "shrimp", "shrimp_paging": "shoot-down"}
SLOTS = 4096


@pytest.fixture
def shoot(machine, disk):
    """shoot(word..., option=...) -> the result of a run under shoot-down, with backing store."""
    def run(*words, **options):
        return machine(*words, **POLICY | {"nodes": 4, "disk": [f"0={disk(SLOTS)}"], "timeout": "8G"} | options)
    return run


def checks(done):
    """The number of nodes' lines that say that no check has failed; all must."""
    failed = re.findall(r"^\d+ checks?, (\d+) failed", done.stdout, re.MULTILINE)
    assert failed and set(failed) == {"0"}, done.stdout + done.stderr
    return len(failed)


@pytest.fixture
def counted(tmp_path, disk):
    """counted(nodes, word..., paging=policy) -> lines that say that no check has failed; shoot-downs asked, answered, and
    pages mapped again, of all jobs together."""
    def run(nodes, *words, paging="shoot-down"):
        file = tmp_path / "stats.json"
        done = run_sh("--stats-json", file, "-n", nodes, "--ni", "shrimp", "--shrimp-paging", paging, "--disk",
                      f"0={disk(SLOTS)}", "--timeout", "8G", *words, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        jobs = [job["shoot_downs"] for job in json.loads(file.read_text())["jobs"]]
        return checks(done), [sum(job[what] for job in jobs) for what in ("asked", "answered", "remapped")]
    return run


# ---- without a scarcity ---------------------------------------------------------------

@pytest.mark.parametrize("case", ["ring", "automatic", "errors", "ends"])
@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_each_rule_holds(shoot, case, nodes):
    """Each error of a call, too, is the same as where pages are pinned."""
    shoot(MAPS, case, nodes=nodes).finished(nodes)


def test_ends_of_processes_and_places(shoot):
    shoot(MAPS, "exits", nodes=5).finished(5)
    shoot(MAPS, "grants").finished(4)
    shoot(PRAM, "calls", nodes=2).finished(2)


@pytest.mark.parametrize("mode", ["single", "blocked"])
def test_orders_are_the_same(shoot, mode):
    shoot(LITMUS, mode, 60, nodes=2).finished(2)


# ---- memory is scarce -----------------------------------------------------------------

def test_a_thousand_shoot_downs_lose_nothing(counted):
    """Beside a job that checks its own memory."""
    lines, (asked, answered, remapped) = counted(4, "--ram", "1M", "--timeslice", 100_000, SHOOT, 25, 20, 60, "+", BYSTANDER)
    assert lines == 8 and asked == answered > 1000 and remapped > 1000


@pytest.mark.long
def test_a_thousand_shoot_downs_of_two_jobs(counted):
    """One's pages go out for the other's, with twice the memory. Each checks what it gets and all that it has."""
    lines, (asked, answered, remapped) = counted(4, "--ram", "2M", "--timeslice", 100_000, SHOOT, 40, 0, 40, "+", SHOOT, 40, -50, 40)
    assert lines == 8 and asked == answered > 1000 and remapped > 1000


SLOW = {"alone": (1,), "slow": (3, "--mesh-word", 20, "--incoming-word", 100), "far": (2, "--mesh-base", 4000),
        "engine": (2, "--dma-word", 20, "--quantum", 7), "full": (5, "--incoming-word", 30), "mmu": (3, "--check", "mmu")}


@pytest.mark.parametrize("options", SLOW.values(), ids=SLOW)
def test_nothing_is_lost_on_the_way(counted, options):
    """Packets are long under way when a page goes out."""
    lines, (asked, answered, _) = counted(*options, "--ram", "1M", SHOOT, 12, 20, 60)
    assert lines == options[0] and asked == answered > 50


@pytest.mark.parametrize("scheduler", ["gang", "none"])
def test_two_jobs_take_each_other_s_pages(shoot, scheduler):
    options = {} if scheduler == "gang" else {"scheduler": scheduler}
    result = shoot(SHOOT, 8, 0, 40, "+", SHOOT, 8, -50, 40, nodes=3, ram="2M", timeslice=20_000, **options).check(0)
    assert checks(result) == 6, result.report()


@pytest.mark.parametrize("options", [(), ("--mesh-base", 20_000), ("--incoming-word", 300)],
                         ids=["near", "far", "full"])
def test_stores_without_end_do_not_keep_a_page_in_memory(counted, options):
    """Hundreds of packets are always on their way to the page, on the mesh or in the Incoming FIFO."""
    lines, (_, _, remapped) = counted(2, *options, "--ram", "1M", SHOOT, "endless", 100, 4)
    assert lines == 2 and remapped >= 5


def test_the_engine_is_at_work_when_pages_go(counted):
    lines, (asked, answered, remapped) = counted(2, "--dma-word", 1000, "--ram", "1M", SHOOT, "engine", 60, 120)
    assert lines == 2 and asked == answered > 50 and remapped > 20


def test_parts_keep_the_modes_to_which_they_were_switched(counted):
    lines, (_, answered, remapped) = counted(2, "--ram", "1M", SHOOT, "modes")
    assert lines == 2 and answered > 10 and remapped > 10


def test_a_process_that_waits_looks_again_when_its_page_goes(counted):
    lines, (asked, _, _) = counted(2, "--ram", "1M", SHOOT, "waits", "+", SHOOT, "fills")
    assert lines == 4 and asked > 0


def test_a_map_for_which_no_memory_is_left_fails(shoot, disk):
    """All frames and all of the backing store are in use. When memory is free again, the same MAP succeeds."""
    result = shoot(SHOOT, "full", nodes=2, ram="1M", disk=[f"0={disk(200)}"]).check(0)
    assert checks(result) == 2


def test_a_store_for_which_no_memory_is_left_ends_its_job(shoot, disk):
    """The page has been shot down, and cannot come back. The receiver is no less ended: it is of the same job."""
    result = shoot(SHOOT, "full", "store", nodes=2, ram="1M", disk=[f"0={disk(200)}"]).check(102)
    said = [line for line in result.stdout.splitlines() if line.startswith("glaze:")]
    assert said == ["glaze: mapshoot (job 1) on node 0 is ended: a node to which it maps has no memory left for the page"]


def test_an_export_ends_while_a_page_of_it_comes(shoot):
    assert checks(shoot(SHOOT, "gone", nodes=2, ram="1M").check(0)) == 2


def test_a_map_to_a_page_that_is_lost_fails(shoot, disk):
    """The target's disk has failed. The process that maps goes on, and so does the target, whose flags are pinned."""
    drive = (f"if=none,id=disk0,driver=raw,file.driver=blkdebug,file.image.driver=file,file.image.filename={disk(SLOTS)},"
             f"file.inject-error.0.event=read_aio,file.inject-error.0.errno=5")
    result = shoot(SHOOT, "lost", nodes=2, ram="1M", shrimp_paging="pin", disk=[], qemu_arg=["-drive", drive])
    assert re.search(r"^\d+ checks, 0 failed$", result.stdout, re.MULTILINE), result.report()


def test_with_pins_pages_stay(counted):
    assert counted(2, "--ram", "2M", SHOOT, 3, 0, 20, paging="pin") == (2, [0, 0, 0])


def test_no_one_is_kept_waiting(tmp_path, disk):
    """The kernel works in parts for shoot-downs as well, also with all places for mappings in use."""
    for words in ((SHOOT, 8, 20, 60), (MAPS, "errors"), (MAPS, "grants"), (STEPS, "pages", "exit")):
        worst, done = longest(tmp_path, "-n", 3, "--ni", "shrimp", "--shrimp-paging", "shoot-down", "--ram", "2M",
                              "--disk", f"0={disk(SLOTS)}", "--timeout", "4G", *words)
        assert done.returncode == 0, done.stdout + done.stderr
        assert worst.cycles <= BOUND, worst.text


ODD = [{"nodes": 1}, {"nodes": 3, "ram": "2M"}, {"nodes": 4, "scheduler": "none"}, {"nodes": 5, "skew": 40},
       {"nodes": 2, "processes": 2}]


@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(5, 100))])
def test_random_calls_harm_no_one(shoot, seed):
    """Three jobs make random calls until they are ended, while another one needs more memory than there is."""
    fuzz = [word for k, calls in enumerate((300, 500, 100)) for word in (FUZZ, 3 * seed + k + 1, calls, "+")]
    result = shoot(*fuzz, SHOOT, 3, 0, 40, "beside", "+", BYSTANDER, timeslice=20_000, **{"ram": "2M"} | ODD[seed % 5]).check(101)
    assert checks(result) == 2 * ODD[seed % 5]["nodes"]
    ended = re.findall(r"^glaze: (\w+) \(job \d\) on node 0 is ended: store to memory", result.stdout, re.MULTILINE)
    assert ended == ["mapfuzz"] * 3, result.report()


# ---- the same run, however it is carried out ------------------------------------------

JOBS = [SHOOT, "4", "20", "60", "+", MAPS, "ring", "12"]
BUSY = POLICY | {"nodes": 3, "timeslice": 20_000, "ram": "1M"}


@pytest.fixture
def run(machine, tmp_path):
    """run(name, *words, **options) -> the digest of a run with a disk of that name, which is made if it is not there."""
    def make(name, *words, **options):
        disk = tmp_path / name
        disk = disk if disk.exists() else qcow2.make(disk, size=SLOTS * 4096)
        return machine(*words, **{"digest": True, "timeout": "4G", "disk": [f"0={disk}"]} | options).check(0).digest
    return make


def test_processes_change_nothing(run):
    assert len({run(f"{processes}.qcow2", *JOBS, **BUSY, **long_rounds(processes)) for processes in (1, 3)}) == 1


def test_snapshots_change_nothing(run, tmp_path):
    """Saved at random cycles, and gone on from each: the policy is a part of the snapshot, as the disk is."""
    whole = run("whole.qcow2", *JOBS, **BUSY)
    rng = random.Random(41)
    files = {tmp_path / f"{cycle}.snap": cycle for cycle in sorted(rng.sample(range(1, 60_000_000), 4))}
    assert run("saved.qcow2", *JOBS, **BUSY, save=[f"{file}@{cycle}" for file, cycle in files.items()]) == whole
    for file in files:
        shutil.copy(tmp_path / "saved.qcow2", tmp_path / "copy.qcow2")
        assert run("copy.qcow2", None, load=file) == whole

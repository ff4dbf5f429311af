"""Programs keep a part of their node's time, however many commands come: docs/mbcf.md, "Load"."""

from __future__ import annotations

import os
import re

import pytest
from guest_programs import built
from served import BOUND, check_served, longest

LOAD = built("mbcf/mbcf-load")
FLOOD = built("mbcf/mbcf-flood")
LEAST = 0.45        # of the turns without commands, beside another job
ALONE = 0.15        # for a job that has the node alone, which gets some 18 %


def loads(machine, *programs, **options):
    """Turns of node 0 and commands to it, for each job in the order in which they end."""
    result = machine(*programs, timeout="400M", **options).check(0)
    found = re.findall(r"^load: (\d+) turns, (\d+) commands$", result.stdout, re.MULTILINE)
    return [(int(turns), int(commands)) for turns, commands in found]


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("nodes", [2, 4, 16])
def test_flood(machine, nodes, atomicity):
    [(quiet, none)] = loads(machine, LOAD, "quiet", nodes=nodes, atomicity=atomicity)
    [(flood, commands)] = loads(machine, LOAD, "flood", nodes=nodes, atomicity=atomicity)
    assert none == 0 and commands > 500
    assert ALONE * quiet < flood < quiet


@pytest.mark.parametrize("nodes", [2, 4, 9])
def test_another_job(machine, nodes):
    """A job that gets no commands pays for one that does with half of its time at most."""
    words = {"nodes": nodes, "timeslice": 20000}
    quiet = loads(machine, LOAD, "quiet", "+", LOAD, "quiet", **words)
    flood = loads(machine, LOAD, "flood", "+", LOAD, "quiet", **words)
    assert [commands for _, commands in quiet] == [0, 0]
    [(other, _)] = [job for job in flood if job[1] == 0]
    assert other > LEAST * min(turns for turns, _ in quiet)


def test_replies_that_wait(machine):
    """A destination that takes nothing for a long time costs the node whose replies it does not take hardly anything."""
    words = {"nodes": 2, "atomicity_timeout": 10_000_000}
    [(quiet, _)] = loads(machine, LOAD, "quiet", **words)
    [(blocked, _)] = loads(machine, LOAD, "blocked", **words)
    assert blocked > 0.88 * quiet


@pytest.mark.parametrize("cache_size", ["4K", "8K", "16K"])
def test_commands_that_miss_the_cache(machine, cache_size):
    """A consumer of FIFOs takes entries while more come on the slow path, whose cycles are several times the usual."""
    result = machine("fifos", 20, nodes=4, cache_size=cache_size, timeout="100M").check(0)
    assert "fifos: 0 wrong, 0 bytes left: right\n" in result.stdout, result.report()


def test_a_job_whose_commands_take_as_much_as_its_slots(machine):
    """Its producer asks a consumer's node, in the slots of another job there, for as much time as a slot has. The
    consumer pays for that with half of its slot at most, and takes its entries."""
    result = machine("fifos", 20, "+", "null", "while-others", nodes=4, timeslice=37_678, atomicity="soft", cache_size="8K",
                     cache_miss=9, quantum=17, mesh_base=100, mesh_hop=6, mesh_word=3, second_base=365, dma_word=2, timeout="60M").check(0)
    assert "fifos: 0 wrong, 0 bytes left: right\n" in result.stdout, result.report()


def takes_all(result):
    return result.status == 0 and "fifos: 0 wrong, 0 bytes left: right\n" in result.stdout


TAKEN = {"beside": (106, 110, 118), "soft-beside": (140, 158)}


@pytest.mark.parametrize("way", TAKEN)
def test_a_job_whose_commands_take_its_own_slots(scan, way):
    """What a consumer has refused comes again in its own slots, and takes all of each; the slot goes on until the
    consumer has had some of it."""
    scan(TAKEN[way], way, takes_all, "fifos", 20, nodes=4, timeout="60M")


@pytest.mark.long
@pytest.mark.parametrize("way", TAKEN)
def test_a_job_whose_commands_take_its_own_slots_at_many_timings(scan, way):
    scan(range(100, 300), way, takes_all, "fifos", 20, nodes=4, timeout="60M")


def test_commands_that_wait_for_one_page(tmp_path):
    """They are done one after the other, and the node looks at network and clock in between."""
    disk = tmp_path / "disk.img"
    disk.touch()
    os.truncate(disk, 64 << 20)
    worst, done = longest(tmp_path, "-n", 2, "--ram", "1M", "--disk", f"0={disk}", "--timeout", "40M", built("mbcf/mbcf-waiting"))
    assert done.returncode == 124 and "waiting: 32 done\n" in done.stdout, done.stdout + done.stderr
    assert worst.cycles <= BOUND, worst.text


@pytest.mark.parametrize("nodes", [2, 3, 4])
def test_multicasts_that_wait(tmp_path, nodes):
    """A chore that passes on as many multicasts as it has time for leaves some for the command that waits."""
    check_served(tmp_path, "-n", nodes, "--timeout", "2G", FLOOD, "bystander", "+", FLOOD, "several", 8)


@pytest.mark.parametrize("lists", [["several", 24, "+", FLOOD, "several", 24, "odd"], ["several", 24]])
def test_updates_with_copies_beside_lists(tmp_path, lists):
    """A page that goes on to copies waits for the chore, which stores it in parts, while lists take the entries' time. It
    finds a place as well where others wait already."""
    check_served(tmp_path, "-n", 9, "--timeout", "100M", FLOOD, *lists, "+", FLOOD, "UPDATE", 4096)


@pytest.mark.parametrize("nodes", [3, 4])
def test_floods_of_many_jobs(machine, nodes):
    """Commands of one packet wait for time, and the next message waits for them. A chore has no time to look at all 16
    tasks: it goes on with the others, until each has been looked at. Then the message is taken."""
    jobs = [FLOOD, "several", 8, *["+", FLOOD, "several", 8] * 15]
    machine(*jobs, nodes=nodes, timeslice=100_000, timeout="500M").check(0)


# ---- floods of each command, beside a job that has nothing to do with them ------

WITH_BYTES = ("WRITE", "READ", "FIFO", "FIFOE", "FIFOE_RETRY", "SIGNAL")
ALL = [*[(command, size, odd) for command in WITH_BYTES for size in (4, 31, 1024, 4095) for odd in (False, True)],
       *[(command, 4096, False) for command in WITH_BYTES],
       *[("UPDATE", size, False) for size in (4, 24, 1000, 4096)],
       *[(command, 0, odd) for command in ("SWAP", "FETCH_ADD", "COMP_SWAP", "CANCEL") for odd in (False, True)],
       ("INVALIDATE", 0, False), ("WRITE_QUEUE", 32, False), ("several", 8, False), ("several", 24, False)]
FEW = [("UPDATE", 24, False), ("UPDATE", 4096, False), ("INVALIDATE", 0, False), ("WRITE", 4095, True),
       ("several", 8, False), ("several", 24, False)]
BESIDE_FLOODS = 0.9         # of the turns beside a job that does nothing, over 100 M cycles. Over 10 M it may be 0.55
                            # or 1.4, by the nodes that have the flood's slots at the same time


WAITING = 0.39              # of those of one that waits for each answer, beside the worst flood: it has 0.41, and
                            # 0.37 if charges are forgotten while it runs


def beside(machine, nodes, *words, way=()):
    """The turns of the bystander's slowest node beside a job."""
    result = machine(FLOOD, "bystander", *way, "+", *words, nodes=nodes, timeout="2G").check(0)
    turns = [int(turns) for turns in re.findall(r"^bystander: (\d+) turns$", result.stdout, re.MULTILINE)]
    assert len(turns) == nodes
    return min(turns)


QUIET: dict[int, int] = {}  # the turns beside a job that does nothing, by nodes


@pytest.mark.parametrize("size", [8, 12])
def test_a_bystander_owes_nothing_for_a_flood(machine, size):
    """Commands of another job take nearly all of its slots. Its slots become longer; it does not pay for that."""
    result = machine(FLOOD, "bystander", "long", "+", FLOOD, "several", size, "long", nodes=3, timeout="2G").check(0)
    assert re.findall(r"^bystander: (\d+) suspensions$", result.stdout, re.MULTILINE) == 3 * ["0"]


def floods(machine, nodes, command, size, odd):
    quiet = QUIET.get(nodes) or QUIET.setdefault(nodes, beside(machine, nodes, "null", 200_000_000, way=["long"]))
    flood = beside(machine, nodes, FLOOD, command, size, *["odd"] * odd, "long", way=["long"])
    assert flood > BESIDE_FLOODS * quiet


@pytest.mark.parametrize(("command", "size", "odd"), FEW)
def test_a_flood_costs_its_own_job(machine, command, size, odd):
    floods(machine, 4, command, size, odd)


@pytest.mark.parametrize("command", ["WRITE", "FETCH_ADD"])
def test_short_commands_from_nodes_that_are_free(machine, command):
    """Their job has these nodes alone, so commands come all the time, on the fast path. They are paid from its slots."""
    def turns(*job):
        result = machine(built("glaze/slots/ended"), "counts", 15_000_000, "+", *job, nodes=3, timeout="2G").check(0)
        return int(re.search(r"^ended: (\d+) turns$", result.stdout, re.MULTILINE)[1])
    assert turns(FLOOD, command, 4) > 0.9 * turns("null", 20_000_000)


@pytest.mark.parametrize("size", [4, 32])
def test_commands_to_itself(machine, size):
    """They take a job's own slots, which go on for that. The other job gets this time back, within a few slots."""
    def turns(*job):
        result = machine(built("glaze/slots/ended"), "counts", 18_000_000, "+", *job, nodes=2, timeslice=7000,
                         timeout="2G").check(0)
        return int(re.search(r"^ended: (\d+) turns$", result.stdout, re.MULTILINE)[1])
    assert turns(FLOOD, "self", size) > 0.7 * turns("null", 20_000_000)


def test_a_flood_that_runs_in_the_slots_of_a_job_that_waits(machine):
    """What a job is charged for stays charged while it runs in another's slot.

    How far a job comes that waits depends on which nodes have its slots at the same time: over a short time, it
    may come three times as far in one run as in another.
    """
    quiet, beside_flood = (beside(machine, 4, *job, way=["waits", "long"])
                           for job in (("null", 200_000_000), (FLOOD, "several", 24, "long")))
    assert beside_flood > WAITING * quiet


@pytest.mark.long
@pytest.mark.parametrize("nodes", [2, 4, 8])
@pytest.mark.parametrize(("command", "size", "odd"), ALL)
def test_each_flood_costs_its_own_job(machine, command, size, odd, nodes):
    floods(machine, nodes, command, size, odd)

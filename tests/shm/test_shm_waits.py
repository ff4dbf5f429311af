"""How processes wait: in a loop where nothing else could run, else by giving their node away."""

from __future__ import annotations

import re

from guest_programs import built

LOCKS, WAITS = built("shm/shm-locks"), built("shm/shm-waits")


def section(machine, **options):
    """Returns the cycles of a section of a counter's lock, for which 7 processes wait."""
    few, many = (int(re.match(r"(\d+) cycles", machine(LOCKS, "counter", rounds, nodes=8, timeout="2G", shm_order="drop",
                                                       **options).check(0).stdout)[1]) for rounds in (20, 120))
    return (many - few) / (8 * 100)


def test_a_lock_finds_its_next_process_awake(machine):
    """A process that waits for 27,000 cycles, alone on its node, does not sleep. (Where it does, a section takes 6,400
    cycles.)"""
    assert section(machine, shm_visits="off") < 4_500


def test_visits_are_not_made_while_others_wait(machine):
    """Alarms that come while a process waits for a lock interrupt no section. (Where they do, visits make a section 1.5
    times as long.)"""
    assert section(machine) < 1.3 * section(machine, shm_visits="off")


def test_another_job_gets_the_node(machine):
    """Two jobs wait on a node for 3 million cycles. The one that does not have the network interface uses little: it
    sleeps after 20,000 cycles of waiting. (400,000 as if it were alone.)"""
    output = machine(WAITS, "+", WAITS, nodes=2, timeout="1G", timeslice=100_000).check(0).stdout
    assert min(map(int, re.findall(r"^charged (\d+)$", output, re.MULTILINE))) < 150_000, output


def test_another_thread_gets_the_processor(machine):
    output = machine(WAITS, "thread", nodes=2, timeout="1G").check(0).stdout
    assert int(re.search(r"^ran after (\d+)$", output, re.MULTILINE)[1]) < 60_000, output

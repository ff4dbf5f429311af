"""MBCF: docs/mbcf.md, case by case. README.md says which case checks which rule."""

from __future__ import annotations

import pytest
from guest_programs import built

CASES = built("mbcf/mbcf-cases")

# Checks of each case on two nodes.
CHECKS = {"words": 16, "options": 12, "nothing": 7, "wakes": 5, "slow-reply": 12, "sleep": 2, "section": 1, "combined": 19, "all-slots": 52, "page": 2, "ended": 5, "lengths": 40, "fresh": 40, "scattered": 42, "reads": 40, "longs": 61,
          "names": 6, "refusals": 25, "agents": 16, "several": 22, "ranges": 20, "clients": 21, "errors": 24, "atomic": 2, "busy": 11, "memory": 3, "local": 5,
          "fifo": 15, "wraps": 2, "eager": 23, "structures": 34, "signals": 21, "during": 26, "quick": 4, "epochs": 17, "longest": 10, "interrupted": 5, "queue": 10,
          "short": 96, "short-signals": 20, "short-takes": 23, "short-next": 21, "short-windows": 7}
SMALL = {"memory": "1M"}        # cases that fill a node's memory


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("case", CHECKS)
def test_case(machine, case, atomicity):
    result = machine(CASES, case, nodes=2, timeout="200M", atomicity=atomicity, ram=SMALL.get(case, "4M"))
    result.passed(CHECKS[case])


@pytest.mark.parametrize("before", [4, 7, 10, 13])
def test_tickets_wrap(session, before):
    """The number that tickets are made of wraps during the case: no ticket is 0, which means a free slot.

    In steps of two for each slot, with the bit of one slot set: so many steps before the wrap.
    """
    number = f"requests_number = -sizeof(current->mbcf->slot) / sizeof(current->mbcf->slot[0]) * {2 * before - 1}"
    ended = session(["break main", "continue", "delete", f"thread apply all set var {number}", "continue"],
                    "-n", 2, CASES, "options")
    assert "requests_number" not in ended.stdout, ended.stdout      # no error
    assert "has ended with status 0." in ended.stdout, ended.stdout
    assert ended.stdout.count("\nok ") == CHECKS["options"], ended.stdout


@pytest.mark.parametrize("nodes", [3, 5])
def test_several_eager_requesters_keep_their_orders(machine, nodes):
    """Each has six entries under way to a FIFO with room for five."""
    machine(CASES, "eagers", nodes=nodes, timeout="200M").passed(2)


def test_all_nodes_add_to_one_word(machine):
    machine(CASES, "atomic", nodes=9, timeout="200M").passed(2)


@pytest.mark.parametrize("case", ["words", "options", "lengths", "reads", "agents", "clients", "combined", "all-slots", "sleep", "wraps",
                                  "eager", "signals", "queue", "short"])
def test_beside_another_job(machine, case):
    """Two jobs of one program: most commands find their target off the processor."""
    result = machine(CASES, case, "+", CASES, case, nodes=2, timeout="1G", timeslice=10000)
    result.passed(2 * CHECKS[case])


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_refusal_that_comes_late(machine, atomicity):
    """The command has gone for which the pager has found no frame: its refusal is for no other command. Where slots end
    decides whether it has gone, so there are runs with more and fewer jobs."""
    runs = [machine(CASES, "refused-late", *["+", CASES, "asleep"] * jobs, nodes=2, timeout="200M", atomicity=atomicity)
            for jobs in (6, 10, 16)]
    for run in runs:
        run.passed(2)
    assert any("its agent has gone\n" in run.stdout for run in runs)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_status_without_a_frame_ends_its_task(machine, atomicity):
    """The task has taken all memory itself. It never waits for a status that does not come."""
    result = machine(CASES, "status", nodes=2, ram="1M", timeout="100M", atomicity=atomicity).check(102)
    assert "the node has no memory left for it" in result.stdout, result.report()


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_status_gets_a_frame_of_a_larger_job(machine, atomicity):
    """A job that takes all memory ends, and not the task whose status needs a page."""
    taker = [built("glaze/paging/taker"), "all", 1_000_000, 80_000_000]
    result = machine(CASES, "status-beside", "+", *taker, nodes=2, ram="1M", timeout="100M", atomicity=atomicity).check(102)
    assert "ok the status is there\n" in result.stdout, result.report()
    assert "glaze: taker (job 2) on node 0 is ended: the node has no memory left for it" in result.stdout, result.report()


def test_lost_page(machine, disk):
    """The disk of the backing store cannot read the target's page: the requester learns it, and no job ends for it."""
    drive = (f"if=none,id=disk0,driver=raw,file.driver=blkdebug,file.image.driver=file,"
             f"file.image.filename={disk(4096)},file.inject-error.0.event=read_aio,file.inject-error.0.errno=5")
    result = machine(CASES, "lost", nodes=2, ram="512K", timeout="400M", qemu_arg=["-drive", drive])
    assert "cannot be read" not in result.stdout, result.report()
    assert "ok a page that cannot come back\n" in result.stdout, result.report()
    assert "ok its status comes\n" in result.stdout, result.report()
    assert "ok others neither\n" in result.stdout, result.report()

"""The tables of --stats (fugu.observe.text), for figures that are known."""

from __future__ import annotations

import copy

import pytest

from fugu.observe import text

MESSAGES = {"sent": 1200, "received": 1100, "inserted": 3, "with_body": 0, "body_bytes": 0, "fast": 1000, "buffered": 100,
            "handled": 1090, "polled": 10, "dropped": 0}
NONE = dict.fromkeys(MESSAGES, 0)
NO_SHOOTS = {"asked": 0, "answered": 0, "remapped": 0}
JOB = {"gid": 1, "name": "lu", "nodes": 2, "messages": MESSAGES, "buffered_mode": {"at_start": 0, "entered": 0, "causes": {}}, "t_hand": None,
       "cycles_per_message": None, "waits": {}, "pages": {"out": 0, "in": 0}, "shoot_downs": NO_SHOOTS, "suspensions": 0,
       "kernel_messages": {}, "sharing": [], "cycles": {"user": 6000, "handlers": 1500, "kernel": {"timer": 500, "page fault": 1000},
                                 "waits": {"idle": 700, "space": 200}, "ended": 100}}
REST = {"gid": 0, "name": "", "nodes": 2, "messages": NONE, "buffered_mode": {"at_start": 0, "entered": 0, "causes": {}}, "t_hand": None,
        "cycles_per_message": None, "waits": {}, "pages": {"out": 0, "in": 0}, "shoot_downs": NO_SHOOTS, "suspensions": 0,
        "kernel_messages": {}, "sharing": [], "cycles": {"user": 0, "handlers": 0, "kernel": {}, "waits": {"idle": 40}, "ended": 0}}


def node(number, *jobs):
    return {"node": number, "cycles": 10_000 + number, "jobs": jobs, "cache_misses": {"read": 30, "write": 4},
            "longest_masked": None}


def run(*jobs, nodes=(), links=()):
    return {"start": 1000, "end": 21_000, "jobs": jobs, "nodes": list(nodes), "links": list(links)}


def test_a_run():
    """All cycles are 10,000 of the job. Kinds of traps are ordered by their cycles."""
    assert list(text.lines(run(JOB, REST, nodes=[node(0, JOB, REST), node(3, REST)]))) == [
        "Figures of cycles 1,000 to 21,000, 2 nodes", "",
        "job 1, lu, on 2 nodes",
        "  messages sent      1,200",
        "  messages received  1,100: 1,000 fast, 100 buffered; 1,090 by handlers, 10 polled",
        "  user                6,000  60.0 %",
        "  handlers            1,500  15.0 %",
        "  kernel: page fault  1,000  10.0 %",
        "  kernel: timer         500   5.0 %",
        "  idle                  700   7.0 %",
        "  space                 200   2.0 %",
        "  ended                 100   1.0 %", "",
        "no job, on 2 nodes",
        "  idle  40  100.0 %", "",
        "  node  cycles   user  handlers  kernel  idle  stalls   sent  received  buffered  misses",
        "     0  10,000  6,000     1,500   1,500   840     200  1,200     1,100       100      34",
        "     3  10,003      0         0       0    40       0      0         0         0      34"]


def test_without_jobs():
    """On the bare machine there are GIDs."""
    assert "GID 0, on 2 nodes" in list(text.lines(run(REST)))


@pytest.mark.parametrize("change, line", [
    ({"t_hand": 1234}, "  T_hand             1,234 cycles"),
    ({"cycles_per_message": 4321}, "  a message every    4,321 cycles"),
    ({"waits": {"idle": 9, "space": 1500, "dma": 2}}, "  stalls             space 1,500, dma 2"),
    ({"shoot_downs": {"asked": 1000, "answered": 999, "remapped": 5}},
     "  shoot-downs        1,000 asked, 999 answered, 5 remapped"),
    ({"pages": {"out": 0, "in": 1000}}, "  pages              0 out, 1,000 in"),
    ({"pages": {"out": 2000, "in": 0}}, "  pages              2,000 out, 0 in"),
    ({"suspensions": 1000}, "  suspended          1,000 times"),
    ({"kernel_messages": {"first": 1000, "second": 2}}, "  kernel's messages  1,000 on the first network, 2 on the second network"),
    ({"buffered_mode": {"at_start": 0, "entered": 1000, "causes": {"fault": 990, "timeout": 10}}},
     "  buffered mode      entered 1,000 times: fault 990, timeout 10"),
    ({"buffered_mode": {"at_start": 2, "entered": 3, "causes": {"fault": 3}}}, "  buffered mode      entered 3 times: fault 3; 2 at the start"),
    ({"buffered_mode": {"at_start": 1000, "entered": 0, "causes": {}}}, "  buffered mode      1,000 at the start"),
    ({"messages": MESSAGES | {"dropped": 1000}}, "  messages dropped   1,000"),
    ({"messages": MESSAGES | {"with_body": 1000, "body_bytes": 9999}},
     "  messages sent      1,200, 1,000 with bodies of 9,999 bytes")])
def test_lines_that_some_jobs_have(change, line):
    found = list(text.lines(run(JOB | change)))
    assert line in found and line not in list(text.lines(run(JOB)))
    assert len(found) == len(list(text.lines(run(JOB)))) + ("messages sent" not in line)


@pytest.mark.parametrize("what", ["sent", "received", "inserted"])
def test_any_message_has_the_lines_of_messages(what):
    assert any("messages received" in line for line in text.lines(run(JOB | {"messages": NONE | {what: 1}})))
    assert not any("messages received" in line for line in text.lines(run(JOB | {"messages": NONE})))


@pytest.mark.parametrize("cycles, shown", [(4, False), (5, True)])
def test_a_kind_of_trap_with_hardly_any_cycles(cycles, shown):
    """Less than a two-thousandth: of 10,000 cycles, 5 have a line."""
    job = copy.deepcopy(JOB)
    job["cycles"]["kernel"]["rare"] = cycles
    job["cycles"]["user"] -= cycles
    assert any("kernel: rare" in line for line in text.lines(run(job))) == shown


@pytest.mark.parametrize("count, more", [(32, ""), (33, "  ... and 1 more nodes; --stats-json has all of them")])
def test_nodes_that_have_lines(count, more):
    lines = list(text.lines(run(REST, nodes=[node(number, REST) for number in range(count)])))
    assert lines[-1] == (more or lines[-1]) and any("more nodes" in line for line in lines) == bool(more)
    assert len([line for line in lines if "10,0" in line]) == 32


def test_the_longest_time_without_network():
    """Of the nodes that had one, with the function that took most of it."""
    first, second, third = node(0), node(1), node(2)
    second["longest_masked"] = {"cycles": 5000, "began": 12_345, "works_for": "job 1 lu", "functions": {"copy": 0.745, "x": 0.2}}
    third["longest_masked"] = {"cycles": 7, "began": 1, "works_for": "timer", "functions": {}}
    lines = list(text.lines(run(REST, nodes=[first, second, third])))
    at = lines.index("Longest time without network and clock")
    assert lines[at - 1] == "" and lines[at + 1:] == [
        "  node  cycles  from cycle  works for  most of it in",
        "     1   5,000      12,345  job 1 lu   copy 74 %",
        "     2       7           1  timer"]
    assert "Longest time without network and clock" not in list(text.lines(run(REST, nodes=[first])))


def test_links():
    """The busiest first, eight of each network; busy: their share of the run's 20,000 cycles."""
    links = [{"network": "first", "node": number, "link": "east", "words": 1000 + number, "busy": 100 * number}
             for number in range(9)] + [{"network": "second", "node": 5, "link": "out", "words": 1, "busy": 20_000}]
    lines = list(text.lines(run(REST, links=links)))
    at = lines.index("The busiest links of the first network, of 9 in use")
    assert lines[at + 1:] == ["  node  link  words   busy",
                              *(f"     {number}  east  {1000 + number:,}  {number / 2:.1f} %" for number in range(8, 0, -1)), "",
                              "The busiest links of the second network, of 1 in use",
                              "  node  link  words     busy", "     5  out       1  100.0 %"]
    empty = run(REST, links=links[:1]) | {"end": 1000}
    assert list(text.lines(empty))[-1].endswith("  0.0 %")          # a run of no cycles


def test_shared_memory():
    job = JOB | {"sharing": [{"name": "x", "node": 0, "cost": "lock", "times": 2, "cycles": 1000}]}
    lines = list(text.lines(run(job)))
    at = lines.index("  shared memory by node: cycles (times)")
    assert lines[at + 1:at + 6] == ["    node  all cycles      locks", "    0          1,000  1,000 (2)",
                                    "  shared memory by name: cycles (times)",
                                    "    name  all cycles      locks", "    x          1,000  1,000 (2)"]

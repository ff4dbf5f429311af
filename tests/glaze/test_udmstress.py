"""Random programs against a model: UDM with every way into and out of buffered mode.

udmstress checks every message itself, and prints sums over the messages that
it has received. stress_model.py computes from the seed what the sums must be.
"""

import re
from collections import Counter

import pytest
import stress_model
from guest_programs import built, joined

PROGRAM = built("glaze/udmstress")
BOUND = {"timeout": "20000M"}

IN = {"in-fault", "in-timeout", "in-quantum", "in-mismatch", "in-request", "in-hold"}
OUT = {"out-dispose", "out-endatom", "out-handler"}
SHARED = {"in-quantum", "in-mismatch"}          # only where several jobs share a node

# Nodes; jobs; options. A job is its seed, the number of messages that each
# node's main program sends, whether they have bodies, and the length of its
# long loops. Several jobs and short times provoke the entries to buffered mode.
CASES = {
    "2 nodes": (2, [(1, 2000, 1, 1000)], {}),
    "no bodies": (3, [(11, 1000, 0, 1000)], {}),
    "short timeout": (4, [(2, 2000, 1, 300)], {"atomicity_timeout": 500, "ram": "2M"}),
    "16 nodes": (16, [(3, 1500, 1, 4000)], {}),
    "2 jobs": (8, [(4, 1500, 1, 1000), (5, 1000, 1, 1000)], {"timeslice": 20_000}),
    "2 jobs, short times": (5, [(6, 1500, 1, 1000), (7, 1500, 1, 1000)],
                            {"timeslice": 5000, "atomicity_timeout": 300}),
    "3 jobs": (3, [(8, 1500, 1, 1000), (9, 300, 0, 1000), (10, 1000, 1, 1000)], {"timeslice": 4000}),
    "soft atomicity": (3, [(12, 1000, 1, 300), (13, 700, 1, 300)],
                       {"atomicity": "soft", "timeslice": 10_000, "atomicity_timeout": 500}),
    "soft atomicity, alone": (3, [(14, 1500, 1, 1000)], {"atomicity": "soft"}),
}


def delivered(text, seed):
    """{(source, destination, stream): (count, sum)} that the job with this seed has printed."""
    found = {}
    for source, dest, sums in re.findall(rf"^messages {seed} (\d+) (\d+):((?: \d+/[0-9a-f]{{8}})+)$", text,
                                         re.MULTILINE):
        for stream, one in enumerate(sums.split()):
            count, total = one.split("/")
            found[int(source), int(dest), stream] = int(count), int(total, 16)
    return found


def counters(text):
    """The counters of all nodes and jobs, summed."""
    found = Counter()
    for line in re.findall(r"^node \d+ \d+: (.*)$", text, re.MULTILINE):
        found.update({name: int(value) for name, value in re.findall(r"([a-z-]+)=(\d+)", line)})
    return found


def run(machine, nodes, jobs, **options):
    """Runs the jobs, and checks that their messages are the model's. Returns the result and the counters."""
    result = machine(*joined((PROGRAM, *job) for job in jobs), nodes=nodes, **(BOUND | options))

    result.check(0)
    total = 0
    for seed, messages, bodies, _ in jobs:
        expected = stress_model.expected(seed, nodes, messages, bool(bodies))
        assert delivered(result.stdout, seed) == expected
        total += sum(count for count, _ in expected.values())
    found = counters(result.stdout)
    assert found["sent"] == found["received"] == total
    assert found["entries"] == sum(found[cause] for cause in IN)
    assert found["buffer-pages"] == found["buffer-messages"] == 0
    return result, found


@pytest.mark.parametrize("case", CASES)
def test_every_message_is_delivered_once(machine, case):
    """Every message comes once, whole and in order, by whichever way."""
    nodes, jobs, options = CASES[case]
    _, found = run(machine, nodes, jobs, **options)

    seen = {name for name in IN | OUT if found[name]}
    if len(jobs) > 1:
        assert seen >= {*OUT, *SHARED, "in-fault", "in-request", "in-hold"}, found
    else:
        assert seen == (IN | OUT) - SHARED, found
    if options.get("atomicity_timeout", 10_000) < 1000:
        assert found["in-timeout"] > 1000
    assert bool(found["bodies"]) == any(bodies for _, _, bodies, _ in jobs)


def test_every_message_is_delivered_with_little_memory(machine, disk):
    """Pages go to backing store and come back."""
    jobs = [(4, 1000, 1, 1000), (5, 1000, 1, 1000), (6, 1000, 1, 1000)]
    _, found = run(machine, 3, jobs, ram="1M", disk=[f"1={disk(4096)}"], timeslice=20_000)

    assert found["outs"] > 100


def planned(cases):
    """The number of messages that these cases send."""
    return sum(sum(stress_model.planned(seed, nodes, messages).values())
               for nodes, jobs, _ in cases for seed, messages, _, _ in jobs)


def test_there_are_enough_messages():
    """The cases together send as many messages as docs/testing.md says."""
    assert planned(CASES.values()) > 100_000
    assert planned(LONG) > 9_000_000


SMALL = [(21, 200, 1, 1000), (22, 200, 1, 1000)]
SMALL_OPTIONS = {"timeslice": 20_000, "atomicity_timeout": 1000, "digest": True}


@pytest.mark.parametrize("quantum", [1, 7, 512])
def test_every_quantum_delivers_the_same_messages(machine, quantum):
    """Each quantum makes another run with the same messages."""
    latency = {"mesh_base": max(64, quantum), "second_base": max(256, quantum)}
    run(machine, 4, SMALL, quantum=quantum, **latency, **SMALL_OPTIONS)


def test_repeated_and_split_runs_have_one_digest(machine):
    """A second run, and a run in two processes, have the digest of the first."""
    first, _ = run(machine, 4, SMALL, **SMALL_OPTIONS)

    assert first.digest
    for processes in 1, 2:
        again, _ = run(machine, 4, SMALL, processes=processes, **SMALL_OPTIONS)
        assert (again.digest, again.stdout) == (first.digest, first.stdout), processes


# About half a million messages each.
LONG = [(nodes, [(seed + i, 350_000 // nodes // jobs, 1, long) for i in range(jobs)],
         {"atomicity_timeout": timeout} | ({"timeslice": timeslice} if jobs > 1 else {}))
        for seed, (nodes, jobs, long, timeout, timeslice) in enumerate([
            (2, 1, 1000, 10_000, 0), (2, 1, 300, 1, 0), (3, 1, 1000, 200, 0), (4, 1, 4000, 2000, 0),
            (5, 1, 1000, 10_000, 0), (6, 1, 300, 500, 0), (7, 1, 2000, 5000, 0), (8, 1, 1000, 10_000, 0),
            (9, 1, 1000, 1000, 0), (12, 1, 4000, 3000, 0), (16, 1, 1000, 10_000, 0), (16, 1, 300, 300, 0),
            (2, 2, 1000, 1000, 20_000), (3, 3, 1000, 10_000, 10_000), (4, 2, 1000, 300, 50_000),
            (5, 2, 300, 200, 8000), (8, 2, 1000, 10_000, 30_000), (11, 2, 1000, 2000, 100_000),
            (16, 2, 1000, 3000, 20_000), (16, 3, 1000, 1000, 40_000), (16, 1, 20_000, 10_000, 0)], start=100)]


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("case", range(len(LONG)))
def test_half_a_million_messages_are_delivered(machine, record_property, case):
    nodes, jobs, options = LONG[case]
    _, found = run(machine, nodes, jobs, host_timeout=3600, **(options | {"timeout": "200000M"}))

    assert all(found[name] for name in OUT)
    assert found["received"] >= 495_000

"""Random programs against a model: UDM over all ways into and out of buffered mode.

udmstress checks every message itself, and prints sums of what it has got;
what these must be is worked out here from its seed.
"""

import os
import re
from collections import Counter
from pathlib import Path

import pytest
import stress_model

PROGRAM = Path(os.environ.get("FUGU_BUILD", "build")) / "tests" / "glaze" / "udmstress.elf"
BOUND = {"timeout": "20000M"}

IN = {"in-fault", "in-timeout", "in-quantum", "in-mismatch", "in-request", "in-hold"}
OUT = {"out-dispose", "out-endatom", "out-handler"}
SHARED = {"in-quantum", "in-mismatch"}          # with other jobs alone

# Nodes; jobs: seed, messages that each node's main program sends, bodies or
# not, loops that are long; options. Jobs and short times make the causes.
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
}


def words(jobs):
    """The jobs as the machine's fixture takes them."""
    found = []
    for job in jobs:
        found += ["+"] * bool(found) + [PROGRAM, *job]
    return found


def delivered(text, seed):
    """(source, destination, stream): count and sum, as the job has printed them."""
    found = {}
    for source, dest, sums in re.findall(rf"^messages {seed} (\d+) (\d+):((?: \d+/[0-9a-f]{{8}})+)$", text,
                                         re.MULTILINE):
        for stream, one in enumerate(sums.split()):
            count, total = one.split("/")
            found[int(source), int(dest), stream] = int(count), int(total, 16)
    return found


def counters(text):
    """What all nodes of all jobs have counted."""
    found = Counter()
    for line in re.findall(r"^node \d+ \d+: (.*)$", text, re.MULTILINE):
        found.update({name: int(value) for name, value in re.findall(r"([a-z-]+)=(\d+)", line)})
    return found


def run(machine, nodes, jobs, **options):
    """A run whose messages are those of the model; what has been counted."""
    result = machine(*words(jobs), nodes=nodes, **(BOUND | options))

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
def test_delivered(machine, case):
    """All messages come, each once, whole, in order, however they came."""
    nodes, jobs, options = CASES[case]
    _, found = run(machine, nodes, jobs, **options)

    seen = {name for name in IN | OUT if found[name]}
    if len(jobs) > 1:
        assert seen >= {*OUT, *SHARED, "in-fault", "in-request", "in-hold"}, found
    else:
        assert seen == (IN | OUT) - SHARED, found
    if options.get("atomicity_timeout", 10_000) < 1000:
        assert found["in-timeout"] > 1000           # again and again
    assert bool(found["bodies"]) == any(bodies for _, _, bodies, _ in jobs)


def test_how_many():
    """There are enough of them."""
    assert sum(sum(stress_model.planned(seed, nodes, messages).values())
               for nodes, jobs, _ in CASES.values() for seed, messages, _, _ in jobs) >= 100_000


SMALL = [(21, 200, 1, 1000), (22, 200, 1, 1000)]
SMALL_OPTIONS = {"timeslice": 20_000, "atomicity_timeout": 1000, "digest": True}


@pytest.mark.parametrize("quantum", [1, 7, 512])
def test_quantum(machine, quantum):
    """Another run with each quantum, and the same messages."""
    latency = {"mesh_base": max(64, quantum), "second_base": max(256, quantum)}
    run(machine, 4, SMALL, quantum=quantum, **latency, **SMALL_OPTIONS)


def test_one_digest(machine):
    """The same run again, and by two processes."""
    first, _ = run(machine, 4, SMALL, **SMALL_OPTIONS)

    assert first.digest
    for processes in 1, 2:
        again, _ = run(machine, 4, SMALL, processes=processes, **SMALL_OPTIONS)
        assert (again.digest, again.stdout) == (first.digest, first.stdout), processes


# Half a million messages each, a little more or less.
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
def test_many(machine, record_property, case):
    nodes, jobs, options = LONG[case]
    _, found = run(machine, nodes, jobs, host_timeout=3600, **(options | {"timeout": "200000M"}))

    assert all(found[name] for name in OUT)
    assert found["received"] >= 495_000

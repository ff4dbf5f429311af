"""What the tests of the link share: the machine that they spoil, and what is said of it."""

import re
import subprocess
import time

import link_protocol as wire
import pytest

NODES, PROCESSES = 6, 3             # process 1 has nodes 2 and 3
ENDLESS = ("alltoall", "messages=100000000")
ENDLESS_WITH_A_TITLE = ("ring", "laps=100000000")
SOON = 2.0                          # seconds; how many kept it is told, and no verdict
BOUND = 30.0                        # seconds; later is never
TRANSPORTS = ["shm", "unix", "tcp"]


def reasons(stderr):
    """What is said of processes: (number, the rest), a line each."""
    return [(int(number), rest) for number, rest in
            re.findall(r"process (\d+) \((?:nodes \d+ to \d+|node \d+)\) (.*)$", stderr, re.MULTILINE)]


def nonsense_of(result):
    """Whose nonsense ended it; whatever else is said is None."""
    return [number if text.startswith("sent nonsense") else None for number, text in reasons(result.stderr)]


def all_end(running, but=()):
    """Waits until all processes but these have ended: how many seconds that took."""
    begin = time.monotonic()
    for number, process in enumerate(running.processes):
        if number not in but:
            try:
                process.wait(BOUND)
            except subprocess.TimeoutExpired:
                pytest.fail(f"process {number} in the list does not end\n{running.result().report()}")
    return time.monotonic() - begin


# ---- fixtures: conftest.py has them for all modules -----------------------------

@pytest.fixture(scope="session")
def begin(start):
    """begin(transport="unix", without=1): an endless machine, perhaps a process short."""
    def make(program=ENDLESS, **options):
        return start(*program, **{"nodes": NODES, "processes": PROCESSES} | options)
    return make


@pytest.fixture(scope="session")
def params(begin):
    """The parameters that a process of begin() greets with."""
    with begin(without=0, transport="unix") as running:
        running.link.settimeout(20)
        return wire.Link(running.link.accept()[0]).expect(wire.HELLO)[8 + wire.NONCE:]


@pytest.fixture
def false_hub(begin):
    """A script in the place of the hub, and process 1 that has connected to it."""
    opened = []

    def make(**options):
        running = begin(without=0, processes=2, **{"transport": "unix"} | options)
        opened.append(running)
        running.link.settimeout(20)
        return running, wire.Link(running.link.accept()[0])
    yield make
    for running in opened:
        running.__exit__()

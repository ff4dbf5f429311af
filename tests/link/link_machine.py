"""The machine whose processes the tests of the link disturb, and what it reports of them."""

import re
import subprocess
import time

import link_protocol as wire
import pytest

NODES, PROCESSES = 6, 3             # process 1 has nodes 2 and 3
ENDLESS = ("alltoall", "messages=100000000")
ENDLESS_WITH_A_TITLE = ("ring", "laps=100000000")
SOON = 2.0                          # seconds; a summary counts the runs that ended within this time
BOUND = 30.0                        # seconds; a process that still runs then fails the test
TRANSPORTS = ["shm", "unix", "tcp"]


def reasons(stderr):
    """[(number, text)] of the lines on standard error that are about a process."""
    return [(int(number), rest) for number, rest in
            re.findall(r"process (\d+) \((?:nodes \d+ to \d+|node \d+)\) (.*)$", stderr, re.MULTILINE)]


def nonsense_of(result):
    """The number of the process that sent nonsense, for each line about a process; None for other reasons."""
    return [number if text.startswith("sent nonsense") else None for number, text in reasons(result.stderr)]


def all_end(running, but=()):
    """Waits until all processes but those in `but` have ended. Returns how many seconds that took."""
    begin = time.monotonic()
    for number, process in enumerate(running.processes):
        if number not in but:
            try:
                process.wait(BOUND)
            except subprocess.TimeoutExpired:
                pytest.fail(f"process {number} in the list does not end\n{running.result().report()}")
    return time.monotonic() - begin


def ended(running, statuses):
    """Waits until all processes have ended, which they must with these statuses. Returns the result."""
    all_end(running)
    result = running.result()
    assert [result.status, *result.others] == statuses, result.report()
    return result


# ---- fixtures: conftest.py has them for all modules -----------------------------

@pytest.fixture(scope="session")
def begin(start):
    """begin(transport="unix", without=1) -> a running machine with an endless program, perhaps without a process."""
    def make(program=ENDLESS, **options):
        return start(*program, **{"nodes": NODES, "processes": PROCESSES} | options)
    return make


@pytest.fixture(scope="session")
def params(begin):
    """The parameters that a process of begin() sends in its HELLO."""
    with begin(without=0, transport="unix") as running:
        running.link.settimeout(20)
        return wire.Link(running.link.accept()[0]).expect(wire.HELLO)[8 + wire.NONCE:]


@pytest.fixture
def false_hub(begin):
    """false_hub() -> (running, link): process 1, and its connection to a script in the place of the hub."""
    opened = []

    def make(**options):
        running = begin(without=0, processes=2, **{"transport": "unix"} | options)
        opened.append(running)
        running.link.settimeout(20)
        return running, wire.Link(running.link.accept()[0])
    yield make
    for running in opened:
        running.__exit__()

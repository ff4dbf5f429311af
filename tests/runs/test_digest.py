"""One run, whatever the host does: digests of the same inputs are the same.

The digest takes in all launches, deliveries, traps and console output, with
their local times. What may not change it: how often a program is run, how
busy the host is, what is traced, how QEMU cuts code into translation blocks,
and when somebody stops the machine.
"""

import os
import subprocess
import time

import pytest
from qmp import Qmp

# Program, arguments, options of the machine.
CASES = {
    "ring": ((), {}),
    "ring, 1 node": ((), {"nodes": 1}),
    "ring, 13 nodes, quantum 7": (("rounds=8",), {"nodes": 13, "quantum": 7}),
    "ring, quantum 1": (("rounds=8",), {"nodes": 4, "quantum": 1}),
    "ring, quantum 512": ((), {"quantum": 512, "mesh-base": 512, "second-base": 512}),
    "alltoall": (("messages=20",), {}),
    "alltoall, long messages": (("words=16", "messages=20"), {"nodes": 5}),
    "alltoall, no cache": (("messages=20",), {"cache": False}),
    "alltoall, small queues": (("messages=20",), {"input-queue": 16, "source-space": 32}),
    "order": (("partners=4",), {"nodes": 8}),
    "backpressure": ((), {"nodes": 4}),
    "second": ((), {"nodes": 2}),
    "atomicity": ((), {"nodes": 2}),
    "cache": ((), {"nodes": 2}),
    "couples": ((), {"nodes": 2}),
    "crossing": ((), {"nodes": 5}),
    "contexts": ((), {"nodes": 1}),
    "divert": ((), {"nodes": 1}),
    "doubles": ((), {"nodes": 1}),
    "dma": ((), {"nodes": 1}),
    "idle": ((), {"nodes": 3}),
    "latency": ((), {"nodes": 4}),
    "places": ((), {"nodes": 2}),
    "protect": ((), {"nodes": 1}),
    "ramcode": ((), {"nodes": 4}),
    "random": ((), {"nodes": 1}),
    "rewrite": ((), {"nodes": 2}),
    "straight": ((), {"nodes": 2}),
    "slots": ((), {"nodes": 2}),
    "soft": ((), {"nodes": 2, "atomicity": "soft"}),
    "timing": ((), {"nodes": 2}),
    "traps": ((), {"nodes": 2}),
    "int": (("reps=1",), {"nodes": 3}),
    "fp": (("reps=1",), {"nodes": 2}),
    "deadlock": ((), {"nodes": 4}),
    "errormode": ((), {"nodes": 3}),
    "spin": ((), {"nodes": 3, "timeout": 50_000}),
}

NOWHERE = ("-D", os.devnull)

# Ways to run it: the accelerator's options, and more arguments of QEMU.
WAYS = {
    "again": ("", ()),
    "one instruction a block": (",one-insn-per-tb=on", ()),
    "cache looked up out of line": (",line-filter=off", ()),
    "blocks not chained": ("", ("-d", "nochain", *NOWHERE)),
    "little room for translated code": (",tb-size=1", ()),
    "traced": ("", ("-trace", "enable=fugu_*", *NOWHERE)),
    "logged": ("", ("-d", "int,exec,nochain", *NOWHERE)),
}


def program(case):
    """The case's program, arguments and options, as run() takes them."""
    args, options = CASES[case]
    return (case.partition(",")[0], *args), options


@pytest.mark.parametrize("case", CASES)
def test_one_digest(run, digest_of, case):
    """The same status, output and digest in all ways."""
    args, options = program(case)

    def outcome(way):
        accel, more = WAYS[way]
        done = run(*args, accel=accel, more=more, digest=True, **options)
        return done.returncode, digest_of(done.stdout), done.stdout, done.stderr
    first = outcome("again")
    for way in WAYS:
        assert outcome(way) == first, way


@pytest.mark.parametrize("case", ["ring", "alltoall", "backpressure", "traps"])
def test_on_a_busy_host(run, digest_of, busy_host, case):
    args, options = program(case)
    digests = {digest_of(run(*args, digest=True, **options).stdout) for _ in range(4)}
    assert len(digests) == 1


def test_other_inputs_are_another_run(run, digest_of):
    """What must change the digest, or it would be worth nothing."""
    digests = [digest_of(run("ring", *args, digest=True, **options).stdout) for args, options in [
        ((), {}), (("laps=4",), {}), (("seed=2",), {}), ((), {"nodes": 9}), ((), {"mesh-base": 65}),
        ((), {"mesh-word": 5}), ((), {"mesh": (8, 1)}), ((), {"cache-miss": 11}), ((), {"cache": False})]]
    assert len(set(digests)) == len(digests)


@pytest.mark.parametrize("case", [("alltoall", "messages=4000"), ("int", "reps=100")], ids=lambda case: case[0])
def test_stopped_and_continued(run, line, digest_of, tmp_path, case):
    """Whoever stops the machine changes nothing in it."""
    expected = digest_of(run(*case, nodes=4, digest=True).stdout)
    path = tmp_path / "qmp"
    with subprocess.Popen(line(*case, nodes=4, digest=True, more=("-S", "-qmp", f"unix:{path},server=on,wait=off")),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        monitor = Qmp(path)
        stops = 0
        for _ in range(20):
            try:
                monitor.ask("cont")
                time.sleep(0.005)
                monitor.ask("stop")
            except (OSError, ValueError):
                break                   # it has come to its end
            stops += 1
        else:
            monitor.ask("cont")
        output = process.communicate(timeout=60)[0]
    assert process.returncode == 0
    assert stops > 1
    assert digest_of(output) == expected

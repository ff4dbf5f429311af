"""The same inputs give the same digest, whatever the host does.

The digest covers all launches, deliveries, traps and console output, with
their local times. It must not depend on how busy the host is, on traces, on
how QEMU cuts code into translation blocks, or on when the machine is stopped.
"""

import os
import subprocess
import time

import pytest
from cases import CASES, call
from qmp import Qmp

NOWHERE = ("-D", os.devnull)

# Ways to run a case: options of the accelerator, and more arguments of QEMU.
WAYS = {
    "again": ("", ()),
    "one instruction a block": (",one-insn-per-tb=on", ()),
    "cache looked up out of line": (",line-filter=off", ()),
    "floating point in software": ("", ("-global", "sparc-cpu.host-fpu=off")),
    "blocks not chained": ("", ("-d", "nochain", *NOWHERE)),
    "little room for translated code": (",tb-size=1", ()),
    "traced": ("", ("-trace", "enable=fugu_*", *NOWHERE)),
    "logged": ("", ("-d", "int,exec,nochain", *NOWHERE)),
}


@pytest.mark.parametrize("case", CASES)
def test_all_ways_to_run_have_one_digest(run, digest_of, case):
    """Status, output and digest are the same in all ways."""
    words, options = call(case, CASES[case])

    def outcome(way):
        accel, more = WAYS[way]
        done = run(*words, accel=accel, more=more, digest=True, **options)
        return done.returncode, digest_of(done.stdout), done.stdout, done.stderr
    first = outcome("again")
    for way in WAYS:
        assert outcome(way) == first, way


@pytest.mark.parametrize("case", ["ring", "alltoall", "backpressure", "traps"])
def test_busy_host_changes_nothing(run, digest_of, busy_host, case):
    words, options = call(case, CASES[case])
    digests = {digest_of(run(*words, digest=True, **options).stdout) for _ in range(4)}
    assert len(digests) == 1


def test_other_inputs_have_another_digest(run, digest_of):
    """Each of these inputs changes the digest."""
    digests = [digest_of(run("ring", *args, digest=True, **options).stdout) for args, options in [
        ((), {}), (("laps=4",), {}), (("seed=2",), {}), ((), {"nodes": 9}), ((), {"mesh-base": 65}),
        ((), {"mesh-word": 5}), ((), {"mesh": (8, 1)}), ((), {"cache-miss": 11}), ((), {"cache": False})]]
    assert len(set(digests)) == len(digests)


@pytest.mark.parametrize("case", [("alltoall", "messages=4000"), ("int", "reps=100")], ids=lambda case: case[0])
def test_stopping_the_machine_changes_nothing(run, line, digest_of, tmp_path, case):
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
                break                   # the run has ended
            stops += 1
        else:
            monitor.ask("cont")
        output = process.communicate(timeout=60)[0]
    assert process.returncode == 0
    assert stops > 1
    assert digest_of(output) == expected

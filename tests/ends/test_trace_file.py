"""A trace that cannot be written ends the run, with one line that says so.

Writes to /dev/full fail, as on a full disk.
"""

import re

import pytest


@pytest.mark.parametrize("events", ["fugu_ni_*", "fugu_rounds_end"], ids=["all along", "at the end"])
def test_full_disk_ends_the_run(run, events):
    done = run("alltoall", "messages=40", nodes=4, more=("-trace", f"enable={events}", "-D", "/dev/full"))
    assert done.returncode == 121
    assert len(re.findall(r"^fugu: the trace file cannot be written any more, at cycle \d+", done.stderr,
                          re.MULTILINE)) == 1


def test_writable_trace_keeps_the_status(run, tmp_path):
    """A trace that can be written does not change the status."""
    done = run("errormode", nodes=2, more=("-trace", "enable=fugu_*", "-D", str(tmp_path / "trace")))
    assert done.returncode == 126

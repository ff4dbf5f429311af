"""Kernel and libraries take exactly the cycles, traps and messages that are committed, in each run of exact_runs.py."""

from __future__ import annotations

import re

import pytest
from exact_runs import DISK, LIBRARIES, Run
from guest_programs import built
from machine_runs import observed_machine
from pinned import differences

RUNS = [(library, name) for library, runs in LIBRARIES.items() for name in runs]
MEASURED = re.compile(r"^.*\d.*$", re.MULTILINE)


def account(figures):
    """Lines "job GID KIND: NAME NUMBER, ...", which have all figures of a run that do not depend on its cache."""
    yield f"end: {figures['end']}"
    for node in figures["nodes"]:
        if longest := node["longest_masked"]:
            yield f"node {node['node']} longest masked: {longest['works_for']} {longest['cycles']}"
    for job in figures["jobs"]:
        cycles = job["cycles"]
        kinds = {
            "messages": job["messages"], "kernel messages": job["kernel_messages"],
            "buffered mode": {"entered": job["buffered_mode"]["entered"], "left": job["buffered_mode"]["left"],
                              **job["buffered_mode"]["causes"]},
            "cycles": {"user": cycles["user"], "handlers": cycles["handlers"], "ended": cycles["ended"],
                       "charged": job["cycles_charged"], "of handlers": job["cycles_of_handlers"]},
            "kernel": cycles["kernel"], "cycles of waits": cycles["waits"], "traps": job["traps"], "waits": job["waits"],
            "pages": job["pages"] | job["shoot_downs"] | {"suspensions": job["suspensions"]},
            "sharing": _sharing(job["sharing"]),
        }
        for kind, numbers in kinds.items():
            if any(numbers.values()):
                yield f"job {job['gid']} {kind}: " + ", ".join(f"{name} {numbers[name]}" for name in sorted(numbers) if numbers[name])


def _sharing(entries):
    """Times and cycles of each cost of shared memory, of all nodes and names."""
    sums = {}
    for one in entries:
        for what in ("times", "cycles"):
            name = f"{one['cost']} {what}"
            sums[name] = sums.get(name, 0) + one[what]
    return sums


@pytest.mark.parametrize(("library", "name"), RUNS, ids=[f"{library}: {name}" for library, name in RUNS])
def test_run(disk, tmp_path, pinned, library, name):
    run: Run = LIBRARIES[library][name]
    words = [built(word) if "/" in str(word) else word for word in run.words]
    disks = {} if run.disk is None else {"disk": [f"{run.disk}={disk(DISK)}"]}
    done, figures = observed_machine(tmp_path, *words, cache="off", timeout="1G", **run.options, **disks)
    found = list(account(figures))
    done.check(run.status)
    if run.prints:
        found += sorted(f"prints {line}" for line in MEASURED.findall(done.stdout))
    pinned.compare(library, name, found)


@pytest.mark.parametrize("library", LIBRARIES)
def test_all_entries_are_of_runs(pinned, library):
    """A run that is no longer there leaves no entry behind."""
    pinned.has_all(library, LIBRARIES[library])


def test_a_difference_is_told_by_its_kind():
    """One cycle more is told, with the number that was expected, and so is a kind of figures that is new."""
    before, now = ["end: 10", "job 1 cycles: handlers 3, user 7"], ["end: 10", "job 1 cycles: handlers 3, user 8", "job 1 traps: reset 1"]
    assert differences(before, now) == ["  job 1 cycles: user 8 now, user 7 expected", "  job 1 traps: reset 1 now, nothing expected"]
    assert differences(now, now) == []

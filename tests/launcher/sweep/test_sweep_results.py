"""The table of results, from invented runs."""

from __future__ import annotations

import csv
import json

import pytest

from fugu.abi import STATUS
from fugu.sweep import plan, results
from fugu.sweep.carry_out import is_final
from fugu.sweep.table import Table, Wanted

OUTPUT = """\
hello
lu: right
measured lu: nodes 4
measured lu: cycles 10
measured lu: t_betw none
measured lu: cycles 20
measured null: messages 3
digest: 0123456789abcdef
"""


@pytest.fixture
def made(tmp_path):
    """made({key: (record, output, errors)}) -> a plan with these runs."""
    def make(runs):
        (tmp_path / "runs").mkdir()
        for key, (record, out, err) in runs.items():
            (tmp_path / "runs" / f"{key}.out").write_text(out)
            (tmp_path / "runs" / f"{key}.err").write_text(err)
            if record is not None:
                text = record if isinstance(record, str) else json.dumps(record)
                (tmp_path / "runs" / f"{key}.json").write_text(text)
        wanted = tuple(Wanted(line, (key, "4"), 1, ("--nodes=4", "--", key)) for line, key in enumerate(runs, 2))
        return plan.Plan(tmp_path, Table("t.csv", ("app", "nodes"), wanted), tuple(runs), 60.0)
    return make


def ended(status, why="", seconds=1.5):
    return {"status": status, "ended": why, "seconds": seconds}


def rows(one, tmp_path):
    failed = results.write(one, tmp_path / "r.csv")
    with (tmp_path / "r.csv").open(newline="") as file:
        return failed, list(csv.DictReader(file))


def test_a_row_for_each_section(made, tmp_path):
    """A measured number whose name is a column's has another column."""
    failed, found = rows(made({"lu": (ended(0), OUTPUT, "")}), tmp_path)
    assert failed == []
    common = {"line": "2", "app": "lu", "nodes": "4", "trial": "1", "status": "0", "reason": "",
              "run": "lu", "last_line": "lu: right", "digest": "0123456789abcdef", "host_seconds": "1.5"}
    empty = {"measured_nodes": "", "cycles": "", "t_betw": "", "messages": ""}
    assert found == [common | empty | {"section": "lu", "occurrence": "1", "measured_nodes": "4", "cycles": "10"},
                     common | empty | {"section": "lu", "occurrence": "2", "cycles": "20"},
                     common | empty | {"section": "null", "occurrence": "1", "messages": "3"}]


@pytest.mark.parametrize("record, err, reason", [
    (ended(9), "x\nfugu: node 1 ended with status 9\nfugu: more\n", "node 1 ended with status 9"),
    (ended(122), "qemu: cannot\n", "status 122: qemu: cannot"), (ended(5), "", "status 5"),
    (ended(-9), "", "killed by signal 9"), (ended(130, "limit"), "fugu: x\n", "ended after 60 s of host time (--limit)"),
    (ended(121, "space"), "", "ended after 256 MiB of output"), (None, "", "it left no result; snakemake.log says more"),
    ('{"status": 0}', "", "it left no result; snakemake.log says more"),
    ('{"status": 0, "seconds": "x", "ended": ""}', "", "it left no result; snakemake.log says more")])
def test_failed_runs_are_rows_with_a_reason(made, tmp_path, record, err, reason):
    failed, found = rows(made({"bad": (record, "", err), "lu": (ended(0), OUTPUT, "")}), tmp_path)
    assert failed == [f"line 2, trial 1: --nodes=4 -- bad: {reason}"]
    assert found[0]["reason"] == reason and found[0]["cycles"] == "" and len(found) == 4


STOPPED = "the program stopped the machine with status 9 at cycle 96640"
ENDED = "a (job 1) on node 1 is ended: abort() was called"


@pytest.mark.parametrize("out, err, reason", [
    ("begins\n", f"fugu: {STOPPED}\n", STOPPED),
    ("begins\n", f"wrong\nwent wrong\nfugu: {STOPPED}\n", f"{STOPPED}: went wrong"),
    (f"begins\nglaze: {ENDED}\nb\nglaze: b (job 2) on node 0 is ended: x\n", f"y\nfugu: {STOPPED}\n", f"{STOPPED}: {ENDED}"),
    ("glaze: node 1: the kernel is wrong: x\n", f"fugu: {STOPPED}\n", f"{STOPPED}: node 1: the kernel is wrong: x"),
    (f"glaze: {ENDED}\n", "y\nfugu: timeout at cycle 5000\n", "timeout at cycle 5000")])
def test_the_reason_of_a_program_that_ended_itself_or_was_ended(made, tmp_path, out, err, reason):
    """The kernel says why on the console, which is the run's output, and the program where it writes its errors."""
    _, (row,) = rows(made({"bad": (ended(9), out, err)}), tmp_path)
    assert row["reason"] == reason


@pytest.mark.parametrize("record, final", [
    (ended(0), True), (ended(119), True), (ended(2), True), (ended(STATUS["DEADLOCK"]), True),
    (ended(STATUS["TIMEOUT"]), True), (ended(STATUS["ERROR_MODE"]), True), (ended(STATUS["PEER"]), False),
    (ended(STATUS["FILE"]), False), (ended(STATUS["START"]), False), (ended(STATUS["SIGNAL"]), False), (ended(-9), False),
    (ended(130, "limit"), False), (ended(2, "launcher"), False)])
def test_what_the_host_ended_is_carried_out_again(made, record, final):
    assert is_final(record) == final
    one = made({"a": (record, "", ""), "b": (ended(0), "", ""), "c": (None, "", "")})
    assert results.missing(one, fresh=False) == [*([] if final else ["a"]), "c"]
    assert one.result("a").exists() == final
    assert results.missing(one, fresh=True) == ["a", "b", "c"] and not one.result("b").exists()

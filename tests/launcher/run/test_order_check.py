"""--check order, for two runs whose output and files are known (fugu.run.orders)."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest

from fugu.errors import UsageError
from fugu.paths import ROOT
from fugu.run import orders
from fugu.run.parse import parse


@pytest.mark.parametrize("words, left", [
    (["--check", "order", "lu"], ["lu"]), (["--check=order", "lu"], ["lu"]), (["-n", "4", "--check", "order", "lu", "5"], ["-n", "4", "lu", "5"]),
    (["--output", "there", "--check=order", "lu"], ["lu"]), (["--output=there", "--check", "order", "lu"], ["lu"]),
    (["--check", "order", "lu", "--checks", "--outputs=1"], ["lu", "--checks", "--outputs=1"]), (["lu"], ["lu"])])
def test_the_words_of_both_runs(words, left):
    before = list(words)
    assert orders._without_check(words) == left and words == before


@pytest.mark.parametrize("count, more", [(20, []), (21, ["  ... and 1 more"]), (25, ["  ... and 5 more"])])
def test_lines_that_differ(count, more):
    """Those that differ alone, and only so many."""
    kept, dropped = b"same\n", b"same\n" + b"".join(b"new %d\n" % k for k in range(count))
    assert orders._lines(kept, dropped) == [f"  +new {k}" for k in range(20)] + more
    assert orders._lines(b"a\nold\n\xff\nz\n", b"a\nnew\n\xfe\nz\n") == ["  -old", "  -\\xff", "  +new", "  +\\xfe"]


def outcome(folder, name, output=b"", status=0, **files):
    found = orders._Outcome(name, folder / name)
    found.output, found.status = output, status
    for file, data in files.items():
        (folder / name / "sub").mkdir(parents=True, exist_ok=True)
        (folder / name / "sub" / file).write_bytes(data)
    return found


def test_what_differs(tmp_path):
    one = outcome(tmp_path, "keep", b"a\n", 0, same=b"1", mine=b"2", other=b"3\n")
    two = outcome(tmp_path, "drop", b"b\n", 125, same=b"1", theirs=b"2", other=b"4\n")
    assert one.differences(two) == [
        "the exit status is 0; without the order 125", "the output differs:", "  -a", "  +b", "sub/mine is there with the order only",
        "sub/other differs:", "  -3", "  +4", "sub/theirs is there without the order only"]
    assert one.differences(one) == [] and sorted(one.files()) == ["sub/mine", "sub/other", "sub/same"]
    assert outcome(tmp_path, "none").files() == {}


@pytest.mark.parametrize("given", [None, b"", b"typed"])
def test_how_a_run_is_made(given, tmp_path, monkeypatch):
    """The order comes before the user's words; what is typed goes to both."""
    made = []
    monkeypatch.setattr(subprocess, "run", lambda line, **options: made.append((line, options)) or SimpleNamespace(returncode=7, stdout=b"said"))
    one = orders._Outcome("drop", tmp_path)
    one.make(["-n", "4", "lu"], given)
    assert (one.status, one.output) == (7, b"said")
    [(line, options)] = made
    assert line == [str(ROOT / "run.sh"), "--shm-order", "drop", "--output", str(tmp_path), "-n", "4", "lu"]
    assert options == {"stdout": subprocess.PIPE, "check": False} | ({"stdin": subprocess.DEVNULL} if given is None else {"input": given})


@pytest.mark.parametrize("first, second, status, said", [
    ((0, b"a\n"), (0, b"a\n"), 0, "output and 0 files are the same"), ((5, b"a\n"), (5, b"a\n"), 5, "output and 0 files are the same"),
    ((0, b"a\n"), (0, b"b\n"), 1, "this program does otherwise"), ((0, b"a\n"), (3, b"a\n"), 1, "this program does otherwise"),
    ((4, b"a\n"), (0, b"b\n"), 4, "this program does otherwise")])
def test_the_result_of_both(first, second, status, said, monkeypatch, capfdbinary):
    """The first run's output, and its status if that is not 0."""
    ran = iter((first, second))
    monkeypatch.setattr(orders, "ready", lambda run: None)
    monkeypatch.setattr(sys, "stdin", None)

    def make(self, words, given):
        assert words == ["hello"] and given is None
        self.status, self.output = next(ran)
    monkeypatch.setattr(orders._Outcome, "make", make)
    assert orders.compare(parse(["--check", "order", "hello"]), ["--check", "order", "hello"]) == status
    shown = capfdbinary.readouterr()
    assert shown.out == first[1] and said in shown.err.decode() and list(ran) == []


@pytest.mark.parametrize("words, said", [
    (["--ni", "none"], "about shared memory, which --ni none does not have"), (["--stats"], "--stats goes with one run"),
    (["--trace", "x"], "--trace goes with one run"), (["--dry-run"], "--dry-run goes with one run"), (["--save", "x@500"], "--save goes with one run"),
    (["--shm-order", "keep"], "--shm-order goes with one run"), (["--timeline", "x"], "--timeline goes with one run"),
    (["--trace-file", "x"], "--trace-file goes with one run"), (["--processes", "2"], ""), (["--digest"], "")])
def test_what_cannot_be_compared(words, said):
    run = parse([*words, "hello"])
    if not said:
        orders._check(run)
        return
    with pytest.raises(UsageError) as error:
        orders._check(run)
    assert said in str(error.value) and "--check order" in str(error.value)

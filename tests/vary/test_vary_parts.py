"""Timings, comparisons, and the fewest parts."""

from __future__ import annotations

import re

import pytest

from fugu.abi import STATUS
from fugu.commands.vary import EXTRA, OPTIONS, SLOWER, Program, check
from fugu.errors import SetupError
from fugu.run.parse import parse
from fugu.vary.attempts import Ran
from fugu.vary.compare import Rules
from fugu.vary.shrink import fewest
from fugu.vary.timings import BESIDE, changes


def ran(output, status=0):
    return Ran(status, output, "")


@pytest.mark.parametrize("number", range(1, 200))
def test_every_timing_can_be_run_in_parts(number):
    """All parts together, and each by itself, are options that a run accepts; a number is always the same timing."""
    parts = list(changes(number, True, 1))
    assert parts == list(changes(number, True, 1))
    for some in (parts, *([part] for part in parts)):
        parse([word for part in some if part != BESIDE for word in part] + ["hello", *(BESIDE if BESIDE in some else ())])


def test_timings_of_the_bare_machine():
    parts = [part for number in range(1, 50) for part in changes(number, False, 0)]
    assert BESIDE not in parts and not any(word.startswith(("--time", "--skew", "--atom")) for part in parts for word in part)


@pytest.mark.parametrize(("rules", "one", "other", "same"), [
    (Rules(), "a\nb\n", "b\na\n", True), (Rules(ordered=True), "a\nb\n", "b\na\n", False),
    (Rules(), "a 1\n", "a 2\n", False), (Rules(numbers=False), "a  1,000\n", "a 2.5\n", True),
    (Rules(ignored=[re.compile("^a")]), "a 1\nb\n", "a 2\nb\n", True), (Rules(), "a\na\n", "a\n", False)])
def test_what_counts(rules, one, other, same):
    assert rules.same(ran(one), ran(other)) == same


def test_a_difference_is_shown():
    assert Rules().difference(ran("a\nb\n"), ran("b\nc\n", 124)) == ["the status is 124 (timeout), and was 0", "- a", "+ c"]
    many = Rules().difference(ran(""), ran("".join(f"{k}\n" for k in range(100, 115))))
    assert many[0] == "+ 100" and len(many) == 11 and many[-1] == "+ ... and 5 more"
    assert Rules(ordered=True).difference(ran("a\nb\nc\n"), ran("a\nc\nb\n")) == ["- b", "- c", "+ c", "+ b"]


@pytest.mark.parametrize("needed", [set(), {"d"}, {"a", "h"}, {"b", "c", "g"}, set("abcdefgh")])
def test_the_fewest_parts(needed):
    tried = []

    def differs(parts):
        tried.append(parts)
        return needed <= {word for part in parts for word in part}
    assert {word for part in fewest([(one,) for one in "abcdefgh"], differs) for word in part} == needed
    assert len(tried) <= 8 * 8


def test_output_without_room_is_no_difference():
    with pytest.raises(SetupError, match="a run's output cannot be written in .*: make room"):
        check(Ran(STATUS["FILE"], "", "fugu: the output cannot be written any more"))


def test_a_run_without_an_end_is_bounded_in_the_command_too():
    program = Program(parse(["-n", "2", "hello"], OPTIONS), ["-n", "2", "hello"])
    program.cycles = 1_000
    assert program.bound() == [f"--timeout={SLOWER * 1_000 + EXTRA}"]
    words = ["--timeout", "5M", "hello"]
    assert Program(parse(words, OPTIONS), words).bound() == []

"""Timings, comparisons, and the fewest parts."""

from __future__ import annotations

import re

import pytest

from fugu.abi import STATUS
from fugu.commands import vary
from fugu.commands.vary import EXTRA, OPTIONS, SLOWER, Program, check
from fugu.errors import STATUS_SETUP, STATUS_USAGE, SetupError
from fugu.run.parse import parse
from fugu.vary.attempts import Ran
from fugu.vary.compare import Rules
from fugu.vary.shrink import fewest
from fugu.vary.timings import BESIDE, changes, is_beside, timing


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


# ---- the command, with runs whose output is known ------------------------------------

@pytest.fixture
def varied(monkeypatch, capsys):
    """varied(words, outputs of timings by number) -> status, lines; the plain run prints "a 1". Notes the attempts."""
    def run(words, outputs, plain=None):
        numbers, attempts = {}, []

        def number_of(attempt):
            attempts.append(attempt)
            return next((number for part, number in numbers.items() if part in attempt.words), None)

        def parts(self, number):
            numbers[f"--mesh-hop={number}"] = number
            return [(f"--mesh-hop={number}",), ("--dma-word=1",)]
        monkeypatch.setattr(Program, "parts", parts)
        monkeypatch.setattr(vary, "ready", lambda run: None)
        monkeypatch.setattr(vary, "only", lambda attempt, seconds: outputs.get(number_of(attempt), plain or ran("a 1\n")))
        monkeypatch.setattr(vary, "results", lambda tried, seconds: [
            (k, outputs.get(number_of(one), plain or ran("a 1\n"))) for k, one in reversed(list(enumerate(tried)))])
        status = vary.main(words)
        return status, capsys.readouterr().out.splitlines(), attempts
    return run


def test_timings_that_print_the_same(varied):
    status, lines, attempts = varied(["hello"], {})
    assert (status, lines) == (0, ["The plain run ends with status 0 after 0 cycles.",
                                   "All 50 timings print the same, and end with the same status."])
    assert attempts[0].words[0] == "--processes=1" and attempts[-1].words == [
        "--processes=1", f"--timeout={EXTRA}", "--mesh-hop=1", "--dma-word=1", "hello"] and len(attempts) == 51
    assert varied(["--runs", "1", "--first=7", "hello"], {})[1][1] == "Timing 7 prints the same, and ends with the same status."


def test_timings_that_differ(varied):
    """The first of them, with what it needs; the numbers of ten."""
    status, lines, attempts = varied(["--runs=3", "--first", "5", "-n", "2", "hello", "x"], {6: ran("b\n"), 7: ran("c\n")})
    assert (status, lines[1:]) == (1, [
        "2 of 3 timings differ: 6, 7. Timing 6 needs only", "  ./run.sh --mesh-hop=6 -n 2 hello x", "    - a 1", "    + b",
        "GDB shows how it comes to that, and goes back from there:", "  ./run.sh debug --mesh-hop=6 -n 2 hello x"])
    for count, shown in ((10, ", ".join(map(str, range(1, 11)))), (11, ", ".join(map(str, range(1, 11))) + ", ...")):
        lines = varied([f"--runs={count}", "hello"], {k: ran("b\n") for k in range(1, count + 1)})[1]
        assert lines[1] == f"{count} of {count} timings differ: {shown}. Timing 1 needs only"


def test_timings_that_differ_in_numbers(varied):
    said = "They differ in numbers alone. If these are times, --no-numbers leaves them out."
    assert said in varied(["hello"], {3: ran("a 2\n")})[1] and said not in varied(["hello"], {3: ran("b 1\n")})[1]
    assert varied(["--no-numbers", "hello"], {3: ran("a 2\n")})[0] == 0
    assert varied(["--ignore=^b", "hello"], {3: ran("a 1\nb\n")})[0] == 0
    assert varied(["--ordered", "hello"], {3: ran("a 1\nb\n")}, ran("b\na 1\n"))[0] == 1
    assert varied(["hello"], {3: ran("a 1\nb\n")}, ran("b\na 1\n"))[0] == 0


def test_a_machine_of_several_processes(varied):
    lines, attempts = varied(["--processes", "2", "-n", "2", "hello"], {3: ran("b\n")})[1:]
    assert lines[-1] == "GDB shows how it comes to that on a machine of one process: leave --processes out."
    assert not any("--processes=1" in one.words for one in attempts)


def test_a_timing_without_an_end(varied):
    """Its command bounds it, unless the user's words do."""
    lines = varied(["hello"], {3: ran("", STATUS["TIMEOUT"])})[1]
    assert lines[2] == f"  ./run.sh --timeout={EXTRA} --mesh-hop=3 hello" and f"    the status is {STATUS['TIMEOUT']} (timeout), and was 0" in lines
    assert varied(["--timeout=5M", "hello"], {3: ran("", STATUS["TIMEOUT"])})[1][2] == "  ./run.sh --mesh-hop=3 --timeout=5M hello"


@pytest.mark.parametrize("status, output, errors, refused", [
    (STATUS_USAGE, "", "fugu: no such thing\n", True), (STATUS_SETUP, "", "fugu: no compiler\n", True), (STATUS_USAGE, "x", "fugu: no\n", False),
    (STATUS_USAGE, "", "my own words\n", False), (1, "", "fugu: no\n", False), (0, "", "", False)])
def test_runs_that_the_launcher_refuses(status, output, errors, refused):
    if refused:
        with pytest.raises(SetupError, match=f"^{errors[6:-1]}$"):
            check(Ran(status, output, errors))
    else:
        check(Ran(status, output, errors))


@pytest.mark.parametrize("words, left", [
    ("-n 2 --runs 5 --first=2 --ordered --no-numbers --ignore x --ram 4M", "-n 2 --ram 4M"), ("--disk 0=a --disk=1=b --cache off", "--cache off"),
    ("--digest -- hello", "--digest"), ("--ram", "--ram"), ("", "")])
def test_the_users_words_without_ours(words, left):
    assert list(vary._without(words.split())) == left.split()


def program(*words):
    return Program(parse([*words, "hello"], OPTIONS), [*words, "hello"])


@pytest.mark.parametrize("words, word, free", [
    ((), "--mesh-hop=3", True), (("--mesh-hop", "3"), "--mesh-hop=4", False), (("--quantum", "17"), "--mesh-base=90", False),
    (("--mesh-base", "90"), "--second-base=200", False), (("--ram", "4M"), "--second-base=200", True), (("--cache", "off"), "--cache-miss=9", False),
    (("--cache", "off"), "--mesh-hop=3", True), (("--ni", "none"), "--atomicity=soft", False), (("--ni", "none"), "--cache-miss=9", True)])
def test_what_the_user_has_decided(words, word, free):
    assert program(*words)._is_free(word) is free


@pytest.mark.parametrize("jobs, room", [(1, True), (59, True), (60, False)])
def test_room_for_another_job(jobs, room):
    words = [*["hello", "+"] * (jobs - 1), "hello"]
    assert Program(parse(words, OPTIONS), words)._has_room() is room
    words = ["null", "while-others"]
    assert not Program(parse(words, OPTIONS), words)._has_room()


def test_a_timing_is_the_same_each_time():
    assert timing(0) == {} and timing(5) == timing(5) != timing(6)
    for number in range(1, 300):
        one = timing(number)
        assert 64 <= one["mesh_base"] <= 120 and 4 <= one["cache_miss"] <= 24 and 0 <= one["mesh_hop"] <= 6 and 2 <= one["mesh_word"] <= 8
        assert 128 <= one["second_base"] <= 400 and 0 <= one["dma_word"] <= 3 and one["quantum"] in (one["mesh_base"], 64, 17)
        assert is_beside(number) == (number % 3 == 0) == (BESIDE in changes(number, True, 1)) and BESIDE not in changes(number, False, 1)


@pytest.mark.parametrize("lines, shown", [(10, 10), (11, 11)])
def test_lines_of_a_difference(lines, shown):
    found = Rules().difference(ran("".join(f"{k}\n" for k in range(lines))), ran(""))
    assert len(found) == shown and (found[-1] == "- ... and 1 more") == (lines == 11)

"""Figures 7 to 10 with small data sets: what the runs must show whatever their size, and the arithmetic of claims."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from fugu.errors import SetupError, UsageError
from fugu.paper import _docs, figure7, figure8, figure9, figure10, protection, schedules
from fugu.paper._table import Result
from fugu.paper.runs import skewed, synth
from fugu.paper.runs.extent import ATOMICITY, FULL, QUICK, SMALL, Extent
from fugu.paper.runs.figure import Figure, Trials, correlation
from fugu.paper.runs.skewed import Point, Runs
from fugu.paper.runs.workloads import chosen

APPS = ("barrier", "enum")
SOFT = Extent("", small=True, trials=1, atomicity=("soft",), step=3)
THREE = Extent("", small=True, trials=3, atomicity=("soft",), step=len(skewed.SKEWS))


@pytest.fixture(scope="module")
def runs() -> Runs:
    return skewed.runs(APPS, SMALL)


def test_skew_makes_enum_buffer_more(runs):
    shares = figure7.figure(runs, APPS).line("hard", "enum")
    assert shares[-1] > 2 * shares[0] >= 0


def test_barrier_slows_down_with_skew_and_enum_less(runs):
    result = figure8.figure(runs, APPS)
    barrier, enum = (result.line("hard, elapsed", app) for app in APPS)
    assert barrier[0] == enum[0] == 1 and barrier[-1] > 1.3 and barrier[-1] > enum[-1]
    assert {row["group"] for row in result.rows} == {f"{kind}, {what}" for kind in ("soft", "hard")
                                                     for what in ("elapsed", "charged")}


def test_seeds_are_trials_with_a_spread():
    """Three orders of the skew give three run times; without skew, one run is enough."""
    result = figure8.measure(["barrier"], THREE)
    (row,) = [row for row in result.rows if row["group"] == "soft, elapsed"]
    least, most = row["spread"]["40"]
    assert least < row["ours"]["40"] < most and row["spread"]["0"] == [1, 1]
    assert len({str(job) for job in skewed.jobs(THREE) if job.app == "barrier"}) == skewed.STARTS + 1 + 1 + 3


def test_synth_buffers_less_with_longer_intervals_and_smaller_groups():
    result = figure9.measure(SOFT)
    short, long = (result.line("soft, compute", f"synth-{group}") for group in (10, 1000))
    assert long[0] > long[-1] and short[0] < long[0]
    assert len(result.claims) == 2 * 3


def test_synth_buffers_more_if_the_buffered_path_costs_more():
    result = figure10.measure(SOFT)
    line = result.line("soft, compute", "synth-1000")
    assert line[-1] > line[0]
    assert [int(cost) for cost in result.columns] == sorted({int(cost) for cost in result.columns})


# ---- claims -------------------------------------------------------------------------

def made(shares: dict[str, list[float]], pages: int = 1) -> Runs:
    """Runs with these shares of buffered messages by skew, and run times that grow as the overlap shrinks."""
    beside = {(app, kind, skew): point(2e6 / (1 - skew / 100) if app == "barrier" else 2e6, share / 100, pages)
              for app, line in shares.items() for kind in ATOMICITY
              for skew, share in zip(skewed.SKEWS, line, strict=True)}
    return Runs({(app, kind): point(1e6) for app in shares for kind in ATOMICITY}, beside, dict.fromkeys(ATOMICITY, 5e5))


def point(cycles: float, share: float = 0, pages: int = 0, boundary: float = 1) -> Point:
    """A point of one trial."""
    return Point(Trials.of([cycles]), Trials.of([1e6]), Trials.of([share]), pages, Trials.of([boundary]))


CONSTANT, LINEAR = [0, 1, 1, 1, 1, 1, 1.2, 1.1], [float(skew) for skew in skewed.SKEWS]


@pytest.mark.parametrize("barrier, enum, pages, hold", [
    (CONSTANT, LINEAR, 6, [True, True, True, True]), (LINEAR, LINEAR, 6, [False, True, True, True]),
    (CONSTANT, CONSTANT, 6, [True, True, False, True]), (CONSTANT, LINEAR, 7, [True, True, True, False]),
])
def test_claims_of_figure_7(barrier, enum, pages, hold):
    claims = figure7.figure(made({"barrier": barrier, "enum": enum}, pages), APPS).claims
    assert [claim.holds for claim in claims] == hold * len(ATOMICITY)


def test_messages_for_each_boundary_are_judged_too():
    runs = made({"barrier": LINEAR, "enum": LINEAR})
    runs.beside["barrier", "soft", 40] = point(9e6, 0.4, boundary=2.5)
    claims = figure7.figure(runs, APPS).claims
    assert [claim.holds for claim in claims[:2]] == [False, False] and all("a third of the skew" in claim.why for claim in claims[:2])


def test_seeds_that_need_the_most_buffer():
    """One seed of ten that needs seven pages is enough for the claim not to hold."""
    for pages, holds in ((6, True), (7, False)):
        runs = replace(made({"barrier": CONSTANT, "enum": LINEAR}), seeds=(5,) * 9 + (pages,))
        soft, hard = [claim for claim in figure7.figure(runs, APPS).claims if "pages" in claim.text]
        assert (soft.holds, hard.holds) == (True, holds) and f"{pages} at most, of enum; 10 seeds of enum" in hard.ours
        assert holds or "80 bytes" in hard.why


def test_run_time_beside_null_is_compared_with_nodes_out_of_step():
    for cycles, holds in ((2.03e6, False), (2.01e6, True)):
        runs = made({"barrier": CONSTANT, "enum": LINEAR})
        runs.beside["barrier", "soft", 0] = point(cycles)
        claim = figure8.figure(runs, APPS).claims[0]
        assert claim.text.startswith("barrier: without skew") and claim.holds == holds
        assert holds or "1.00 alone, and 0.50 alone in step" in claim.why


@pytest.mark.parametrize("shares, places, found", [
    ([0.5, 0.9, 2, 0.5], [1, 2, 3, 4], (2, 3)), ([0.5, 0.9], [1, 2], None), ([1.1, 0.5], [1, 2], (1, 1))])
def test_where_a_line_stops_being_small(shares, places, found):
    assert synth.knee(places, shares) == found


@pytest.mark.parametrize("far, holds", [(0.9, True), (1.1, False)])
def test_small_shares_of_figure_9_have_a_limit_that_can_be_missed(far, holds):
    """The claim is about intervals above 522 cycles; what is below does not decide."""
    result = Figure("", [str(place) for place in figure9.INTERVALS])
    for group in synth.GROUPS:
        result.curve("soft, elapsed", f"synth-{group}", {place: Trials.of([far if place > 522 else 30])
                                                         for place in figure9.INTERVALS})
    figure9._claims(result, "soft, elapsed", figure9.INTERVALS)
    claim = result.claims[0]
    assert claim.holds == holds and (holds or claim.why) and "at most 1 %" in claim.text
    assert f"synth-10 {'below 550' if holds else 'up to 2000'}" in claim.ours


@pytest.mark.parametrize("line, holds, says", [
    ([0.5, 0.6, 8, 20], True, "small up to 241, not at 341, 20.00 %"), ([0.5, 2, 8, 20], False, "small up to 141, not at 241"),
    ([0.5, 0.6, 0.7, 0.8], False, "small up to 441, 0.80 %"), ([0.5, 0.6, 2, 3], False, "3.00 % at most"),
    ([2, 2, 8, 20], False, "not small at 141")])
def test_knee_of_figure_10(line, holds, says):
    """The last point alone decides nothing: the line has to be small up to the interval, and to climb somewhere."""
    result = Figure("", ["141", "241", "341", "441"])
    for group in synth.GROUPS:
        result.curve("soft, since", f"synth-{group}", {cost: Trials.of([share])
                                                       for cost, share in zip(result.columns, line, strict=True)})
    figure10._claims(result, "soft, since")
    claim = result.claims[-1]
    assert claim.holds == holds and says in claim.ours


def test_claims_of_figure_8():
    found = figure8.figure(made({"barrier": CONSTANT, "enum": LINEAR}), APPS)
    assert all(claim.holds for claim in found.claims) and len(found.claims) == 2 * (2 + 2)
    slow = made({"barrier": CONSTANT, "enum": LINEAR})
    slow.beside["enum", "soft", 40] = point(9e6)
    claims = figure8.figure(slow, APPS).claims
    assert [claim.text for claim in claims if not claim.holds] == ["enum: almost flat (at most 1.15)."]


@pytest.mark.parametrize("ten, holds", [(Trials(3, 2, 4), True), (Trials(6, 4.9, 7), True), (Trials(6, 5.2, 7), False)])
def test_order_of_figure_9_is_judged_by_the_spread(ten, holds):
    """Lines whose trials overlap may be in any order."""
    places = figure9.INTERVALS
    result = Figure("", [str(place) for place in places])
    for name, trials in (("synth-10", ten), ("synth-100", Trials(4, 3, 5)), ("synth-1000", Trials(8, 7, 9))):
        result.curve("soft", name, dict.fromkeys(places, trials))
    figure9._claims(result, "soft", places)
    assert result.claims[-1].holds == holds and result.claims[-1].ours == f"at {10 if holds else 0} of 10 intervals"


@pytest.mark.parametrize("last, holds", [(2.5e6, True), (1.5e6, False), (9e6, False)])
def test_programs_in_between(last, holds):
    apps = ("barrier", "lu", "enum")
    runs = made({"barrier": CONSTANT, "lu": CONSTANT, "enum": LINEAR})
    runs.beside["lu", "soft", 40] = point(last)
    (claim,) = [claim for claim in figure8.figure(runs, apps).claims
                if (claim.where, claim.text) == ("soft", "lu: in between.")]
    assert claim.holds == holds and f"lu {last / 2e6:.3f}" in claim.ours


def test_correlation():
    assert correlation([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert correlation([1, 2, 3], [5, 5, 5]) == 0


def test_trials_have_a_mean_and_a_spread():
    assert Trials.of([1, 2, 6]) == Trials(3, 1, 6) and Trials.of([1, 2, 6]).times(2) == Trials(6, 2, 12)


def test_a_claim_says_whether_it_holds_and_why_not():
    result = Result("Title", ["1"])
    result.claim("", "It is so.", "7", True, "not shown")
    result.claim("soft", "It is so.", "8", False, "It is not so.")
    assert result.table().notes == ["Holds: It is so.\nHere: 7", 
                                    "Does NOT hold: soft: It is so.\nHere: 8\nWhy: It is not so."]
    assert result.data()["claims"][0] == {"where": "", "text": "It is so.", "ours": "7", "holds": True, "why": "",
                                          "of": "FUGU"}


def test_points_of_an_extent():
    assert FULL.points((1, 2, 3, 4)) == (1, 2, 3, 4) and QUICK.points((1, 2, 3, 4)) == (1, 3, 4)
    assert QUICK.points((1, 2, 3)) == (1, 3)


def test_unknown_workloads_are_refused():
    with pytest.raises(UsageError, match="there is no workload enumm"):
        list(chosen(["enumm"], APPS))


# ---- two jobs ------------------------------------------------------------------

def test_schedules_of_small_programs():
    """A run beside another job takes more than the time alone; of two that are measured, the slower one counts."""
    result = schedules.measure(SMALL)
    assert result.columns == ["0", "20", "40"]
    assert [row["group"] for row in result.rows[::len(schedules.PROGRAMS)]] == [
        f"{other}, {scheduler}" for other in schedules.OTHERS for scheduler in schedules.SCHEDULERS]
    assert all(number > 1 for row in result.rows for number in row["ours"].values())
    assert len(result.claims) == 10
    job = next(iter(schedules.jobs(SMALL)))
    assert schedules._cycles(job, "measured barrier: cycles 7\nmeasured barrier: job 2\nmeasured barrier: cycles 9\n") == 9
    assert schedules._cycles(job, "a: 1 of 8 nodes to all others: 70 cycles\nb: word from node to node: 99 cycles\n") == 70
    with pytest.raises(SetupError, match="did not print its cycles"):
        schedules._cycles(job, "barrier: nothing\n")


# ---- committed numbers ---------------------------------------------------------

SHARE, POINTS = 0.1, 0.1        # of a number, and in its own unit: lines of the cache move single boundaries
FIGURES = {"figure7": figure7.measure, "figure8": figure8.measure, "figure9": figure9.measure, "figure10": figure10.measure,
           "protection": protection.measure, "schedules": schedules.measure}


def apart(found: float, expected: float) -> bool:
    """Whether two numbers differ by more than what depends on where code lies."""
    return abs(found - expected) > max(POINTS, SHARE * abs(expected))


@pytest.mark.long
@pytest.mark.parametrize("name", FIGURES)
def test_committed_numbers(name):
    """Each line has the committed numbers, or those of the means of fewer trials, and each verdict is the committed one."""
    found, expected = json.loads(FIGURES[name]().json()), _docs.read()[name]
    ours = [(row["group"], row["row"], column, number) for row in found["rows"] for column, number in row["ours"].items()]
    theirs = {(row["group"], row["row"], column): number for row in expected["rows"] for column, number in row["ours"].items()}
    assert [key for *key, _ in ours] == [list(key) for key in theirs]
    changes = [f"  {' '.join(key)}: {number} now, {theirs[tuple(key)]} expected" for *key, number in ours
               if apart(number, theirs[tuple(key)])]
    verdicts = [[(claim["where"], claim["text"], claim["holds"]) for claim in one["claims"]] for one in (found, expected)]
    changes += [f"  {now} now, {then} expected" for now, then in zip(*verdicts, strict=True) if now != then]
    assert not changes, "\n".join([f"{name} differs from the committed numbers:", *changes,
                                   "To accept the new numbers: ./run.sh paper --update-docs"])


@pytest.mark.parametrize("name", _docs.NAMES)
def test_what_does_not_hold_has_a_reason(name):
    """And each claim says whose it is."""
    for claim in _docs.read()[name].get("claims", []):
        assert claim["holds"] or claim["why"], claim
        assert claim["of"] in {"FUGU", "Remote Queues", "MBCF", "SHRIMP", "M-Machine", "this project"}


def test_a_tolerance_that_decides_is_in_the_sentence():
    """A sentence says a number wherever the verdict is not that of the words alone."""
    alike = re.compile(r"in between|no more cycles|fewer cycles|outperform|at most|about constant \(as above\)|at least|less than|"
                       r"or less|more than|faster than|slower than|differ in .* alone")
    for name in _docs.NAMES:
        for claim in _docs.read()[name].get("claims", []):
            assert alike.search(claim["text"]) or re.search(r"within|\(.*\d", claim["text"]), claim["text"]


def test_the_bound_that_a_page_quotes():
    text = " ".join((_docs.DOCS / "paper.md").read_text().split())
    assert f"Figures 7 to 10 have to match within {100 * SHARE:.0f} %, or {POINTS:g} in the number's unit" in text

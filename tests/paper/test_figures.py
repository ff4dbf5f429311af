"""Figures 7 to 10 with small data sets: what the runs must show whatever their size, and the arithmetic of claims."""

from __future__ import annotations

import pytest

from fugu.errors import UsageError
from fugu.paper import figure7, figure8, figure9, figure10
from fugu.paper._table import Result
from fugu.paper.runs import skewed
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
    assert len({str(job) for job in skewed.jobs(THREE) if job.app == "barrier"}) == 1 + 1 + 3


def test_synth_buffers_less_with_longer_intervals_and_smaller_groups():
    result = figure9.measure(SOFT)
    short, long = (result.line("soft, compute", f"synth-{group}") for group in (10, 1000))
    assert long[0] > long[-1] and short[0] < long[0]
    assert len(result.claims) == 2 * 2


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
    return Runs({(app, kind): point(1e6) for app in shares for kind in ATOMICITY}, beside)


def point(cycles: float, share: float = 0, pages: int = 0) -> Point:
    """A point of one trial."""
    return Point(Trials.of([cycles]), Trials.of([1e6]), Trials.of([share]), pages)


CONSTANT, LINEAR = [0, 1, 1, 1, 1, 1, 1.2, 1.1], [float(skew) for skew in skewed.SKEWS]


@pytest.mark.parametrize("barrier, enum, pages, hold", [
    (CONSTANT, LINEAR, 6, [True, True, True]), (LINEAR, LINEAR, 6, [False, True, True]),
    (CONSTANT, CONSTANT, 6, [True, False, True]), (CONSTANT, LINEAR, 7, [True, True, False]),
])
def test_claims_of_figure_7(barrier, enum, pages, hold):
    claims = figure7.figure(made({"barrier": barrier, "enum": enum}, pages), APPS).claims
    assert [claim.holds for claim in claims] == hold * len(ATOMICITY)


def test_claims_of_figure_8():
    found = figure8.figure(made({"barrier": CONSTANT, "enum": LINEAR}), APPS)
    assert all(claim.holds for claim in found.claims) and len(found.claims) == 2 * (2 + 2)
    slow = made({"barrier": CONSTANT, "enum": LINEAR})
    slow.beside["enum", "soft", 40] = point(9e6)
    claims = figure8.figure(slow, APPS).claims
    assert [claim.text for claim in claims if not claim.holds] == ["enum: almost flat."]


@pytest.mark.parametrize("ten, holds", [(Trials(3, 2, 4), True), (Trials(6, 4.9, 7), True), (Trials(6, 5.1, 7), False)])
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
    assert result.data()["claims"][0] == {"where": "", "text": "It is so.", "ours": "7", "holds": True, "why": ""}


def test_points_of_an_extent():
    assert FULL.points((1, 2, 3, 4)) == (1, 2, 3, 4) and QUICK.points((1, 2, 3, 4)) == (1, 3, 4)
    assert QUICK.points((1, 2, 3)) == (1, 3)


def test_unknown_workloads_are_refused():
    with pytest.raises(UsageError, match="there is no workload enumm"):
        list(chosen(["enumm"], APPS))

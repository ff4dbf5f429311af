"""Figures 7 to 10 with small data sets: what the runs must show whatever their size, and the arithmetic of claims."""

from __future__ import annotations

import pytest

from fugu.errors import UsageError
from fugu.paper import figure7, figure8, figure9, figure10
from fugu.paper.runs import skewed
from fugu.paper.runs.claims import Figure, correlation
from fugu.paper.runs.skewed import Point, Runs
from fugu.paper.runs.workloads import chosen

APPS = ("barrier", "enum")


@pytest.fixture(scope="module")
def runs() -> Runs:
    return skewed.runs(APPS, small=True)


def test_skew_makes_enum_buffer_more(runs):
    shares = figure7.figure(runs, APPS).line("enum", "hard")
    assert shares[-1] > 2 * shares[0] >= 0


def test_barrier_slows_down_with_skew_and_enum_less(runs):
    result = figure8.figure(runs, APPS)
    barrier, enum = (result.line(app, "hard, elapsed") for app in APPS)
    assert barrier[0] == enum[0] == 1 and barrier[-1] > 1.3 and barrier[-1] > enum[-1]
    assert {row["row"] for row in result.rows} == {f"{kind}, {what}" for kind in ("soft", "hard")
                                                   for what in ("elapsed", "charged")}


def test_synth_buffers_less_with_longer_intervals_and_smaller_groups():
    result = figure9.measure(small=True)
    short, long = (result.line("soft, compute", f"synth-{group}") for group in (10, 1000))
    assert long[0] > long[-1] and short[0] < long[0]
    assert len(result.claims) == 2


def test_synth_buffers_more_if_the_buffered_path_costs_more():
    result = figure10.measure(small=True)
    line = result.line("soft, compute", "synth-1000")
    assert line[-1] > line[0]
    assert [int(cost) for cost in result.columns] == sorted({int(cost) for cost in result.columns})


# ---- claims -------------------------------------------------------------------------

def made(shares: dict[str, list[float]], pages: int = 1) -> Runs:
    """Runs with these shares of buffered messages by skew, and run times that grow as the overlap shrinks."""
    beside = {(app, kind, skew): Point(2e6 / (1 - skew / 100) if app == "barrier" else 2e6, 1e6, share / 100, pages)
              for app, line in shares.items() for kind in skewed.ATOMICITY
              for skew, share in zip(skewed.SKEWS, line, strict=True)}
    return Runs({(app, kind): Point(1e6, 1e6, 0, 0) for app in shares for kind in skewed.ATOMICITY}, beside)


CONSTANT, LINEAR = [0, 1, 1, 1, 1, 1, 1.2, 1.1], [float(skew) for skew in skewed.SKEWS]


@pytest.mark.parametrize("barrier, enum, pages, hold", [
    (CONSTANT, LINEAR, 6, [True, True, True]), (LINEAR, LINEAR, 6, [False, True, True]),
    (CONSTANT, CONSTANT, 6, [True, False, True]), (CONSTANT, LINEAR, 7, [True, True, False]),
])
def test_claims_of_figure_7(barrier, enum, pages, hold):
    claims = figure7.figure(made({"barrier": barrier, "enum": enum}, pages), APPS).claims
    assert [claim.holds for claim in claims] == hold * len(skewed.ATOMICITY)


def test_claims_of_figure_8():
    found = figure8.figure(made({"barrier": CONSTANT, "enum": LINEAR}), APPS)
    assert all(claim.holds for claim in found.claims) and len(found.claims) == 2 * (2 + 3)
    slow = made({"barrier": CONSTANT, "enum": LINEAR})
    slow.beside["enum", "soft", 40] = Point(9e6, 1e6, 0, 0)
    assert [claim.text for claim in figure8.figure(slow, APPS).claims if not claim.holds] == [
        "enum, soft: almost flat.", ", soft: in between."][:1]


def test_correlation():
    assert correlation([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert correlation([1, 2, 3], [5, 5, 5]) == 0


def test_notes_say_what_holds():
    figure = Figure("Title", ["1"])
    figure.claim("It is so.", "7", False)
    assert figure.notes == ["Does NOT hold: It is so.\nHere: 7"]


def test_unknown_workloads_are_refused():
    with pytest.raises(UsageError, match="there is no workload enumm"):
        list(chosen(["enumm"], APPS))

"""The arithmetic of the benchmarks, on invented samples."""

from __future__ import annotations

import pytest

from fugu.bench._samples import UNMEASURABLE, Figure, difference, exactly, figure, in_turns
from fugu.bench._table import Table
from fugu.bench.processes import gain


def test_runs_take_turns_back_and_forth():
    order = []

    def run(name):
        return lambda: order.append(name) or len(order)
    found = in_turns({name: run(name) for name in "abc"}, 3)
    assert "".join(order) == "abccbaabc"
    assert found == {"a": [1, 6, 7], "b": [2, 5, 8], "c": [3, 4, 9]}


def test_the_median_counts_and_the_middle_half_is_its_spread():
    assert figure([5.0, 1.0, 2.0, 100.0, 3.0]) == Figure(3.0, 2.0, 5.0)
    assert figure([4.0]) == Figure(4.0, 4.0, 4.0)
    assert figure([4.0, 6.0]) == Figure(5.0, 4.5, 5.5)


def test_disturbed_short_run_does_not_shrink_the_figure():
    """The smallest difference, 0.1, comes from the turn whose short run was disturbed."""
    longer, shorter = [5.0, 5.1, 5.0, 5.2, 5.0], [1.0, 1.1, 4.9, 1.0, 1.0]
    assert min(more - less for more, less in zip(longer, shorter, strict=True)) == pytest.approx(0.1)
    assert difference(longer, shorter, 2).median == pytest.approx(2.0)


def test_turns_must_have_both_runs():
    with pytest.raises(ValueError):
        difference([1.0, 2.0], [1.0])


@pytest.mark.parametrize("longer, shorter, bad", [([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], 3),
                                                  ([1.0, 2.0, 1.0], [3.0, 1.0, 3.0], 2)])
def test_time_that_is_not_above_0_is_unmeasurable(longer, shorter, bad):
    found = difference(longer, shorter)
    assert f"of 3 samples, {bad} are not above 0" in found.reason
    assert found.text() == found.short() == UNMEASURABLE


def test_ratios_have_the_widest_spread():
    assert figure([8.0, 9.0, 10.0, 11.0, 12.0]) / figure([2.0, 4.0, 5.0, 6.0, 7.0]) == Figure(2.0, 9 / 6, 11 / 4)
    assert exactly(12) / 4 == exactly(3)
    assert Figure(4.0, 2.0, 8.0).inverse(16) == Figure(4.0, 2.0, 8.0)
    assert Figure(4.0, 2.0, 8.0) * 2 == Figure(8.0, 4.0, 16.0)


def test_nothing_is_computed_from_the_unmeasurable():
    none = figure([-1.0])
    for computed in (none / exactly(1), exactly(1) / none, none * 2, none.inverse(), none.above(exactly(1)),
                     exactly(1).above(none), none.at_most(0, "")):
        assert computed.reason == none.reason and computed.text() == UNMEASURABLE


def test_overlapping_figures_have_no_difference():
    assert Figure(10.0, 9.0, 11.0).above(Figure(5.0, 4.0, 6.0)) == Figure(5.0, 3.0, 7.0)
    found = Figure(7.0, 5.0, 8.0).above(Figure(5.0, 4.0, 6.0))
    assert found.reason == "7.00 (5.00 to 8.00) and 5.00 (4.00 to 6.00) are not apart"


def test_gain_is_at_most_the_number_of_processes():
    """A gain of more than the number of processes is impossible; 6.07 was once reported for two."""
    assert gain(exactly(1.5), exactly(1.0), 2) == exactly(1.5)
    assert gain(exactly(2.0), exactly(1.0), 2) == exactly(2.0)
    assert gain(exactly(1.0), exactly(2.0), 2) == exactly(0.5)
    found = gain(figure([6.0, 6.1, 6.2]), exactly(1.0), 2)
    assert found.reason.startswith("6.10 (6.05 to 6.15): 2 processes do the work of one")
    assert found.text() == UNMEASURABLE


@pytest.mark.parametrize("value, text", [(0.1234, "0.123"), (1.234, "1.23"), (12.34, "12.3"), (123.4, "123"),
                                         (12345.6, "12,346")])
def test_figures_have_three_digits(value, text):
    assert exactly(value).text() == text


def test_table_says_why_there_is_no_figure(capsys):
    table = Table("Times", "nodes", "ns")
    table.row(8, Figure(2.0, 1.0, 3.0))
    table.row(16, figure([0.0]))
    table.show()
    assert capsys.readouterr().out.splitlines() == [
        "Times", "", "nodes                   ns", "-----  -------------------",
        "    8  2.00 (1.00 to 3.00)", f"   16    {UNMEASURABLE}", "",
        f"16: {UNMEASURABLE}: of 1 samples, 1 are not above 0: what is measured is less than what the host adds to it.",
        ""]

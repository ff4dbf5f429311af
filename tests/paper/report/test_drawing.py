"""The pictures of ./run.sh paper as matplotlib has them: axes, lines, marks and legends, of numbers that are made up."""

from __future__ import annotations

import re

import pytest

from fugu.host import python_tools
from fugu.paper.summary import drawing
from fugu.paper.summary.drawing import Bars, Lines, Panel

ONE = [(1, 2, 1, 3), (2, 4, 4, 4), (8, 1024, 900, 2000)]
OTHER = [(1, 1, 1, 1), (2, 3, 2, 4)]


@pytest.fixture(scope="module", autouse=True)
def matplotlib():
    python_tools.on_demand(python_tools.PAGE, "matplotlib")


def drawn(picture):
    """The canvas with the picture, once all is placed."""
    from matplotlib.figure import Figure
    canvas = Figure(layout="constrained")
    (drawing._bars if isinstance(picture, Bars) else drawing._lines)(canvas, picture, drawing.PLAIN)    # noqa: SLF001
    canvas.draw_without_rendering()
    return canvas


def panels(*ys):
    return [Panel(f"panel {k}", y, {"one": ONE, "other": OTHER}) for k, y in enumerate(ys)]


def legend(canvas):
    (found,) = canvas.legends
    return [text.get_text() for text in found.get_texts()]


# ---- lines -----------------------------------------------------------------------------

@pytest.mark.parametrize("log, scales", [("", ("linear", "linear")), ("x", ("log", "linear")), ("xy", ("log", "log"))])
def test_axes_are_logarithmic_if_they_should_be(log, scales):
    """A logarithmic axis has powers of two, or the places of the points; any other y axis begins at 0."""
    (place,) = drawn(Lines(panels("cycles"), "nodes", log=log)).axes
    assert (place.get_xscale(), place.get_yscale()) == scales
    if "x" in log:
        assert [(text.get_position()[0], text.get_text()) for text in place.get_xticklabels()] == [(1, "1"), (2, "2"), (8, "8")]
    if "y" in log:
        assert (1024, "1,024") in [(text.get_position()[1], text.get_text()) for text in place.get_yticklabels()]
        assert place.get_ylim()[0] > 0
    else:
        assert place.get_ylim()[0] == 0


def test_each_line_has_its_points_its_colour_and_its_name():
    canvas = drawn(Lines(panels("cycles"), "nodes"))
    (place,) = canvas.axes
    assert [line.get_xydata().tolist() for line in place.lines] == [[[x, mean] for x, mean, *_ in one] for one in (ONE, OTHER)]
    colours, marks = zip(*((line.get_color(), line.get_marker()) for line in place.lines), strict=True)
    assert colours == ("#0b62a4", "#c25b00") and marks == ("o", "s")
    assert legend(canvas) == ["one", "other"] and canvas.get_supxlabel() == "nodes"
    assert (place.get_title(loc="left"), place.get_ylabel()) == ("panel 0", "cycles")


def test_a_sixth_line_has_the_first_colour_again():
    (place,) = drawn(Lines([Panel("", "y", {str(k): ONE for k in range(6)})], "x")).axes
    colours = [line.get_color() for line in place.lines]
    assert colours[5] == colours[0] and len(set(colours)) == 5


@pytest.mark.parametrize("spread", [False, True])
def test_trials_have_a_shade_from_the_least_to_the_most(spread):
    (place,) = drawn(Lines(panels("cycles"), "nodes", spread=spread)).axes
    assert len(place.collections) == 2 * spread
    if spread:
        corners = {tuple(point) for point in place.collections[0].get_paths()[0].vertices.tolist()}
        assert corners == {(x, end) for x, _, *ends in ONE for end in ends}


def test_what_the_paper_gives_is_dotted():
    panel = Panel("", "y", {"one": ONE, "other": OTHER}, {"one": [(1, 5, 0, 0), (8, 6, 0, 0)], "none": ONE})
    canvas = drawn(Lines([panel], "x"))
    lines = {line.get_label(): line for line in canvas.axes[0].lines}
    assert list(lines) == ["one", "one, the paper", "other"]
    paper = lines["one, the paper"]
    assert paper.get_xydata().tolist() == [[1, 5], [8, 6]] and paper.get_linestyle() == ":"
    assert paper.get_color() == lines["one"].get_color() and sorted(legend(canvas)) == sorted(lines)


def test_ideal_and_bounds_have_lines():
    (place,) = drawn(Lines(panels("speed"), "nodes", ideal=True, bounds={3.0: "the limit"})).axes
    lines = {line.get_label(): line.get_xydata().tolist() for line in place.lines}
    assert lines["ideal"] == [[1, 1], [2, 2], [8, 8]] and lines["the limit"] == [[3, 0], [3, 1]]


def test_places_with_names_have_points_side_by_side():
    three = {"a": [(0, 5, 4, 6), (1, 6, 6, 6)], "b": [(0, 7, 7, 7)], "c": [(1, 1, 0, 2)]}
    (place,) = drawn(Lines([Panel("", "y", three)], "", log="x", names=("first", "second"))).axes
    assert [text.get_text() for text in place.get_xticklabels()] == ["first", "second"] and place.get_xscale() == "linear"
    points = [line.get_xydata().tolist() for line in place.lines]
    assert [[x for x, _ in one] for one in points] == [pytest.approx([-0.13, 0.87]), pytest.approx([0]), pytest.approx([1.13])]
    assert {line.get_linestyle() for line in place.lines} == {"None"}
    ends = [[segment.tolist() for segment in one.get_segments()] for one in place.collections]
    assert [[y for _, y in segment] for segment in ends[0]] == [[4, 6], [6, 6]]


@pytest.mark.parametrize("ys, shown, labels, shared", [
    (["a"], [True], ["a"], []),
    (["a", "a"], [True, True], ["a", ""], [(0, 1)]),
    (["a", "b"], [True, True], ["a", "b"], []),
    (["a", "a", "b"], [True, True, True, False], ["a", "", "b", ""], [(0, 1)]),
    (["a", "a", "b", "b"], [True] * 4, ["a", "", "b", ""], [(0, 1), (2, 3)]),
    (["a", "b", "a"], [True, True, True, False], ["a", "b", "a", ""], [(0, 2)]),
])
def test_panels(ys, shown, labels, shared):
    """Two in a row. Those with the same y axis share it, which is named once in a row."""
    canvas = drawn(Lines(panels(*ys), "x"))
    assert [place.get_visible() for place in canvas.axes] == shown
    assert [place.get_ylabel() for place in canvas.axes] == labels
    found = [(one, other) for other in range(len(ys)) for one in range(other)
             if canvas.axes[one].get_shared_y_axes().joined(canvas.axes[one], canvas.axes[other])]
    assert found == shared
    across, down = min(len(ys), 2), (len(ys) + 1) // 2
    assert canvas.get_size_inches().tolist() == pytest.approx([4.4 * across, 2.9 * down + 0.4])
    assert legend(canvas) == ["one", "other"], "each once"
    places = [place.xaxis.get_tick_params().get("labelbottom", True) for place in canvas.axes[:len(ys)]]
    assert places == [k + across >= len(ys) for k in range(len(ys))], "numbers of the x axis below the last panels"


# ---- bars ------------------------------------------------------------------------------

def test_bars():
    canvas = drawn(Bars(["first", "second"], {"hard": [99.95, 1234.5], "soft": [None, 100]}, [None, 2000], "the paper", "cycles"))
    (place,) = canvas.axes
    bars = [(bar.get_width(), bar.get_y() + bar.get_height() / 2, bar.get_height()) for bar in place.patches]
    assert bars == [pytest.approx(bar) for bar in ((99.95, -0.2, 0.36), (1234.5, 0.8, 0.36), (0, 0.2, 0.36), (100, 1.2, 0.36))]
    assert [(text.get_text(), *text.get_position()) for text in place.texts] == [
        (text, pytest.approx(number + 20), pytest.approx(where))
        for text, number, where in (("99.95", 99.95, -0.2), ("1,234", 1234.5, 0.8), ("100", 100, 1.2))]
    (mark,) = place.lines
    assert mark.get_xydata().tolist() == [[2000, 1]] and sorted(legend(canvas)) == ["hard", "soft", "the paper"]
    assert place.get_xlim() == pytest.approx((0, 2200)) and place.get_xlabel() == "cycles"
    assert [text.get_text() for text in place.get_yticklabels()] == ["first", "second"]
    assert place.get_ylim()[0] > place.get_ylim()[1], "the first row is above"


def test_bars_without_numbers_or_marks():
    canvas = drawn(Bars(["one"], {"hard": [None]}, [None], "the paper", "cycles"))
    assert canvas.axes[0].get_xlim() == pytest.approx((0, 1.1)) and not canvas.axes[0].texts and legend(canvas) == ["hard"]


# ---- the element -----------------------------------------------------------------------

@pytest.mark.parametrize("picture, wide", [(Lines(panels("a"), "x"), 4.4), (Lines(panels("a", "b"), "x"), 8.8)])
def test_the_element_has_colours_and_ids_of_the_page(picture, wide):
    text = drawing.svg("name", "what it is", picture)
    assert re.match(r'<svg [^>]*role="img" aria-label="what it is" style="max-width: ([\d.]+)rem">', text)[1] == f"{7 * wide:g}"
    assert "#0103" not in text and "var(--line-0)" in text and "var(--ink)" in text and "<metadata>" not in text
    assert not re.search(r'\bwidth="', text.partition(">")[0])
    assert set(re.findall(r'(?:\bid="|url\(#|href="#)(\w+)-', text)) == {"name"}


def test_what_is_empty():
    assert drawing.is_empty(Lines([], "x")) and not drawing.is_empty(Lines(panels("a"), "x"))
    assert drawing.is_empty(Bars([], {}, [], "", "")) and not drawing.is_empty(Bars(["a"], {"b": [1]}, [None], "", ""))

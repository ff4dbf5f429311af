"""--picture FILE.svg: where everything lies and its colour, of figures that are made up."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from fugu.observe import picture

SVG = "{http://www.w3.org/2000/svg}"
SQUARE, CELL, LETTER = 66, 112, 5.5         # a node's square, the distance of two nodes; about the width of a letter


def job(gid, user=0, handlers=0, kernel=0, waits=0, received=0, inserted=0):
    return {"gid": gid, "cycles": {"user": user, "handlers": handlers, "kernel": {"traps": kernel}, "waits": {"idle": waits}},
            "messages": {"received": received, "inserted": inserted}}


def figures(nodes=(), jobs=0, links=()):
    """Figures of 1,000 cycles. `links`: node, link, busy cycles."""
    return {"start": 500, "end": 1500, "jobs": [{"gid": gid, "name": f"job{gid}"} for gid in range(1, jobs + 1)],
            "links": [{"network": "main", "node": node, "link": link, "busy": busy} for node, link, busy in links],
            "nodes": [{"node": number, "jobs": list(jobs)} for number, jobs in enumerate(nodes)]}


def drawn(made, shape=(1, 1)):
    return ElementTree.fromstring(picture.make(made, shape, "words"))       # noqa: S314: our file


def box(shape):
    """Left, top, right and bottom of a shape; a text's are about so."""
    at = {name: float(value) for name, value in shape.items() if name in ("x", "y", "width", "height")}
    if shape.tag == f"{SVG}polygon":
        across, down = zip(*(map(float, corner.split(",")) for corner in shape.get("points").split()), strict=True)
        return min(across), min(down), max(across), max(down)
    if shape.tag == f"{SVG}text":
        wide = len(shape.text) * LETTER * float(shape.get("font-size", 11)) / 11
        before = wide if shape.get("text-anchor") == "end" else 0
        return at["x"] - before, at["y"] - 8, at["x"] - before + wide, at["y"]
    return at.get("x", 0), at.get("y", 0), at.get("x", 0) + at["width"], at.get("y", 0) + at["height"]


def apart(one, other):
    """Whether boxes do not overlap, but for what the file's numbers are rounded by."""
    return any(first[k + 2] <= then[k] + 0.02 for k in (0, 1) for first, then in ((one, other), (other, one)))


def titled(tree, text):
    """The boxes of shapes whose titles begin so."""
    return [box(shape) for shape in tree.iter() if (title := shape.find(f"{SVG}title")) is not None
            and shape is not tree and title.text.startswith(text)]


def squares(tree):
    return [box(shape) for shape in tree.iter(f"{SVG}rect") if shape.get("stroke")]


# ---- a node ----------------------------------------------------------------------------

def test_parts_of_a_bar_lie_side_by_side():
    """Each part begins where the one before it ends; all are as wide as the square without its edges."""
    jobs = [job(1, user=10, handlers=10), job(2, kernel=30), job(0, waits=40), job(3, user=0), job(2, handlers=10)]
    tree = drawn(figures([jobs], 2))
    (left, top, *_), = squares(tree)
    parts = {"user": (0, 5.6), "handlers": (5.6, 16.8), "kernel": (16.8, 33.6), "idle, waits": (33.6, 56)}
    for name, (start, end) in parts.items():
        (found,) = titled(tree, f"{name}: ")
        assert found == pytest.approx((left + 5 + start, top + 20, left + 5 + end, top + 30), abs=0.02)
    assert titled(tree, "job1: ") == [pytest.approx((left + 5, top + 34, left + 16.2, top + 42), abs=0.02)]
    assert [(found[0] - left, found[2] - left) for found in titled(tree, "job2: ")] == [
        pytest.approx((16.2, 33), abs=0.02), pytest.approx((55.4, 61), abs=0.02)]
    assert [(found[0] - left, found[2] - left) for found in titled(tree, "no job: ")] == [pytest.approx((33, 55.4), abs=0.02)]


def test_a_node_of_the_bare_machine_has_no_buffer():
    tree = drawn(figures([[job(0, user=10, received=7)]]))
    assert not [one for one in tree.iter() if one.get("fill") == picture.BUFFERED or "of 7" in (one.text or "")]


def test_what_takes_no_cycles_has_no_part():
    tree = drawn(figures([[job(1)]], 1))
    assert [titled(tree, name) for name in ("user", "handlers", "kernel", "idle", "job1")] == [[]] * 5


@pytest.mark.parametrize("received, inserted, wide, text", [
    (0, 0, 0, "0 of 0"), (4, 0, 0, "0 of 4"), (4, 1, 14, "1 of 4"), (999, 999, 56, "999 of 999"),
    (1000, 1001, 56, "1.0k of 1.0k"), (12_000, 3_000, 14, "3.0k of 12k"), (3_400_000, 10_000, 0.2, "10k of 3.4M"),
    (9_949, 9_950, 56, "10k of 9.9k"), (999_499, 0, 0, "0 of 999k"), (999_500, 0, 0, "0 of 1.0M"), (9_950_000, 0, 0, "0 of 10M"),
    (123_456_789, 0, 0, "0 of 123M"),
])
def test_messages_from_the_buffer(received, inserted, wide, text):
    """Messages of all jobs of the node. One that has come before the figures begin may be taken out later."""
    tree = drawn(figures([[job(1, received=received), job(0, inserted=inserted)]], 1))
    (left, top, *_), = squares(tree)
    bar, key = [box(shape) for shape in tree.iter(f"{SVG}rect") if shape.get("fill") == picture.BUFFERED]
    assert bar == pytest.approx((left + 5, top + 46, left + 5 + wide, top + 49), abs=0.02) and key[2] - key[0] == 30
    (found,) = [one for one in tree.iter(f"{SVG}text") if one.text == text]
    assert apart(box(found), bar) and box(found)[3] < top + SQUARE


def test_things_of_a_node_lie_in_its_square():
    jobs = [job(1, 1, 2, 3, 4, received=999_499, inserted=999_499), job(0, waits=99)]
    tree = drawn(figures([jobs], 1))
    left, top, right, bottom = squares(tree)[0]
    things = [box(shape) for shape in tree.iter() if shape.tag in (f"{SVG}rect", f"{SVG}polygon", f"{SVG}text")]
    inside = [one for one in things[1:] if not apart(one, (left, top, right, bottom)) and one != (left, top, right, bottom)]
    assert len(inside) == 1 + 2 + 4 + 2 + 2        # number, triangles, bars, buffer
    assert all(left < one[0] and top < one[1] and one[2] < right and one[3] < bottom for one in inside)
    assert all(apart(one, other) for k, one in enumerate(inside) for other in inside[:k])


# ---- the mesh --------------------------------------------------------------------------

@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (5, 1), (1, 3), (8, 4)])
def test_nodes_lie_in_their_rows(shape):
    width, height = shape
    tree = drawn(figures([[]] * (width * height)), shape)
    found, across = squares(tree), float(tree.get("width"))
    first = found[0]
    for node, one in enumerate(found):
        x, y = first[0] + CELL * (node % width), first[1] + CELL * (node // width)
        assert one == pytest.approx((x, y, x + SQUARE, y + SQUARE))
    assert first[0] == pytest.approx(across - found[width - 1][2]), "in the middle"


def test_arrows_lie_between_nodes_and_keep_to_the_right():
    tree = drawn(figures([[]] * 4), (2, 2))
    nodes = squares(tree)
    to = {("east", 0): 1, ("east", 2): 3, ("west", 1): 0, ("west", 3): 2,
          ("south", 0): 2, ("south", 1): 3, ("north", 2): 0, ("north", 3): 1}
    arrows = {}
    for (link, node), end in to.items():
        (arrow,) = titled(tree, f"node {node} {link}: 0.00 %")
        own, other = nodes[node], nodes[end]
        middle = [(own[k] + own[k + 2]) / 2 for k in (0, 1)]
        free = (min(own[2], other[2]) + 2, max(own[0], other[0]) - 2) if link in ("east", "west") \
            else (min(own[3], other[3]) + 2, max(own[1], other[1]) - 2)
        assert (arrow[0::2] if link in ("east", "west") else arrow[1::2]) == pytest.approx(free)
        # To the right of who goes that way: south of the way to the east, and so on.
        side = {"east": arrow[1] >= middle[1], "west": arrow[3] <= middle[1],
                "south": arrow[2] <= middle[0], "north": arrow[0] >= middle[0]}
        assert side[link]
        # The tip alone is in the middle of the arrow's end.
        (corners,) = [shape.get("points").split() for shape in tree.iter(f"{SVG}polygon")
                      if shape.find(f"{SVG}title").text.startswith(f"node {node} {link}")]
        points = [tuple(map(float, corner.split(","))) for corner in corners]
        axis = (link in ("east", "west")) ^ 1
        tip = (max if link in ("east", "south") else min)(points, key=lambda point: point[axis])
        across = [point[1 - axis] for point in points]
        assert [point[axis] for point in points].count(tip[axis]) == 1
        assert tip[1 - axis] == pytest.approx((min(across) + max(across)) / 2)
        assert sorted(one - tip[1 - axis] for one in across) == pytest.approx([-8, -4, -4, 0, 4, 4, 8])
        assert [point[axis] for point in points].count(points[0][axis]) == 2, "the shaft's end is straight"
        arrows[link, node] = arrow
    assert all(apart(one, other) for one in arrows.values() for other in [*nodes, *arrows.values()] if one is not other)
    assert len(titled(tree, "node ")) == len(to) + 2 * 4


@pytest.mark.parametrize("link, up", [("inject", True), ("eject", False)])
def test_triangles_point_into_the_network_and_out_of_it(link, up):
    tree = drawn(figures([[]]))
    (triangle,) = [shape for shape in tree.iter(f"{SVG}polygon") if link in shape.find(f"{SVG}title").text]
    down = [float(corner.split(",")[1]) for corner in triangle.get("points").split()]
    tip = max(down, key=lambda y: abs(y - sum(down) / 3))
    assert down.count(tip) == 1 and (tip == min(down)) == up
    (one,), (other,) = (titled(tree, f"node 0 {name}") for name in ("inject", "eject"))
    assert one[2] < other[0] and one[1::2] == other[1::2], "side by side"


@pytest.mark.parametrize("used, name", [
    ([], "main"), (["main"], "main"), (["second"], "second"), (["second", "main"], "main"), (["second", "third"], "second"),
])
def test_the_network_is_the_main_one_if_that_has_carried_words(used, name):
    made = figures([[], []], links=[(0, "east", 100)] * len(used))
    for link, network in zip(made["links"], used, strict=True):
        link["network"] = network
    tree = drawn(made, (2, 1))
    assert f"2 nodes, cycles 500 to 1,500; links of the {name} network" in [one.text for one in tree.iter(f"{SVG}text")]
    assert len(titled(tree, f"node 0 east: {10 if used else 0}.00 %")) == 1
    assert len(titled(tree, "node 0 inject: 0.00 %")) == len(titled(tree, "node 1 eject: 0.00 %")) == 1


def test_a_run_of_no_cycles_has_a_picture():
    tree = drawn(figures([[]]) | {"end": 500})
    assert len(titled(tree, "node 0 inject: 0.00 %")) == 1


@pytest.mark.parametrize("shape", [(4, 1), (5, 1), (6, 2)])
def test_a_wide_mesh_has_room(shape):
    tree = drawn(figures([[]] * (shape[0] * shape[1])), shape)
    across = float(tree.get("width"))
    assert across == max(CELL * shape[0], 520) + 2 * 24 and tree.get("viewBox") == f"0 0 {across:g} {tree.get('height')}"
    assert all(24 <= one[0] and one[2] <= across - 24 for one in squares(tree))


# ---- colours ---------------------------------------------------------------------------

def test_each_mark_has_a_colour_of_its_own():
    """Those of the legend are the ones of the bars."""
    tree = drawn(figures([[job(gid, user=1, handlers=1, kernel=1, waits=1, received=1) for gid in range(7)]], 6))
    text = ElementTree.tostring(tree, encoding="unicode")
    colours = [*re.findall(r"(?:fill|stroke|stop-color)=\"(.*?)\"", text)]
    assert all(re.fullmatch(r"#[0-9a-f]{6}|url\(#load\)", colour) for colour in colours)
    marks = [shape.get("fill") for shape in tree.iter(f"{SVG}rect") if shape.get("width") == "10" and shape.get("height") == "10"]
    assert len(marks) == len(set(marks)) == 4 + 7
    bars = {shape.find(f"{SVG}title").text.partition(": ")[0]: shape.get("fill") for shape in tree.iter(f"{SVG}rect")
            if shape.find(f"{SVG}title") is not None}
    named = ["user", "handlers", "kernel", "idle, waits", *(f"job{gid}" for gid in range(1, 7)), "no job"]
    assert [bars[name] for name in named] == marks


def test_the_scale_goes_through_all_colours_of_loads():
    """From the least load, not from none, to the end: each of six colours differs from that before it."""
    tree = drawn(figures([[], []], links=[(0, "east", 100)]), (2, 1))
    stops = [(stop.get("offset"), stop.get("stop-color")) for stop in tree.iter(f"{SVG}stop")]
    assert [offset for offset, _ in stops] == ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"]
    known = {"0": "#b9d4ea", "0.5": "#f2b84b", "1": "#a50f2a"}
    assert {offset: colour for offset, colour in stops if offset in known} == known
    assert len({colour for _, colour in stops}) == 11 and "#e4e8ec" not in dict(stops).values()
    assert [picture._colour(load / 4, 1) for load in range(1, 5)] == [                  # noqa: SLF001
        "#7db0d8", "#f2b84b", "#e2662f", "#a50f2a"]


# ---- the legend ------------------------------------------------------------------------

def rows_of_legend(tree):
    """The boxes of marks and texts below the mesh, each with its text if it has one."""
    below = max(one[3] for one in squares(tree))
    return [(box(shape), shape.text) for shape in tree.iter() if shape.tag in (f"{SVG}rect", f"{SVG}text")
            and shape.get("height") != tree.get("height") and box(shape)[1] > below]


@pytest.mark.parametrize("jobs", [0, 1, 2, 3, 5, 6, 9])
def test_the_legend_names_each_mark(jobs):
    """Nothing lies upon another thing or outside the picture; what explains a mark stands right of it, in its row."""
    tree = drawn(figures([[]], jobs))
    across, high = float(tree.get("width")), float(tree.get("height"))
    found = rows_of_legend(tree)
    assert all(0 < one[0] and one[2] < across and one[3] < high for one, _ in found)
    assert all(apart(one, other) for k, (one, _) in enumerate(found) for other, _ in found[:k])
    texts = {text: at for at, text in found if text}
    first = ["load of a link", "first bar", "second bar", *["third bar"] * (jobs > 0), "triangles"]
    assert {texts[text][0] for text in first} == {24}
    assert sorted(texts[text][3] for text in first) == [texts[text][3] for text in first], "from top to bottom"
    assert texts["0"][2] + 6 == pytest.approx(texts["0.1 %"][0] - 206), "both ends of the scale are named beside it"
    marks = [at for at, text in found if not text]
    named = [*picture.DOES, *(f"job {gid} job{gid}" for gid in range(1, jobs + 1)), "no job"]
    third = ["messages that the kernel put into the buffer, of those received"] * (jobs > 0)
    assert len(marks) == 1 + len(named) + len(third)
    for text in [*named, *third]:
        beside = [one for one in marks if 0 < texts[text][0] - one[2] <= 6 and one[1] < texts[text][3] < one[3] + 5]
        assert len(beside) == 1, text
    assert {texts[text][0] for text in named[4::3]} == {texts["user"][0]}, "three jobs in a row"


def test_the_room_below_the_legend_is_the_same_for_all_numbers_of_jobs():
    room = {jobs: float((tree := drawn(figures([[]], jobs))).get("height")) - max(one[3] for one, _ in rows_of_legend(tree))
            for jobs in (1, 2, 3, 5, 6)}
    assert len(set(room.values())) == 1 and 32 < room[1] < 48


@pytest.mark.parametrize("busy, end, colour", [
    (0, "0.1 %", "#e4e8ec"), (1, "0.1 %", "#a50f2a"), (2, "0.2 %", "#a50f2a"), (3, "0.5 %", None), (50, "5 %", "#a50f2a"),
    (51, "10 %", None), (500, "50 %", "#a50f2a"), (501, "100 %", None), (1000, "100 %", "#a50f2a"), (1001, "100 %", "#a50f2a"),
])
def test_the_scale_ends_at_the_next_round_load(busy, end, colour):
    """The busiest link decides it; one whose load is the end of the scale has the last colour."""
    tree = drawn(figures([[], []], links=[(0, "east", busy), (1, "west", 0)]), (2, 1))
    assert [text for _, text in rows_of_legend(tree) if text and text.endswith("%")] == [end]
    arrows = {shape.find(f"{SVG}title").text: shape.get("fill") for shape in tree.iter(f"{SVG}polygon")}
    assert arrows[f"node 0 east: {busy / 10:.2f} %"] == colour or colour is None
    assert arrows["node 1 west: 0.00 %"] == "#e4e8ec"


@pytest.mark.parametrize("letters, shown", [(14, "n" * 14), (15, "n" * 13 + "\u2026")])
def test_a_name_that_just_fits(letters, shown):
    """A key has room for 20 letters."""
    made = figures([[]], 1)
    made["jobs"][0]["name"] = "n" * letters
    assert f"job 1 {shown}" in [text for _, text in rows_of_legend(drawn(made))]

"""profile --flame FILE.html: the chains of --stacks, in a page that needs nothing else."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from browsers import WAIT
from observing import observed
from pages import Inside
from run_sh import run_sh

from fugu.abi import FRAME
from fugu.observe import flame, profile
from fugu.observe.figures import Figures, Frame
from fugu.observe.programs import Programs

KNOWN = Programs({}, {1: "ring", 2: "a</script>b"})
FRAMES = {
    0: {1: Frame(0, FRAME["JOB"], 0, 1, 5), 2: Frame(1, FRAME["FUNCTION"], 1, 0x1000, 70), 3: Frame(2, FRAME["TRAP"], 1, 5, 0),
        4: Frame(3, FRAME["FUNCTION"], 0, 0x2000, 40), 5: Frame(3, FRAME["WAIT"], 0, 0, 30)},
    3: {1: Frame(0, FRAME["JOB"], 0, 2, 0), 2: Frame(1, FRAME["FUNCTION"], 2, 0x1000, 7)},
}


def chains(profiles, which):
    """The cycles of a profile by chain of names."""
    names, found = [frame["name"] for frame in profiles["shared"]["frames"]], Counter()
    for sample, weight in zip(profiles["profiles"][which]["samples"], profiles["profiles"][which]["weights"], strict=True):
        found[";".join(names[place] for place in sample)] += weight
    return found


def test_data_has_the_chains_of_the_stacks():
    figures = Figures(frames=FRAMES)
    profiles = flame.data(figures, KNOWN, "ring + other")
    assert [(one["name"], one["endValue"]) for one in profiles["profiles"]] == [("all nodes", 152), ("node 0", 145), ("node 3", 7)]
    expected = Counter()
    for line in profile.stacks(figures, KNOWN):
        chain, _, cycles = line.rpartition(" ")
        expected[chain] += int(cycles)
    assert expected == {f"{node};{chain}": cycles for k, node in ((1, "node 0"), (2, "node 3"))
                        for chain, cycles in chains(profiles, k).items()}
    assert chains(profiles, 0) == chains(profiles, 1) + chains(profiles, 2)


def test_one_node_is_not_shown_twice():
    profiles = flame.data(Figures(frames={0: FRAMES[0]}), KNOWN, "ring")
    assert [one["name"] for one in profiles["profiles"]] == ["node 0"]


@pytest.fixture
def viewer(tmp_path):
    """A folder like that of speedscope."""
    folder = tmp_path / "viewer"
    folder.mkdir()
    (folder / "index.html").write_text('<link rel="stylesheet" href="s-1.css"><link rel="icon" href="i.png">\n<script src="s-2.js"></script>')
    (folder / "s-1.css").write_text('a{src:url("./f.woff2") format("woff2")}\n/*# sourceMappingURL=s-1.css.map */\n')
    (folder / "s-2.js").write_text('const text = "{}</script>";\n//# sourceMappingURL=s-2.js.map\n')
    (folder / "f.woff2").write_bytes(b"abc")
    (folder / "LICENSE").write_text("Anyone may </script> it.")
    return folder


def test_page_has_all_inside(viewer, tmp_path):
    profiles = flame.data(Figures(frames=FRAMES), KNOWN, "<ring>")
    file = tmp_path / "flame.html"
    file.write_text(flame.page(viewer, "<ring>", profiles))
    text = file.read_text()
    assert Inside(file).references == ["data:,"]
    for part in ('a{src:url(data:font/woff2;base64,YWJj) format("woff2")}', 'const text = "{}<\\/script>";', "Anyone may <\\/script> it.",
                 "<title>&lt;ring&gt;</title>"):
        assert part in text
    assert "sourceMapping" not in text
    data = text.partition('id="profile">')[2].partition("</script>")[0]
    assert json.loads(data) == profiles and "a</script>b" in json.dumps(profiles)


def test_the_name_is_that_of_a_page():
    done = run_sh("profile", "--flame", "flame.svg", "-n", 2, "hello")
    assert done.returncode == 2
    assert "fugu: --flame flame.svg: the flame graph is a page, and its name ends with .html." in done.stderr


@pytest.mark.long
def test_speedscope_shows_the_profile(browser, tmp_path):
    """The real viewer, which npm fetches."""
    file = tmp_path / "flame.html"
    observed("profile", "--flame", file, "-n", 2, "pingpong", 5)
    page = browser.new_page()
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(file.as_uri(), timeout=WAIT)
    page.get_by_text("all nodes").first.wait_for(timeout=WAIT)
    assert page.title() == "pingpong 5 - speedscope" and asked == [file.as_uri()] and wrong == []
    page.close()

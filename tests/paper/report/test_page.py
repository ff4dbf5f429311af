"""The page of ./run.sh paper in a real browser, Chromium without a window."""

from __future__ import annotations

import json
import re

import pytest
from browsers import WAIT
from invented import BROKEN, ERROR, FIGURES, report

from fugu.host import python_tools
from fugu.paper._table import AIM
from fugu.paper.summary import files, page
from fugu.paper.summary.parts import PARTS

DRAWN = [part.name for part in PARTS if part.picture]
TITLES = {part.name: part.heading for part in PARTS}
NARROW, WIDE = 400, 1200


@pytest.fixture(scope="module")
def written(browser, tmp_path_factory):
    """The folder of a report."""
    python_tools.on_demand(python_tools.PAGE, "matplotlib")
    made = report()
    folder = tmp_path_factory.mktemp("report")
    files.write(folder, {files.PAGE: page.make(made).text, **files.numbers(made)})
    return folder


@pytest.fixture
def shown(browser, written):
    """The page as the browser shows it, with what it has asked for and complained about."""
    opened = browser.new_page(viewport={"width": WIDE, "height": 900}, color_scheme="light")
    opened.asked, opened.complaints = [], []
    opened.on("request", lambda request: opened.asked.append(request.url))
    opened.on("console", lambda message: opened.complaints.append(message.text))
    opened.on("pageerror", lambda error: opened.complaints.append(str(error)))
    opened.goto((written / files.PAGE).as_uri(), timeout=WAIT)
    yield opened
    opened.close()


def test_page_asks_for_nothing_and_complains_about_nothing(shown, written):
    assert shown.asked == [(written / files.PAGE).as_uri()] and shown.complaints == []


def test_page_names_no_other_place(written):
    text = (written / files.PAGE).read_text()
    names = re.sub(r' xmlns(?::\w+)?="[^"]*"', "", text)
    assert "://" not in names and "@import" not in names
    assert all(target[0] == "#" or target == "data:," for target in re.findall(r'(?:href|src)="([^"]*)"', names))
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert len(ids) == len(set(ids))


def test_every_figure_has_a_size(shown):
    for name in DRAWN:
        box = shown.locator(f"#{name} figure svg").bounding_box()
        assert box["width"] > 300 and box["height"] > 100, name
        assert shown.locator(f"#{name} svg text").count() > 3
    assert shown.locator("figure svg").count() == len(DRAWN)


def test_lines_stay_within_their_panels(shown):
    """Panels share an axis that is long enough for all of them: the highest point is not cut off."""
    for name in FIGURES:
        lowest, highest = shown.evaluate("""name => {
            const tops = selector => [...document.querySelectorAll(`#${name} svg ${selector}`)]
                .map(e => e.getBoundingClientRect().top);
            return [Math.min(...tops('[id*=patch] path')), Math.min(...tops('[id*=line2d] use'))];
        }""", name)
        assert lowest <= highest


def test_verdicts_are_those_of_the_json(shown, written):
    data = json.loads((written / files.JSON).read_text())
    assert shown.locator(".bar").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))") == [
        f"{score['hold']} of {score['all']} " + ("aims of this project are met" if score["of"] == AIM else
                                                 f"claims of {score['of']} hold") for score in data["scores"]]
    for part in data["parts"]:
        found = shown.locator(f"#{part['name']} .verdict").evaluate_all(
            "all => all.map(e => [e.dataset.holds, e.innerText])")
        claims = part.get("claims", [])
        assert found == [[json.dumps(claim["holds"]), f"{'✓' if claim['holds'] else '✗'} {claim['ours']}"]
                         for claim in claims]
        score = shown.locator(f".cards a[href='#{part['name']}'] .score").inner_text()
        assert score == ("not measured" if "error" in part else f"{part['hold']} of {len(claims)} hold" if claims
                         else "no claims")


def test_what_does_not_hold_is_on_the_first_screen(shown):
    texts = shown.locator(".failing li").all_inner_texts()
    assert texts == ["✗ Table 6: table6 is as in the paper. (soft)",
                     *(f"✗ {TITLES[name].partition(':')[0]}: {name} is <so>. (hard, elapsed)" for name in FIGURES)]
    assert shown.locator(".failing").bounding_box()["y"] < 900


def test_a_part_without_numbers_says_why(shown):
    assert shown.locator(f"#{BROKEN} pre").inner_text() == ERROR
    assert shown.locator(f".cards a[href='#{BROKEN}'] .score").inner_text() == "not measured"
    assert f"1 of {len(PARTS)} parts could not be measured" in shown.locator("#verdict .error").inner_text()


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_page_fits_its_window(shown, width):
    shown.set_viewport_size({"width": width, "height": 900})
    assert shown.evaluate("document.documentElement.scrollWidth") == width


def test_links_lead_to_the_parts(shown):
    for part in PARTS:
        shown.locator(f".cards a[href='#{part.name}']").click()
        assert shown.locator(f"#{part.name} h2").inner_text() == part.heading
        assert shown.url.endswith(f"#{part.name}")


def test_light_dark_and_print_have_colours_that_can_be_read(shown):
    """Ink on paper, lines on paper and the marks: a contrast of 3 at least, of text 7."""
    for media, scheme in (("screen", "light"), ("screen", "dark"), ("print", "light")):
        shown.emulate_media(media=media, color_scheme=scheme)
        variables = shown.evaluate("""() => {
            const style = getComputedStyle(document.documentElement);
            return Object.fromEntries(['--paper', '--ink', '--yes', '--no', '--line-0', '--line-1', '--line-2',
                '--line-3', '--line-4'].map(name => [name, style.getPropertyValue(name).trim()]));
        }""")
        paper = variables.pop("--paper")
        for name, colour in variables.items():
            assert contrast(paper, colour) > (7 if name == "--ink" else 3), (media, scheme, name)
        drawn = shown.locator("#figure7 svg path[style*='--line-0']").first.evaluate("e => getComputedStyle(e).stroke")
        assert drawn == "rgb({}, {}, {})".format(*channels(variables["--line-0"]))


def test_heading_and_figure_are_on_one_printed_page(shown):
    """What belongs together is never parted, and is no longer than a page."""
    shown.emulate_media(media="print")
    shown.set_viewport_size({"width": 718, "height": 1000})         # A4 with margins of a centimetre, at 96 dots an inch
    for name in DRAWN:
        top = shown.locator(f"#{name} .top")
        assert top.evaluate("e => getComputedStyle(e).breakInside") == "avoid"
        assert top.locator("h2").count() == top.locator("figure").count() == 1 and top.bounding_box()["height"] < 1000, name


def test_pictures_are_files_too(browser, tmp_path):
    python_tools.on_demand(python_tools.PAGE, "matplotlib")
    made = report()
    found = page.pictures(made, [])
    assert set(found) == {f"{name}.{kind}" for name in DRAWN for kind in ("svg", "pdf")}
    assert all(text.startswith(b"%PDF" if name.endswith("pdf") else b"<?xml") for name, text in found.items())
    assert found == page.pictures(made, []), "the same numbers make the same files"
    assert not any("var(--" in text.decode() for name, text in found.items() if name.endswith("svg"))
    assert not set(page.pictures(made, ["shm"])) & {"shm.svg", "shm.pdf"}


def test_printing_shows_the_numbers(shown):
    """Folded tables are unfolded on paper."""
    table = shown.locator("#figure7 details.numbers table")
    assert not table.is_visible()
    shown.emulate_media(media="print")
    assert table.is_visible() and table.bounding_box()["height"] > 50
    assert len(shown.pdf()) > 10_000


def channels(colour: str) -> list[int]:
    """Red, green and blue of #rrggbb or #rgb."""
    digits = colour.removeprefix("#")
    digits = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    return [int(digits[k:k + 2], 16) for k in (0, 2, 4)]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, as WCAG 2 defines it."""
    def light(colour: str) -> float:
        parts = [part / 255 for part in channels(colour)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)

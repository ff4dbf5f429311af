"""The page of a timeline in Chromium: it has read each message and each change exactly, and shows them."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from browsers import WAIT
from observing import PROGRAMS, RUNS, observed
from pages import Inside
from timelines import Timeline

# How a message's way ends (observe/page/run.js), by the event that ends it.
HANDLED, POLLED, DROPPED, TAKEN, STORED = range(1, 6)
SHOWN = {
    "stress": RUNS["stress"],
    "two jobs": RUNS["two jobs"],
    "three processes": RUNS["three processes"],
    "updates": ("-n", 2, "--ni", "shrimp", PROGRAMS / "debug" / "mapping.elf"),
    "upcalls without messages": RUNS["without messages"],
    "slots": ("-n", 4, "--ni", "m-machine", "mmping"),
}
NARROW, WIDE = 400, 1280


@pytest.fixture
def opened(browser, tmp_path):
    """Opens the page of a run. Returns it, with what it has asked for and complained about, and the run's timeline."""
    pages = []

    def open_(*words):
        observed("--timeline", tmp_path / "run.html", "--stats-json", tmp_path / "figures.json", *words)
        (tmp_path / "run.pftrace.gz").write_bytes(Inside(tmp_path / "run.html").packed)     # test_timeline_page.py
        page = browser.new_page(viewport={"width": WIDE, "height": 800}, color_scheme="light")
        pages.append(page)
        page.asked, page.complaints = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto((tmp_path / "run.html").as_uri(), timeout=WAIT)
        page.wait_for_selector("html[data-ready]", timeout=WAIT)
        return page, Timeline(tmp_path / "run.pftrace.gz")
    yield open_
    for page in pages:
        page.close()


def node_of(event):
    return int(event.where.split("/")[0].removeprefix("node "))


def ways(timeline):
    """Each message by its number: what the timeline says of it."""
    found = defaultdict(dict)
    finished = {(one.where, one.start, one.name, one.ends): one.end for one in timeline.slices if one.ends}
    for event in timeline.events:
        for flow in (*event.flows, *event.ends):
            if flow >> 62:                  # on the way out, or of the engine
                continue
            way = found[flow]
            if event.name == "launch":
                way |= {"source": node_of(event), "dest": event.arguments["to"], "launch": event.time,
                        "words": event.arguments["words"], "bytes": event.arguments.get("body bytes", 0),
                        "handler": event.arguments.get("handler", "")}
            elif event.name in ("arrival", "blocked"):
                way["arrival"] = event.time
            elif event.name == "accepted":
                way["accepted"] = event.time
            elif event.name == "into the buffer":
                way["inserted"] = event.time
            elif flow in event.ends:
                way["ended"] = event.time
                way["path"] = event.path
                way["how"] = {"disposed": POLLED if event.path else TAKEN, "dropped": DROPPED,
                              "in memory": STORED}.get(event.name, HANDLED)
                if event.kind == "begin":
                    way["least"] = finished[event.where, event.time, event.name, event.ends]
    return found


MESSAGES = """() => {
    const r = picture.recorder, known = value => isNaN(value) ? null : value;
    return [...r.order].map(i => ({
        flow: [r.of.source[i] + 1, r.of.sequence[i]], source: r.of.source[i], dest: r.of.dest[i], launch: known(r.of.launch[i]),
        words: r.of.words[i], bytes: r.of.bytes[i], handler: r.names[r.of.handler[i]].text, arrival: known(r.of.arrival[i]),
        accepted: r.accepted.get(i), inserted: r.inserted.get(i), ended: known(r.of.ended[i]), how: r.of.how[i],
        finished: known(r.of.finished[i]),
        path: {[S.PATH_FAST]: "fast", [S.PATH_BUFFERED]: "buffered"}[r.of.path[i]] || "",
    }));
}"""

CHANGES = """() => picture.recorder.tracks.map(track => [...track.times.values()].map((time, k) =>
    [time, picture.recorder.namesOf(track.stacks.all[k]).map(one => one.text)]))"""

SUMS = """() => picture.recorder.tracks.map(track => [0, 1, 2, 3].map(kind =>
    Math.round(picture.recorder.before(track.sums, 4, kind, Infinity))))"""

CARRIED = """() => [0, 1].map(mesh => picture.mesh.carried(mesh))"""

# Loads of links in windows of any place and length, with sums at many checkpoints, and message by message.
LOADS = """() => {
    const r = picture.recorder, many = new Mesh(picture.run, r, 16), found = [];
    for (let k = 1; k < 40; k++) {
        const start = r.first + (r.final - r.first) * (k * 7 % 40) / 50, end = start + (r.final - r.first) * k / 97;
        const [one, other] = [many, picture.mesh].map(mesh => mesh.loads(start, end, k % 2));
        found.push(Math.max(...one.map((share, link) => Math.abs(share - other[link]))));
    }
    return [many.checkpoints.length, Math.max(...found)];
}"""

BUSY = """() => { const r = picture.recorder, whole = picture.mesh.loads(r.first, r.final + 1e6, 0);
    return [...whole].map(share => Math.round(share * (r.final + 1e6 - r.first))); }"""


@pytest.mark.parametrize("words", SHOWN.values(), ids=SHOWN)
def test_page_has_read_all(opened, words, tmp_path):
    """Messages, what processors do, cycles of columns. It routes messages as the machine did: each one arrives when it
    arrived, and links have carried the words that were counted."""
    page, timeline = opened(*words)
    facts, found = Inside(tmp_path / "run.html").facts, json.loads((tmp_path / "figures.json").read_text())
    assert page.asked == [(tmp_path / "run.html").as_uri()] and page.complaints == []
    check_messages(page.evaluate(MESSAGES), ways(timeline))
    check_changes(page.evaluate(CHANGES), timeline)
    check_columns(page.evaluate(SUMS), found)
    if "m-machine" not in words:        # whose words leave one by one, so that the times on its links are estimates
        assert page.evaluate("[picture.mesh.routed, picture.mesh.wrong]") == [len(ways(timeline)), 0]
        checkpoints, difference = page.evaluate(LOADS)
        assert checkpoints == (len(ways(timeline)) + 15) // 16 and difference < 1e-9
        check_links(page.evaluate(CARRIED), page.evaluate(BUSY), facts)


def check_messages(shown, expected):
    there = {}
    for message in shown:
        high, low = message.pop("flow")
        there[high << 32 | low] = {name: value for name, value in message.items() if value is not None}
    assert there.keys() == expected.keys() != set()
    for flow, way in expected.items():
        least, finished = way.pop("least", None), there[flow].pop("finished", None)
        assert (finished is None) == (least is None) and (least is None or finished >= least)
        if "how" not in way:
            way |= {"how": 0, "path": "buffered" if "inserted" in way else ""}
        if (way["how"], way["path"], there[flow]["path"]) == (HANDLED, "fast", "buffered"):
            there[flow].pop("inserted", None)           # test_a_handler_that_loses_its_message has these
            there[flow]["path"] = "fast"
        assert there[flow] == way


def check_links(carried, busy, facts):
    words = [[0] * 6 * facts["nodes"] for _ in range(2)]
    for network, node, link, count in facts["links"]:
        words[network][6 * node + link] = count
    assert carried == words
    assert busy == [facts["networks"][0]["word"] * count for count in words[0]]


def check_changes(shown, timeline):
    open_, changes = defaultdict(list), defaultdict(dict)
    for event in timeline.events:
        if event.where.endswith("/runs"):
            stack = open_[node_of(event)]
            if event.kind == "begin":
                stack.append(event.name)
            else:
                stack.pop()
            changes[node_of(event)][event.time] = list(stack)
    assert shown == [[[time, names] for time, names in changes[node].items()] for node in sorted(changes)]


def check_columns(shown, found):
    for node, (user, handlers, kernel, waits) in zip(found["nodes"], shown, strict=True):
        cycles = [job["cycles"] for job in node["jobs"]]
        assert (user, handlers) == (sum(one["user"] for one in cycles), sum(one["handlers"] for one in cycles))
        assert kernel == sum(sum(one["kernel"].values()) for one in cycles)
        assert waits == sum(sum(one["waits"].values()) for one in cycles)


def test_keys_search_and_a_message(opened):
    """Search by name, step to a message, see its way; zoom, move, the whole run."""
    page, timeline = opened("-n", 2, "pingpong", 5)
    whole = page.evaluate("[picture.tracks.start, picture.tracks.end]")
    page.keyboard.press("/")
    page.keyboard.type("pong")
    assert page.locator("#results li").first.inner_text().startswith("pong\njob 1, pingpong: ")
    page.keyboard.press("Enter")
    assert page.locator("#only-text").inner_text().startswith("pong: ")
    page.evaluate("show(0, picture.recorder.first + 1)")
    page.keyboard.press("n")            # the first one after the window's middle
    text = page.locator("#chosen").inner_text()
    for words in ("Message from node 1 to node 0", "handler\npong", "GID\n1 (pingpong)", "network\nmain", "delivery\ndirect (fast)",
                  "pong() begins", "node 1 into its router", "west, 1 to 0", "router 0 to its node"):
        assert words in text, text
    steps = [int(cell.replace(",", "")) for cell in page.locator("#chosen td:first-child").all_inner_texts()]
    launch = next(event for event in timeline.events if event.name == "launch" and event.time == steps[0])
    ends = [event.time for event in timeline.events if set(launch.flows) & {*event.flows, *event.ends}]
    assert steps == sorted(steps) and set(ends) <= set(steps)
    page.keyboard.press("s")
    page.keyboard.press("s")
    before = page.evaluate("picture.tracks.span")
    page.keyboard.press("w")
    assert page.evaluate("picture.tracks.span") == pytest.approx(before / 1.5)
    start = page.evaluate("picture.tracks.start")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("picture.tracks.start") == pytest.approx(start + 0.18 * before / 1.5)
    page.keyboard.press("0")
    assert page.evaluate("[picture.tracks.start, picture.tracks.end]") == whole
    page.keyboard.press("/")
    page.keyboard.type("cycle 100,000")
    page.keyboard.press("Enter")
    start, end = page.evaluate("[picture.tracks.start, picture.tracks.end]")
    assert start < 100_000 < end < start + 5000
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    assert page.complaints == []


@pytest.mark.parametrize("more", [("--timeline-nodes", "1,3", "--timeline-kinds", "messages"), ("--timeline-cycles", "100K-150K"),
                                  ("--timeline-kinds", "runs"), ("--timeline-cycles", "1-1")], ids=lambda more: " ".join(more))
def test_a_part_of_a_run_is_shown(opened, more):
    """Also where launches, arrivals, tracks or all events are missing."""
    page, timeline = opened(*more, *RUNS["stress"])
    assert page.evaluate("picture.recorder.count") == len(ways(timeline))
    for key in "wwdds[]nnpp0m?":
        page.keyboard.press(key)
    page.mouse.move(600, 400)
    assert page.complaints == [] and page.evaluate("picture.tracks.image.width") > 500


@pytest.mark.parametrize("more, text", [
    ((), "of the time."), (("--timeline-nodes", "0-3"), "of the time."),
    (("--timeline-nodes", "1,3"), "of the time, by the messages whose launch is in the page."),
    (("--timeline-kinds", "runs"), "No launch of a message is in the page, so no load is known.")],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "")
def test_loads_of_a_part_of_the_messages(opened, more, text):
    """The page says that they are, and that times on links are estimates, though all that it has fit."""
    page, _ = opened(*more, *RUNS["stress"])
    assert page.locator("#mesh-text").inner_text().endswith(text)
    assert page.evaluate("[picture.mesh.wrong, picture.mesh.exact]") == [0, text == "of the time."]
    page.keyboard.press("p")
    assert ("times on links are estimates" in page.locator("#chosen").inner_text()) == (text != "of the time.")


def test_updates_without_counters_use_the_main_network(opened):
    """The way of each one leads to its arrival."""
    page, _ = opened("--timeline-kinds", "messages", *SHOWN["updates"])
    assert page.evaluate("[picture.mesh.wrong, picture.recorder.of.network.filter(one => one === MAIN).length]") == \
        [0, page.evaluate("picture.recorder.updates.size")]


NETWORKS = """() => { const r = picture.recorder, of = r.of;
    return [...new Set([...r.order].map(i => `${NETWORKS[of.network[i]]} ${r.names[of.handler[i]].text}`))].sort(); }"""


def test_networks_without_counters(opened):
    """Each message is on the same network whatever kinds of events the page has."""
    networks = [opened(*more, *SHOWN["slots"])[0].evaluate(NETWORKS) for more in ((), ("--timeline-kinds", "messages"))]
    assert networks[0] == networks[1] and {one.partition(" ")[0] for one in networks[0]} == {"main", "second", "urgent"}


def test_messages_without_a_launch_are_stepped_through_by_time(opened):
    """They have left before the page's first cycle; N and P meet them when they arrive."""
    page, _ = opened("--timeline-cycles", "300K-350K", *RUNS["stress"])
    seen = page.evaluate("""() => { const r = picture.recorder, seen = [];
        show(r.first, r.first + 1);
        for (const key of ["n", "p"]) {
            for (let k = 0; k < 200; k++) {
                KEYS[key]();
                seen.push([key, r.firstOf(picture.tracks.chosen), r.of.launch[picture.tracks.chosen] >= 0]);
            }
        }
        return seen; }""")
    forth, back = [[time for key, time, _ in seen if key == one] for one in "np"]
    assert forth == sorted(forth) and back == sorted(back, reverse=True) and forth[0] < forth[-1] and back[-1] <= forth[0]
    assert {launched for key, _, launched in seen if key == "n"} == {True, False}


def test_a_page_has_the_cycles_that_were_asked_for(opened):
    """Also where no event is at their ends."""
    for kinds in ("messages", "runs"):
        page, _ = opened("--timeline-cycles", "100001-149999", "--timeline-kinds", kinds, *RUNS["stress"])
        assert page.evaluate("[picture.recorder.first, picture.recorder.final]") == [100_001, 149_999]


def test_a_handler_that_loses_its_message(opened, tmp_path):
    """The kernel has put it into the buffer after the handler began: the message is a buffered one, as in the figures."""
    page, _ = opened("-n", 5, "--processes", 2, RUNS["stress"][-3], 3, 30)
    found = [job["messages"] for job in json.loads((tmp_path / "figures.json").read_text())["jobs"]]
    late = page.evaluate("""() => { const r = picture.recorder;
        return [...r.inserted].filter(([i, time]) => time > r.of.ended[i]).map(([i]) => stepsOf(i).map(([time]) => time)); }""")
    assert late and all(steps == sorted(steps) for steps in late)
    assert page.evaluate("[picture.recorder.inserted.size, picture.recorder.of.path.filter(one => one === S.PATH_BUFFERED).length]") \
        == [sum(one["inserted"] for one in found), sum(one["buffered"] for one in found)]


def test_a_page_begins_with_the_network_that_has_messages(opened):
    page, _ = opened("-n", 2, "hello")
    assert page.locator("#network").input_value() == "1"
    assert page.locator("#mesh-text").inner_text().endswith("of the time.")
    assert "the busiest link of the second network is in use for 0.0 %" not in page.locator("#mesh-text").inner_text()


def test_a_search_without_a_digit_finds_no_cycle(opened):
    page, _ = opened("-n", 1, "hello")
    for words in ("_", ",", "cycle", "cycle ,"):
        page.locator("#search").fill(words)
        assert page.locator("#results").inner_text() == "nothing has this name"
    page.locator("#search").fill("cycle 1_000")
    assert page.locator("#results").inner_text().startswith("cycle 1,000")


def test_a_click_shows_what_is_there(opened):
    page, _ = opened("-n", 2, "pingpong", 5)
    x, y = page.evaluate("""() => {
        const r = picture.recorder, i = r.order.find(i => r.of.how[i] === 1 && r.of.path[i] === S.PATH_FAST);
        zoomTo(i);
        draw();
        const {x0, y0, x1, y1} = picture.tracks._line(i), box = $("tracks").getBoundingClientRect();
        return [box.left + (x0 + x1) / 2, box.top + (y0 + y1) / 2];
    }""")
    page.mouse.click(x, y)
    assert page.locator("#chosen h2").inner_text().startswith("Message from node ")
    page.keyboard.press("Escape")
    page.mouse.click(*page.evaluate("""() => {
        const box = $("tracks").getBoundingClientRect(), [above, tall] = picture.tracks.strip();
        return [box.left + picture.tracks.left + 4, box.top + picture.tracks.y(1) + above + tall / 2];
    }"""))
    assert page.locator("#chosen h2").inner_text().startswith("Node 1: ")
    assert "node 1" in page.locator("#under").inner_text()
    height = page.locator("#tracks").bounding_box()["height"]
    page.evaluate("$('under').textContent = 'words '.repeat(99)")
    assert page.locator("#tracks").bounding_box()["height"] == height       # what the pointer says moves nothing


def test_saved_events_are_those_of_the_trace(opened, tmp_path):
    page, _ = opened("-n", 2, "pingpong", 5)
    with page.expect_download() as saved:
        page.locator("#save").click()
    assert saved.value.suggested_filename == "pingpong-5.pftrace.gz"
    assert saved.value.path().read_bytes() == Inside(tmp_path / "run.html").packed


def test_narrow_dark_and_printed(opened):
    page, _ = opened("-n", 4, "pingpong", 5)
    page.set_viewport_size({"width": NARROW, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW
    corner = """async () => {
        await new Promise(resolve => setTimeout(resolve, 100));         // the browser says that its style has changed
        const canvas = $("tracks");
        return [...canvas.getContext("2d").getImageData(1, canvas.height - 2, 1, 1).data];
    }"""
    assert page.evaluate(corner) == [255, 255, 255, 255]
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(corner) == [0x14, 0x18, 0x1d, 255]
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(corner) == [255, 255, 255, 255]
    assert page.evaluate("$('tracks').width") == 3000 and not page.locator(".tools").is_visible()
    assert len(page.pdf()) > 10_000

"""--picture FILE.svg: the mesh, with the numbers of --stats-json."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from observing import PROGRAMS, digest, observed
from run_sh import run_sh

from fugu.abi import STATUS
from fugu.observe import picture

SVG = "{http://www.w3.org/2000/svg}"
RUNS = {
    "two jobs": (("-n", 6, "--timeslice", 20_000, "enum", 5, 4, "+", "pingpong", 20), (3, 2), "main"),
    "a row": (("--mesh", "4x1", "--processes", 2, "pingpong", 5), (4, 1), "main"),
    "without messages": (("-n", 3, "--ni", "none", PROGRAMS / "kinds" / "messageless.elf"), (3, 1), "second"),
    "bare machine": (("-n", 4, "alltoall", "messages=20"), (2, 2), "main"),
    "one node": (("-n", 1, "hello"), (1, 1), "second"),
}


@pytest.mark.parametrize("words, shape, network", RUNS.values(), ids=RUNS)
def test_picture_has_the_numbers_of_the_figures(words, shape, network, tmp_path):
    file, numbers = tmp_path / "mesh.svg", tmp_path / "figures.json"
    output = observed("--digest", "--picture", file, "--stats-json", numbers, *words)
    assert digest(output) == digest(observed("--digest", *words))
    found, tree = json.loads(numbers.read_text()), ElementTree.parse(file).getroot()     # noqa: S314: our file

    # Links: each with its load.
    width, height = shape
    neighbours = {(y * width + x, link) for y in range(height) for x in range(width) for link, (dx, dy) in picture.WAYS.items()
                  if 0 <= x + dx < width and 0 <= y + dy < height}
    expected = dict.fromkeys(neighbours | {(node["node"], link) for node in found["nodes"] for link in ("inject", "eject")}, 0.0)
    for link in found["links"]:
        if link["network"] == network:
            expected[link["node"], link["link"]] = link["busy"] / (found["end"] - found["start"])
    shown = {}
    for polygon in tree.iter(f"{SVG}polygon"):
        node, link, share = re.fullmatch(r"node (\d+) (\w+): ([\d.]+) %", polygon.find(f"{SVG}title").text).groups()
        shown[int(node), link] = share
    assert shown == {place: f"{100 * load:.2f}" for place, load in expected.items()}
    texts = [text.text for text in tree.iter(f"{SVG}text")]
    assert f"links of the {network} network" in texts[1]

    # Nodes: two bars as long as each other, a count of messages.
    bars = [re.fullmatch(r"(.+): ([\d,]+) cycles", title.text) for title in tree.iter(f"{SVG}title")]
    cycles = [(bar[1], int(bar[2].replace(",", ""))) for bar in bars if bar]
    names = {job["gid"]: job["name"] for job in found["jobs"] if job["name"]}
    expected = []
    for node in found["nodes"]:
        expected += picture.shares(node["jobs"]).items()
        expected += [(names.get(job["gid"], "no job"), sum(picture.shares([job]).values())) for job in node["jobs"]]
    assert cycles == [(name, count) for name, count in expected if count]
    counts = [text for text in texts if re.fullmatch(r"[\d.]+[kM]? of [\d.]+[kM]?", text)]
    buffers = [node for node in found["nodes"] if names]        # the bare machine has none
    for node, text in zip(buffers, counts, strict=True):
        inserted = sum(job["messages"]["inserted"] for job in node["jobs"])
        assert inserted >= 1000 or text.startswith(f"{inserted} of ")
    assert ("third bar" in texts) == bool(names)
    for gid, name in names.items():
        assert f"job {gid} {name}" in texts


def test_colours_go_from_no_load_to_the_most():
    colours = [picture._colour(load, 0.2) for load in (0, 1e-9, 0.05, 0.1, 0.2)]       # noqa: SLF001
    assert colours[0] == picture.LOADS[0] and colours[1] == picture.LOADS[1] and colours[-1] == picture.LOADS[-1]
    assert len(set(colours)) == 5


def test_more_jobs_than_colours():
    names = {gid: f"job{gid}" for gid in range(1, 10)}
    assert picture.job_colour(7, names) == picture.job_colour(1, names) != picture.job_colour(2, names)
    assert picture.job_colour(0, names) == picture.NO_JOB


def test_names_are_escaped():
    figures = {"start": 0, "end": 10, "links": [], "jobs": [], "nodes": []}
    tree = ElementTree.fromstring(picture.make(figures, (2, 1), "a <b> & c"))           # noqa: S314: our file
    assert tree.find(f"{SVG}title").text == "a <b> & c"


def test_long_words_end_where_the_room_does():
    figures = {"start": 0, "end": 10, "links": [], "jobs": [{"gid": 1, "name": "n" * 99}], "nodes": []}
    tree = ElementTree.fromstring(picture.make(figures, (2, 1), "w" * 999))             # noqa: S314: our file
    assert tree.find(f"{SVG}title").text == "w" * 999
    texts = [text.text for text in tree.iter(f"{SVG}text")]
    assert texts[0] == "w" * 64 + "\u2026" and f"job 1 {'n' * 13}\u2026" in texts


def test_words_that_no_file_of_xml_can_have(tmp_path):
    """Control characters, and bytes that are not UTF-8: the run is not lost by them, and the picture can be read."""
    words = ("-n", 1, "hello", "a\x01b", b"\xff\xc3\xa4".decode(errors="surrogateescape"))
    assert run_sh("--picture", tmp_path / "mesh.svg", *words).returncode == 0
    tree = ElementTree.parse(tmp_path / "mesh.svg").getroot()       # noqa: S314: our file
    assert tree.find(f"{SVG}title").text == "hello a\ufffdb \ufffd\u00e4"
    figures = {"start": 0, "end": 10, "links": [], "jobs": [{"gid": 1, "name": "a\udcff\x1b"}], "nodes": []}
    assert "job 1 a\ufffd\ufffd" in picture.make(figures, (1, 1), "a")


@pytest.mark.parametrize("words, status, message", [
    (("--picture", "mesh.png"), 2, "--picture mesh.png: the picture is an SVG file, and its name ends with .svg."),
    (("--picture", "no/mesh.svg"), 121, "--picture no/mesh.svg: there is no directory no."),
    (("--picture", "mesh.svg", "--dry-run"), 2, "--dry-run and --picture contradict each other: leave one of them out."),
])
def test_mistakes(words, status, message):
    done = run_sh("-n", 2, *words, "hello")
    assert done.returncode == status and message in done.stderr


def test_files_that_cannot_be_written_cost_none_of_the_others(tmp_path):
    (tmp_path / "run.html").symlink_to("/dev/full")
    (tmp_path / "mesh.svg").symlink_to("/dev/full")
    done = run_sh("-n", 2, "--timeline", tmp_path / "run.html", "--picture", tmp_path / "mesh.svg", "--stats-json", tmp_path / "figures.json",
                  "--stats", "hello")
    assert done.returncode == STATUS["FILE"], done.stdout + done.stderr
    assert f"--timeline {tmp_path / 'run.html'}: the file cannot be written: No space left on device." in done.stderr
    assert len(json.loads((tmp_path / "figures.json").read_text())["nodes"]) == 2
    assert re.search(r"^Figures of cycles 0 to ", done.stdout, re.MULTILINE), done.stdout

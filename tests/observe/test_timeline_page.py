"""--timeline FILE.html: the page has the same events as FILE.pftrace, to the byte, and needs nothing else."""

from __future__ import annotations

import gzip
import json
import random

import pytest
from observing import RUNS, STRESS, digest, observed
from pages import Inside
from run_sh import run_sh

from fugu.observe.page import PIECE, Page
from fugu.paths import apps_dir

WAYS = {
    "stress": (RUNS["stress"], ()),
    "three processes": (RUNS["three processes"], ()),
    "bare machine": (RUNS["bare machine"], ()),
    "some kinds and nodes": (RUNS["stress"], ("--timeline-kinds", "messages,runs", "--timeline-nodes", "1,3")),
    "nothing at all": (RUNS["stress"], ("--timeline-cycles", "1-1")),
}


@pytest.mark.parametrize("words, more", WAYS.values(), ids=WAYS)
def test_page_has_the_events_of_the_trace(words, more, tmp_path):
    outputs = [observed("--digest", "--timeline", tmp_path / name, *more, *words) for name in ("run.html", "run.pftrace")]
    assert outputs[0] == outputs[1] and digest(outputs[0])
    inside = Inside(tmp_path / "run.html")
    assert gzip.decompress(inside.packed) == (tmp_path / "run.pftrace").read_bytes()
    assert inside.references == ["data:,"]


@pytest.mark.parametrize("asked, shown", [("2000-3000", (2000, 3000)), ("3000-100M", (3000, None)), ("99M-100M", (None, None))])
def test_page_begins_and_ends_in_the_run(asked, shown, tmp_path):
    """A part that is asked for may lie beyond the run's end, where there is nothing."""
    numbers = tmp_path / "figures.json"
    observed("--timeline", tmp_path / "run.html", "--timeline-cycles", asked, "--stats-json", numbers, STRESS, 5, 20)
    facts, end = Inside(tmp_path / "run.html").facts, json.loads(numbers.read_text())["end"]
    assert (facts["start"], facts["end"]) == tuple(end if cycle is None else cycle for cycle in shown)


def test_page_knows_the_machine(tmp_path):
    """Its mesh, latencies, jobs, counters; handlers by GID and address; the words of each link."""
    numbers = tmp_path / "figures.json"
    observed("--timeline", tmp_path / "run.html", "--stats-json", numbers, "--mesh", "2x3", "--processes", 2, "--mesh-hop", 5,
             "--second-word", 40, STRESS, 5, 20)
    facts, found = Inside(tmp_path / "run.html").facts, json.loads(numbers.read_text())
    assert (facts["title"], facts["nodes"], facts["mesh"], facts["kinds"]) == ("udmstress 5 20", 6, [2, 3], 31)
    assert facts["networks"] == [{"base": 64, "hop": 5, "word": 4}, {"base": 256, "hop": 2, "word": 40},
                                 {"base": 64, "hop": 5, "word": 4}]
    assert (facts["start"], facts["end"], facts["jobs"]) == (0, found["end"], {"1": "udmstress"})
    assert facts["process_nodes"] == {"0": [0, 1, 2], "1": [3, 4, 5]}
    assert {gid for codes in facts["codes"].values() for gid, _ in codes.values()} == {1}
    assert [name for _, name, _ in facts["counters"]] == ["input queue", "source space", "message buffers"]
    networks, links = ["main", "second"], ["east", "west", "south", "north", "inject", "eject"]
    assert [(networks[network], node, links[link], words) for network, node, link, words in facts["links"]] == \
        [(link["network"], link["node"], link["link"], link["words"]) for link in found["links"]]


def test_the_title_has_the_words_of_the_command_line(tmp_path):
    """Jobs by their names, with the time at which they start; bytes without a letter are the sign for that."""
    hello = tmp_path / "other.elf"
    hello.write_bytes((apps_dir() / "hello.elf").read_bytes())
    assert run_sh("--timeline", tmp_path / "run.html", "-n", 2, hello, "a  b", "+", f"{hello}@200000", "\udcff\x01").returncode == 0
    title = ascii(Inside(tmp_path / "run.html").facts["title"])     # which a report can have
    assert title == ascii("other a  b + other@200000 \ufffd\ufffd")


def test_the_mesh_is_as_square_as_possible(tmp_path):
    observed("--timeline", tmp_path / "run.html", "-n", 6, "hello")
    assert Inside(tmp_path / "run.html").facts["mesh"] == [3, 2]


def test_no_text_ends_an_element(tmp_path):
    facts = {"title": "a </script><script> & <!-- b", "end": 1}
    with Page(str(tmp_path / "a.html"), facts) as page:
        page.write(b"")
    inside = Inside(tmp_path / "a.html")
    assert inside.facts == facts and gzip.decompress(inside.packed) == b""


def test_pieces_fit_together(tmp_path):
    """Events that fill several elements, written in parts of any length."""
    data = random.Random(1).randbytes(2 * PIECE + 12_345)       # noqa: S311: data that cannot be compressed
    with Page(str(tmp_path / "a.html"), {}) as page:
        for start in range(0, len(data), 100_001):
            page.write(data[start:start + 100_001])
    inside = Inside(tmp_path / "a.html")
    assert gzip.decompress(inside.packed) == data and inside.pieces == 3


@pytest.mark.parametrize("name", ["run.htm", "run.html.gz"])
def test_names_that_are_nearly_those_of_a_page(name, tmp_path):
    done = run_sh("-n", 2, "--timeline", tmp_path / name, "hello")
    assert done.returncode == 2
    assert f"--timeline {tmp_path / name}: a page's name ends with .html, and the page is compressed inside." in done.stderr
    assert not (tmp_path / name).exists()


def test_full_disk(tmp_path):
    (tmp_path / "run.html").symlink_to("/dev/full")
    done = run_sh("-n", 2, "--timeline", tmp_path / "run.html", "hello")
    assert done.returncode == 121
    assert f"--timeline {tmp_path / 'run.html'}: the file cannot be written: No space left on device." in done.stderr

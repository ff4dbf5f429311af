"""docs/figures.md: each key that --stats-json writes, on each kind of network interface, with its unit and meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from observing import PROGRAMS, figures

from fugu.observe import names
from fugu.paths import ROOT

PAGE = (ROOT / "docs" / "figures.md").read_text()
SECTIONS = dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
RUNS = {
    "fugu": ("-n", 2, "--timeslice", 20000, "pingpong", 20, "+", "null"),
    "shared memory": ("-n", 2, "--ram", "32M", "relax", "-n", 18, "-i", 2, "-p", 2),
    "shrimp": ("--ni", "shrimp", "-n", 2, "nxring"),
    "m-machine": ("--ni", "m-machine", "-n", 2, "mmping"),
    "none": ("--ni", "none", "-n", 2, PROGRAMS / "kinds" / "messageless.elf"),
    "bare machine": ("-n", 2, "alltoall", "messages=4"),
}
# Objects whose keys are names of what has occurred.
NAMED = r"(functions|kernel_messages|causes|cycles\.kernel|cycles\.waits|traps|(?<!\.cycles\.)waits)"


def described() -> set[str]:
    """The paths of the page."""
    found: set[str] = set()
    for title, section in SECTIONS.items():
        keys = re.findall(r"^\| `([\w.\[\]]+)` \| [^|]+ \| [^|]+ \|$", section, re.MULTILINE)
        starts = {"A job": ("jobs[].", "nodes[].jobs[]."), "Shared memory": ("jobs[].",)}.get(title, ("",))
        found |= {start + key for start in starts for key in keys}
    return found - {"nodes[].jobs[].nodes"}


def paths(value: Any, path: str = "") -> Iterator[str]:
    """The paths of all keys below, those of objects and lists included; names become NAME."""
    if isinstance(value, dict):
        for key, below in value.items():
            name = "NAME" if re.search(rf"(^|\.){NAMED}$", path) else key
            yield from paths(below, f"{path}.{name}".removeprefix("."))
    else:
        yield path
        for below in value if isinstance(value, list) else ():
            if isinstance(below, dict):
                yield from paths(below, f"{path}[]")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return {name: figures(tmp_path_factory.mktemp("run"), *words)[0] for name, words in RUNS.items()}


@pytest.mark.parametrize("name", RUNS)
def test_each_key_is_described(found, name):
    written = set(paths(found[name]))
    assert len(written) > 60 and written - described() == set()


def test_each_described_key_is_written(found):
    written = {path for one in found.values() for path in paths(one)}
    assert described() - written - {"nodes[].longest_masked"} == set()


def test_each_name_is_described():
    known = [*names.causes(), *names.waits(), *names.networks(), *names.links(), *names.traps().values()]
    assert [name for name in known if f"`{name}`" not in SECTIONS["Names"]] == [] and len(known) > 50


def test_the_format_is_that_of_the_page(found):
    assert {f"of this description: {one['format']}." in PAGE for one in found.values()} == {True}


def test_cycles_of_a_node_are_those_of_its_jobs(found: dict[str, Any]):
    for one in found.values():
        for node in one["nodes"]:
            assert node["cycles"] == sum(
                job["cycles"]["user"] + job["cycles"]["handlers"] + job["cycles"]["ended"]
                + sum(job["cycles"]["kernel"].values()) + sum(job["cycles"]["waits"].values()) for job in node["jobs"])

"""The apps nxring, nxall, edges and pipeline, which need --ni shrimp; test_buffers.py has update."""

from __future__ import annotations

import re

import pytest

from fugu.errors import UsageError

APPS = ("nxring", "nxall", "edges", "pipeline")
RIGHT = {"nxring": "nxring: right", "nxall": "nxall: right", "edges": r"edges: checksum \w{16}: right", "pipeline": "pipeline: right"}


@pytest.fixture
def app(machine):
    """app(name, word..., option=...) -> the result of a run, which is right."""
    def run(name, *words, **options):
        result = machine(name, *words, **{"ni": "shrimp", "nodes": 4, "timeout": "2000M"} | options).check(0)
        said = re.findall(rf"^{RIGHT[name]}$", result.stdout, re.MULTILINE)
        assert len(said) == 1 + words.count("+"), result.report()
        return result
    return run


CASES = [("nxring", 0, 5), ("nxring", 4, 20), ("nxring", 5001, 3), ("nxall", 0, 3), ("nxall", 1, 10), ("nxall", 1500, 2),
         ("edges", 34, 7), ("edges", 65, 4), ("pipeline", 1, 50), ("pipeline", 511, 9), ("pipeline", 1022, 10)]


@pytest.mark.parametrize("nodes", [1, 2, 5, 16])
@pytest.mark.parametrize("words", CASES, ids=lambda words: "-".join(map(str, words)))
def test_the_result_is_right(app, words, nodes):
    app(*words, nodes=nodes)


@pytest.mark.parametrize("options", [{"timeslice": 20_000}, {"timeslice": 20_000, "skew": 40}, {"scheduler": "none"}],
                         ids=lambda options: "-".join(options))
@pytest.mark.parametrize("words", [("nxring", 300, 20), ("nxall", 300, 4), ("edges", 32, 10), ("pipeline", 100, 30)],
                         ids=lambda words: words[0])
def test_two_jobs(app, words, options):
    app(*words, "+", *words, nodes=3, **options)


@pytest.mark.parametrize("words", [("nxall", 600, 2), ("edges", 40, 5), ("pipeline", 700, 20)], ids=lambda words: words[0])
def test_several_processes_change_nothing(app, words):
    runs = [app(*words, digest=True, processes=processes) for processes in (1, 2)]
    assert runs[0].digest == runs[1].digest


def speed_up(result):
    return float(re.search(r"speed-up (\d+\.\d+)$", result.stdout, re.MULTILINE)[1])


@pytest.mark.parametrize(("words", "least"), [(("edges", 64, 20), 6), (("pipeline", 512, 40), 4)], ids=["edges", "pipeline"])
def test_eight_nodes_are_faster_than_one(app, words, least):
    assert speed_up(app(*words, nodes=8)) > least


@pytest.mark.parametrize("name", APPS)
def test_it_needs_this_interface(machine, name):
    with pytest.raises(UsageError, match=rf"^{name} needs --ni shrimp, as it uses SHRIMP, but the machine has --ni fugu\.$"):
        machine(name)


@pytest.mark.parametrize("words", [("nxring", 65537), ("nxring", 1, 0), ("nxall", 16385), ("nxall", "x"), ("edges", 510),
                                   ("edges", 3), ("pipeline", 0), ("pipeline", 1023), ("pipeline", 1, 1, 1)],
                         ids=lambda words: "-".join(map(str, words)))
def test_wrong_arguments(machine, words):
    result = machine(*words, ni="shrimp", nodes=2).check(2)
    lines = [line for line in (result.stdout + result.stderr).splitlines() if line.startswith(f"{words[0]}: ")]
    assert len(lines) == 1, result.report()


def test_more_nodes_than_there_are_mappings(machine):
    """24 nodes cannot all send to all: a line says so."""
    result = machine("nxall", 1, 1, ni="shrimp", nodes=24, timeout="400M").check(118)
    assert re.search(r"^glaze: nxall \(job 1\) on node \d+ is ended: c(send|recv): cannot map to node \d+: "
                     r"no mapping is left$", result.stdout, re.MULTILINE), result.report()

"""Options of a run against each other: what parse() refuses, and the last value that it takes."""

from __future__ import annotations

import os

import pytest

from fugu.errors import UsageError
from fugu.options.table import BY_KEY, CMDLINE_MAX
from fugu.run import jobs
from fugu.run.parse import Run, parse, square


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Files have names below the test's own folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(*words):
    """What parse() says of these words and a program."""
    with pytest.raises(UsageError) as caught:
        parse([*words, "ring"])
    return str(caught.value)


# ---- the machine -------------------------------------------------------------

@pytest.mark.parametrize("nodes, shape", [(1, (1, 1)), (2, (2, 1)), (4, (2, 2)), (6, (3, 2)), (7, (7, 1)), (9, (3, 3)),
                                          (12, (4, 3)), (64, (8, 8)), (72, (9, 8))])
def test_shape_that_is_closest_to_a_square(nodes, shape):
    assert square(nodes) == shape


def test_shape_of_the_mesh_gives_the_number_of_nodes():
    assert parse(["--mesh", "3x2", "ring"]).options["nodes"] == 6
    assert parse(["--mesh", "3x2", "--nodes", "6", "ring"]).options["nodes"] == 6
    assert parse(["--nodes", "5", "ring"]).options["nodes"] == 5


@pytest.mark.parametrize("nodes", [5, 7, 12])
def test_shape_and_number_of_nodes_that_differ(nodes):
    width, height = square(nodes)
    assert refused("--mesh", "3x2", "--nodes", str(nodes)) == \
        f"--mesh 3x2 has 6 places, but --nodes is {nodes}.\nLeave one of them out, or give a shape of {nodes}, such as " \
        f"{width}x{height}."


@pytest.mark.parametrize("smaller, larger", [("mesh-base", "second-base"), ("second-base", "mesh-base")])
def test_quantum_is_the_smallest_latency_at_most(smaller, larger):
    bases = [f"--{smaller}", "12", f"--{larger}", "50"]
    assert parse([*bases, "--quantum", "12", "ring"]).value("quantum") == 12
    assert refused(*bases, "--quantum", "13") == \
        "the quantum (13 cycles) is longer than the smallest latency " \
        f"(--{smaller}: 12 cycles), so messages would come too late.\nUse --quantum 12 or less, or --{smaller} 13 or more."


@pytest.mark.parametrize("option", ["--input-queue", "--source-space"])
def test_two_priorities_need_room_for_a_message_each(option):
    assert parse(["--ni", "m-machine", option, "26", "hello"]).value(option.removeprefix("--")) == 26
    assert parse([option, "16", "hello"]).value(option.removeprefix("--")) == 16
    assert refused("--ni", "m-machine", option, "25") == \
        f"{option} 25: --ni m-machine has two priorities, and needs 26 words or more."


@pytest.mark.parametrize("option", [["--cache-size", "16K"], ["--cache-miss", "20"]])
def test_no_cache_has_no_size(option):
    assert refused("--cache", "off", *option) == \
        f"--cache off and {option[0]} contradict each other: leave one of them out."
    assert parse(["--cache", "on", *option, "ring"]).value("cache")
    assert option[0].removeprefix("--") in parse([*option, "ring"]).options
    assert not parse(["--cache", "off", "ring"]).value("cache")


# ---- a command line's length -------------------------------------------------

def test_last_length_of_the_programs_arguments():
    least = len(os.fsencode(jobs.command_line(parse(["ring", ""]))))
    room = CMDLINE_MAX - least
    assert parse(["ring", "x" * room]).args == ["x" * room]
    with pytest.raises(UsageError, match=f"are {CMDLINE_MAX + 1} bytes long; a node has room for {CMDLINE_MAX}"):
        parse(["ring", "x" * (room + 1)])


# ---- files -------------------------------------------------------------------

def test_disks_of_nodes(here):
    for name in ("a", "b"):
        (here / name).write_bytes(bytes(512))
    assert parse(["-n", "2", "--disk", "0=a", "--disk", "1=b", "ring"]).options["disk"] == [(0, "a"), (1, "b")]
    assert refused("-n", "2", "--disk", "2=a") == "--disk 2=a: there is no node 2; the nodes are 0 to 1."
    assert refused("-n", "2", "--disk", "1=a", "--disk", "1=b") == \
        "--disk: node 1 can have one disk, but was given two: a and b."
    assert refused("-n", "2", "--disk", "1=none") == \
        "--disk 1=none: there is no such file.\nAn empty disk of 16 MiB: truncate -s 16M none"


def test_output_in_folders_that_are_not_there_yet(here):
    assert parse(["--output", "a/b/c", "ring"]).options["output"] == "a/b/c"
    (here / "file").write_text("")
    for folder in ("file", "file/b"):
        assert refused("--output", folder) == f"--output {folder}: {here / 'file'} is not a directory."


def test_raw_output_has_no_labels():
    assert refused("--raw", "--label") == "--raw and --label contradict each other: leave one of them out."
    assert "raw" in parse(["--raw", "ring"]).options and "label" in parse(["--label", "ring"]).options


def test_a_snapshot_is_saved_to_each_file_once(here):
    assert refused("--save", "a@5", "--save", "b@6", "--save", "./a@7").startswith("--save: ./a is given twice")
    assert len(parse(["--save", "a@5", "--save", "b@6", "ring"]).options["save"]) == 2


def test_a_trace_is_checked():
    assert parse(["--trace", "fugu_ni_*", "ring"]).options["trace"] == ["fugu_ni_*"]
    assert "fugu_nothing_of_this_name" in refused("--trace", "fugu_nothing_of_this_name")


# ---- processes ---------------------------------------------------------------

def test_processes_of_a_run():
    assert (Run({}).processes, Run({"processes": 3}).processes) == (1, 3)
    auto = parse(["--processes", "auto", "ring"])
    assert (auto.auto, auto.processes, "processes" in auto.options) == (True, 1, False)
    two = parse(["-n", "4", "--processes", "2", "ring"])
    assert (two.auto, two.processes) == (False, 2)
    assert not parse(["ring"]).auto


def test_a_machine_in_processes_is_not_saved():
    assert refused("-n", "4", "--processes", "2", "--save", "a@5") == \
        "--save is for a machine in one process: leave out --processes and related options."


def test_value_that_is_not_set_is_the_machines():
    run = parse(["--nodes", "3", "ring"])
    assert (run.value("nodes"), run.value("quantum")) == (3, BY_KEY["quantum"].default)

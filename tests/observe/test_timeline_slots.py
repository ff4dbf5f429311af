"""--timeline and --stats with the M-Machine's network interface: message slots as tracks, each message a flow from its SEND
to the handler's run; the cycles of slots are their messages'."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import pytest
from observing import PROGRAMS, all_cycles, digest, figures, jobs, observed
from timelines import Timeline

GUEST = PROGRAMS / "guest"
STORM = GUEST / "storm.elf"
METERED = GUEST / "metered.elf"
RUNS = {
    "storm": ("-n", 2, STORM, "times=60"),
    "slow words": ("-n", 3, "--mesh-word", 50, STORM, "times=20"),
    "little room": ("-n", 2, "--mesh-word", 9, "--quantum", 7, "--input-queue", 26, "--source-space", 26, STORM, "times=40"),
    "two processes": ("-n", 4, "--processes", 2, STORM, "times=30"),
    "two GIDs": ("-n", 2, METERED),
}
HELD = "held: another context runs"
INNER = {HELD, "at fault", "waits for word", "waits for space", "waits for ack"}
NODE = re.compile(r"node (\d+)/")


def recorded(folder, *words):
    """The timeline of a run."""
    file = folder / "run.pftrace"
    output = observed("--ni", "m-machine", "--digest", "--timeline", file, *words)
    assert digest(output) == digest(observed("--ni", "m-machine", "--digest", *words))
    return Timeline(file)


def node_of(one):
    return int(NODE.match(one.where)[1])


def of_slots(timeline):
    return [one for one in timeline.slices if "/message slot " in one.where]


def test_a_profile_names_handlers_of_each_gid():
    """On the bare machine all GIDs have the one program."""
    output = observed("profile", "--ni", "m-machine", *RUNS["two GIDs"])
    rows = {(row[1], row[2]): int(row[0].replace(",", ""))
            for row in re.findall(r"^ *([\d,]+) +[\d.]+ %  (.{10}) (\S+)", output, re.MULTILINE)}
    handling = {gid.strip(): cycles for (gid, function), cycles in rows.items() if function == "looping_handler"}
    assert set(handling) == {"GID 1", "GID 2"} and all(handling.values()), output
    assert {function for gid, function in rows if gid.startswith("GID")} == {"looping_handler", "slot_code"}, output


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
def test_each_message_leads_from_its_send_to_the_handler(words, tmp_path):
    timeline = recorded(tmp_path, *words)
    events = defaultdict(list)
    for event in sorted((event for event in timeline.events if event.kind == "instant"), key=lambda event: event.time):
        for flow in (*event.flows, *event.ends):
            events[flow].append(event)
    handlers = {flow: one for one in of_slots(timeline) for flow in one.ends}
    assert handlers and len(handlers) == sum(len(one.ends) for one in of_slots(timeline))
    for flow, (launch, *way) in events.items():
        handler = handlers.pop(flow)
        assert launch.name == "launch" and launch.arguments["to"] == node_of(handler)
        assert handler.name == launch.arguments["handler"]
        if handler.name in ("sum_handler", "reply_handler"):
            assert handler.where.endswith("message slot 0" if handler.name == "sum_handler" else "message slot 1")
        assert [event.name for event in way if event.name != "blocked"] in (["arrival"], ["accepted"])
        assert launch.time < way[-1].time <= handler.start
    assert not handlers


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
def test_a_slot_runs_where_the_processor_runs_it(words, tmp_path):
    """A handler's run is its slice, without what it waits for; and the figures have as many cycles."""
    timeline = recorded(tmp_path, *words)
    busy, runs = Counter(), Counter()
    for one in of_slots(timeline):
        assert one.within or one.name in INNER or one.path == "fast", one
        if not one.within and one.path:
            busy[one.where] += one.end - one.start
        elif one.within:
            assert one.name in INNER, one
            busy[one.where] -= one.end - one.start
    starts = Counter()
    for one in timeline.slices:
        if one.name.startswith("message slot "):
            where = one.where.replace("runs", one.name)
            runs[where] += one.end - one.start
            starts[where] += one.end > one.start
    # Beside handlers, a slot runs what it was started with, until its first message.
    assert busy.keys() == runs.keys()
    assert all(0 <= runs[where] - busy[where] <= 20 * starts[where] for where in runs)
    found, _ = figures(tmp_path, "--ni", "m-machine", *words)
    handled = Counter()
    for node in found["nodes"]:
        handled[node["node"]] = sum(job["cycles"]["handlers"] for job in node["jobs"])
    assert handled == Counter(
        {node: sum(cycles for where, cycles in runs.items() if NODE.match(where)[1] == str(node)) for node in handled})


def test_what_a_slot_waits_for_is_shown(tmp_path):
    timeline = recorded(tmp_path, *RUNS["slow words"])
    names = Counter(one.name for one in of_slots(timeline) if one.within)
    assert names[HELD] and names["waits for word"] and names["at fault"]
    faults = [one for one in of_slots(timeline) if one.name == "at fault"]
    assert all(one.within == ("stop_handler",) for one in faults)


@pytest.mark.parametrize("words", [RUNS["two GIDs"], RUNS["two processes"]], ids=str)
def test_cycles_of_slots_are_their_messages(words, tmp_path):
    """The node's own counters say the same, and no cycle is counted twice."""
    found, output = figures(tmp_path, "--ni", "m-machine", *words)
    assert digest(output) == digest(observed("--ni", "m-machine", "--digest", *words))
    for node in found["nodes"]:
        assert sum(map(all_cycles, node["jobs"])) == node["cycles"]
    for job in jobs(found):
        assert job["cycles_of_handlers"] == job["cycles"]["handlers"]
        assert job["messages"]["received"] == job["messages"]["handled"]
        assert (job["messages"]["handled"] > 0) <= (job["cycles"]["handlers"] > 0)


def test_cycles_are_those_of_the_instructions(tmp_path):
    """The program counts them; the first of each kind misses the cache."""
    found, _ = figures(tmp_path, "--ni", "m-machine", *RUNS["two GIDs"])
    for node in found["nodes"]:
        cycles = {job["gid"]: (job["messages"]["handled"], job["cycles"]["handlers"]) for job in node["jobs"]}
        assert cycles[1] == (48, 48 * 65 + 10)
        assert cycles[2] == (48, 48 * 125)
        assert cycles[7] == (0, 0)

"""--timeline with SHRIMP's network interface: each update is a flow from its store, or from its command, to the
receiver's memory; waits for updates."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import pytest
from observing import PROGRAMS, digest, observed
from timelines import Timeline

from fugu.paths import ROOT

MAPPING = PROGRAMS / "debug" / "mapping.elf"
RUNS = {
    "mapping": ("-n", 2, MAPPING),
    "three modes, slow memory": ("-n", 2, "--incoming-word", 30, MAPPING),
    "two jobs": ("-n", 2, "--timeslice", 20000, MAPPING, "+", MAPPING),
    "three processes": ("-n", 4, "--processes", 3, PROGRAMS / "kinds" / "maps.elf", "ring"),
    "a receiver that exits": ("-n", 3, PROGRAMS / "kinds" / "maps.elf", "exits"),
    "bare machine": ("-n", 2, "automatic"),
}
BASE, HOP, WORD = 64, 2, 4      # of the mesh (docs/machine.md)
OVERHEAD = 3                    # words of a packet
LATE = 64                       # cycles that an event of the hardware may be shown late, after an instruction: a round
MERGE = 32                      # cycles for which a store keeps a packet open
HEAD = "network interface"


def recorded(folder, *words, more=()):
    """The timeline of a run, and its standard output."""
    file = folder / "run.pftrace"
    output = observed("--ni", "shrimp", "--digest", "--timeline", file, *more, *words)
    return Timeline(file), output


def ways(timeline):
    """The events of each update, in the order of their times: those up to its launch, and those from there on."""
    by_flow = defaultdict(list)
    for event in sorted(timeline.events, key=lambda event: event.time):
        for flow in (*event.flows, *event.ends):
            by_flow[flow].append(event)
    found = []
    for events in by_flow.values():
        launch = next((event for event in events if event.name == "launch" and event.ends), None)
        if launch and launch is events[-1]:
            found.append((events, by_flow[launch.flows[0]]))
    return found


def node_of(event):
    return int(re.match(r"node (\d+)/", event.where)[1])


def latency(launch):
    """Cycles from a launch to the arrival at a neighbour, on links that are free."""
    return BASE + HOP + WORD * (OVERHEAD + launch.arguments["body bytes"] // 4)


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
def test_each_update_leads_from_its_store_to_memory(words, tmp_path):
    """All updates of the device's own trace are flows, with its times; the run stays as it is."""
    trace = tmp_path / "trace"
    more = ("--trace", "fugu_shrimp_*", "--trace-file", trace) if "--processes" not in words else ()
    timeline, output = recorded(tmp_path, *words, more=more)
    assert output == observed("--ni", "shrimp", "--digest", *words)
    found, lost = ways(timeline), 0
    for before, after in found:
        *stores, update, launch = before
        assert update.name.startswith("update: ") and launch is after[0] and update.time <= launch.time
        blocked = update.name == "update: blocked"
        assert bool(stores) == blocked and {store.name for store in stores} <= {"store"}
        assert len({node_of(event) for event in before}) == 1
        assert update.arguments["to"] == launch.arguments["to"]
        assert 0 <= launch.arguments["body bytes"] - update.arguments["bytes"] < 8
        if after[-1].name not in ("in memory", "dropped"):
            lost += 1
            continue
        assert [event.name for event in after[1:-1] if event.name != "blocked"] in (["arrival"], ["accepted"])
        assert {node_of(event) for event in after[1:]} == {update.arguments["to"]} and after[-1].ends
        assert after[-1].time >= after[1].time >= launch.time + latency(launch) - HOP - LATE
    assert found and lost <= 2
    if more:
        text = trace.read_text()
        put = Counter(map(tuple, re.findall(r"node (\d+): packet \d+, to (\d+), address 0x(\w+), (\d+) bytes", text)))
        assert put == Counter((str(node_of(update)), str(update.arguments["to"]), f"{update.arguments['to address']:08x}",
                               str(update.arguments["bytes"])) for (*_, update, _), _ in found)
        left = Counter(re.findall(r"dropped (\d)", text))
        ends = Counter(after[-1].name for _, after in found)
        assert (ends["in memory"], ends["dropped"]) == (left["0"], left["1"])
        assert left["1"] == 0 or words[-1] == "exits"


def test_cycles_of_each_mode(tmp_path):
    """Single stores are a flow each. Merged ones are one, which leaves when no store has come for 32 cycles. A command's
    packets follow each other as the bus has read them, and belong to the engine's transfer."""
    timeline, _ = recorded(tmp_path, "-n", 2, MAPPING)
    found = ways(timeline)
    updates = defaultdict(list)
    for way in found:
        updates[way[0][-2].name].append(way)
    single, blocked, deliberate = (updates[f"update: {mode}"] for mode in ("single", "blocked", "deliberate"))
    assert (len(single), len(blocked), len(deliberate)) == (8, 1, 16)

    for k, (before, after) in enumerate(single):
        assert before[0].arguments["from address"] - single[0][0][0].arguments["from address"] == 4 * k
        assert [event.time - before[1].time for event in after] == [0, latency(before[1]), latency(before[1]) + 1]
    assert [later[0][1].time - way[0][1].time for way, later in zip(single[1:], single[2:], strict=False)] == [16] * 6

    (*stores, update, launch), after = blocked[0]
    assert len(stores) == 8 and update.arguments["bytes"] == 32
    assert update.time == stores[-1].time + MERGE == launch.time
    assert [event.time - launch.time for event in after] == [0, latency(launch), latency(launch) + 8]

    (engine,) = [one for one in timeline.slices if one.where == "node 0/engine"]
    begin = next(event for event in timeline.events if event.where == "node 0/engine" and event.kind == "begin")
    times = [before[0].time for before, _ in deliberate]
    assert engine.name == begin.name == "deliberate update" and engine.start == times[0] - 64 and engine.end == times[-1]
    assert times[1] - times[0] == 64 and all(later - time >= 64 for time, later in zip(times, times[1:], strict=False))
    assert all(begin.flows[0] in before[0].flows for before, _ in deliberate)
    assert not any(begin.flows[0] in before[0].flows for before, _ in single + blocked)


def test_documented_packet(tmp_path):
    """The table of docs/observing.md has the events of the packet of blocked-write, with their cycles."""
    table = re.findall(r"^\| (\d+) \| (\d) \| `([\w :]+)` \|", (ROOT / "docs" / "observing.md").read_text(), re.MULTILINE)
    timeline, _ = recorded(tmp_path, "-n", 2, MAPPING)
    (before, after), = [way for way in ways(timeline) if way[0][-2].name == "update: blocked"]
    events = [*before[7:], *after[1:]]
    assert table == [(str(event.time - events[0].time), str(node_of(event)), event.name) for event in events]


def test_waits_have_the_variables_names(tmp_path):
    """The wait for a word ends after the update of it is in memory."""
    timeline, _ = recorded(tmp_path, "-n", 2, MAPPING)
    waits = [one for one in timeline.slices if one.where == "node 1/waits of job 1 mapping"]
    assert [one.name for one in waits] == ["waits for in+0x1c", "waits for in+0x81c", "waits for in+0x1ffc"]
    assert not any(one.where.startswith("node 0/waits") for one in timeline.slices)
    stored = [event.time for event in timeline.events if event.name == "in memory"]
    assert waits[0].start < stored[7] < waits[0].end <= waits[1].start and stored[-1] < waits[2].end
    assert all(one.start <= other.start for one, other in zip(waits, waits[1:], strict=False))


@pytest.mark.parametrize("words, name", [(("nxring", 64, 3), r"waits for nx_board\S*"), (("barrier", 5), r"waits for 0x\w+")])
def test_waits_of_libraries(tmp_path, words, name):
    """Of typed messages and of collective operations, over a mesh that is so slow that they wait without the processor."""
    timeline, _ = recorded(tmp_path, "-n", 2, "--mesh-base", 20_000, *words)
    waits = [one for one in timeline.slices
             if re.fullmatch(rf"node [01]/waits of job 1 {words[0]}", one.where) and re.fullmatch(name, one.name)]
    assert {one.where[:6] for one in waits} == {"node 0", "node 1"}
    assert max(one.end - one.start for one in waits) > 15_000


def test_fifos_have_counters(tmp_path):
    timeline, _ = recorded(tmp_path, "-n", 2, MAPPING)
    counts = defaultdict(list)
    for event in timeline.events:
        for track, value in event.values.items():
            counts[track].append(value)
    assert {track for track in counts if track.startswith("node")} == {
        "node 0/Outgoing FIFO", "node 0/credits", "node 1/Incoming FIFO"}
    assert max(counts["node 0/Outgoing FIFO"]) == 737 and counts["node 0/Outgoing FIFO"][-1] == 0
    assert max(counts["node 0/credits"]) == 256 and counts["node 1/Incoming FIFO"][-1] == 0


@pytest.mark.parametrize("kind, tracks", [("messages", {HEAD, "engine"}), ("modes", {"waits of job 1 mapping"}),
                                          ("counters", {"Outgoing FIFO", "Incoming FIFO", "credits"})])
def test_kinds(kind, tracks, tmp_path):
    timeline, output = recorded(tmp_path, "-n", 2, MAPPING, more=("--timeline-kinds", kind))
    assert {event.where.split("/")[1] for event in timeline.events if "/" in event.where} == tracks
    assert digest(output) == digest(observed("--ni", "shrimp", "--digest", "-n", 2, MAPPING))


def test_several_processes_see_the_same(tmp_path):
    """Both ends of a flow have the same number, wherever they are."""
    (tmp_path / "one").mkdir()
    one, two = (recorded(folder, "-n", 2, *more, MAPPING)[0]
                for folder, more in ((tmp_path / "one", ()), (tmp_path, ("--processes", 2))))

    def plain(timeline):
        return sorted([(event.time, event.name, event.where) for event in after] for _, after in ways(timeline))
    assert plain(one) == plain(two) != []

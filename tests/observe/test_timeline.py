"""--timeline: a file that Perfetto can read, with each message, and the same counts as the figures."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict

import pytest
from observing import RUNS, STRESS, digest, observed
from timelines import Timeline

from fugu.abi import REGS


def recorded(folder, *words, more=(), status=0):
    """The timeline of a run, its figures, and its standard output."""
    file, numbers = folder / "run.pftrace", folder / "figures.json"
    output = observed("--digest", "--timeline", file, *more, "--stats-json", numbers, *words, status=status)
    return Timeline(file), json.loads(numbers.read_text()), output


def node_of(where):
    return int(re.match(r"node (\d+)/", where)[1])


def jobs_of(found):
    """The figures by node and job."""
    return {(node["node"], job["gid"]): job for node in found["nodes"] for job in node["jobs"]}


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
def test_timeline_has_what_the_figures_count(words, tmp_path):
    """Reading it checks names, clocks and nesting. Cycles and messages are those of --stats; the digest stays."""
    timeline, found, output = recorded(tmp_path, *words)
    assert output == observed("--digest", *words)
    jobs = jobs_of(found)

    # What the processor does: a job's slices last as long as its cycles.
    lasted = defaultdict(Counter)
    for one in timeline.slices:
        if one.where.endswith("/runs"):
            lasted[node_of(one.where), len(one.within)][one.name] += one.end - one.start
    for node in found["nodes"]:
        by_name = Counter()
        for job in node["jobs"]:
            cycles = job["cycles"]
            by_name[name_of(found, job)] += cycles["user"] + cycles["handlers"] + sum(cycles["kernel"].values()) + \
                sum(cycles["waits"].values())
        assert lasted[node["node"], 0] == +by_name

    # Messages: each one is launched, arrives, and ends once.
    total = Counter()
    for job in jobs.values():
        total += Counter(job["messages"]) + Counter({"kernel": sum(job["kernel_messages"].values())})
    happened = Counter(event.name for event in timeline.events if event.kind == "instant")
    assert happened["launch"] == total["sent"] + total["kernel"]
    buffers = any(job["name"] for job in found["jobs"])     # on the bare machine, the program disposes as a kernel
    assert happened["into the buffer"] == total["inserted"] * buffers
    assert happened["disposed"] >= total["received"] + total["inserted"] * (not buffers)
    assert happened["dropped"] == total["dropped"]
    paths = Counter(event.path for event in timeline.events if event.name == "disposed")
    assert (paths["fast"], paths["buffered"]) == (total["fast"], total["buffered"])

    # Modes.
    entered = Counter(one.name for one in timeline.slices if "/mode of job" in one.where)
    causes = Counter()
    for job in jobs.values():
        causes += Counter(job["buffered_mode"]["causes"])
    assert entered == {f"buffered: {cause}": count for cause, count in causes.items()}


def name_of(found, job):
    if any(other["name"] for other in found["jobs"]):
        return f"job {job['gid']} {job['name']}" if job["name"] else "no job"
    return f"GID {job['gid']}"


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
def test_flows_lead_from_launch_to_end(words, tmp_path):
    """Each message is a flow, from its launch over its arrival to the handler, which ends it, or to its dispose."""
    timeline, _, _ = recorded(tmp_path, *words)
    way = defaultdict(list)
    for event in timeline.events:
        for flow in (*event.flows, *event.ends):
            way[flow].append(event)
    ended = Counter(flow for event in timeline.events for flow in event.ends)
    assert set(ended.values()) == {1}, "a flow ends more than once"
    lost = 0
    for flow, events in way.items():
        events.sort(key=lambda event: event.time)
        launch, *rest = events
        assert launch.name == "launch" and launch.kind == "instant"
        if flow not in ended:
            lost += 1           # still on its way, or in a queue, when the machine ends
            continue
        assert [event.name for event in rest[:-1] if event.name not in ("into the buffer", "blocked")] in \
            (["arrival"], ["accepted"]), rest
        assert node_of(rest[-1].where) == node_of(rest[0].where) == launch.arguments["to"]
        buffered = any(event.name == "into the buffer" for event in rest)
        if rest[-1].kind == "begin":    # a handler, by its function's name
            assert rest[-1].name == launch.arguments["handler"]
        else:
            assert rest[-1].name in ("disposed", "dropped")
        if rest[-1].path:               # none is for messages between kernels
            assert rest[-1].path == ("buffered" if buffered else "fast")
    assert lost <= 8


def test_handlers_have_their_names(tmp_path):
    """In pingpong, ping() and pong() answer each other; each handler's slice is one message that a handler took."""
    timeline, found, _ = recorded(tmp_path, "-n", 2, "pingpong", 30)
    handlers = Counter(one.name for one in timeline.slices if one.where.endswith("/runs") and one.path)
    assert {"ping", "pong"} <= handlers.keys()
    assert sum(handlers.values()) == found["jobs"][-1]["messages"]["handled"]
    for one in timeline.slices:
        if one.path:
            assert one.within == ("job 1 pingpong",)
        if one.name.startswith("kernel: ta return"):
            assert one.within[-1] in handlers


LAUNCH = re.compile(r"fugu_ni_launch node (\d+): network (\d), to (\d+), (\d+) words, body (\d+) bytes, header 0x(\w+) @(\d+)")
QUEUE = re.compile(r"fugu_ni_deliver node (\d+): network 0, .* queue (\d+) words @(\d+)")
SPACE = re.compile(r"fugu_ni_space node (\d+): network 0, source space (\d+) words @(\d+)")


def test_launches_and_counters_are_those_of_a_trace(tmp_path):
    """Times, words and bodies of launches; the queue after each arrival; space after each credit."""
    trace = tmp_path / "trace"
    timeline, _, _ = recorded(tmp_path, "-n", 3, "--trace", "fugu_ni_*", "--trace-file", trace, STRESS, 7, 20)
    text = trace.read_text()
    launched = Counter((event.time, node_of(event.where), event.arguments["to"], event.arguments["words"],
                        event.arguments.get("body bytes", 0)) for event in timeline.events if event.name == "launch")
    assert launched == Counter((int(time), int(node), int(to), int(words), int(body))
                               for node, _, to, words, body, _, time in LAUNCH.findall(text))
    arrived = Counter((node_of(event.where), next(iter(event.values.values()))) for event in timeline.events
                      if event.name in ("arrival", "accepted") and event.values)
    assert arrived == Counter((int(node), int(words)) for node, words, _ in QUEUE.findall(text))
    space = Counter((node_of(event.where), event.values[event.where], event.time) for event in timeline.events
                    if event.kind == "counter" and event.where.endswith("/source space"))
    assert space == Counter((int(node), int(words), int(time)) for node, words, time in SPACE.findall(text))
    assert launched and arrived and space
    assert REGS["HDR_KERNEL"] and all(event.values.get(event.where, 0) >= 0 for event in timeline.events)


def test_several_processes_have_the_same_timeline(tmp_path):
    """The nodes' events are the same, whatever process wrote them."""
    words = ("-n", 5, STRESS, 3, 20)
    alone, _, _ = recorded(tmp_path, *words)
    split, _, _ = recorded(tmp_path, *words, more=("--processes", 3))
    for node in range(5):
        here = [[event for event in timeline.events if event.where.startswith(f"node {node}/")]
                for timeline in (alone, split)]
        assert len(here[0]) > 100
        assert [plain(event) for event in here[0]] == [plain(event) for event in here[1]]
    flights = {event.where for event in split.events if event.where.startswith("messages in flight")}
    assert flights <= {f"messages in flight to nodes {ends}" for ends in ("0 to 1", "2 to 3", "4 to 4", "0 to 0", "1 to 2", "3 to 4")}


def plain(event):
    return (event.time, event.where, event.kind, event.name, event.path, event.flows, event.ends,
            tuple(event.arguments.items()), tuple(event.values.items()))


def test_messages_in_flight(tmp_path):
    """At the end of each round, the counter is the number of messages that have been routed and have not arrived."""
    timeline, _, _ = recorded(tmp_path, "-n", 4, "pingpong", 20)
    counts = [event.values[event.where] for event in timeline.events if event.where == "messages in flight"]
    assert counts and min(counts) == 0 and 0 < max(counts) <= 4 * 16
    assert all(before != after for before, after in zip(counts, counts[1:], strict=False))


@pytest.mark.parametrize("kinds, tracks", [
    (("runs",), {"runs"}), (("messages",), {"network interface"}), (("sections",), {"atomic sections"}),
    (("modes",), {"mode of job 1 udmstress"}), (("counters",), {"input queue", "source space", "message buffers"}),
    (("runs", "counters"), {"runs", "input queue", "source space", "message buffers"})], ids=lambda value: "+".join(sorted(value)))
def test_kinds(kinds, tracks, tmp_path):
    timeline, _, output = recorded(tmp_path, *RUNS["stress"], more=("--timeline-kinds", ",".join(kinds)))
    assert {event.where.split("/")[1] for event in timeline.events if "/" in event.where} == tracks
    assert digest(output) == digest(observed("--digest", *RUNS["stress"]))


def test_a_machine_without_messages_has_no_tracks_of_them(tmp_path):
    """Jobs have no mode there, and users no queue, space and buffers; kernels have messages. A snapshot knows its kind."""
    snapshot = tmp_path / "half.snap"
    whole, _, _ = recorded(tmp_path, *RUNS["without messages"], more=("--save", f"{snapshot}@1M"))
    rest, _, _ = recorded(tmp_path, "--load", snapshot)
    for timeline in (whole, rest):
        names = {timeline.where(track).partition("/")[2] for track in timeline.tracks}
        assert names == {"", "runs", "network interface", "atomic sections"}
        assert {event.name for event in timeline.events if event.where == "node 0/network interface"} >= {"launch", "arrival"}


def test_traps_without_a_name(tmp_path):
    """A program may use any `ta`, as those of the bare machine do: the trap's type is its name."""
    timeline, _, _ = recorded(tmp_path, "-n", 1, "gid")
    assert "kernel: trap 0x90" in {event.name for event in timeline.events}


def test_nodes(tmp_path):
    timeline, _, _ = recorded(tmp_path, *RUNS["stress"], more=("--timeline-nodes", "1,3"))
    assert {node_of(event.where) for event in timeline.events if "/" in event.where} == {1, 3}
    assert not any(name.startswith(("node 0", "node 2")) for name in timeline.tracks.values())


def test_cycles(tmp_path):
    """A part of the run: what goes on at its first cycle begins there, what goes on at its last cycle ends there."""
    whole, found, _ = recorded(tmp_path, *RUNS["stress"])
    first, last = found["end"] // 3, found["end"] // 2
    part, _, _ = recorded(tmp_path, *RUNS["stress"], more=("--timeline-cycles", f"{first}-{last}"))
    inside = [event for event in part.events]
    assert inside and all(first <= event.time <= last for event in inside)

    def instants(timeline):
        return [plain(event) for event in timeline.events if event.kind == "instant" and first <= event.time <= last]
    assert instants(part) == instants(whole)
    for node in range(4):
        for track in ("runs", "mode of job 1 udmstress", "atomic sections"):
            cut = [(max(one.start, first), min(one.end, last), one.name, one.within) for one in whole.slices
                   if one.where == f"node {node}/{track}" and one.end > first and one.start <= last]
            assert cut and cut == [(one.start, one.end, one.name, one.within) for one in part.slices
                                   if one.where == f"node {node}/{track}"]


def test_cycles_without_an_event(tmp_path):
    """Each node has what it does: it begins with the first cycle and ends with the last one."""
    whole, _, _ = recorded(tmp_path, "-n", 2, "pingpong", 20)
    one = max((one for one in whole.slices if one.where == "node 1/runs" and one.name == "idle"),
              key=lambda one: one.end - one.start)
    first, last = one.start + 1, one.end - 1
    assert last - first > 1000
    part, _, _ = recorded(tmp_path, "-n", 2, "pingpong", 20, more=("--timeline-cycles", f"{first}-{last}", "--timeline-kinds", "runs"))
    there = [one for one in part.slices if one.where == "node 1/runs"]
    assert "idle" in {one.name for one in there} and {(one.start, one.end) for one in there} == {(first, last)}
    assert {one.where for one in part.slices} == {"node 0/runs", "node 1/runs"}


def test_compressed(tmp_path):
    """FILE.gz has the same bytes, compressed."""
    words = ("-n", 2, "pingpong", 10)
    observed("--timeline", tmp_path / "a", *words)
    observed("--timeline", tmp_path / "a.gz", *words)
    packed = (tmp_path / "a.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "a").read_bytes()
    assert len(packed) < (tmp_path / "a").stat().st_size / 3


def test_timeline_of_a_snapshot(tmp_path):
    snapshot = tmp_path / "half.snap"
    whole, found, output = recorded(tmp_path, "-n", 3, STRESS, 9, 30)
    half = found["end"] // 2 // 64 * 64
    observed("--save", f"{snapshot}@{half}", "--timeout", half + 64, "-n", 3, STRESS, 9, 30, status=124)
    rest, _, again = recorded(tmp_path, "--load", snapshot)
    assert digest(again) == digest(output)
    launches = [[plain(event) for event in timeline.events if event.name == "launch" and event.time > half + 64]
                for timeline in (whole, rest)]
    assert launches[0] == launches[1] != []
    assert {one.name for one in rest.slices} >= {"job 1 udmstress"}


def test_a_handler_at_a_snapshot(tmp_path):
    """Its message is not known any more: it goes on as an upcall, and ends when it does."""
    words, snapshot = ("-n", 2, "pingpong", 20), tmp_path / "handler.snap"
    whole, _, _ = recorded(tmp_path, *words)
    handler = max((one for one in whole.slices if one.path), key=lambda one: one.end - one.start)
    middle = (handler.start + handler.end) // 2
    observed("--save", f"{snapshot}@{middle}", "--timeout", middle + 64, *words, status=124)
    rest, _, _ = recorded(tmp_path, "--load", snapshot, more=("--timeline-cycles", f"0-{handler.end + 1}"))
    [upcall] = [one for one in rest.slices if one.name == "upcall"]
    assert (upcall.where, upcall.end, upcall.within) == (handler.where, handler.end, handler.within)
    assert middle <= upcall.start == min(one.start for one in rest.slices if one.where == handler.where)


@pytest.mark.parametrize("part", [3, 5, 8])
def test_what_goes_on_at_a_snapshot(part, tmp_path):
    """Atomic sections and buffered mode that are open there begin with the rest, and end as in the whole run. The figures say
    how many processes are in buffered mode. Messages on their way are counted."""
    words, snapshot = RUNS["stress"], tmp_path / "part.snap"
    whole, found, _ = recorded(tmp_path, *words)
    open_ = [one for one in whole.slices if "/mode of" in one.where or one.where.endswith("/atomic sections")]
    kinds = {"/mode of": 0, "/atomic sections": 0}
    # A cycle at which each kind is open, after so many tenths of the run.
    after = found["end"] * part // 10
    modes, sections = ([one for one in open_ if kind in one.where] for kind in kinds)
    middle = min((min(one.end, other.end) - 64) // 64 * 64 for one in modes for other in sections
                 if min(one.end, other.end) - max(one.start, other.start) > 256 and max(one.start, other.start) > after)
    observed("--save", f"{snapshot}@{middle}", "--timeout", middle + 640, *words, status=124)
    rest, figures_of_rest, _ = recorded(tmp_path, "--load", snapshot)
    begins = {node: min(one.start for one in rest.slices if one.where == f"node {node}/runs") for node in range(4)}
    for where in sorted({one.where for one in open_}):
        begin = begins[node_of(where)]
        cut = [(max(one.start, begin), one.end, "buffered" if one.start < begin and "/mode of" in where else one.name)
               for one in open_ if one.where == where and one.end > begin]
        there = [(one.start, one.end, one.name) for one in rest.slices if one.where == where]
        if where.endswith("sections") and cut and cut[0][0] == begin and there[0][0] > begin:
            # Its process waits in a system call, and has the section again when that returns.
            waits = next(one for one in rest.slices if one.where == f"node {node_of(where)}/runs" and one.start == begin and one.name == "idle")
            assert waits.end <= there[0][0] < there[0][1], where
            there[0] = (begin, *there[0][1:])
        assert there == cut, where
        for kind in kinds:
            kinds[kind] += kind in where and bool(cut) and cut[0][0] == begin
    assert all(kinds.values())
    mode = [job["buffered_mode"] for job in figures_of_rest["jobs"]]
    assert sum(one["at_start"] for one in mode) == kinds["/mode of"]
    before = [job["buffered_mode"] for job in found["jobs"]]
    assert all(one["at_start"] == 0 for one in before)
    assert [one["at_start"] + one["entered"] - one["left"] for one in mode] == [one["entered"] - one["left"] for one in before]

    def flight(timeline):
        return [(event.time, value) for event in timeline.events for track, value in event.values.items()
                if track == "messages in flight" and event.time > max(begins.values()) + 64]
    assert flight(rest) == flight(whole) != []


def test_full_disk(tmp_path, machine):
    """The run ends with a message as soon as the timeline cannot be written: a file with holes would look whole."""
    (tmp_path / "plan").write_text(f"timeline 31 0 {1 << 40}\n")
    (tmp_path / "timeline.0").symlink_to("/dev/full")
    done = machine("alltoall", "messages=100000", nodes=4, qemu_arg=["-machine", f"observe={tmp_path}"]).check(121)
    assert "the timeline cannot be written any more" in done.stderr

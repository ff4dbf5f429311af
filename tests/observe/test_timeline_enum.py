"""The timeline of enum, read back: its counts are those of the figures, message by message and handler by handler."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from observing import observed
from timelines import Reader

FULL_SIZE = 100 << 20           # bytes, compressed, that a timeline of a million messages may have
RUNS = {
    "five a side": ("-n", 4, "enum", 5, 0),
    "beside a job": ("-n", 4, "--timeslice", 20_000, "enum", 5, 4, "+", "null", 1_000_000),
}


def check(folder, *words):
    """Runs, reads the timeline, and compares. Returns the messages that programs have sent, and the file's size."""
    file, numbers = folder / "enum.pftrace.gz", folder / "figures.json"
    observed("--timeline", file, "--stats-json", numbers, *words)
    jobs = [job for node in json.loads(numbers.read_text())["nodes"] for job in node["jobs"]]
    total = Counter()
    for job in jobs:
        total += Counter(job["messages"]) + Counter({"kernel": sum(job["kernel_messages"].values())})
    instants, paths, launched, handled, counted = (Counter() for _ in range(5))
    for event in Reader(file).read():
        if event.kind == "instant":
            instants[event.name] += 1
            paths[event.path] += event.name == "disposed"
            launched[event.arguments.get("handler")] += event.name == "launch"
        elif event.kind == "begin" and event.path and event.ends:
            handled[event.name] += 1
            counted[event.path] += 1
    assert instants["launch"] == total["sent"] + total["kernel"]
    assert instants["into the buffer"] == total["inserted"]
    assert (paths["fast"], paths["buffered"]) == (total["fast"], total["buffered"])
    assert handled.total() == total["handled"]
    assert all(handled[name] <= launched[name] for name in handled)
    assert sum(launched[name] for name in handled) >= total["handled"]
    assert counted["buffered"] <= total["buffered"] and counted.total() == total["handled"]
    assert handled["add"] > 0
    return total["sent"], file.stat().st_size, handled


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
def test_enum(words, tmp_path):
    check(tmp_path, *words)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_enum_at_full_size(tmp_path, record_property):
    """Six pegs a side on eight nodes."""
    sent, size, handled = check(tmp_path, "-n", 8, "enum")
    assert sent > 600_000 and size <= FULL_SIZE * sent / 1_000_000
    record_property("summary", f"timeline of enum: {sent:,} messages, {size / (1 << 20):.1f} MiB, {dict(handled)}")

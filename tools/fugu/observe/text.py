"""The figures of a run as tables: --stats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from . import sharing, stats

BUSIEST = 8             # links that are named
NODES_MOST = 32         # nodes that have lines of their own
LEAST = 0.0005          # share of the cycles below which a kind of trap has no line


def lines(found: dict[str, Any]) -> Iterator[str]:
    """The lines of all tables."""
    nodes, length = found["nodes"], found["end"] - found["start"]
    yield f"Figures of cycles {found['start']:,} to {found['end']:,}, {len(nodes)} nodes"
    for job in found["jobs"]:
        yield from _job(job, any(other["name"] for other in found["jobs"]))
    yield from _nodes(nodes)
    yield from _masked(nodes)
    yield from _links(found["links"], length)


def _title(job: dict[str, Any], has_jobs: bool) -> str:
    if job["name"]:
        return f"job {job['gid']}, {job['name']}"
    return "no job" if has_jobs else f"GID {job['gid']}"


def _job(job: dict[str, Any], has_jobs: bool) -> Iterator[str]:
    whole = stats.all_cycles(job["cycles"])
    yield ""
    yield f"{_title(job, has_jobs)}, on {job['nodes']} nodes"
    rows = list(_messages(job))
    if rows:
        yield from _table(rows, "<<")
    rows = [(what, f"{cycles:,}", f"{100 * cycles / whole:.1f} %") for what, cycles in _cycles(job["cycles"])
            if cycles >= LEAST * whole]
    yield from _table(rows, "<>>")
    yield from shared(job)


def shared(job: dict[str, Any]) -> Iterator[str]:
    """The lines about the job's shared memory; none if it has cost nothing."""
    for heading, rows in sharing.tables(job["sharing"]) if job["sharing"] else ():
        yield f"  shared memory {heading}: cycles (times)"
        for line in _table(rows, "<" + ">" * (len(rows[0]) - 1)):
            yield f"  {line}"


def _messages(job: dict[str, Any]) -> Iterator[tuple[str, str]]:
    messages, mode = job["messages"], job["buffered_mode"]
    if messages["sent"] or messages["received"] or messages["inserted"]:
        bodies = f", {messages['with_body']:,} with bodies of {messages['body_bytes']:,} bytes" \
            if messages["with_body"] else ""
        yield "messages sent", f"{messages['sent']:,}{bodies}"
        yield "messages received", (f"{messages['received']:,}: {messages['fast']:,} fast, {messages['buffered']:,} "
                                    f"buffered; {messages['handled']:,} by handlers, {messages['polled']:,} polled")
    if messages["dropped"]:
        yield "messages dropped", f"{messages['dropped']:,}"
    if mode["entered"] or mode["at_start"]:
        causes = ", ".join(f"{cause} {count:,}" for cause, count in mode["causes"].items())
        parts = [f"entered {mode['entered']:,} times: {causes}"] if causes else []
        yield "buffered mode", "; ".join([*parts, *([f"{mode['at_start']:,} at the start"] if mode["at_start"] else [])])
    if job["t_hand"] is not None:
        yield "T_hand", f"{job['t_hand']:,} cycles"
    if job["cycles_per_message"] is not None:
        yield "a message every", f"{job['cycles_per_message']:,} cycles"
    stalls = ", ".join(f"{why} {count:,}" for why, count in job["waits"].items() if why != "idle")
    if stalls:
        yield "stalls", stalls
    if any(job["pages"].values()):
        yield "pages", f"{job['pages']['out']:,} out, {job['pages']['in']:,} in"
    if any(job["shoot_downs"].values()):
        yield "shoot-downs", ", ".join(f"{count:,} {what}" for what, count in job["shoot_downs"].items())
    if job["suspensions"]:
        yield "suspended", f"{job['suspensions']:,} times"
    kernel = ", ".join(f"{count:,} on the {network} network" for network, count in job["kernel_messages"].items())
    if kernel:
        yield "kernel's messages", kernel


def _cycles(cycles: dict[str, Any]) -> Iterator[tuple[str, int]]:
    yield "user", cycles["user"]
    yield "handlers", cycles["handlers"]
    for what, value in sorted(cycles["kernel"].items(), key=lambda item: -item[1]):
        yield f"kernel: {what}", value
    yield from cycles["waits"].items()
    yield "ended", cycles["ended"]


def _nodes(nodes: Sequence[dict[str, Any]]) -> Iterator[str]:
    rows = [("node", "cycles", "user", "handlers", "kernel", "idle", "stalls", "sent", "received", "buffered",
             "misses")]
    for node in nodes[:NODES_MOST]:
        jobs = node["jobs"]
        idle = sum(job["cycles"]["waits"].get("idle", 0) + job["cycles"]["ended"] for job in jobs)
        stalls = sum(sum(job["cycles"]["waits"].values()) + job["cycles"]["ended"] for job in jobs) - idle
        numbers = [node["cycles"], sum(job["cycles"]["user"] for job in jobs),
                   sum(job["cycles"]["handlers"] for job in jobs),
                   sum(sum(job["cycles"]["kernel"].values()) for job in jobs), idle, stalls,
                   *(sum(job["messages"][what] for job in jobs) for what in ("sent", "received", "buffered")),
                   sum(node["cache_misses"].values())]
        rows.append((str(node["node"]), *(f"{number:,}" for number in numbers)))    # type: ignore[arg-type]
    yield ""
    yield from _table(rows, ">" * len(rows[0]))
    if len(nodes) > NODES_MOST:
        yield f"  ... and {len(nodes) - NODES_MOST} more nodes; --stats-json has all of them"


def _masked(nodes: Sequence[dict[str, Any]]) -> Iterator[str]:
    rows = [("node", "cycles", "from cycle", "works for", "most of it in")]
    for node in nodes[:NODES_MOST]:
        longest = node["longest_masked"]
        if longest:
            most = next(iter(longest["functions"].items()), None)
            rows.append((str(node["node"]), f"{longest['cycles']:,}", f"{longest['began']:,}", longest["works_for"],
                         f"{most[0]} {100 * most[1]:.0f} %" if most else ""))
    if len(rows) > 1:
        yield ""
        yield "Longest time without network and clock"
        yield from _table(rows, ">>><<")


def _links(links: Sequence[dict[str, Any]], length: int) -> Iterator[str]:
    for network in dict.fromkeys(link["network"] for link in links):
        used = sorted((link for link in links if link["network"] == network), key=lambda link: -link["words"])
        yield ""
        yield f"The busiest links of the {network} network, of {len(used)} in use"
        yield from _table([("node", "link", "words", "busy"),
                           *((str(link["node"]), link["link"], f"{link['words']:,}",
                              f"{100 * link['busy'] / max(length, 1):.1f} %") for link in used[:BUSIEST])], "><>>")


def _table(rows: Sequence[Sequence[str]], align: str) -> Iterator[str]:
    widths = [max(len(row[k]) for row in rows) for k in range(len(align))] if rows else []
    for row in rows:
        yield ("  " + "  ".join(f"{cell:{side}{width}}" for cell, side, width
                                in zip(row, align, widths, strict=True))).rstrip()

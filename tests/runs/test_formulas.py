"""Options change the cycles of a run by exactly what the formulas of docs/machine.md say."""

import re

import pytest


def counts(stdout):
    """[cycles, misses] that a benchmark of tests/guest/bench prints."""
    found = re.search(r"instructions, ([\d,]+) cycles, ([\d,]+) misses", stdout)
    assert found, stdout
    return [int(group.replace(",", "")) for group in found.groups()]


@pytest.mark.parametrize("program", ["int", "fp"])
def test_miss_costs_as_many_cycles_as_set(run, program):
    cycles, misses = counts(run(program, "reps=2", nodes=1).stdout)
    free = cycles - 10 * misses

    assert misses > 0
    for miss in (0, 1, 25, 1000):
        assert counts(run(program, "reps=2", nodes=1, **{"cache-miss": miss}).stdout) \
            == [free + miss * misses, misses]
    assert counts(run(program, "reps=2", nodes=1, cache=False).stdout) == [free, 0]


def test_small_cache_misses_more(run):
    """lu.c works on 32 KB, which fit into a cache of 64 KB and into no smaller one."""
    misses = [counts(run("fp", "reps=2", nodes=1, **{"cache-size": size << 10}).stdout)[1] for size in (4, 16, 64)]
    assert misses[0] > misses[1] > 100 * misses[2]


# ---- The mesh ----------------------------------------------------------------

class Mesh:
    """A second implementation of the rules of docs/machine.md, "Mesh", for messages without bodies."""

    def __init__(self, width, base, hop, word):
        self.width, self.base, self.hop, self.word = width, base, hop, word
        self.free = {}                  # the time at which each link is free again

    def path(self, source, dest):
        """The routers on a message's path, which goes along the row first."""
        (x, y), (to_x, to_y) = ((node % self.width, node // self.width) for node in (source, dest))
        routers = [(x, y)]
        while (x, y) != (to_x, to_y):
            if x != to_x:
                x += 1 if to_x > x else -1
            else:
                y += 1 if to_y > y else -1
            routers.append((x, y))
        return routers

    def take(self, link, time, words):
        """Sends a message through a link from `time` on. Returns the time at which the message starts."""
        start = max(time, self.free.get(link, 0))
        self.free[link] = start + self.word * words
        return start

    def message(self, source, dest, time, words):
        """The time at which a message arrives."""
        routers = self.path(source, dest)
        head = self.take(("in", source), time, words)
        for link in zip(routers, routers[1:], strict=False):
            head = self.take(link, head, words) + self.hop
        return self.take(("out", dest), head, words) + self.word * words + self.base

    def credit(self, source, dest, time):
        return time + self.base + self.hop * (len(self.path(source, dest)) - 1)


# Program and arguments; nodes, width; latencies of the main network.
TRAFFIC = [
    (("ring",), 8, 4, (64, 2, 4)),
    (("alltoall", "messages=30"), 8, 4, (64, 2, 4)),
    (("alltoall", "messages=30", "words=16"), 8, 2, (64, 2, 4)),
    (("alltoall", "messages=30", "words=16"), 12, 4, (100, 0, 1)),
    (("alltoall", "messages=10"), 7, 7, (64, 50, 9)),
    (("alltoall", "messages=30"), 1, 1, (200, 3, 5)),
    (("order", "partners=9"), 9, 3, (75, 7, 11)),
]


@pytest.mark.parametrize("args, nodes, width, latencies", TRAFFIC,
                         ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else str(value))
def test_every_message_arrives_as_the_mesh_says(run, tmp_path, args, nodes, width, latencies):
    """The times of all deliveries of a run are those of the second implementation."""
    log = tmp_path / "log"
    done = run(*args, nodes=nodes, mesh=(width, nodes // width),
               **dict(zip(("mesh-base", "mesh-hop", "mesh-word"), latencies, strict=True)),
               more=("-trace", "enable=fugu_hub_deliver", "-D", str(log)))
    assert done.returncode == 0, done.stdout + done.stderr
    mesh = Mesh(width, *latencies)
    messages = credits = 0
    for text in log.read_text().splitlines():
        found = re.search(r"(\d+) -> (\d+): network 0, kind (\d), (\d+) words, sent @(\d+), arrives @(\d+)$", text)
        assert found, text
        source, dest, kind, words, sent, arrives = map(int, found.groups())
        if kind == 0:
            assert arrives == mesh.message(source, dest, sent, words), text
            messages += 1
        else:
            # A credit goes from the message's receiver back to its sender.
            assert arrives == mesh.credit(source, dest, sent), text
            credits += 1
    assert 0 < credits <= messages


# Program and arguments, nodes, and how many messages are routed at least.
ORDERED = [(("ahead",), 3, 100), (("alltoall", "messages=30"), 8, 1900), (("water", "64", "1"), 8, 2000)]


@pytest.mark.parametrize("words, nodes, least", ORDERED, ids=lambda value: "-".join(value) if isinstance(value, tuple) else "")
def test_no_message_is_routed_behind_a_later_one(machine, tmp_path, words, nodes, least):
    """A trace shows each message when it gets its links: none before one that was launched earlier."""
    log = tmp_path / "log"
    machine(*words, nodes=nodes, trace="fugu_hub_deliver", trace_file=log).check()
    sent = [int(found[1]) for found in re.finditer(r"kind 0, \d+ words, sent @(\d+),", log.read_text())]
    assert len(sent) >= least
    behind = [(before, after) for before, after in zip(sent, sent[1:], strict=False) if after < before]
    assert not behind, f"{len(behind)} of {len(sent)} messages: {behind[:10]}"

"""Computes from the seed alone what udmstress must deliver.

The seed determines the messages (udmstress/stress.h): those that the main
program and the workers of each node plan, and one more for each message that
asks for one. A message's words are arithmetic progressions, so their sum is
computed without making them.
"""

from __future__ import annotations

from collections import defaultdict

MASK = 0xFFFFFFFF
STREAM_OPEN, STREAM_ATOMIC, STREAM_WORKERS, STREAMS = 0, 1, 2, 4
ARG_STEP, BODY_STEP = 0x9E3779B9, 0x85EBCA6B

# {(source, destination, stream): (number of messages, sum over them)}
Expected = dict[tuple[int, int, int], tuple[int, int]]


def following(x: int) -> int:
    """The next number of a pseudo-random sequence (xorshift)."""
    x ^= x << 13 & MASK
    x ^= x >> 17
    return x ^ (x << 5 & MASK)


def start(*parts: int) -> int:
    """The first number of the sequence for these parts."""
    x = 0x2545F491
    for part in (*parts, 0):
        x = following((x + part * 0x01000193) & MASK) or 1
    return x


def planned(seed: int, nodes: int, messages: int) -> dict[tuple[int, int, int], int]:
    """The number of messages that each stream carries by plan, without those that other messages ask for."""
    found: dict[tuple[int, int, int], int] = defaultdict(int)
    for source in range(nodes):
        plan = start(seed, 0x10000 | source, 0)
        burst = dest = 0
        for _ in range(messages):
            plan = following(plan)
            if burst == 0:
                burst = (plan >> 3 & 31) + 1 if plan & 7 == 0 else 1
                dest = (plan >> 16) * nodes >> 16
            burst -= 1
            found[source, dest, STREAM_OPEN if plan >> 8 & 1 else STREAM_ATOMIC] += 1
        for stream in range(STREAM_WORKERS, STREAMS):
            plan = start(seed, 0x10000 | source, stream)
            for _ in range(messages // 8):
                plan = following(plan)
                found[source, (plan >> 16) * nodes >> 16, stream] += 1
    return found


class Stream:
    """The messages of one stream, in order."""

    def __init__(self, seed: int, source: int, dest: int, stream: int) -> None:
        self.value = start(seed, source << 8 | dest, stream)
        self.count = self.sum = 0

    def carry(self, count: int, bodies: bool) -> int:
        """Carries `count` more messages. Returns how many of them ask for another message."""
        x, total, requests = self.value, self.sum, 0
        for _ in range(count):
            x ^= x << 13 & MASK
            x ^= x >> 17
            x ^= x << 5 & MASK
            args = x & 15
            if args == 15:
                args = 0
            if not x & 0x700:
                requests += 1
            if bodies and not x & 0x7800:
                args = min(args, 10)
                words = ((x >> 15 & 1023) + 1) >> (x >> 25 & 7)
                total = 3 * total + words * x + BODY_STEP * (words * (words + 1) // 2) + (words << 18)
            else:
                total *= 3
            total = (total + args * x + ARG_STEP * (args * (args - 1) // 2) + args + 2 + (x >> 4 & 15) * 256) & MASK
        self.value, self.sum = x, total
        self.count += count
        return requests


def expected(seed: int, nodes: int, messages: int, bodies: bool = True) -> Expected:
    """All messages of a run, including those that handlers send."""
    to_carry = planned(seed, nodes, messages)
    streams = {(source, dest, stream): Stream(seed, source, dest, stream)
               for source in range(nodes) for dest in range(nodes) for stream in range(STREAMS)}
    while to_carry:
        (source, dest, stream), count = to_carry.popitem()
        requests = streams[source, dest, stream].carry(count, bodies)
        if requests:
            to_carry[dest, source, STREAM_ATOMIC] += requests
    return {key: (stream.count, stream.sum) for key, stream in streams.items()}

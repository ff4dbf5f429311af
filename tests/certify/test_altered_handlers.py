"""Handlers that are changed at random: those that are certified do what the certificate says, executed one by one."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from alterations import altered, made, message, packed
from interpreter import Run, Slot

from fugu.image.elf import contents
from fugu.image.handlers.certify import trusted
from fugu.image.handlers.walk import Code, Refused, walk

MESSAGES = 12           # for each handler that is certified


@pytest.fixture(scope="module")
def usual(stock):
    """The usual handlers: their code, and its words."""
    found = []
    for one in trusted(stock, contents(stock)):
        found.append((one, [one.code.words(address) for address in range(one.code.entry, one.code.end, 4)]))
    return found


def executed(code, words, dest, seed, garbage) -> Run:
    """A run of the handler for a message, with memory and registers at random."""
    one = random.Random(seed)
    most, salt = 1000, one.getrandbits(30)
    sent = message(dest, one)

    def byte(address):
        # Small numbers and 0 are as frequent as others.
        value = random.Random(address // 4 ^ salt).choice((0, 1, 7, 0xffffffff, address * 2654435761 & 0xffffffff))
        return value >> (3 - address % 4) * 8 & 0xff
    slot = Slot(lambda address: words[(address - code.entry) // 4], byte, sent, random.Random(garbage))
    return slot.execute(code.entry, most)


def check(code, found, words, one):
    """Checks a certificate by runs of the handler. How many of them a trap has not stopped."""
    ended = 0
    for _ in range(MESSAGES):
        dest, seed = 0x40000000 + one.choice((one.randrange(64) * 8, one.randrange(512))), one.getrandbits(30)
        run = executed(code, words, dest, seed, 1)
        assert run == executed(code, words, dest, seed, 2), "registers of the handler before have an effect"
        places = ((dest, dest + code.extent), *code.listed)
        for address, size in run.stores:
            assert any(start <= address and address + size <= end for start, end in places), hex(address)
        assert run.instructions <= found.path
        assert run.words <= found.words[1] and (run.words >= found.words[0] or not run.ends)
        assert run.back <= sum(found.loops.values())
        assert found.writes or not any(start <= dest < end for start, end in run.stores)
        ended += run.ends
    return ended


def test_usual_handlers_do_what_they_say(usual):
    one = random.Random(7)
    ended = sum(check(handler.code, handler.found, words, one) for handler, words in usual for _ in range(20))
    assert ended > 1000


def certified(code, words):
    """What the certifier finds of other words in place of a handler's, or None."""
    try:
        return walk(replace(code, words=lambda address: words[(address - code.entry) // 4]))
    except Refused:
        return None


def try_altered(usual, seed, times):
    """How many altered handlers were certified, and how many of their runs no trap has stopped."""
    one = random.Random(seed)
    pool = [word for _, words in usual for word in words]
    accepted = ended = 0
    for number in range(times):
        handler, words = one.choice(usual)
        changed = altered(words, pool, one)
        found = certified(handler.code, changed)
        if changed == words or not found:
            continue
        accepted += 1
        try:
            ended += check(handler.code, found, changed, one)
        except Exception as error:
            error.add_note(f"{handler.name}, alteration {number} of {seed}: {packed(changed).hex(' ', 4)}")
            raise
    return accepted, ended


def try_made(seed, times):
    """How many handlers that are made up were certified, and how many of their runs no trap has stopped."""
    one = random.Random(seed)
    accepted = ended = 0
    for number in range(times):
        words = made(one)
        code = Code(0x10000000, lambda address, words=words: words[(address - 0x10000000) // 4],
                    0x10000000 + 4 * len(words), one.choice((16, 64, 64, 256)), ())
        found = certified(code, words)
        if not found:
            continue
        accepted += 1
        try:
            ended += check(code, found, words, one)
        except Exception as error:
            error.add_note(f"handler {number} of {seed}: {packed(words).hex(' ', 4)}")
            raise
    return accepted, ended


def test_altered_handlers_do_what_they_say(usual, record_property):
    accepted, ended = try_altered(usual, 1, 2500)
    record_property("summary", f"altered handlers: {accepted} of 2,500 certified, {ended} runs to their end")
    assert accepted > 300 and ended > 1000


def test_handlers_that_are_made_up_do_what_they_say(record_property):
    accepted, ended = try_made(1, 6000)
    record_property("summary", f"handlers that are made up: {accepted} of 6,000 certified, {ended} runs to their end")
    assert accepted > 300 and ended > 1000


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 10))
def test_many_altered_handlers_do_what_they_say(usual, seed):
    accepted, ended = try_altered(usual, seed, 20_000)
    assert accepted > 2000 and ended > 8000
    accepted, ended = try_made(seed, 40_000)
    assert accepted > 3000 and ended > 20_000

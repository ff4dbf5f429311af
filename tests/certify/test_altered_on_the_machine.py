"""Altered handlers that are certified, on the machine: they do what the interpreter of the other test does.

The program `altered` has room for handlers, messages and memory, which are put into its file.
"""

from __future__ import annotations

import random
import re
import struct
from dataclasses import replace

import pytest
from alterations import altered, message, packed
from interpreter import MASK, Slot, Stopped

from fugu.abi import ALTERED, REGS
from fugu.image import elf
from fugu.image.handlers.certify import trusted
from fugu.image.handlers.walk import Refused, walk

SLOTS, WORDS, TRIALS, AREA, RING = (ALTERED[name] for name in ("SLOTS", "WORDS", "TRIALS", "AREA", "RING"))
WINDOW, WINDOW_SIZE = 0x40000000, 1 << 16           # slots.h
USUAL = [0, 1, 7, MASK]
TRIAL = struct.Struct(">16I")
ON, FAULT = REGS["MM_SLOT_ON"], REGS["MM_SLOT_FAULT"]
CYCLES = 14                                         # of an instruction, at most, once its words are there


class Unknown(Exception):
    """A handler depends on what the test does not model."""


def memory_word(seed, number):
    """As word() of altered.c."""
    x = seed ^ number * 0x9E3779B1 & MASK
    x ^= x >> 15
    x = x * 0x2C1B3C6D & MASK
    x ^= x >> 12
    return USUAL[x & 3] if x & 7 < 4 else x


class Program:
    """The program's file, with places for what a test puts in."""

    def __init__(self, path):
        self.data = bytearray(path.read_bytes())
        self.before = bytes(self.data)
        self.elf = elf.read(path, bytes(self.data))
        self.handlers = [(one, self.words(one.code)) for one in trusted(path, bytes(self.data))]
        self.area, self.ring = self.elf.symbol("area"), self.elf.symbol("own_ring")

    @staticmethod
    def words(code):
        return [code.words(address) for address in range(code.entry, code.end, 4)]

    def put(self, name, data):
        """Puts bytes where a symbol is."""
        address = self.elf.symbol(name)
        segment = next(one for one in self.elf.segments if one.address <= address < one.end)
        at = self.before.index(segment.data) + address - segment.address
        self.data[at:at + len(data)] = data

    def number_of(self, address):
        """The number of the word of memory at an address. Unknown."""
        for start, count, first in ((self.area, AREA, 0), (self.ring, RING, AREA)):
            if start <= address < start + 4 * count:
                return first + (address - start) // 4
        raise Unknown

    def outcome(self, code, words, sent, seed):
        """Instructions, the state of the slot, and the sum of the memory, after a run. Unknown."""
        def byte(address):
            return memory_word(seed, self.number_of(address)) >> (3 - address % 4) * 8 & 0xff
        slot = Slot(lambda address: words[(address - code.entry) // 4], byte, sent, random.Random(0), self.sends)
        run = slot.execute(code.entry, 1000)
        total = 0
        for number in range(AREA + RING):
            start = self.area + 4 * number if number < AREA else self.ring + 4 * (number - AREA)
            value = int.from_bytes(bytes(slot.byte(start + k) for k in range(4)), "big")
            total = (total ^ value) * 0x01000193 & MASK
        return run.instructions, ON if run.ends else FAULT, total

    @staticmethod
    def sends(dest, handler):
        """What becomes of a SEND: a reply to `null`, or a trap. Unknown where it would run the handler again."""
        if not WINDOW <= dest < WINDOW + WINDOW_SIZE or handler > 1:
            raise Stopped
        if handler == 1:
            raise Unknown


def drawn(program, seed):
    """Handlers that are certified: code and words."""
    one = random.Random(seed)
    pool = [word for _, words in program.handlers for word in words]
    found = [(handler.code, words) for handler, words in program.handlers]
    while len(found) < SLOTS:
        handler, words = one.choice(program.handlers)
        changed = altered(words, pool, one)
        code = replace(handler.code, words=lambda address, code=handler.code, changed=changed:
                       changed[(address - code.entry) // 4])
        try:
            walk(code)
        except Refused:
            continue
        found.append((code, changed))
    return found


def trials_of(program, codes, seed):
    """Messages and memory for these handlers, and what becomes of each."""
    one = random.Random(seed)
    trials, outcomes = [], []
    while len(trials) < TRIALS:
        number = len(trials) % SLOTS
        code, words = codes[number]
        offset = 4 * AREA // 4 + one.choice((8 * one.randrange(32), 8 * one.randrange(32), one.randrange(256)))
        sent, memory = message(program.area + offset, one), one.getrandbits(32)
        try:
            outcomes.append(program.outcome(code, words, sent, memory))
        except Unknown:
            number, (code, words) = 0, codes[0]                 # `null` depends on nothing
            outcomes.append(program.outcome(code, words, sent, memory))
        body = sent[1:]
        trials.append(TRIAL.pack(number, code.extent, offset, memory, len(body), 0, *body, *[0] * (10 - len(body))))
    return trials, outcomes


@pytest.mark.parametrize("seed", [1, 2, 3, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 24))])
def test_altered_handlers_do_the_same_on_the_machine(seed, guest_dir, machine, tmp_path, record_property):
    program = Program(guest_dir / "altered.elf")
    codes = drawn(program, seed)
    trials, outcomes = trials_of(program, codes, seed)
    program.put("code_slots", b"".join(packed(words).ljust(4 * WORDS, b"\0") for _, words in codes))
    program.put("trials", b"".join(trials))
    path = tmp_path / "altered.elf"
    path.write_bytes(program.data)
    done = machine(str(path), f"trials={TRIALS}", nodes=1, ni="m-machine").check(0)
    lines = re.findall(r"^trial (\d+): (\d+), (\w+), (\d+) cycles$", done.stdout, re.MULTILINE)
    assert [int(line[0]) for line in lines] == list(range(TRIALS))
    for (number, state, total, cycles), (instructions, ends, wanted) in zip(lines, outcomes, strict=True):
        slot = TRIAL.unpack(trials[int(number)])[0]
        text = f"trial {number}: {' '.join(f'{word:08x}' for word in codes[slot][1])}"
        assert (int(state), int(total, 16)) == (ends, wanted), text
        assert int(cycles) <= CYCLES * instructions, text
        assert ends == FAULT or instructions <= int(cycles), text
    ended = sum(ends == ON for _, ends, _ in outcomes)
    record_property("summary", f"altered handlers on the machine: {ended} of {TRIALS} runs to their end")
    assert ended > TRIALS // 3

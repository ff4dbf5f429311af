"""Executes a handler's instructions as a message slot does, one by one.

It shares nothing with the certifier: tests compare both. Instructions are those of the SPARC V8 manual, appendix B,
and SEND and AWAIT of docs/machine.md.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

MASK = 0xffffffff
HEAD, BODY = 6, 7
NOP = 0x01000000


class Stopped(Exception):
    """A trap has stopped the slot."""


class Illegal(Exception):
    """Something that no certified handler does."""


def signed(value: int, bits: int = 32) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


@dataclass
class Run:
    """What a handler has done."""

    memory: dict[int, int] = field(default_factory=dict)        # bytes that it has written
    stores: list[tuple[int, int]] = field(default_factory=list)         # address, bytes
    sends: list[tuple[int, ...]] = field(default_factory=list)
    instructions: int = 0
    words: int = 0                                              # of the message that it has read
    back: int = 0                                               # branches backward that were taken
    ends: bool = False                                          # by jmp %g6; otherwise a trap has stopped it


class Slot:
    """A slot: `fetch` gives the word at an address, `memory` the byte that is there before the handler runs.

    `left` is where the registers of the handler before come from. `sends` is called with DestAddr and HandlerIP of a
    SEND, and may stop the slot.
    """

    def __init__(self, fetch: Callable[[int], int], memory: Callable[[int], int], message: list[int],
                 left: random.Random, sends: Callable[[int, int], None] = lambda dest, handler: None) -> None:
        self.fetch, self.before, self.message, self.sends = fetch, memory, message, sends
        self.registers = [0] + [left.getrandbits(32) for _ in range(31)]
        self.n, self.z, self.v, self.c = (bool(left.getrandbits(1)) for _ in range(4))
        self.y = left.getrandbits(32)
        self.run = Run()

    def execute(self, entry: int, most: int) -> Run:
        """Executes from an address on, until the handler ends, or so many instructions are done."""
        pc, npc, annulled = entry, entry + 4, False
        try:
            while self.run.instructions <= most:
                if annulled:
                    pc, npc, annulled = npc, npc + 4, False
                    continue
                word = self.fetch(pc)
                self.run.instructions += 1
                if word in (0x81c18000, 0x81c1a000):
                    if self.fetch(npc) != NOP or npc != pc + 4:
                        raise Illegal(f"jump {word:#x}")
                    self.run.instructions += 1
                    self.run.ends = True
                    break
                target = self.one(pc, word)
                if target is None:
                    pc, npc = npc, npc + 4
                else:
                    place, annulled = target
                    if place == pc + 8:
                        pc, npc = npc, npc + 4
                    else:
                        self.run.back += place <= pc
                        pc, npc = npc, place
        except Stopped:
            pass
        return self.run

    # ---- operands --------------------------------------------------------------

    def read(self, number: int) -> int:
        if number == HEAD:
            raise Illegal("reads %g6")
        return self.word if number == BODY else self.registers[number]

    def write(self, number: int, value: int) -> None:
        if number in (HEAD, BODY):
            raise Illegal("writes the queue")
        if number:
            self.registers[number] = value & MASK

    def second(self, word: int) -> int:
        return signed(word, 13) & MASK if word >> 13 & 1 else self.read(word & 31)

    def one(self, pc: int, word: int) -> tuple[int, bool] | None:
        """Executes an instruction. Where a branch goes (pc + 8: not taken), and whether the slot is annulled."""
        op, op2, op3 = word >> 30, word >> 22 & 7, word >> 19 & 63
        rd, rs1 = word >> 25 & 31, word >> 14 & 31
        if op == 0 and op2 == 4:
            self.write(rd, word << 10)
            return None
        if op == 0 and op2 == 2:
            return self.branch(pc, word)
        if op < 2 or op3 not in (ARITHMETIC | {0x28, 0x30, 0x36} if op == 2 else MEMORY):
            raise Illegal(f"instruction {word:#x}")
        named = {rs1} | (set() if word >> 13 & 1 else {word & 31})
        if op == 2 and op3 == 0x36:
            named = {rs1, word & 31} if word >> 5 & 15 == 5 else {rs1}
        if op == 2 and op3 == 0x28:
            named = set()
        if op == 3 and op3 in (4, 5, 6, 7, 15):
            named |= {rd, rd + 1} if op3 == 7 else {rd}
        takes = BODY in named
        self.word = self.message[self.run.words] if takes and self.run.words < len(self.message) else 0
        if op == 3:
            self.memory(op3, rd, (self.read(rs1) + self.second(word)) & MASK)
        elif op3 == 0x36:
            self.operation(word, rd, rs1)
        elif op3 == 0x28:
            self.write(rd, self.y)
        elif op3 == 0x30:
            self.y = self.read(rs1) ^ self.second(word)
        else:
            self.arithmetic(op3, rd, self.read(rs1), self.second(word))
        self.run.words += takes
        return None

    # ---- branches --------------------------------------------------------------

    def branch(self, pc: int, word: int) -> tuple[int, bool]:
        condition, annuls = word >> 25 & 15, bool(word >> 29 & 1)
        less = self.n != self.v
        holds = [False, self.z, self.z or less, less, self.c or self.z, self.c, self.n, self.v][condition & 7]
        taken = holds != bool(condition & 8)
        target = (pc + 4 * signed(word, 22)) & MASK
        if taken:
            if annuls and condition == 8:
                # The delay slot counts for nothing, and the branch as two.
                self.run.instructions += 1
                return target, True
            return target, False
        if annuls:
            self.run.instructions += 1
        return pc + 8, annuls

    # ---- arithmetic ------------------------------------------------------------

    def arithmetic(self, op3: int, rd: int, a: int, b: int) -> None:
        if op3 == 0x24:
            self.step(rd, a, b)
            return
        if op3 in (0x25, 0x26, 0x27):
            by = b & 31
            self.write(rd, {0x25: a << by, 0x26: a >> by, 0x27: signed(a) >> by}[op3])
            return
        kind, carry = op3 & 7, int(self.c) if op3 & 8 else 0
        v = c = False
        if kind == 0:
            whole = a + b + carry
            v = bool((~(a ^ b) & (a ^ whole)) >> 31 & 1)
            c = whole > MASK
        elif kind == 4:
            whole = a - b - carry
            v = bool(((a ^ b) & (a ^ whole)) >> 31 & 1)
            c = whole < 0
        else:
            whole = {1: a & b, 2: a | b, 3: a ^ b, 5: a & ~b, 6: a | ~b, 7: ~(a ^ b)}[kind]
        self.write(rd, whole)
        if op3 & 0x10:
            result = whole & MASK
            self.n, self.z, self.v, self.c = bool(result >> 31), not result, v, c

    def step(self, rd: int, a: int, b: int) -> None:
        """MULScc."""
        first = a >> 1 | (self.n != self.v) << 31
        second = b if self.y & 1 else 0
        whole = first + second
        result = whole & MASK
        self.y = self.y >> 1 | (a & 1) << 31
        self.v = bool((~(first ^ second) & (first ^ whole)) >> 31 & 1)
        self.n, self.z, self.c = bool(result >> 31), not result, whole > MASK
        self.write(rd, result)

    def operation(self, word: int, length: int, rs1: int) -> None:
        opc = word >> 5 & 0x1ff
        if opc & 0x10f == 5 and length <= 10:
            values = [self.read(rs1), self.read(word & 31), *(self.read(16 + number) for number in range(length))]
            self.sends(values[0], values[1])
            self.run.sends.append((opc >> 4, *values))
        elif opc == 6:
            self.read(rs1)
        else:
            raise Illegal(f"operation {word:#x}")

    # ---- memory ----------------------------------------------------------------

    def byte(self, address: int) -> int:
        return self.run.memory.get(address, self.before(address))

    def memory(self, op3: int, rd: int, address: int) -> None:
        size = MEMORY[op3]
        if address % size or (size == 8 and rd & 1):
            raise Stopped
        old = bytes(self.byte(address + number) for number in range(size))
        data = b""
        if op3 in (4, 5, 6, 15):
            data = struct.pack(">I", self.read(rd))[4 - size:]
        elif op3 == 7:
            data = struct.pack(">II", self.read(rd), self.read(rd + 1))
        elif op3 == 13:
            data = b"\xff"
        if op3 in (9, 10):
            self.write(rd, signed(int.from_bytes(old, "big"), 8 * size))
        elif op3 == 3:
            self.write(rd, int.from_bytes(old[:4], "big"))
            self.write(rd + 1, int.from_bytes(old[4:], "big"))
        elif op3 in (0, 1, 2, 13, 15):
            self.write(rd, int.from_bytes(old, "big"))
        if data:
            self.run.stores.append((address, size))
            self.run.memory |= {address + number: byte for number, byte in enumerate(data)}


ARITHMETIC = {*range(0x09), 0x0c, *range(0x10, 0x19), 0x1c, 0x24, 0x25, 0x26, 0x27}
MEMORY = {0: 4, 1: 1, 2: 2, 3: 8, 4: 4, 5: 1, 6: 2, 7: 8, 9: 1, 10: 2, 13: 1, 15: 4}      # bytes, by op3

"""The instructions of a program that access memory, and those that wait for a word.

An instruction waits if the word that it loads decides, by a comparison and a branch, whether it is executed again, and
its address does not move on meanwhile.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from functools import cached_property

from ...image import elf

# op3 of loads and stores (SPARC V8 manual, appendix F): bytes, whether they load, whether they store.
KINDS = {0x00: (4, True, False), 0x01: (1, True, False), 0x02: (2, True, False), 0x03: (8, True, False),
         0x04: (4, False, True), 0x05: (1, False, True), 0x06: (2, False, True), 0x07: (8, False, True),
         0x09: (1, True, False), 0x0A: (2, True, False), 0x0D: (1, True, True), 0x0F: (4, True, True),
         0x20: (4, True, False), 0x23: (8, True, False), 0x24: (4, False, True), 0x27: (8, False, True)}
LDD = 0x03
INTEGER_LOADS = (0x00, 0x01, 0x02, LDD, 0x09, 0x0A)
STORES = (0x04, 0x05, 0x06)
STACK = (14, 30)                # %sp, %fp
EXCHANGES = (0x0D, 0x0F)        # LDSTUB, SWAP
# Registers by which a thread finds its own stack, and a handler its message: %g0 (the interface), %g6, %sp, %fp.
OWN = (0, 6, 14, 30)
RESULT, IN_RESULT = 8, 24       # of a function: %o0 of its caller's, %i0 of its own window
SUBCC = range(0x10, 0x20)       # op3 of additions, subtractions and logic that set the condition codes
WITH_CARRY = (0x08, 0x0C, 0x18, 0x1C)   # ADDX, SUBX, and those that set the codes
JMPL, SAVE, RESTORE = 0x38, 0x3C, 0x3D
LOOP_MOST = 2000                # instructions of a loop
STEPS = 60                      # instructions from a load to the branch that it decides


@dataclass(frozen=True)
class Access:
    """An instruction that loads or stores at the sum of two registers and a constant."""

    address: int
    rs1: int
    rs2: int
    offset: int
    bytes: int
    loads: bool
    stores: bool


def of(program: elf.Elf | None) -> Iterator[Access]:
    """The accesses of a program, but for those to stacks, messages and the network interface."""
    for code in _codes(program):
        yield from code.accesses()


def waits(program: elf.Elf | None, own: Callable[[int], bool]) -> set[int]:
    """The addresses of the instructions that wait, among those that are own."""
    return {address for code in _codes(program) for address in code.waits(own)}


def _codes(program: elf.Elf | None) -> Iterator[_Code]:
    for segment in program.segments if program else ():
        if segment.flags & elf.CAN_EXECUTE:
            words = struct.unpack(f">{len(segment.data) // 4}I", segment.data[:len(segment.data) // 4 * 4])
            yield _Code(segment.address, words)


def _signed(value: int, bits: int) -> int:
    return (value & (1 << bits) - 1) - ((value & 1 << bits - 1) << 1)


class _Code:
    """The instructions of a segment."""

    def __init__(self, start: int, words: tuple[int, ...]) -> None:
        self.start, self.words = start, words

    def word(self, address: int) -> int:
        at = (address - self.start) // 4
        return self.words[at] if 0 <= at < len(self.words) else 0

    def accesses(self) -> Iterator[Access]:
        for at, word in enumerate(self.words):
            op3, rs1 = word >> 19 & 63, word >> 14 & 31
            if word >> 30 != 3 or op3 not in KINDS or rs1 in OWN:
                continue
            constant = bool(word & 1 << 13)
            if not constant and word & 31 in OWN[1:]:
                continue
            address = self.start + 4 * at
            yield Access(address, rs1, 0 if constant else word & 31, _signed(word, 13) if constant else 0, *KINDS[op3])

    def waits(self, own: Callable[[int], bool]) -> Iterator[int]:
        for one in self.accesses():
            if self.word(one.address) >> 19 & 63 in INTEGER_LOADS and own(one.address) and \
                    (self._waits(one.address) or self._waits_for_callers(one.address)):
                yield one.address

    # ---- Flow --------------------------------------------------------------------

    def _branch(self, address: int) -> tuple[int | None, bool] | None:
        """Of a branch: where it goes, and whether it may go on. None: it is no branch; (None, False): a return."""
        word = self.word(address)
        op, op2, cond = word >> 30, word >> 22 & 7, word >> 25 & 15
        if op == 0 and op2 in (2, 6, 7):
            return address + 4 * _signed(word, 22), cond != 8
        if op == 1:
            slot = self.word(address + 4)           # a call comes back, unless it gives away the address or the window
            goes = slot >> 30 == 2 and (slot >> 25 & 31 == 15 or slot >> 19 & 63 == RESTORE)
            return (None, False) if goes else (address + 8, False)
        if op == 2 and word >> 19 & 63 == JMPL:
            return (address + 8, False) if word >> 25 & 31 == 15 else (None, False)
        return None

    def _annuls(self, address: int) -> bool:
        """Whether an instruction is a branch that skips its delay slot if it is not taken, or always."""
        word = self.word(address)
        return word >> 30 == 0 and word >> 22 & 7 in (2, 6, 7) and bool(word & 1 << 29)

    def _next(self, address: int) -> list[int]:
        """The instructions that may follow: those of a branch follow its delay slot."""
        this, before = self._branch(address), self._branch(address - 4)
        if this and self._annuls(address):
            return [address + 4, address + 8] if this[1] else [this[0] or 0]
        if before is None or (self._annuls(address - 4) and not before[1]):
            return [address + 4]
        to, goes_on = before
        goes_on = goes_on and not self._annuls(address - 4)
        return [*([] if to is None else [to]), *([address + 4] if goes_on else [])]

    def _after(self, branch: int) -> list[int]:
        """The instructions that may follow a branch because of its condition."""
        return self._next(branch if self._annuls(branch) else branch + 4)

    def _reaches(self, start: list[int], goal: int, without: Container[int] = ()) -> bool:
        """Whether an instruction is reached from others, and not by way of some."""
        left = [one for one in start if one not in without]
        seen = set(left)
        while left and len(seen) < LOOP_MOST:
            address = left.pop()
            if address == goal:
                return True
            new = [one for one in self._next(address) if one not in seen and one not in without and self.word(one)]
            seen.update(new)
            left += new
        return False

    def _waits(self, load: int) -> bool:
        """Whether a round from the load by a branch that it decides back to the load leaves its address as it is."""
        if not self._reaches(self._next(load), load):
            return False
        moves = self._moves(load)
        return any(self._reaches(self._next(load), branch, moves)
                   and (self._annuls(branch) or branch + 4 not in moves)
                   and self._reaches(self._after(branch), load, moves) for branch in self._decided(load))

    def _decided(self, load: int) -> set[int]:
        """The branches whose conditions the loaded word decides."""
        return {at for at, _, codes in self._flow(self._next(load), self._sets(load)) if codes and self.word(at) >> 22 & 0x307 == 2}

    def _flow(self, start: list[int], registers: set[int]) -> Iterator[tuple[int, frozenset[int], bool]]:
        """Instructions, the registers (and variables on the stack) that depend on some at the start before each, and whether the condition codes do."""
        left = [(address, frozenset(registers), False, STEPS) for address in start]
        seen = set()
        while left:
            address, known, codes, steps = left.pop()
            if (address, known, codes) in seen or not steps:
                continue
            seen.add((address, known, codes))
            yield address, known, codes
            word = self.word(address)
            op, op3, rd = word >> 30, word >> 19 & 63, word >> 25 & 31
            if op == 2:
                if op3 in (SAVE, RESTORE):
                    continue
                uses = self._uses(address, known) or (codes and op3 in WITH_CARRY)
                known = (known | {rd} if uses else known - {rd}) - {0}
                codes = uses if op3 in SUBCC else codes
            elif op == 3 and word >> 14 & 31 in STACK and word & 1 << 13 and op3 in (*INTEGER_LOADS, *STORES):
                kept = -(word & 0x7DFFF)            # a variable on the stack, by its register and offset
                if op3 in STORES:
                    known = known | {kept} if rd in known else known - {kept}
                else:
                    known = known | self._sets(address) if kept in known else known - self._sets(address)
            else:
                known = known - self._sets(address)
            if known or codes:
                left += [(one, known, codes, steps - 1) for one in self._next(address)]

    def _uses(self, address: int, known: Container[int]) -> bool:
        """Whether a calculation uses one of these registers."""
        word = self.word(address)
        return word >> 14 & 31 in known or (not word & 1 << 13 and word & 31 in known)

    # ---- Loads in functions that are called in loops -------------------------------

    @cached_property
    def _calls(self) -> dict[int, list[int]]:
        """The addresses of calls, by the function that is called."""
        found: dict[int, list[int]] = {}
        for at, word in enumerate(self.words):
            if word >> 30 == 1:
                found.setdefault(self.start + 4 * at + 4 * _signed(word, 30), []).append(self.start + 4 * at)
        return dict(sorted(found.items()))

    def _waits_for_callers(self, load: int) -> bool:
        """Whether a load decides the result of its function, and this, at each call, whether it is called again."""
        entries = list(self._calls)
        at = bisect_right(entries, load) - 1
        return at >= 0 and self._is_returned(load) and all(
            any(self._reaches(self._after(branch), call) for branch in self._decided_by_result(call)) for call in self._calls[entries[at]])

    def _is_returned(self, load: int) -> bool:
        for address, known, codes in self._flow(self._next(load), self._sets(load)):
            word = self.word(address)
            if self._branch(address - 4) != (None, False):
                continue
            op3, uses = word >> 19 & 63, self._uses(address, known) or (codes and word >> 19 & 63 in WITH_CARRY)
            if word >> 30 == 2 and word >> 25 & 31 == RESULT:
                if uses:
                    return True
            elif (IN_RESULT if word >> 30 == 2 and op3 == RESTORE else RESULT) in known:
                return True
        return False

    def _decided_by_result(self, call: int) -> set[int]:
        return {at for at, _, codes in self._flow([call + 8], {RESULT}) if codes and self.word(at) >> 22 & 0x307 == 2}

    def _moves(self, load: int) -> set[int]:
        """The instructions that make the address of a load grow, or go along a list, from one round of a loop to the next."""
        before: dict[int, list[int]] = {}
        seen, left = {load}, [load]
        while left and len(seen) < LOOP_MOST:
            address = left.pop()
            for one in self._next(address):
                before.setdefault(one, []).append(address)
                if one not in seen and self.word(one):
                    seen.add(one)
                    left.append(one)
        return self._carried(load, before)

    def _sources(self, address: int, before: dict[int, list[int]]) -> set[int]:
        """The instructions that may have set the registers by which this one finds its address or its result."""
        found: set[int] = set()
        word = self.word(address)
        if word >> 30 == 0:         # SETHI
            return found
        registers = {word >> 14 & 31} | (set() if word & 1 << 13 else {word & 31})
        seen, left = set(), [(one, register) for register in registers - {0} for one in before.get(address, [])]
        while left:
            at, register = left.pop()
            if (at, register) not in seen:
                seen.add((at, register))
                if register in self._sets(at):
                    found.add(at)
                else:
                    left += [(one, register) for one in before.get(at, [])]
        return found

    def _sets(self, address: int) -> set[int]:
        """The registers that an instruction sets."""
        word = self.word(address)
        op, op3, rd = word >> 30, word >> 19 & 63, word >> 25 & 31
        if op == 3 and op3 == LDD:
            return {rd & ~1, rd | 1}
        if (op == 0 and word >> 22 & 7 == 4) or (op == 2 and op3 not in (JMPL, SAVE, RESTORE)) or \
                (op == 3 and op3 in (*INTEGER_LOADS, *EXCHANGES)):
            return {rd} - {0}
        return set()

    def _carried(self, load: int, before: dict[int, list[int]]) -> set[int]:
        """The instructions by which the address of a load depends on what they have set in the last round."""
        sources: dict[int, set[int]] = {}
        left = [load]
        while left:
            address = left.pop()
            if address not in sources:
                sources[address] = self._sources(address, before)
                left += sources[address]
        # What depends on nothing that is left, or on which nothing depends, is in no circle.
        while True:
            used = set().union(*sources.values())
            left = [address for address, of_it in sources.items() if not of_it or address not in used]
            if not left:
                return set(sources)
            for address in left:
                del sources[address]
            for of_it in sources.values():
                of_it.intersection_update(sources)

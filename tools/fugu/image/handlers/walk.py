"""Walks a handler's code from its entry to all its ends, and proves what it does.

The walk goes by layers: what is reached after so many branches backward. In a layer code goes forward alone, so each
instruction of a layer is walked once, with all that is known of the registers on the paths that lead to it. A loop is
unrolled: it is accepted if what is known of its counter decides when it ends. The walk's length is bounded, so
it ends for any code.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from . import codes as conditions
from .codes import LEFT, RESULT, Codes, compared
from .decode import BODY, HEAD, REGISTERS, WITH_CARRY, Instruction, NotAllowed, decode, is_nop
from .values import (ANY, DEST, HALF, WORDS, Value, add, between, constant, distance, joined, logic, shift, subtract,
                     unsigned)

PATH_MAX = 1000             # instructions
WALK_MAX = 4 * PATH_MAX     # of all layers
ZERO = constant(0)


class Refused(Exception):
    """A handler breaks a rule: the message says which, and how."""

    def __init__(self, rule: str, how: str, address: int | None = None, text: str = "") -> None:
        super().__init__(f"{rule}: {how}")
        self.rule, self.address, self.text = rule, address, text


@dataclass(frozen=True)
class Code:
    """What the walk needs of a handler."""

    entry: int
    words: Callable[[int], int]             # the word at an address of the handler
    end: int                                # the address after its last instruction
    extent: int                             # bytes from DestAddr on that it may write
    listed: tuple[tuple[int, int], ...]     # further bytes: address, and the address after the last one


@dataclass
class Found:
    """What the walk has found of a handler that is accepted."""

    path: int = 0                                           # instructions of the longest path
    words: tuple[int, int] = (0, 0)                         # of a message that it reads, at least and at most
    loops: dict[int, int] = field(default_factory=dict)     # branches backward: address, how often at most
    writes: bool = False                                    # whether it writes from DestAddr on


class State(NamedTuple):
    """What is known before an instruction. None: what the handler before has left."""

    registers: tuple[Value | None, ...] = (ZERO, *[None] * 31)
    codes: Codes | None = None
    y: bool = False                         # whether %y is this handler's
    words: tuple[int, int] = (0, 0)         # read so far, at least and at most
    length: int = 0                         # instructions of the longest path

    def written(self, values: dict[int, Value]) -> State:
        """The state after these registers were written."""
        registers = list(self.registers)
        for number, value in values.items():
            registers[number] = value if number else ZERO
        codes = self.codes and self.codes.without(frozenset(values))
        return self._replace(registers=tuple(registers), codes=codes)

    def joined(self, other: State) -> State:
        """What holds for both."""
        registers = tuple(None if one is None or two is None else joined(one, two)
                          for one, two in zip(self.registers, other.registers, strict=True))
        words = min(self.words[0], other.words[0]), max(self.words[1], other.words[1])
        return State(registers, conditions.joined(self.codes, other.codes), self.y and other.y, words,
                     max(self.length, other.length))

    def where(self, condition: int) -> State | None:
        """The state where a branch has found that a condition holds. None if it cannot hold."""
        if condition % 8 == 0:                          # never, always
            return self if condition else None
        if self.codes is None:
            return self
        codes = conditions.narrowed(self.codes, condition)
        if codes is None:
            return None
        registers = list(self.registers)
        for number, which in codes.holders:
            registers[number] = codes.left if which == LEFT else codes.result
        return self._replace(registers=tuple(registers), codes=codes)

    def same(self, other: State | None) -> bool:
        """Whether code that goes on from both goes on alike."""
        def known(state: State) -> tuple[object, ...]:
            return state.registers, state.codes, state.y, state.words[0] > 0, state.words[1] > 0
        return other is not None and known(self) == known(other)


def walk(code: Code) -> Found:
    """Proves that a handler keeps the rules. Refused."""
    return _Walk(code).walked()


class _Walk:
    def __init__(self, code: Code) -> None:
        self.code, self.found = code, Found()
        self.reached = {(0, code.entry): State()}           # by layer and address
        self.due = [(0, code.entry)]
        self.slots: set[int] = set()                        # addresses of delay slots
        self.targets: dict[int, int] = {}                   # of branches: address of the branch
        self.back: dict[int, State] = {}                    # with which each branch backward was taken last
        self.texts: dict[int, Instruction] = {}

    def walked(self) -> Found:
        steps = 0
        while self.due:
            layer, address = place = heapq.heappop(self.due)
            state = self.reached.pop(place)
            steps += 1
            instruction = self._at(address)
            if state.length + 1 + instruction.transfers > PATH_MAX:
                raise self._refused("path", address, f"a path to it has more than {PATH_MAX:,} instructions")
            if steps > WALK_MAX:
                raise self._refused("path", address, f"all paths have more than {WALK_MAX:,} instructions together")
            if instruction.kind == "jump":
                self._ends(address, state)
            elif instruction.kind == "branch":
                self._branches(layer, address, instruction, state)
            else:
                self._go(layer, address + 4, self._done(address, instruction, state))
        for target in sorted(self.slots & set(self.targets)):
            raise self._refused("delay slots", self.targets[target], "it goes to the delay slot of another branch")
        return self.found

    def _refused(self, rule: str, address: int, how: str) -> Refused:
        instruction = self.texts.get(address)
        return Refused(rule, how, address, instruction.text if instruction else "")

    def _at(self, address: int) -> Instruction:
        """The instruction at an address."""
        if address not in self.texts:
            if not self.code.entry <= address < self.code.end:
                raise self._refused("end", address - 4, "the handler goes on beyond its last instruction")
            try:
                self.texts[address] = decode(self.code.words(address), address)
            except NotAllowed as error:
                raise Refused("instructions", str(error), address, error.text) from None
        return self.texts[address]

    def _go(self, layer: int, address: int, state: State) -> None:
        """Goes on at an address, with what is known on this way to it."""
        place = layer, address
        if place in self.reached:
            self.reached[place] = self.reached[place].joined(state)
        else:
            self.reached[place] = state
            heapq.heappush(self.due, place)

    # ---- ends and branches ---------------------------------------------------

    def _ends(self, address: int, state: State) -> None:
        """`jmp %g6`, behind which only a nop may stand."""
        slot = address + 4
        if slot >= self.code.end or not is_nop(self.code.words(slot)):
            raise self._refused("end", address, "behind it stands no nop")
        self.slots.add(slot)
        first = not self.found.path
        least, most = state.words if first else (min(self.found.words[0], state.words[0]),
                                                 max(self.found.words[1], state.words[1]))
        self.found.words = least, most
        self.found.path = max(self.found.path, state.length + 2)

    def _branches(self, layer: int, address: int, branch: Instruction, state: State) -> None:
        if branch.reads_codes and state.codes is None:
            raise self._refused("left registers", address, "no instruction before it sets the condition codes")
        target = branch.constant
        if not self.code.entry <= target < self.code.end:
            raise self._refused("branches", address, "it leaves the handler")
        self.targets[target] = address
        always = branch.condition % 8 == 0
        delayed = None if branch.annuls and always else self._delayed(address + 4)
        taken, untaken = state.where(branch.condition), state.where(branch.condition ^ 8)
        if taken:
            taken = self._done(address + 4, delayed, taken) if delayed else taken
            self._take(layer, address, target, taken._replace(length=state.length + 2))
        if untaken:
            untaken = self._done(address + 4, delayed, untaken) if delayed and not branch.annuls else untaken
            self._go(layer, address + 8, untaken._replace(length=state.length + 2))

    def _delayed(self, slot: int) -> Instruction:
        """The instruction in a branch's delay slot."""
        self.slots.add(slot)
        delayed = self._at(slot)
        if delayed.transfers:
            raise self._refused("delay slots", slot, "it stands in the delay slot of a branch")
        return delayed

    def _take(self, layer: int, address: int, target: int, state: State) -> None:
        if target > address:
            self._go(layer, target, state)
            return
        if state.same(self.back.get(address)):
            raise self._refused("loops", address, "nothing that is known decides how often it goes back")
        self.back[address] = state
        self.found.loops[address] = self.found.loops.get(address, 0) + 1
        self._go(layer + 1, target, state)

    # ---- other instructions ----------------------------------------------------

    def _done(self, address: int, instruction: Instruction, state: State) -> State:
        """The state after an instruction that goes on to the next one."""
        read, state = self._operands(address, instruction, state)
        state = state._replace(length=state.length + 1)
        one = read.get(instruction.rs1, ANY)
        two = constant(instruction.constant) if instruction.rs2 is None else read[instruction.rs2]
        if instruction.kind in ("load", "store", "atom"):
            if instruction.kind != "load":
                self._check_store(address, add(one, two), instruction.size)
            return state.written(dict.fromkeys(instruction.writes, _loaded(instruction.name)))
        if instruction.kind == "sethi":
            return state.written({instruction.rd: constant(instruction.constant)})
        if instruction.kind == "rdy":
            return state.written({instruction.rd: ANY})
        if instruction.kind == "wry":
            return state._replace(y=True)
        if instruction.kind == "arithmetic":
            return _calculated(instruction, one, two, state)
        return state                                        # SEND, AWAIT

    def _operands(self, address: int, instruction: Instruction, state: State) -> tuple[dict[int, Value], State]:
        """The values of the registers that it reads, and the state when it has taken its word of the message."""
        words = (instruction.reads | instruction.writes) & {HEAD, BODY}
        if words & instruction.writes:
            raise self._refused("words", address, "it writes a register that is the message queue")
        if HEAD in words:
            raise self._refused("words", address, "it reads %g6, which only jmp %g6 may")
        read: dict[int, Value] = {}
        for number in sorted(instruction.reads - words):
            value = state.registers[number]
            if value is None:
                raise self._refused("left registers", address, f"it reads {REGISTERS[number]} of the handler before")
            read[number] = value
        if instruction.name in WITH_CARRY and state.codes is None:
            raise self._refused("left registers", address, "no instruction before it sets the condition codes")
        if instruction.name in ("rd", "mulscc") and not state.y:
            raise self._refused("left registers", address, "it reads %y of the handler before")
        if words:
            read[BODY] = DEST if state.words[1] == 0 else ANY
            state = state._replace(words=(state.words[0] + 1, state.words[1] + 1))
        return read, state

    def _check_store(self, address: int, place: Value, size: int) -> None:
        """Checks that all bytes of a store are in the extent, or listed."""
        if place.dest:
            self.found.writes = True
            lo, hi = distance(place)
            if lo < 0 or hi + size > self.code.extent:
                where = f"DestAddr + {lo} to {hi + size - 1}"
                raise self._refused("stores", address, f"it writes {where}, and its extent is {self.code.extent} bytes")
            return
        first, last = unsigned(place)
        if not any(start <= first and last + size <= end for start, end in self.code.listed):
            where = "nothing bounds its address" if last - first >= HALF else \
                f"it writes 0x{first:x} to 0x{(last + size - 1) % WORDS:x}, which is not listed"
            raise self._refused("stores", address, where)


def _loaded(name: str) -> Value:
    """What is known of a word that comes from memory."""
    return {"ldub": between(0, 0xff), "ldstub": between(0, 0xff), "lduh": between(0, 0xffff),
            "ldsb": between(-0x80, 0x7f), "ldsh": between(-0x8000, 0x7fff)}.get(name, ANY)


def _calculated(instruction: Instruction, one: Value, two: Value, state: State) -> State:
    """The state after arithmetic."""
    sets_codes = instruction.name.endswith("cc")
    name = instruction.name.removesuffix("cc")
    if name == "muls":
        return state.written({instruction.rd: ANY})._replace(codes=Codes())
    if name in ("add", "addx"):
        result = add(one, two)
    elif name in ("sub", "subx"):
        result = subtract(one, two)
    elif name in ("sll", "srl", "sra"):
        result = shift(name, one, two)
    else:
        result = logic(name, one, two)
    if name == "addx":
        result = add(result, between(0, 1))
    if name == "subx":
        result = subtract(result, between(0, 1))
    after = state.written({instruction.rd: result})
    if not sets_codes:
        return after
    holders = [(instruction.rd, RESULT)] if instruction.rd else []
    if name == "sub":
        if _remains(instruction.rs1, instruction):
            holders.append((instruction.rs1, LEFT))
        return after._replace(codes=compared(one, two, tuple(holders)))
    if name in ("addx", "subx"):
        return after._replace(codes=Codes())
    if name == "add":
        return after._replace(codes=Codes(result, holders=tuple(holders)))
    # Logic sets the codes as a comparison of its result with 0 does.
    source = _copied(instruction)
    if _remains(source, instruction):
        holders.append((source, LEFT))
    return after._replace(codes=compared(result, constant(0), tuple(holders)))


def _copied(instruction: Instruction) -> int:
    """The register whose value is the result of an `or` with 0, or 0."""
    if not instruction.name.startswith("or") or instruction.name.startswith("orn"):
        return 0
    if instruction.rs1 == 0:
        return instruction.rs2 or 0
    return instruction.rs1 if not instruction.rs2 and not instruction.constant else 0


def _remains(number: int, instruction: Instruction) -> bool:
    """Whether a register has the same value after an instruction that reads it."""
    return number not in (0, BODY, instruction.rd)

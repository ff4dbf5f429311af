"""Handlers that are changed at random, and handlers that are made up."""

from __future__ import annotations

import random
import struct

# Words that are put in place of others, beside those of the handlers.
MORE = [0x01000000, 0x81C18000, 0xA0100007, 0xC02C0000, 0xC02C2004, 0x80A46001, 0x12BFFFFE, 0x02800003, 0x10800002,
        0x30800003, 0x2A800002, 0x08800003, 0x18800002, 0xA2A46001, 0xA2046001, 0xA20C600F,
        0xA32C6002, 0xC03C0011, 0xC0240011]


def altered(words: list[int], pool: list[int], one: random.Random) -> list[int]:
    """A handler with one to three changes: a bit, an instruction, a field, two that change places."""
    changed = list(words)
    for _ in range(one.choice((1, 1, 1, 2, 3))):
        at = one.randrange(len(changed))
        way = one.randrange(7)
        if way < 2:
            changed[at] ^= 1 << one.randrange(32)
        elif way == 2:
            changed[at] = one.choice(pool + MORE)
        elif way == 3:                                  # a register
            shift = one.choice((0, 14, 25))
            changed[at] = changed[at] & ~(31 << shift) | one.choice((0, 7, 16, 17, 18, 19)) << shift
        elif way == 4:                                  # a constant
            changed[at] = changed[at] & ~0x1fff | one.choice((0, 1, 4, 8, 16, 36, 64, 0x1fff, 0x1ffc))
        elif way == 5:                                  # a condition
            changed[at] = changed[at] & ~(31 << 25) | one.randrange(32) << 25
        else:
            other = one.randrange(len(changed))
            changed[at], changed[other] = changed[other], changed[at]
    return changed


def message(dest: int, one: random.Random) -> list[int]:
    """DestAddr and a body."""
    body = [one.choice((one.getrandbits(32), one.randrange(16), one.randrange(-8, 64) & 0xffffffff,
                        (dest + one.randrange(-64, 64)) & 0xffffffff, 0x80000000 + one.randrange(-2, 2)))
            for _ in range(one.randrange(11))]
    return [dest, *body]


def packed(words: list[int]) -> bytes:
    return struct.pack(f">{len(words)}I", *words)


# ---- handlers that are made up -------------------------------------------------

USUAL = [0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x25, 0x26, 0x27] * 5
OPERATIONS = [*USUAL, 0x06, 0x07, 0x08, 0x0c, *range(0x10, 0x19), 0x1c, 0x24]
CONSTANTS = (0, 1, 1, 2, 3, 4, 7, 8, 15, 16, 28, 31, 33, 60, 63, -1, -1, -2, -8, -64, 4095, -4096)
DEST, NUMBERS = 16, (17, 18, 19, 20)            # %l0; %l1 to %l4
COMPARISONS = (0x14, 0x14, 0x14, 0x10, 0x11, 0x12, 0x13, 0x18, 0x1c, 0x24)
NOP, END = 0x01000000, [0x81C18000, 0x01000000]


def operation(op3: int, rd: int, rs1: int, constant: int | None = None, rs2: int = 0, op: int = 2) -> int:
    """An instruction of format 3."""
    second = rs2 if constant is None else 0x2000 | constant & (31 if op == 2 and op3 in (0x25, 0x26, 0x27) else 0x1fff)
    return op << 30 | rd << 25 | op3 << 19 | rs1 << 14 | second


def made(one: random.Random) -> list[int]:
    """A handler that calculates, branches and stores at random, all of it from DestAddr and four registers on."""
    words = [operation(0x02, DEST, 0, rs2=7), operation(0x30, 0, 0, 5), operation(0x12, 0, 0, one.choice(CONSTANTS))]
    words += [_begun(number, one) for number in NUMBERS]
    for _ in range(one.randrange(2, 9)):
        way = one.randrange(8)
        if way < 3:
            words.append(_calculated(one))
        elif way < 5:                           # a comparison, and a branch over some instructions
            over = [_calculated(one) for _ in range(one.randrange(3))]
            words += [_compared(one), _branch(one, len(over) + 2), _calculated(one), *over]
        elif way == 5:                          # a loop, as often as a number says
            inside = [_calculated(one) for _ in range(one.randrange(3))]
            counter = one.choice(NUMBERS)
            words += [operation(0x01, counter, counter, one.choice((3, 7))), operation(0x00, counter, counter, 1)]
            words += [*inside, operation(0x14, counter, counter, 1)]
            words += [_branch(one, -1 - len(inside), one.choice((1, 9, 9, 9, 10, 12))), _calculated(one)]
        else:
            words.append(_stored(one))
    return [*words, _stored(one), *END]


def _begun(number: int, one: random.Random) -> int:
    """The first value of a register."""
    way = one.randrange(8)
    if way == 0:
        return operation(0x02, number, 0, one.choice(CONSTANTS))
    if way == 1:
        return operation(0x26, number, 7, one.choice((26, 28, 30)))
    if way == 2:
        return operation(one.choice((1, 2, 9, 10)), number, DEST, one.choice((0, 2, 4)), op=3)
    if way == 3:
        return operation(0x02, number, 0, rs2=7)
    return operation(0x01, number, 7, one.choice((1, 3, 7, 7, 15, 60)))


def _second(one: random.Random) -> dict[str, int]:
    return {"rs2": one.choice(NUMBERS)} if one.randrange(2) else {"constant": one.choice(CONSTANTS)}


def _calculated(one: random.Random) -> int:
    source = one.choice((*NUMBERS * 4, DEST, 0))
    return operation(one.choice(OPERATIONS), one.choice(NUMBERS), source, **_second(one))


def _compared(one: random.Random) -> int:
    rd, rs1 = one.choice((0, 0, *NUMBERS)), one.choice((*NUMBERS, DEST))
    return operation(one.choice(COMPARISONS), rd, rs1, **_second(one))


def _branch(one: random.Random, distance: int, condition: int | None = None) -> int:
    condition = one.randrange(16) if condition is None else condition
    return one.choice((0, 0, 1)) << 29 | condition << 25 | 2 << 22 | distance & 0x3fffff


def _stored(one: random.Random) -> int:
    """A store from DestAddr on, by a number."""
    return operation(one.choice((4, 5, 5, 5, 6, 13)), one.choice(NUMBERS), one.choice((*[DEST] * 12, *NUMBERS)),
                     rs2=one.choice(NUMBERS), op=3)

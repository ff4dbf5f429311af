"""What the verifier knows of a register: numbers between two bounds, or DestAddr and such a number.

A value stands for all words that equal `lo`, `hi` or a number between them modulo 2^32, with DestAddr added if
`dest`. So sums and differences need no care for carries; what needs a word as a number takes unsigned() or signed().
"""

from __future__ import annotations

from typing import NamedTuple

WORDS = 1 << 32
HALF = 1 << 31


class Value(NamedTuple):
    """DestAddr if `dest`, and a number from `lo` to `hi`."""

    dest: bool
    lo: int
    hi: int

    @property
    def number(self) -> int | None:
        """The number, if it is one alone."""
        return self.lo if self.lo == self.hi and not self.dest else None


ANY = Value(False, 0, WORDS - 1)
DEST = Value(True, 0, 0)


def between(lo: int, hi: int, dest: bool = False) -> Value:
    """DestAddr if `dest`, and a number from `lo` to `hi`."""
    return Value(dest, lo, hi) if hi - lo < WORDS - 1 else ANY


def constant(number: int) -> Value:
    """A number."""
    return Value(False, number, number)


def unsigned(value: Value) -> tuple[int, int]:
    """The bounds of the word, taken as a number without a sign."""
    wraps = value.lo >> 32
    if value.dest or value.hi >> 32 != wraps:
        return 0, WORDS - 1
    return value.lo - wraps * WORDS, value.hi - wraps * WORDS


def signed(value: Value) -> tuple[int, int]:
    """The bounds of the word, taken as a number with a sign."""
    wraps = (value.lo + HALF) >> 32
    if value.dest or (value.hi + HALF) >> 32 != wraps:
        return -HALF, HALF - 1
    return value.lo - wraps * WORDS, value.hi - wraps * WORDS


def distance(value: Value) -> tuple[int, int]:
    """The bounds of the distance from DestAddr. The lower one is a word, taken as a number with a sign."""
    wraps = (value.lo + HALF) >> 32
    return value.lo - wraps * WORDS, value.hi - wraps * WORDS


def joined(one: Value, other: Value) -> Value:
    """A value that stands for the words of both."""
    if one == other:
        return one
    if one.dest != other.dest:
        return ANY
    return between(min(one.lo, other.lo), max(one.hi, other.hi), one.dest)


# ---- instructions --------------------------------------------------------------

def add(one: Value, other: Value) -> Value:
    """The sum."""
    if one.dest and other.dest:
        return ANY
    return between(one.lo + other.lo, one.hi + other.hi, one.dest or other.dest)


def subtract(one: Value, other: Value) -> Value:
    """The difference."""
    if other.dest and not one.dest:
        return ANY
    return between(one.lo - other.hi, one.hi - other.lo, one.dest and not other.dest)


def logic(name: str, one: Value, other: Value) -> Value:
    """The result of and, or, xor, andn, orn or xnor."""
    if one.number is not None and other.number is not None:
        return constant(_EXACT[name](one.number, other.number) % WORDS)
    if name in ("or", "xor"):
        if one.number == 0:
            return other
        if other.number == 0:
            return one
    (_, most), (_, mask) = unsigned(one), unsigned(other)
    if name == "and":
        return between(0, min(most, mask))
    if name == "andn":
        return between(0, most)
    if name in ("or", "xor"):
        return between(0, (1 << max(most, mask).bit_length()) - 1)
    return ANY


_EXACT = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "andn": lambda a, b: a & ~b,
          "orn": lambda a, b: a | ~b, "xnor": lambda a, b: ~(a ^ b)}


def shift(name: str, one: Value, count: Value) -> Value:
    """The result of sll, srl or sra. The word's low five bits are the count."""
    if count.number is None:
        return ANY
    by = count.number & 31
    lo, hi = signed(one) if name == "sra" else unsigned(one)
    if name == "sll":
        return between(lo << by, hi << by)
    return between(lo >> by, hi >> by)

"""What the verifier knows of the condition codes, and what a branch tells about registers.

After `subcc left, right` and `orcc` the codes compare two values; after other instructions it knows the sign and
whether the result is 0, or nothing. Where a branch goes one way, that bounds the values, and so the registers that
still have them.
"""

from __future__ import annotations

from typing import NamedTuple

from .values import Value, add, between, constant, signed, subtract, unsigned

N, E, LE, L, LEU, CS, NEG, VS = range(8)        # conditions; with 8 more, the opposite ones
NE, G, GE, GU, CC, POS, VC = range(9, 16)
LEFT, RESULT = "left", "result"


class Codes(NamedTuple):
    """The codes that an instruction has set."""

    result: Value | None = None     # None: nothing is known
    left: Value | None = None       # of a comparison, whose right side is
    right: Value | None = None
    holders: tuple[tuple[int, str], ...] = ()       # registers that have the left side, or the result

    def without(self, registers: frozenset[int]) -> Codes:
        """The same after these registers have been written."""
        kept = tuple(holder for holder in self.holders if holder[0] not in registers)
        return self if kept == self.holders else self._replace(holders=kept)


def compared(left: Value, right: Value, holders: tuple[tuple[int, str], ...]) -> Codes:
    """The codes after a comparison."""
    return Codes(subtract(left, right), left, right, holders)


def joined(one: Codes | None, other: Codes | None) -> Codes | None:
    """What holds for both. None: the codes may be those of another handler."""
    if one is None or other is None:
        return None
    return one if one == other else Codes()


def narrowed(codes: Codes, condition: int) -> Codes | None:
    """What is known where this condition holds. None if it cannot hold."""
    if condition == N:
        return None
    if codes.result is None or condition in (N + 8, VS, VC):
        return codes
    if condition in (E, NE, NEG, POS):
        return _by_result(codes, condition)
    # The rest compares numbers: with one that is known, and not with DestAddr.
    if codes.left is None or codes.left.dest or codes.right is None or codes.right.number is None:
        return codes
    return _by_order(codes, condition, codes.left, codes.right.number)


def _by_result(codes: Codes, condition: int) -> Codes | None:
    if codes.result is None or codes.result.dest:
        return codes
    lo, hi = signed(codes.result)
    if condition == E:
        lo, hi = max(lo, 0), min(hi, 0)
    elif condition == NEG:
        hi = min(hi, -1)
    elif condition == POS:
        lo = max(lo, 0)
    else:
        lo, hi = lo + (lo == 0), hi - (hi == 0)
    if lo > hi:
        return None
    result = between(lo, hi)
    if codes.left is None or codes.right is None or codes.right.lo != codes.right.hi:
        return codes._replace(result=result)
    return codes._replace(result=result, left=add(result, codes.right))


def _by_order(codes: Codes, condition: int, left: Value, number: int) -> Codes | None:
    take = signed if condition in (LE, L, G, GE) else unsigned
    (lo, hi), (bound, _) = take(left), take(constant(number))
    if condition in (LE, LEU):
        hi = min(hi, bound)
    elif condition in (L, CS):
        hi = min(hi, bound - 1)
    elif condition in (G, GU):
        lo = max(lo, bound + 1)
    else:
        lo = max(lo, bound)
    if lo > hi:
        return None
    kept = between(lo, hi)
    return codes._replace(left=kept, result=subtract(kept, constant(number)))

"""Integers and NaNs in texts, as standard C reads them: numbers.c."""

from __future__ import annotations

import re

from guest_programs import built

RANGE, INVALID = 1, 2
BITS = (32, 32, 64, 64, 64, 64)
SIGNED = (True, False) * 3
NANS = """\
nan: 7ff8000000000000 3 3
nan(): 7ff8000000000000 5 5
nan(12x): 7ff8000000000000 8 8
nan(12: 7ff8000000000000 3 3
nan(1 2): 7ff8000000000000 3 3
nan(_Z9): 7ff8000000000000 8 8
NaN(1234567890abcdef1): 7ff567890abcdef1 22 22
-nan(7): fff0000000000007 7 7
nan(0): 7ff0000000000001 6 6
nan(x-y): 7ff8000000000000 3 3
nan): 7ff8000000000000 3 3
nan(1)2: 7ff0000000000001 6 6
na: 0000000000000000 0 0
"""


def meaning(text: str, base: int, bits: int, signed: bool) -> tuple[int, int, int]:
    """The number, how many characters it has with what is before it, and the error (7.20.1.4)."""
    if base < 0 or base == 1 or base > 36:
        return 0, -1, INVALID
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    forms = [f"0x(?P<hex>[{digits[:16]}]+)"] * (base in (0, 16)) + (
        ["(?P<dec>[1-9][0-9]*)", "(?P<oct>0[0-7]*)"] if base == 0 else [f"(?P<any>[{digits[:base]}]+)"])
    found = re.match(rf"[ \t]*(?P<sign>[-+]?)(?:{'|'.join(forms)})", text, re.IGNORECASE)
    if not found:
        return 0, 0, 0
    bases = {"hex": 16, "oct": 8, "dec": 10, "any": base}
    [(form, number)] = [(name, part) for name, part in found.groupdict().items() if part and name != "sign"]
    value, minus = int(number, bases[form]), found["sign"] == "-"
    if value > (2**(bits - 1) - (not minus) if signed else 2**bits - 1):
        return (2**bits - 1 if not signed else -2**(bits - 1) if minus else 2**(bits - 1) - 1), found.end(), RANGE
    value = -value if minus else value
    return value if signed else value % 2**bits, found.end(), 0


def test_numbers_are_those_of_standard_c(machine):
    result = machine(built("clib/numbers"), nodes=1, timeout="4G").check(0)
    lines = re.findall(r'^"([^"\n]*)" (-?\d+): (.*)$', result.stdout, re.MULTILINE)
    assert len(lines) > 1500, result.report()
    for text, base, answers in lines:
        wanted = [word for bits, signed in zip(BITS, SIGNED, strict=True)
                  for word in meaning(text, int(base), bits, signed)]
        assert list(map(int, answers.split())) == wanted, (text, base)
    assert NANS in result.stdout, result.stdout[-1000:]

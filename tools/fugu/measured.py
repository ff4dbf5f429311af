"""What udm_measure_print() of a program has printed (guest-os/include/lib/udm-measure.h).

    measured NAME: KEY VALUE

A section begins with the key `job`. Lines that a program prints by itself need
no such line: there, a key that the section has already begins the next one.
docs/udm.md lists the keys. The value is a number as C prints it, also with a
minus or an exponent, or `none` where there was nothing to divide by. Other
output may stand between the lines, and `--label` in front of them.
"""

from __future__ import annotations

import re

_LINE = re.compile(r"^(?:.*[ \t])?measured ([^\s:]+): (\w+) (none|-?\d+(?:\.\d+)?(?:e[-+]\d+)?)$", re.MULTILINE)


def sections(output: str) -> dict[str, list[dict[str, int | float | None]]]:
    """All sections of a run's output: by name, in the order of their ends."""
    found: dict[str, list[dict[str, int | float | None]]] = {}
    for name, key, text in _LINE.findall(output):
        runs = found.setdefault(name, [{}])
        if key in runs[-1] or (key == "job" and runs[-1]):
            runs.append({})
        runs[-1][key] = _value(text)
    return found


def _value(text: str) -> int | float | None:
    if text == "none":
        return None
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)

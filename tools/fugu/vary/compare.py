"""What two runs have printed, and how it differs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ..abi import STATUS
from .attempts import Ran

SHOWN = 10          # lines of a difference


@dataclass(frozen=True)
class Rules:
    """Which differences count."""

    ordered: bool = False               # the order of lines counts
    numbers: bool = True                # numbers count
    ignored: Sequence[re.Pattern[str]] = ()     # lines that one of these matches do not count

    def lines(self, ran: Ran) -> list[str]:
        """What counts of the output of a run."""
        found = [line for line in ran.output.splitlines() if not any(one.search(line) for one in self.ignored)]
        if not self.numbers:
            found = [" ".join(re.sub(r"\d+(?:[.,]\d+)*", "N", line).split()) for line in found]
        return found if self.ordered else sorted(found)

    def same(self, one: Ran, other: Ran) -> bool:
        """Whether two runs do not differ."""
        return one.status == other.status and self.lines(one) == self.lines(other)

    def difference(self, plain: Ran, other: Ran) -> list[str]:
        """Lines that show how a run differs from the plain one."""
        found = [] if plain.status == other.status else [f"the status is {_status(other)}, and was {_status(plain)}"]
        one, two = self.lines(plain), self.lines(other)
        if self.ordered:
            pairs = [(a, b) for a, b in zip_longest(one, two) if a != b]
            gone, new = [a for a, _ in pairs if a is not None], [b for _, b in pairs if b is not None]
        else:
            gone, new = list((Counter(one) - Counter(two)).elements()), list((Counter(two) - Counter(one)).elements())
        for mark, lines in (("-", gone), ("+", new)):
            found += [f"{mark} {line}" for line in lines[:SHOWN]]
            found += [f"{mark} ... and {len(lines) - SHOWN} more"] * (len(lines) > SHOWN)
        return found


def _status(ran: Ran) -> str:
    names = {value: name.lower() for name, value in STATUS.group("").items()}
    return f"{ran.status} ({names[ran.status]})" if ran.status in names else str(ran.status)

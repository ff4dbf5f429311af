"""Trace events: our own, which hw/trace-events lists, and what --trace and --trace-file may name.

Imported only when one of these options is given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ..errors import UsageError
from ..paths import ROOT
from ..suggest import nearest_first
from .parse import Run

EVENTS = ROOT / "hw" / "trace-events"
OURS = "fugu_"          # how the names of our events begin
NEAR = 3                # names that a message suggests


@dataclass(frozen=True)
class Event:
    """A trace event: the file below hw/ that it is traced in, its name, the text of its lines."""

    file: str
    name: str
    text: str


def events() -> list[Event]:
    """Our events, in the order of hw/trace-events."""
    found, file = [], ""
    for line in EVENTS.read_text().splitlines():
        if line.startswith("#"):
            file = line.strip("# ")
        elif entry := re.fullmatch(r"(\w+)\((.*?)\) (.*)", line):
            found.append(Event(file, entry[1], _text(entry[3], entry[2])))
    return found


def _text(form: str, parameters: str) -> str:
    """The format of an event's line, with the names of its parameters in place of %u and the like."""
    names = (parameter.split()[-1].lstrip("*").upper() for parameter in parameters.split(","))
    # Macros such as PRId64 stand between the strings; each stands for a letter.
    joined = "".join(text if quoted else "d" for quoted, text in re.findall(r'(")([^"]*)"|\w+', form))
    return re.sub(r"%[0-9]*[a-z]", lambda _: next(names), joined)


def matching(pattern: str, names: list[str]) -> list[str]:
    """The names that a pattern of --trace means. `*` and `?` are as in QEMU; a `-` before it switches events off."""
    plain = pattern.removeprefix("-").replace("[", "[[]")
    return [name for name in names if fnmatchcase(name, plain)]


def check(run: Run) -> None:
    """Checks those patterns of --trace that are for our events. UsageError."""
    for pattern in _foreign(run):
        if pattern in ("help", "?") or pattern.removeprefix("-").startswith(OURS):
            raise _unknown(pattern, [event.name for event in events()])


def check_others(qemu: str, run: Run) -> None:
    """Checks the other patterns, which may be for events of QEMU's own: it lists them. UsageError."""
    from ..host.execute import output

    foreign = _foreign(run)
    names = (output([qemu, "-trace", "help"]) or "").split() if foreign else []
    for pattern in foreign:
        # Without a list, QEMU does not start, and says why when the run starts.
        if names and not matching(pattern, names):
            raise _unknown(pattern, names)


def _foreign(run: Run) -> list[str]:
    """The patterns that match none of our events."""
    names = [event.name for event in events()]
    return [pattern for pattern in run.options.get("trace", []) if not matching(pattern, names)]


def _unknown(pattern: str, names: list[str]) -> UsageError:
    near = nearest_first(pattern.strip("-*?"), names)[:NEAR]
    what = "no trace event matches" if {"*", "?"} & set(pattern) else "there is no trace event"
    return UsageError(f"--trace {pattern}: {what} {pattern}. The nearest: {', '.join(near)}.\n"
                      "./run.sh trace lists the events of the machine; 'fugu_*' means all of them.")

"""`./run.sh trace`: lists the machine's trace events."""

from __future__ import annotations

from ..errors import UsageError
from ..run import trace


def main(words: list[str]) -> int:
    """Lists all events, or those that match the patterns, by the file that traces them."""
    words = [word for word in words if word != "--list"]
    events = trace.events()
    names = [event.name for event in events]
    for word in words:
        if not trace.matching(word, names):
            raise UsageError(f"no trace event of the machine matches {word}.\n"
                             f"There are: {', '.join(names)}.")
    wanted = {name for word in words or ["*"] for name in trace.matching(word, names)}
    width, file = max(map(len, names)), ""
    for event in events:
        if event.name not in wanted:
            continue
        if event.file != file:
            print(("\n" if file else "") + f"hw/{event.file}:")
            file = event.file
        print(f"  {event.name:<{width}}  {event.text}")
    return 0

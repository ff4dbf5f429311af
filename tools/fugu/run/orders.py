"""`--check order`: runs a program with the order of writes and without it (docs/shm.md), and compares what comes out.

The first run is as the user asked for, with the order kept. Its output and its files are the result. Of the second run,
without the order, only what differs is shown.
"""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path

from ..errors import UsageError
from ..host import scratch
from ..paths import ROOT
from ..options.table import BY_KEY, OBSERVE, OPTIONS, PROCESSES
from .parse import Run
from .ready import ready

OPTION, VALUE, ORDER, OUTPUT = "--check", "order", "--shm-order", "--output"
DIFFERENT = 1                       # exit status
LINES_MOST = 20


def compare(run: Run, words: list[str]) -> int:
    """Makes both runs of the command line `words`. Returns the first one's status, or DIFFERENT. UsageError."""
    _check(run)
    ready(run)      # two runs of a program that is refused would be called the same
    words = _without_check(words)
    given = None if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
    with scratch.folder() as place:
        kept, dropped = (_Outcome("keep", Path(run.options.get("output") or Path(place, "keep"))),
                         _Outcome("drop", Path(place, "drop")))
        for outcome in (kept, dropped):
            outcome.make(words, given)
        sys.stdout.buffer.write(kept.output)
        sys.stdout.flush()
        found = kept.differences(dropped)
    for line in found:
        print(f"fugu: {line}", file=sys.stderr)
    if found:
        print("fugu: --check order: without the order of writes, this program does otherwise. If more than times differ, "
              "it needs --shm-order keep", file=sys.stderr)
        return kept.status or DIFFERENT
    print(f"fugu: --check order: output and {len(kept.files())} files are the same without the order of writes",
          file=sys.stderr)
    return kept.status


def _check(run: Run) -> None:
    """Checks that both runs are possible. Raises UsageError."""
    kind = run.value("ni")
    if kind not in BY_KEY[ORDER.lstrip("-")].kinds:
        raise UsageError(f"{OPTION} {VALUE} is about shared memory, which --ni {kind} does not have: leave one of them out.")
    for option in OPTIONS:
        if option.key in run.options and (option.group in (OBSERVE, PROCESSES) and option.key != "processes"
                                          or option.key in ("shm-order", "save", "load", "trace", "trace-file", "dry-run")):
            raise UsageError(f"{option.names[-1]} goes with one run, and {OPTION} {VALUE} makes two.")


def _without_check(words: list[str]) -> list[str]:
    """The command line without this option, and without --output."""
    left = list(words)
    for option in (OPTION, OUTPUT):
        at = next((k for k, word in enumerate(left) if word == option or word.startswith(f"{option}=")), None)
        if at is not None:
            del left[at:at + (1 if "=" in left[at] else 2)]
    return left


class _Outcome:
    """What has come of one run."""

    def __init__(self, order: str, folder: Path) -> None:
        self.order, self.folder = order, folder
        self.status, self.output = 0, b""

    def make(self, words: list[str], given: bytes | None) -> None:
        line = [str(ROOT / "run.sh"), ORDER, self.order, OUTPUT, str(self.folder), *words]
        done = subprocess.run(line, stdout=subprocess.PIPE, check=False,
                              **({"stdin": subprocess.DEVNULL} if given is None else {"input": given}))
        self.status, self.output = done.returncode, done.stdout

    def files(self) -> dict[str, bytes]:
        """The files that the run has written, by their paths in its folder."""
        return {str(file.relative_to(self.folder)): file.read_bytes()
                for file in sorted(self.folder.rglob("*")) if file.is_file()}

    def differences(self, other: _Outcome) -> list[str]:
        """Lines that say what differs from another run, at most some of them for each file."""
        found = []
        if self.status != other.status:
            found.append(f"the exit status is {self.status}; without the order {other.status}")
        here, there = ({"": outcome.output} | outcome.files() for outcome in (self, other))
        for name in sorted(here.keys() | there.keys()):
            title = name or "the output"
            if name not in here or name not in there:
                found.append(f"{title} is there {'with' if name in here else 'without'} the order only")
            elif here[name] != there[name]:
                found += [f"{title} differs:", *_lines(here[name], there[name])]
        return found


def _lines(kept: bytes, dropped: bytes) -> list[str]:
    texts = [text.decode(errors="backslashreplace").splitlines() for text in (kept, dropped)]
    changed = [line for line in difflib.unified_diff(*texts, n=0, lineterm="") if not line.startswith(("---", "+++", "@@"))]
    more = [f"... and {len(changed) - LINES_MOST} more"] if len(changed) > LINES_MOST else []
    return [f"  {line}" for line in changed[:LINES_MOST] + more]

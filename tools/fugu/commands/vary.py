"""`./run.sh vary`: whether what a program prints depends on when things happen.

A plain run says what is right. Then the program runs at many timings (vary/timings.py), and the first that differs is
reduced to the options that it needs.
"""

from __future__ import annotations

import json
import re
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ..abi import STATUS
from ..errors import STATUS_SETUP, STATUS_USAGE, SetupError, UsageError
from ..host import progress, scratch
from ..options import types
from ..options.read import read
from ..options.table import BY_NAME, Option
from ..run.parse import Run, parse
from ..run.ready import ready
from ..vary import timings
from ..vary.attempts import Attempt, Ran, image_of, only, results
from ..vary.compare import Rules
from ..vary.shrink import fewest

RUNS, RUNS_MOST = 50, 100_000
SECONDS = 600.0             # of the host, that a run may take
SLOWER = 20                 # times the plain run's cycles, and EXTRA, that a run gets
EXTRA = 100_000_000
SHOWN = 10                  # numbers of timings that differ
DIFFERS = 1                 # status
JOBS_MOST = 60              # with which there is room for another on all kinds of machines
# Options of a plain run that say where something goes, or split it: many runs at once would be in each other's way. A
# digest differs at each timing, and so do labels with the time.
REFUSED = ("save", "load", "output", "stats", "stats-json", "picture", "timeline", "trace", "trace-file", "hosts", "join", "process",
           "listen", "meet", "dry-run", "check", "digest", "label")

OPTIONS = (
    Option("Varying", ("--runs",), "N", f"how many timings (default {RUNS})", types.integer(1, RUNS_MOST, "runs"), RUNS),
    Option("Varying", ("--first",), "K", "the number of the first timing (default 1)", types.integer(1, 1 << 30), 1),
    Option("Varying", ("--ordered",), "", "the order of the lines counts, too"),
    Option("Varying", ("--no-numbers",), "", "numbers in the output do not count"),
    Option("Varying", ("--ignore",), "REGEX", "lines that this matches do not count (repeatable)", types.word, repeat=True),
)
OWN = {name for option in OPTIONS for name in option.names}
NAMES = BY_NAME | {name: option for option in OPTIONS for name in option.names}
BOUND_TO_EACH_OTHER = {"quantum", "mesh-base", "second-base"}
Parts = list[tuple[str, ...]]


def main(words: list[str]) -> int:
    """Returns 0 if all runs print the same, 1 if one differs. UsageError, SetupError."""
    run = parse(words, OPTIONS)
    for key in REFUSED:
        if key in run.options:
            raise UsageError(f"vary and --{key} contradict each other: leave one of them out.")
    rules = _rules(run)
    first = run.options.get("first", 1)
    numbers = range(first, first + run.options.get("runs", RUNS))
    ready(run)                      # once, and not by many runs at the same time
    program = Program(run, words)
    with _step("running as it is"):
        plain = program.plain()
    print(f"The plain run ends with status {plain.status} after {program.cycles:,} cycles.", flush=True)
    parts = {number: program.parts(number) for number in numbers}
    wrong = _wrong(program, parts, plain, rules)
    if not wrong:
        print(_all_same(numbers))
        return 0
    least = fewest(parts[wrong[0]], lambda some: not rules.same(plain, program.run(some)))
    shown = wrong[:SHOWN] + ["..."] * (len(wrong) > SHOWN)
    ran = program.run(least)
    bound = program.bound() if ran.status == STATUS["TIMEOUT"] else []
    command = shlex.join([*bound, *program.command(least)])
    print(f"{len(wrong)} of {len(numbers)} timings differ: {', '.join(map(str, shown))}. Timing {wrong[0]} needs only\n"
          f"  ./run.sh {command}")
    print("\n".join(f"    {line}" for line in rules.difference(plain, ran)))
    if replace(rules, numbers=False).same(plain, ran):
        print("They differ in numbers alone. If these are times, --no-numbers leaves them out.")
    if program.is_split():
        print("GDB shows how it comes to that on a machine of one process: leave --processes out.")
    else:
        print(f"GDB shows how it comes to that, and goes back from there:\n  ./run.sh debug {command}")
    return DIFFERS


@contextmanager
def _step(name: str) -> Iterator[progress.Step]:
    """Shows that this goes on."""
    display = progress.display()
    try:
        with display.step(name) as step:
            yield step
    finally:
        display.close()


def _rules(run: Run) -> Rules:
    try:
        ignored = [re.compile(text) for text in run.options.get("ignore", [])]
    except re.error as error:
        raise UsageError(f"--ignore {error.pattern!r}: {error.msg}.") from None
    return Rules("ordered" in run.options, "no-numbers" not in run.options, ignored)


def _all_same(numbers: Sequence[int]) -> str:
    if len(numbers) > 1:
        return f"All {len(numbers)} timings print the same, and end with the same status."
    return f"Timing {numbers[0]} prints the same, and ends with the same status."


def _wrong(program: Program, parts: dict[int, Parts], plain: Ran, rules: Rules) -> list[int]:
    """The timings, in their order, at which the program differs from the plain run."""
    wrong = []
    names = list(parts)
    with _step(f"running at {len(parts)} timings") as step:
        for done, (at, ran) in enumerate(results([program.attempt(parts[name]) for name in names], SECONDS), 1):
            check(ran)
            if not rules.same(plain, ran):
                wrong.append(names[at])
            step.update(done, len(parts), f"{len(wrong)} differ")
    return sorted(wrong)


class Program:
    """What is run: the user's options, and the program with its arguments."""

    def __init__(self, run: Run, words: Sequence[str]) -> None:
        self.jobs, self.netif = len(run.jobs), run.value("ni")
        self.given = set(run.options)
        self.options = list(_without(words[:len(words) - len(read(words, NAMES)[1])]))
        self.words = [run.program, *run.args]
        self.disks = [(node, image_of(file)) for node, file in run.options.get("disk", [])]
        self.cycles = 0             # of the plain run

    def plain(self) -> Ran:
        """The plain run, which says how many cycles it takes."""
        with scratch.folder() as folder:
            file = Path(folder, "figures")
            ran = only(Attempt([*self._usual(), "--stats-json", str(file), *self.options, *self._program([])], self.disks), SECONDS)
            check(ran)
            self.cycles = json.loads(file.read_text())["end"] if file.exists() else 0
        return ran

    def parts(self, number: int) -> Parts:
        """The parts of a timing that the user has not decided, and that this machine has."""
        return [part for part in timings.changes(number, self.jobs > 0, self.jobs)
                if (self._has_room() if part == timings.BESIDE else all(self._is_free(word) for word in part))]

    def _has_room(self) -> bool:
        """Whether another job can wait for the others: two would wait for each other."""
        return self.jobs < JOBS_MOST and timings.BESIDE[-1] not in self.words

    def _is_free(self, word: str) -> bool:
        option = BY_NAME[word.partition("=")[0]]
        if self.given & BOUND_TO_EACH_OTHER and option.key in BOUND_TO_EACH_OTHER:
            return False
        if "cache" in self.given and option.key.startswith("cache"):
            return False
        return option.key not in self.given and (not option.kinds or self.netif in option.kinds)

    def attempt(self, parts: Parts) -> Attempt:
        """The run with some parts of a timing."""
        return Attempt([*self._usual(), *self.bound(), *_options(parts), *self.options, *self._program(parts)], self.disks)

    def bound(self) -> list[str]:
        """The option that bounds a run's cycles, if the user has given none."""
        return [] if "timeout" in self.given else [f"--timeout={SLOWER * self.cycles + EXTRA}"]

    def is_split(self) -> bool:
        """Whether the user's machine has several processes."""
        return any(word.startswith("--processes") for word in self.options)

    def run(self, parts: Parts) -> Ran:
        """How it ends with some parts of a timing."""
        ran = only(self.attempt(parts), SECONDS)
        check(ran)
        return ran

    def command(self, parts: Parts) -> list[str]:
        """The words of a user's command for some parts of a timing."""
        disks = [word for node, file in self.disks for word in ("--disk", f"{node}={file}")]
        return [*_options(parts), *self.options, *disks, *self._program(parts)]

    def _program(self, parts: Parts) -> list[str]:
        words = [*self.words, *(timings.BESIDE if timings.BESIDE in parts else ())]
        return ["--", *words] if words[0].startswith("-") else words

    def _usual(self) -> list[str]:
        """As many runs as there are cores: each has one process."""
        return [] if self.is_split() else ["--processes=1"]


def _options(parts: Parts) -> list[str]:
    return [word for part in parts if part != timings.BESIDE for word in part]


def _without(words: Sequence[str]) -> Iterator[str]:
    """The words of options, without those of vary, and without disks, of which each run gets a copy."""
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            return
        name, given, _ = word.partition("=")
        option = NAMES.get(name)
        value = [left.pop(0)] if option and option.parse and not given and left else []
        if not option or (name not in OWN and option.key != "disk"):
            yield from (word, *value)


def check(ran: Ran) -> None:
    """SetupError if the launcher has refused a run, or if its output has not found room."""
    if ran.status == STATUS["FILE"]:
        raise SetupError(f"a run's output cannot be written in {tempfile.gettempdir()}: make room, or set TMPDIR to another folder.")
    if ran.status in (STATUS_USAGE, STATUS_SETUP) and not ran.output and ran.errors.startswith("fugu: "):
        raise SetupError(ran.errors.removeprefix("fugu: ").rstrip())

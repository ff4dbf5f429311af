"""`./run.sh test --mutants [N] [--area AREA] [--seed S] [--seconds S] [--nops]`."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..affected import changes
from ..build import relink
from ..build.copies import Copy, lab
from ..cover import areas, gather
from ..cover.guest import Lines
from ..cover.store import Store
from ..errors import FuguError, UsageError
from ..host import children, python_tools
from ..paths import ROOT
from . import choose, draw, score, verdicts
from .trial import NOT_BUILT, NOTICED, SURVIVED, UNREACHED, Bench, Outcome

WORKERS = 2
USUAL = 30              # mistakes
MOST = 100_000
SECONDS = 60.0          # of processor time of the tests for each mistake, as it was noted
HELP = f"use: ./run.sh test --mutants [N] [--area {'|'.join(areas.AREAS)}] [--seed S] [--seconds S] [--nops]"


@dataclass
class Asked:
    """What the words ask for."""

    count: int = USUAL
    area: str | None = None
    seed: int = 1
    seconds: float = SECONDS
    nops: bool = False


def parse(words: list[str]) -> Asked:
    """UsageError for words that mean nothing."""
    asked, left = Asked(), list(words)
    if left and left[0].isdecimal():
        asked.count = _number(left.pop(0), "the number of mistakes", MOST)
    while left:
        word, equals, value = left.pop(0).partition("=")
        if word == "--nops" and not equals:
            asked.nops = True
            continue
        if word not in ("--area", "--seed", "--seconds"):
            raise UsageError(f"--mutants: {word!r} is no option of it, and no number of mistakes in its place.\n{HELP}")
        if not equals:
            if not left:
                raise UsageError(f"{word} takes a value.\n{HELP}")
            value = left.pop(0)
        if word == "--area":
            if value not in areas.AREAS:
                raise UsageError(f"--area {value}: there are {', '.join(areas.AREAS)}.")
            asked.area = value
        elif word == "--seed":
            asked.seed = _number(value, "--seed", 2 ** 64, 0)
        else:
            asked.seconds = float(_number(value, "--seconds", 3600))
    return asked


def _number(text: str, what: str, most: int, least: int = 1) -> int:
    if not text.isdecimal() or not least <= int(text) <= most:
        raise UsageError(f"{what} is a number from {least} to {most:,}, and not {text!r}.")
    return int(text)


def mutants(words: list[str]) -> int:
    """Tries mistakes. Returns 0 if each was noticed or is known to have no effect, else 1. FuguError."""
    asked = parse(words)
    known = verdicts.read(ROOT)
    notes = gather.folder()
    code = gather.known_lines(notes)
    for requirements, what in ((python_tools.COVERAGE, "what reads covered lines"), (python_tools.MUTATOR, "universalmutator")):
        python_tools.on_demand(requirements, what)
    for line in verdicts.stale(ROOT, known):
        print(f"fugu: {line}", file=sys.stderr)
    names = [asked.area] if asked.area else list(areas.AREAS)
    base = relink.Base(lab() / "qemu") if "hw" in names and not asked.nops else None
    if base:
        base.ensure()
    drawn = _draws(asked, names, code)
    outcomes = _Trials(asked, drawn, known, base, Store(notes)).run()
    lines = score.survivors(outcomes, known)
    if lines and not asked.nops:
        file = lab() / "survivors.toml"
        file.write_text("\n\n".join(lines) + "\n")
        print(f"\nentries for {verdicts.FILE}, for those that have no effect: {file}")
    print()
    print(score.nops(outcomes) if asked.nops else "\n".join(score.table(outcomes, known)))
    wrong = {NOTICED} if asked.nops else {SURVIVED, UNREACHED}
    return int(any(one.result in wrong and one.mutant.identity not in known for one in outcomes))


def _draws(asked: Asked, names: list[str], code: Lines) -> Iterator[draw.Mutant]:
    """The areas take turns."""
    rules = draw.NOP if asked.nops else None
    turns = [draw.draws(ROOT, name, code, Copy("covered").tree, asked.seed, rules) for name in names]
    while turns:
        for one in list(turns):
            drawn = next(one, None)
            if drawn is None:
                turns.remove(one)
            else:
                yield drawn


class _Trials:
    """All mistakes of a call, which the workers take from one list."""

    def __init__(self, asked: Asked, drawn: Iterator[draw.Mutant], known: dict[tuple[str, str, str, str], str],
                 base: relink.Base | None, store: Store) -> None:
        self.asked, self.drawn, self.known, self.base, self.store = asked, drawn, known, base, store
        self.taken, self.lock = 0, threading.Lock()
        self.done: queue.Queue[Outcome | BaseException | None] = queue.Queue()
        self.children: set[subprocess.Popen[bytes]] = set()
        self.stopping = False

    def run(self) -> list[Outcome]:
        workers = [threading.Thread(target=self._work, args=(f"worker{number}",)) for number in range(WORKERS)]
        outcomes, running = [], len(workers)
        begun = time.monotonic()
        try:
            with children.interrupts():
                for worker in workers:
                    worker.start()
                while running:
                    found = self.done.get()
                    if isinstance(found, BaseException):
                        raise found
                    if found is None:
                        running -= 1
                        continue
                    outcomes.append(found)
                    print(score.told(found, self.asked.seed), flush=True)
        finally:
            self.stopping = True
            for child in list(self.children):
                children.end_group(child)
            for worker in workers:
                worker.join()
        minutes = (time.monotonic() - begun) / 60
        print(f"\nseed {self.asked.seed} of {changes.described(ROOT)}: {len(outcomes)} mistakes in {minutes:.0f} min")
        return outcomes

    def _next(self) -> tuple[draw.Mutant, list[str], float] | None:
        with self.lock:
            if self.stopping or self.taken >= self.asked.count:
                return None
            mutant = next(self.drawn, None)
            if mutant is None:
                return None
            self.taken += 1
            if mutant.identity in self.known:
                return mutant, [], 0.0
            return mutant, *choose.choose(self.store, mutant, ROOT, Copy("covered").tree, self.asked.seconds,
                                          Copy("worker0").build)

    def _work(self, name: str) -> None:
        try:
            bench = Bench(name, self.base, ROOT)
            bench.started = self.children.add
            bench.prepare()
            while (one := self._next()) and not self.stopping:
                outcome = bench.attempt(*one)
                if outcome.result == NOT_BUILT:
                    with self.lock:
                        self.taken -= 1
                self.done.put(outcome)
            self.done.put(None)
        except FuguError as error:
            self.done.put(error)
        except BaseException as error:      # noqa: BLE001: raised by run()
            self.done.put(error)

"""What `./run.sh test --mutants` prints: each mistake that no test notices, and the score of each area."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from . import verdicts
from .draw import NOP, Mutant
from .trial import FAILS_ANYWAY, NOT_BUILT, NOTICED, SURVIVED, UNREACHED, Outcome

NO_EFFECT = "no effect"
COLUMNS = ("tried", NOTICED, SURVIVED, UNREACHED, NO_EFFECT, FAILS_ANYWAY)


def diff(mutant: Mutant) -> str:
    """The mistake as a difference."""
    return f"    - {mutant.was.strip()}\n    + {mutant.now.strip()}"


def told(outcome: Outcome, seed: int) -> str:
    """What is printed of one mistake."""
    one = outcome.mutant
    head = f"{one.file}:{one.line}: {one.kind}"
    if one.kind == NOP:
        return f"FAILS        {head}  ({outcome.test})\n{diff(one)}" if outcome.result == NOTICED else \
            f"{'not built' if outcome.result == NOT_BUILT else 'the same':<12} {head}  ({outcome.tests} tests pass)"
    if outcome.result == NOTICED:
        return f"noticed      {head}  ({outcome.test})"
    if outcome.result == FAILS_ANYWAY:
        return f"not known    {head}  ({outcome.test} fails without the mistake too)"
    if outcome.result == NOT_BUILT:
        return f"not built    {head}"
    why = "no test reaches it" if outcome.result == UNREACHED else f"{outcome.tests} tests pass"
    return f"NOT NOTICED  {head}  ({why})\n{diff(one)}"


def table(outcomes: Iterable[Outcome], known: dict[tuple[str, str, str, str], str]) -> list[str]:
    """The score of each area: how many were noticed, of the mistakes that change anything and whose tests tell."""
    counts: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        if outcome.result != NOT_BUILT:
            result = NO_EFFECT if outcome.mutant.identity in known else outcome.result
            counts.setdefault(outcome.mutant.area, Counter()).update(("tried", result))
    lines = [" ".join([f"{'area':<10}", *(f"{name:>12}" for name in COLUMNS), f"{'score':>7}"])]
    for area, found in counts.items():
        that_matter = found["tried"] - found[NO_EFFECT] - found[FAILS_ANYWAY]
        score = f"{100 * found[NOTICED] / that_matter:.0f} %" if that_matter else "-"
        lines.append(" ".join([f"{area:<10}", *(f"{found[name]:>12}" for name in COLUMNS), f"{score:>7}"]))
    return lines


def nops(outcomes: Iterable[Outcome]) -> str:
    """How many nops make a test fail."""
    results = [outcome.result for outcome in outcomes]
    return f"{len(results)} nops: a test fails with {results.count(NOTICED)}, no test reaches the file of " \
        f"{results.count(UNREACHED)}"


def survivors(outcomes: Iterable[Outcome], known: dict[tuple[str, str, str, str], str]) -> list[str]:
    """An entry for tests/mutants.toml for each mistake that was not noticed, to be used if it has no effect."""
    return [f"# {one.mutant.file}:{one.mutant.line}\n{verdicts.entry(one.mutant)}" for one in outcomes
            if one.result in (SURVIVED, UNREACHED) and one.mutant.identity not in known]

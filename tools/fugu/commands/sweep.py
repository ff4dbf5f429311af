"""`./run.sh sweep FILE`: carries out all runs that a table asks for, and makes one table of their results."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..host import capacity, execute
from ..options import types
from ..options.read import read
from ..options.table import Option
from ..sweep import plan, results, table, workflow

LIMIT = 3600.0              # seconds
DAY = 24 * 3600.0
FAILED = 1                  # the exit status if a run has failed
SHOWN = 10                  # failed runs in the output

_OPTIONS = (
    Option("", ("--output",), "DIR", "", types.word),
    Option("", ("--cores",), "N", "", types.integer(1, 4096, "cores")),
    Option("", ("--limit",), "SECONDS", "", types.seconds(1, 30 * DAY), LIMIT),
    Option("", ("--profile",), "NAME", "", types.word),
    Option("", ("--snakemake-arg",), "ARG", "", types.word, repeat=True),
    Option("", ("--fresh",), "", ""),
    Option("", ("--dry-run",), "", ""),
)


def main(words: list[str]) -> int:
    """Returns 0 if all runs ended with 0, otherwise 1."""
    options, file = _parse(words)
    if "profile" in options and "cores" in options:
        raise UsageError("--cores is for this host, and --profile says what to use in its place: leave one of them out.")
    profile = workflow.profile(options["profile"]) if "profile" in options else None
    wanted = table.load(file)
    if options.get("dry-run"):
        plan.check(wanted)
        for run in wanted.runs:
            print(shlex.join(["./run.sh", *run.words]))
        return 0
    folder = Path(options.get("output") or f"{Path(file).stem}-results").absolute()
    how = workflow.How(options.get("cores", capacity.jobs()), profile, options.get("snakemake-arg", ()))
    return _sweep(wanted, folder, options.get("limit", LIMIT), how, bool(options.get("fresh")))


def _parse(words: list[str]) -> tuple[dict[str, Any], str]:
    """The options, which may stand before and after FILE, and FILE. UsageError."""
    names = {name: option for option in _OPTIONS for name in option.names}
    options, files = read(words, names)
    if files:
        more, rest = read(files[1:], names)
        for key in options.keys() & more.keys():
            if key != "snakemake-arg" and options[key] != more[key]:
                raise UsageError(f"--{key} is given twice, with different values.")
        both = [*options.get("snakemake-arg", ()), *more.get("snakemake-arg", ())]
        options |= more | ({"snakemake-arg": both} if both else {})
        files = [files[0], *rest]
    if len(files) != 1:
        raise UsageError("sweep takes one table of runs: ./run.sh sweep FILE" +
                         (f"\nIt was given {len(files)}: {', '.join(files)}." if files else ""))
    return options, files[0]


def _sweep(wanted: table.Table, folder: Path, limit: float, how: workflow.How, fresh: bool) -> int:
    execute.terminate_like_interrupt()
    with plan.opened(folder):
        made = plan.make(wanted, folder, limit)
        file = folder / plan.RESULTS
        try:
            workflow.carry_out(made, results.missing(made, fresh), how)
        finally:
            failed = results.write(made, file)
    print(file)
    for line in failed[:SHOWN]:
        print(f"fugu: failed: {line}", file=sys.stderr)
    if len(failed) > SHOWN:
        print(f"fugu: and {len(failed) - SHOWN} more, in the table", file=sys.stderr)
    print(f"fugu: {len(wanted.runs)} runs, {len(failed)} failed", file=sys.stderr)
    return FAILED if failed else 0

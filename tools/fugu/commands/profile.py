"""`./run.sh profile`: where the virtual time of a run goes, by function and node."""

from __future__ import annotations

from ..errors import UsageError
from ..observe import request
from ..observe.session import observed
from ..options import types
from ..options.table import Option
from ..run import terminals
from ..run.parse import parse
from ..run.ready import ready

OPTIONS = (
    Option("Profiling", ("--stacks",), "FILE", "write the callers too, as folded stacks for flame graphs", types.word),
)


def main(words: list[str]) -> int:
    """Runs the program, then prints the table. Returns the machine's status."""
    run = parse(words, OPTIONS)
    if run.options.get("dry-run"):
        raise UsageError("profile and --dry-run contradict each other: leave one of them out.")
    request.check_split(run, "profile")
    wanted = request.of(run)
    wanted.profile, wanted.stacks = True, run.options.get("stacks", "")
    terminals.note(run)
    terminals.show_progress(run)
    return observed(wanted, run, *ready(run))

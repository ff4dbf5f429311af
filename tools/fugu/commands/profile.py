"""`./run.sh profile`: where the virtual time of a run goes, by function and node."""

from __future__ import annotations

from ..errors import UsageError
from ..observe import request
from ..observe.flame import SPEEDSCOPE
from ..observe.session import observed
from ..options import types
from ..options.table import Option
from ..run import terminals
from ..run.parse import parse
from ..run.ready import ready

FLAME = "profile --flame"
OPTIONS = (
    Option("Profiling", ("--stacks",), "FILE", "write the callers too, as folded stacks for flame graphs", types.word),
    Option("Profiling", ("--flame",), "FILE.html", "write the callers as a page with a flame graph", types.word),
)


def main(words: list[str]) -> int:
    """Runs the program, then prints the table. Returns the machine's status."""
    run = parse(words, OPTIONS)
    if run.options.get("dry-run"):
        raise UsageError("profile and --dry-run contradict each other: leave one of them out.")
    request.check_split(run, "profile")
    wanted = request.of(run)
    wanted.profile, wanted.stacks, wanted.flame = True, run.options.get("stacks", ""), run.options.get("flame", "")
    if wanted.flame:
        if not wanted.flame.endswith(request.PAGE):
            raise UsageError(f"--flame {wanted.flame}: the flame graph is a page, and its name ends with {request.PAGE}.")
        SPEEDSCOPE.files(FLAME)         # a run whose page could not be made would be lost
    terminals.note(run)
    terminals.show_progress(run)
    return observed(wanted, run, *ready(run))

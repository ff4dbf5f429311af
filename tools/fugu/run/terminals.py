"""Which standard files are terminals: programs can ask, so it is one of a run's inputs."""

from __future__ import annotations

import os

from ..abi import REGS
from .parse import Run

_BITS = (REGS["TERMINAL_INPUT"], REGS["TERMINAL_OUTPUT"], REGS["TERMINAL_ERROR"])


def note(run: Run) -> None:
    """Sets the option --terminals unless the user has set it, or the run is part of another one or continues one."""
    if run.options.keys() & {"terminals", "join", "load"}:
        return
    if found := sum(bit for fd, bit in enumerate(_BITS) if _is_terminal(fd)):
        run.options["terminals"] = found


def show_progress(run: Run) -> None:
    """Lets the machine show how far it is, if standard error is a terminal and no trace goes there."""
    run.options["progress"] = _is_terminal(2) and ("trace" not in run.options or "trace-file" in run.options)


def _is_terminal(fd: int) -> bool:
    try:
        return os.isatty(fd)
    except OSError:
        return False

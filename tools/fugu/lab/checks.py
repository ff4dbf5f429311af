"""Runs the checks of a lab, in a pytest of its own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from ..build.everything import up_to_date
from ..errors import FuguError
from ..host import children
from ..paths import ROOT
from .course import Lab

FOLDER = "FUGU_LAB"                 # environment variable: the student's folder
SECONDS = 120                       # of the host, that a check may take
PASSED, FAILED, INTERRUPTED = 0, 1, 2           # statuses of pytest
PLUGINS = ("pytest_timeout", "fugu.api.pytest_plugin", "fugu.lab.plugin")


def check(lab: Lab, folder: Path) -> int:
    """Runs the checks on a student's folder; each prints a line. Returns 0 if all hold, otherwise 1. FuguError."""
    outputs = up_to_date(["qemu", "guest"])
    plugins = [word for name in PLUGINS for word in ("-p", name)]
    # Nothing is written beside the checks, and no configuration of pytest that lies around is read.
    words = ["-B", "-m", "pytest", "-c", os.devnull, f"--rootdir={lab.folder}", "-p", "no:cacheprovider",
             "-p", "no:terminal", "-s", *plugins, f"--timeout={SECONDS}", str(lab.checks)]
    status = _printed([outputs["guest"]["python"], *words], _environment(folder))
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    if status not in (PASSED, FAILED):
        raise FuguError(f"the checks of lab {lab.number} have not run: pytest has ended with status {status}.")
    return status


def _printed(command: list[str], environment: dict[str, str]) -> int:
    """Runs a command to its end, and prints its lines as they come: this process knows what to do if that fails."""
    with children.interrupts():
        child = children.start(command, env=environment, stdout=subprocess.PIPE, text=True, errors="replace")
        try:
            for line in child.stdout or ():
                print(line, end="", flush=True)
            return children.as_status(child.wait())
        except BaseException:
            children.end([child])
            raise


def _environment(folder: Path) -> dict[str, str]:
    """The variables of pytest: without those that would change it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))}
    return kept | {"PYTHONPATH": str(ROOT / "tools"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                   FOLDER: str(folder.absolute())}

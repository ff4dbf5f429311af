"""./run.sh as a user starts it, in a process of its own."""

from __future__ import annotations

import subprocess
from typing import Any

from fugu.paths import ROOT

COMMAND = ROOT / "run.sh"


def run_sh(*words: object, **popen: Any) -> subprocess.CompletedProcess[str]:
    """Runs ./run.sh with these words to its end. `popen`: arguments of subprocess.run, such as env and cwd."""
    # With files given for output or errors, only the others are captured.
    streams = {name: popen.pop(name, subprocess.PIPE) for name in ("stdout", "stderr")}
    usual = {"stdin": subprocess.DEVNULL, "timeout": 120}
    return subprocess.run([COMMAND, *map(str, words)], text=True, errors="replace", **usual | streams | popen)

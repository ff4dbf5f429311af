"""Carries out one run of a sweep: `python3 tools/fugu/sweep FOLDER KEY`, from Snakemake, perhaps on another host."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# Python puts the directory that it runs on the path. The package is found from
# the directory of tools.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from fugu.abi import STATUS  # noqa: E402
from fugu.host.execute import terminate_like_interrupt  # noqa: E402
from fugu.sweep.carry_out import carry_out  # noqa: E402

if __name__ == "__main__":
    terminate_like_interrupt()
    try:
        carry_out(Path(sys.argv[1]).absolute(), sys.argv[2])
    except KeyboardInterrupt:
        sys.exit(STATUS["SIGNAL"])

"""Whether the default run comes out the same, however the host runs it.

Repeated, with all cores of the host kept busy, with traces on, and with the
guest's code cut into translation blocks in other ways.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import SetupError
from ..parse import DEFAULT_PROGRAM
from ._runs import command, measure
from ._table import Table

# What QEMU is told besides: options of its accelerator, and others.
NULL = ("-D", os.devnull)
WAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "as it is": ("", ()),
    "traces on": ("", ("-trace", "enable=fugu_*", *NULL)),
    "one instruction a block": (",one-insn-per-tb=on", ()),
    "cache looked up out of line": (",line-filter=off", ()),
    "blocks not chained": ("", ("-d", "nochain", *NULL)),
    "1 MiB of translated code": (",tb-size=1", ()),
    "each block logged (-d exec)": ("", ("-d", "exec,nochain", *NULL)),
    "traps and interrupts logged (-d int)": ("", ("-d", "int", *NULL)),
}


def main(argv: list[str]) -> int | None:
    """Counts the digests of all runs: one is as it should be."""
    parser = argparse.ArgumentParser(prog="./run.sh bench digest")
    parser.add_argument("--runs", type=int, default=20, metavar="N",
                        help="runs as they are, and as many on a busy host (default: %(default)s)")
    parser.add_argument("--each", type=int, default=2, metavar="N",
                        help="runs of each other kind (default: %(default)s)")
    parser.add_argument("program", nargs="?", default=DEFAULT_PROGRAM)
    parser.add_argument("args", nargs="*", help="of the program")
    options = parser.parse_args(argv)

    table = Table(f"Digests of {' '.join([options.program, *options.args])}, 8 nodes", "how", "runs", "digests")
    seen: Counter[str] = Counter()

    def row(how: str, way: str, times: int) -> None:
        found = Counter(_digest(options.program, options.args, *WAYS[way]) for _ in range(times))
        seen.update(found)
        table.row(how, times, " ".join(sorted(found)))
    row("as it is", "as it is", options.runs)
    with busy():
        row(f"with {os.cpu_count()} busy processes beside it", "as it is", options.runs)
    for way in list(WAYS)[1:]:
        row(way, way, options.each)
    runs = sum(seen.values())
    table.note(f"{runs} runs, one digest." if len(seen) == 1
               else f"{runs} runs, {len(seen)} DIGESTS: " + ", ".join(f"{d} ({n})" for d, n in seen.most_common()))
    table.show()
    return None


@contextmanager
def busy() -> Iterator[None]:
    """Keeps every core of the host busy."""
    burners = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def _digest(program: str, args: list[str], accel: str, more: tuple[str, ...]) -> str:
    output = measure(command(program, *args, accel=accel, more=more, digest=True)).stdout
    last = output.rstrip().rpartition("\n")[2]
    if not last.startswith("digest: "):
        raise SetupError(f"{program} ended without a digest:\n{output}")
    return last.removeprefix("digest: ")

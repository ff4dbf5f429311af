"""Whether the default run has the same digest, however the host runs it.

The run is repeated unchanged, with all cores of the host busy, with traces on,
with the guest's code cut into translation blocks in other ways, and split over
processes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..errors import SetupError
from ..run.programs import DEFAULT_BARE
from ._runs import command, guest, measure, measure_split
from ._table import Table
from ._words import whole

# Options of QEMU's accelerator, and further options of QEMU.
NULL = ("-D", os.devnull)
WAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "unchanged": ("", ()),
    "traces on": ("", ("-trace", "enable=fugu_*", *NULL)),
    "one instruction a block": (",one-insn-per-tb=on", ()),
    "cache looked up out of line": (",line-filter=off", ()),
    "blocks not chained": ("", ("-d", "nochain", *NULL)),
    "1 MiB of translated code": (",tb-size=1", ()),
    "each block logged (-d exec)": ("", ("-d", "exec,nochain", *NULL)),
    "traps and interrupts logged (-d int)": ("", ("-d", "int", *NULL)),
}


PROCESSES = (2, 4, 8)
TRANSPORTS = ("shm", "unix", "tcp")


def main(argv: list[str]) -> int | None:
    """Counts the different digests of all runs. There should be one."""
    parser = argparse.ArgumentParser(prog="./run.sh bench digest")
    parser.add_argument("--runs", type=whole, default=20, metavar="N",
                        help="runs as they are, and of each kind on a busy host (default: %(default)s)")
    parser.add_argument("--each", type=whole, default=2, metavar="N",
                        help="runs of each other kind (default: %(default)s)")
    parser.add_argument("program", nargs="?", default=DEFAULT_BARE)
    parser.add_argument("args", nargs="*", help="of the program")
    options = parser.parse_args(argv)

    table = Table(f"Digests of {' '.join([options.program, *options.args])}, 8 nodes", "how", "runs", "digests")
    seen: Counter[str] = Counter()

    def row(how: str, times: int, once: Callable[[], str]) -> None:
        found = Counter(once() for _ in range(times))
        seen.update(found)
        table.row(how, times, " ".join(sorted(found)))

    def in_one(way: str) -> Callable[[], str]:
        return lambda: _digest(measure(_command(options, way)).stdout)

    def in_several(count: int, transport: str) -> Callable[[], str]:
        words = ["--digest", f"--processes={count}", f"--transport={transport}", guest(options.program), *options.args]
        return lambda: _digest(measure_split(words).stdout)

    row("unchanged", options.runs, in_one("unchanged"))
    for way in list(WAYS)[1:]:
        row(way, options.each, in_one(way))
    with busy():
        beside = f"with {os.cpu_count()} busy processes beside it"
        row(beside, options.runs, in_one("unchanged"))
        for transport in TRANSPORTS:
            for count in PROCESSES:
                row(f"{count} processes, {transport}, {beside}", options.runs, in_several(count, transport))
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


def _command(options: argparse.Namespace, way: str) -> list[str]:
    accel, more = WAYS[way]
    return command(options.program, *options.args, accel=accel, more=more, digest=True)


def _digest(output: str) -> str:
    last = output.rstrip().rpartition("\n")[2]
    if not last.startswith("digest: "):
        raise SetupError(f"a run ended without a digest:\n{output}")
    return last.removeprefix("digest: ")

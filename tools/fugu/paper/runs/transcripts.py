"""Output that pages quote: an indented `$ ./run.sh ...`, and the indented lines after it.

`./run.sh paper --update-docs` runs the commands and writes their output;
tests/paper compares.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import textwrap
from collections.abc import Callable, Iterator

from ...errors import SetupError
from ...paths import ROOT, build_dir

PAGES = ("docs/debugging.md", "apps/pingpong/README.md")
TRANSCRIPT = re.compile(r"^    \$ \./run\.sh (.*)\n((?:    (?!\$ ).*\n)+)", re.MULTILINE)
TIMEOUT = 600       # seconds; another set-up may have to end first


def replay(text: str, output: Callable[[str], str]) -> str:
    """The page with what the commands give now. SetupError if it quotes none."""
    replayed, count = TRANSCRIPT.subn(
        lambda found: f"    $ ./run.sh {found[1]}\n{textwrap.indent(output(found[1]), '    ')}", text)
    if not count:
        raise SetupError("a page that tools/fugu/paper/runs/transcripts.py names quotes no output.")
    return replayed


def output(arguments: str) -> str:
    """What `./run.sh ARGUMENTS` prints. SetupError if it fails."""
    words = [str(build_dir() / word.removeprefix("build/")) if word.startswith("build/") else word
             for word in shlex.split(arguments)]
    done = subprocess.run([ROOT / "run.sh", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=TIMEOUT)
    if done.returncode:
        raise SetupError(f"./run.sh {arguments} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def update() -> Iterator[str]:
    """Writes the pages; returns the names of those that change."""
    for page in PAGES:
        before = (ROOT / page).read_text()
        after = replay(before, output)
        if after != before:
            (ROOT / page).write_text(after)
            yield page

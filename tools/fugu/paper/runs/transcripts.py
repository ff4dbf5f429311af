"""Output that pages quote: all of it after an indented `$ ./run.sh ...`, indented too; or some of its lines.

Some lines stand between two lines "```", after an indented `./run.sh ...` and
an empty line; a line "..." there stands for those left out. `./run.sh paper
--update-docs` runs the commands and writes their output; tests/paper compares.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import textwrap
from collections.abc import Callable, Iterable, Iterator

from ...errors import SetupError
from ...host import children
from ...paths import ROOT, build_dir

PAGES = ("docs/debugging.md", "docs/observing.md", "apps/pingpong/README.md")
EXCERPT = re.compile(r"^    \./run\.sh (.*)\n\n```\n((?:(?!```).*\n)+)```\n", re.MULTILINE)
TRANSCRIPT = re.compile(r"^    \$ \./run\.sh (.*)\n((?:    (?!\$ ).*\n)+)", re.MULTILINE)
NUMBER = r"\d[\d,.]*"
TIMEOUT = 600       # seconds; another set-up may have to end first


def replay(text: str, output: Callable[[str], str]) -> str:
    """The page with what the commands give now. SetupError if it quotes none, or a line that is not there any more."""
    replayed, whole = TRANSCRIPT.subn(
        lambda found: f"    $ ./run.sh {found[1]}\n{textwrap.indent(output(found[1]), '    ')}", text)
    replayed, parts = EXCERPT.subn(
        lambda found: f"    ./run.sh {found[1]}\n\n```\n{_same_lines(found[2], output(found[1]))}```\n", replayed)
    if not whole + parts:
        raise SetupError("a page that tools/fugu/paper/runs/transcripts.py names quotes no output.")
    return replayed


def _same_lines(quoted: str, output: str) -> str:
    """The first lines of the output that differ from those quoted in numbers and blanks alone. SetupError."""
    lines, found = iter(output.splitlines()), []
    for line in quoted.splitlines():
        if line.strip() != "...":
            same = re.compile(r"\s*" + r"\s+".join(map(_any_numbers, line.split())))
            try:
                line = next(one for one in lines if same.fullmatch(one))
            except StopIteration:
                raise SetupError(f"a page quotes a line that the output does not have, or has earlier:\n{line}") from None
        found.append(line + "\n")
    return "".join(found)


def _any_numbers(word: str) -> str:
    """A pattern for the word with any numbers in it."""
    return "".join(NUMBER if k % 2 else re.escape(part) for k, part in enumerate(re.split(f"({NUMBER})", word)))


def words_of(arguments: str) -> list[str]:
    """The words that a page shows, with programs of build/ where they are built."""
    return [str(build_dir() / word.removeprefix("build/")) if word.startswith("build/") else word
            for word in shlex.split(arguments)]


def output(arguments: str) -> str:
    """What `./run.sh ARGUMENTS` prints. SetupError if it fails, or does not end."""
    try:
        done = children.run_group([ROOT / "run.sh", *words_of(arguments)], TIMEOUT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
    except subprocess.TimeoutExpired:
        raise SetupError(f"./run.sh {arguments} has not ended after {TIMEOUT} seconds.") from None
    if done.returncode:
        raise SetupError(f"./run.sh {arguments} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def update() -> Iterator[str]:
    """Writes the pages; returns the names of those that change."""
    return rewrite(PAGES, lambda text: replay(text, output))


def rewrite(pages: Iterable[str], replay: Callable[[str], str]) -> Iterator[str]:
    """Writes each page as `replay` makes it; yields the names of those that change."""
    for page in pages:
        before = (ROOT / page).read_text()
        after = replay(before)
        if after != before:
            (ROOT / page).write_text(after)
            yield page

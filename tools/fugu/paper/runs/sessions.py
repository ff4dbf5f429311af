"""Sessions of GDB that pages show: their commands are given again, and what GDB says now is written.

A session begins in a block between two lines "```" with `$ ./run.sh debug ...`
and goes on in the blocks up to the next heading or the next such line. A line
"..." stands for lines left out, and so may the end of what a command says.
`./run.sh paper --update-docs` writes the sessions; tests/debug compares them.
"""

from __future__ import annotations

import itertools
import os
import re
import subprocess
from collections.abc import Callable, Iterator

from ...errors import SetupError
from ...host import children, scratch
from ...paths import ROOT, cache_dir
from .transcripts import TIMEOUT, rewrite, words_of

PAGES = ("docs/debugging.md", "docs/going-back.md")
BEGINS = "$ ./run.sh debug "
COMMAND = "(gdb) "
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^## ", re.MULTILINE)

Say = Callable[[str, list[str]], str]


def replay(text: str, say: Say) -> str:
    """The page with what GDB says now. SetupError if it shows no session, or a line that GDB does not say any more.

    say(arguments, commands) is what a session prints, each command after COMMAND on a line of its own.
    """
    parts = []
    for section in _sections(text):
        blocks = [match for match in BLOCK.finditer(section) if COMMAND in match[1] or match[1].startswith(BEGINS)]
        starts = [k for k, match in enumerate(blocks) if match[1].startswith(BEGINS)]
        said = {}
        for first, end in itertools.pairwise([*starts, len(blocks)]):
            texts = _again([match[1] for match in blocks[first:end]], say)
            said |= {match.start(): text for match, text in zip(blocks[first:end], texts, strict=True)}
        parts.append(_filled(section, said))
    if not any(BEGINS in part for part in parts):
        raise SetupError("a page that tools/fugu/paper/runs/sessions.py names shows no session.")
    return "".join(parts)


def _sections(text: str) -> Iterator[str]:
    starts = [0, *(match.start() for match in HEADING.finditer(text)), len(text)]
    return (text[start:end] for start, end in itertools.pairwise(starts))


def _filled(section: str, said: dict[int, str]) -> str:
    """The section with these texts in the blocks that begin there. Another block may have the same text as one of them."""
    return BLOCK.sub(lambda match: f"```\n{said[match.start()]}```" if match.start() in said else match[0], section)


def _again(blocks: list[str], say: Say) -> list[str]:
    """The blocks of one session, with what GDB says now."""
    first, *rest = "".join(blocks).splitlines()
    commands = [line.removeprefix(COMMAND) for line in rest if line.startswith(COMMAND)]
    said = iter(say(first.removeprefix(BEGINS), commands).splitlines())
    return ["".join(_line(line, said) + "\n" for line in block.splitlines()) for block in blocks]


def _line(line: str, said: Iterator[str]) -> str:
    """GDB's next line that is this one but for numbers and blanks. SetupError if GDB says no such line."""
    if line.startswith(BEGINS) or line.strip() in {"", "..."}:
        return line
    try:
        return next(one for one in said if shape(one) == shape(line)).rstrip()
    except StopIteration:
        raise SetupError(f"a page shows a line that GDB does not say, or says earlier:\n{line}") from None


def shape(line: str) -> str:
    """The line with N in place of each number, since numbers change with the code. A digest stays, and what is typed."""
    if line.startswith(("digest: ", COMMAND)):
        return line
    return re.sub(r"0x[0-9a-f]+|\d+(\.\d+)?", "N", _one_form(" ".join(line.split())))


def _one_form(line: str) -> str:
    """The line without what numbers decide: whether GDB shows the address, and one message or several."""
    return re.sub(r"\bmessage on the way", "messages on the way", re.sub(r"0x[0-9a-f]+ in ", "", line))


def lasting(text: str) -> list[str]:
    """Lines of a page in which only what moves with the code is N: lines of a source file stay, and so do digests."""
    return [line if line.startswith("digest: ") else
            re.sub(r"0x[0-9a-f]+|(?<![\d.])\b(?<!\.[cS]:)\d++(\.\d++)?+(?!\t)", "N",
                   _one_form(re.sub(" +", " ", line))) for line in text.splitlines()]


def say(arguments: str, commands: list[str]) -> str:
    """What `./run.sh debug ARGUMENTS` and GDB print, if GDB is given these commands. SetupError if it does not end."""
    given = [word for command in commands for word in (_echo(command), command)]
    gdb = [f"--gdb-arg={word}" for word in ["-batch", *(word for command in given for word in ("-ex", command))]]
    with scratch.folder() as home:
        # FUGU_CACHE may name a cache that others share: what is not in it is in this user's own one.
        environment = os.environ | {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": str(cache_dir().parent)}
        try:
            return children.run_group([ROOT / "run.sh", "debug", *gdb, *words_of(arguments)], TIMEOUT, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                      env=environment).stdout
        except subprocess.TimeoutExpired:
            raise SetupError(f"./run.sh debug {arguments} has not ended after {TIMEOUT} seconds.") from None


def _echo(command: str) -> str:
    """The command that prints this one as if it had been typed."""
    escaped = command.replace("\\", "\\\\").replace('"', '\\"')
    return f"echo {COMMAND.rstrip()}\\ {escaped}\\n"


def update() -> Iterator[str]:
    """Writes the pages; returns the names of those that change."""
    return rewrite(PAGES, lambda text: replay(text, say))

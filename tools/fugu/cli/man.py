"""`./run.sh man`: the manual page, made of the same tables and texts as --help."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from .. import VERSION
from ..errors import UsageError
from ..options.table import OPTIONS, Option
from ..run.programs import default
from .command_table import COMMANDS
from .help import EXAMPLES, PAGES, STATUSES, USAGE, explained, show

SEE = "docs/README.md says where to start reading. docs/setup.md lists the environment variables and all messages " \
      "of set-up, docs/machine.md the hardware, docs/udm.md what programs can call."


def main(words: list[str]) -> int:
    """Prints the page for man and groff."""
    if words:
        raise UsageError("man takes no words. To read the page: ./run.sh man | man -l -")
    show(page())
    return 0


def page() -> str:
    """The manual page, with the macros of groff_man(7)."""
    synopsis, *about = USAGE.replace("DEFAULT", default()).split("\n\n")
    return "\n".join([
        f'.TH FUGU 1 "" "fugu {VERSION}" "User Commands"',
        ".SH NAME", r"run.sh \- boots a multicomputer of Sparcle nodes with FUGU network interfaces",
        ".SH SYNOPSIS", *_as_it_is(textwrap.dedent(synopsis.replace("Usage:", "      "))),
        ".SH DESCRIPTION", *_paragraphs(about),
        ".SH COMMANDS", *(line for name in COMMANDS for line in _command(name)),
        ".SH OPTIONS", *_options(),
        *_section(EXAMPLES), *_section(STATUSES),
        ".SH SEE ALSO", _escaped(SEE), ""])


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + text if text.startswith(".") else text


def _as_it_is(text: str) -> list[str]:
    """Lines that are not filled."""
    return [".nf", *map(_escaped, text.splitlines()), ".fi"]


def _paragraphs(texts: Iterable[str]) -> list[str]:
    return [line for text in texts for line in (".PP", _escaped(" ".join(text.split())))]


def _command(name: str) -> list[str]:
    return [f".SS {name}", *_as_it_is(PAGES[name])]


def _options() -> list[str]:
    lines = []
    for group in dict.fromkeys(option.group for option in OPTIONS):
        lines += [f'.SS "{group}"', *(line for option in OPTIONS if option.group == group for line in _option(option))]
    return lines


def _option(option: Option) -> list[str]:
    names = ", ".join(rf"\fB{_escaped(name)}\fR" for name in option.names)
    value = rf" \fI{_escaped(option.metavar)}\fR" if option.metavar else ""
    return [".TP", names + value, _escaped(explained(option)) or r"\&"]


def _section(text: str) -> list[str]:
    """A text of --help whose first line is its title."""
    title, _, rest = text.partition(":\n")
    return [f'.SH "{title.upper()}"', *_as_it_is(rest)]

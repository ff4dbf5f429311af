"""Reads options: from words of the command line to values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import UsageError
from ..suggest import did_you_mean
from .table import Option

SHOWN = 200             # letters of a word in a message


def read(words: Sequence[str], names: Mapping[str, Option]) -> tuple[dict[str, Any], list[str]]:
    """The options that the words begin with, by key, and the words after them. Raises UsageError."""
    options: dict[str, Any] = {}
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        word = rest.pop(0)
        if word == "--":
            break
        name, given, after = word.partition("=")
        option, text = _lookup(names, name, after if given else None)
        if option.parse is None:
            if text is not None:
                raise UsageError(f"{name} takes no value, but was given {text!r}.")
            _store(options, option, name, True)
            continue
        if text is None:
            if not rest:
                raise UsageError(f"{name} needs a value: {name} {option.metavar}.")
            text = rest.pop(0)
        _store(options, option, name, value(option, name, text))
    return options, rest


def value(option: Option, name: str, text: str) -> Any:
    """The value that the text stands for. Raises UsageError, in which the option is called `name`."""
    assert option.parse
    try:
        return option.parse(text)
    except ValueError as error:
        raise UsageError(f"{name} {shortened(text)}: {error}.") from None


def shortened(text: str) -> str:
    """A word of the command line as a message has it."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}... ({len(text)} letters)"


def _lookup(names: Mapping[str, Option], name: str, text: str | None) -> tuple[Option, str | None]:
    """The option of that name, and its value if the word has one; -n4 means -n 4."""
    if name in names:
        return names[name], text
    if name[:2] in names and not name.startswith("--"):
        return names[name[:2]], name[2:] if text is None else f"{name[2:]}={text}"
    raise UsageError(f"there is no option {shortened(name)}.{did_you_mean(name, [*names, '--help', '--version'])}\n"
                     "./run.sh --help lists all options; options of the guest program "
                     "go after its name.")


def _store(options: dict[str, Any], option: Option, name: str, given: Any) -> None:
    if option.repeat:
        options.setdefault(option.key, []).append(given)
    elif options.setdefault(option.key, given) != given:
        raise UsageError(f"{name} is given twice, with different values.")

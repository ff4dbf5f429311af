"""What the pages say of a name, as text for a terminal. Needs the pages alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .headers import HEADERS
from .pages import DOCS, page_of

CODE = re.compile(r"```c?\n(.*?)```", re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def names() -> list[str]:
    """All names that have an entry: functions, macros, types and constants."""
    return sorted({name for header in HEADERS for named, _ in _pieces(header) for name in named})


def entries(name: str) -> list[str]:
    """The entries of a name, each with the header that has it; none if there is no such name."""
    return [f"#include <{header.removeprefix('lib/')}>\n\n{_plain(piece)}" for header in HEADERS
            for named, piece in _pieces(header) if name in named]


def _pieces(header: str) -> Iterator[tuple[set[str], str]]:
    """The parts of a page, each with what it declares: in its heading, or as constants, which have none."""
    parts = re.split(r"^##+ (.*)\n", (DOCS / page_of(header)).read_text(), flags=re.MULTILINE)
    for heading, part in zip(["", *parts[1::2]], parts[::2], strict=True):
        titles = {word.removesuffix("()").split()[-1] for word in heading.split(", ") if word}
        for piece in re.split(r"(?=^```c\n)", part, flags=re.MULTILINE):
            if code := CODE.match(piece):
                yield titles | _constants(code[1]), piece.strip()
                titles = set()


def _constants(code: str) -> set[str]:
    code = COMMENT.sub("", code)
    bodies = re.findall(r"^enum[^{;]*\{(.*?)\}", code, re.MULTILINE | re.DOTALL)
    return {*re.findall(r"^#define\s+(\w+)", code, re.MULTILINE),
            *(word for body in bodies for word in re.findall(r"(?:^|,)\s*(\w+)", body))}


def _plain(piece: str) -> str:
    piece = CODE.sub(lambda found: "\n".join("    " + line if line else "" for line in found[1].splitlines()), piece)
    return "\n".join(_wrapped(piece))


def _wrapped(text: str) -> Iterator[str]:
    from textwrap import wrap

    for line in text.splitlines():
        if line.startswith("    ") or not line:
            yield line
            continue
        line = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line).replace("`", "").replace("**", "")
        yield from wrap(re.sub(r"\\([*_<])", r"\1", line), 80, subsequent_indent="  " * line.startswith("- "),
                        break_long_words=False, break_on_hyphens=False)

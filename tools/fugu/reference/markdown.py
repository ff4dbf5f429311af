"""A comment's text as Markdown.

Indented lines are a list, if each begins with a word, two blanks and a text, or with "- "; otherwise code. Names with
an underscore, options and registers are set as code. Pages and headers become links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

CODE = re.compile(r"`[^`]+`|"
                  r"\[?\bdocs/[\w/.-]+\.md\b|"
                  r"(?<![\w-])--[a-z][\w-]*(?: (?:fugu|shrimp|m-machine|none|on|off)\b)?|"
                  r"%[a-z]\w+|"
                  r"-E[A-Z]+\b|"
                  r"<[a-z][\w/]*\.h>|"
                  r"\*?\b[A-Za-z][\w-]*\.[hcS]\b|"
                  r"\*?\b[A-Za-z]\w*_\w*\*?(?:(?:->|\.)\w+\b(?!\())*(?:\((?:[\w*&., ]*)\))?|"
                  r"\b[a-zA-Z]\w*\(\)|"
                  r"\*[a-z]\w*\b")
ITEM = re.compile(r"(\S.*?) {2,}(\S.*)")


def markdown(text: str, links: Mapping[str, str]) -> str:
    """The text of a comment. `links`: where a header's name leads."""
    return "\n\n".join(_part(indented, lines, links) for indented, lines in _runs(text))


def inline(text: str, links: Mapping[str, str]) -> str:
    """A sentence or paragraph on one line, with its names as code."""
    out, at = [], 0
    for found in CODE.finditer(text):
        out += [_escaped(text[at:found.start()]), _code(found[0], links)]
        at = found.end()
    return "".join([*out, _escaped(text[at:])])


def _code(word: str, links: Mapping[str, str]) -> str:
    if word.startswith("`"):
        return word
    if word.startswith("docs/"):
        return f"[{word.removeprefix('docs/')}](../{word.removeprefix('docs/')})"
    if word in links:
        return f"[{word}]({links[word]})"
    return f"`{word}`"


def _escaped(text: str) -> str:
    return re.sub(r"([*_<])", r"\\\1", text)


def _runs(text: str) -> Iterator[tuple[bool, list[str]]]:
    """Paragraphs, and runs of indented lines, which may have empty lines between them if they are code."""
    indented = False
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        if not line:
            if indented:
                lines.append(line)
            elif lines:
                yield False, lines
                lines = []
            continue
        if lines and line.startswith("  ") != indented:
            if any(lines):
                yield indented, lines
            lines = []
        indented = line.startswith("  ")
        lines.append(line)
    if any(lines):
        yield indented, lines


def _part(indented: bool, lines: list[str], links: Mapping[str, str]) -> str:
    if not indented:
        said = inline(" ".join(lines), links)
        return re.sub(r"(?:^|(?<=\. ))(Errors?:)(?= |$)", r"**\1**", said)
    while not lines[-1]:
        lines = lines[:-1]
    margin = min(len(line) - len(line.lstrip()) for line in lines if line)
    lines = [line[margin:] for line in lines]
    heads = [line for line in lines if line and not line.startswith(" ")]
    if all(line.startswith("- ") for line in heads):
        return "\n".join(f"- {inline(item, links)}" for item in _joined(lines, strip=2))
    parted = [ITEM.fullmatch(line) for line in heads]
    if all(parted) and not any(re.search(r" {3,}", found[2]) for found in parted if found) and "" not in lines \
            and not any(found[1].endswith((";", "{")) for found in parted if found):
        items = [ITEM.fullmatch(item) for item in _joined(lines)]
        return "\n".join(f"- `{found[1]}`: {inline(found[2], links)}" for found in items if found)
    return "\n".join(["```c" if any(re.search(r"[;{]\s*(?://.*)?$", line) for line in lines) else "```", *lines, "```"])


def _joined(lines: list[str], strip: int = 0) -> list[str]:
    """Each item of a list on one line."""
    items: list[str] = []
    for line in filter(None, lines):
        if line.startswith(" ") and items:
            items[-1] += " " + line.strip()
        else:
            items.append(line[strip:])
    return items

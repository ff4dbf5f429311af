"""The pages of docs/reference: one for each header, and the index."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from ..paths import ROOT
from . import uses
from .headers import CONSTANTS, FOLDER, HEADERS, Block, Header, Tag, headers, page_of
from .markdown import inline, markdown

DOCS = ROOT / "docs" / "reference"
MAKE = "./run.sh reference --make"
ASSEMBLY = re.compile(r"\s*\.macro\s+(\w+)\s*(.*)")
# What the declaration of a function says of how it is compiled, and nothing of how it is called.
HOW = re.compile(r"\b(?:static|inline|UDM_INLINE)\b ?|__attribute__\(\((?:always_inline|noreturn)\)\)\s*")


def made() -> dict[str, str]:
    """The text of each page by its name, from the headers. SetupError without Ctags."""
    read = headers()
    links = {header.name.removeprefix("lib/"): header.page for header in read if "/" not in header.name.removeprefix("lib/")}
    links |= {header.name: header.page for header in read}
    return {"README.md": _index(read, links)} | {header.page: _page(header, links) for header in read}


def write() -> list[str]:
    """Writes all pages, and removes those without a header. Returns the names of those that have changed."""
    DOCS.mkdir(exist_ok=True)
    pages = made()
    changed = [name for name, text in pages.items() if not (DOCS / name).exists() or (DOCS / name).read_text() != text]
    for name in changed:
        (DOCS / name).write_text(pages[name])
    for path in DOCS.glob("*.md"):
        if path.name not in pages:
            path.unlink()
            changed.append(path.name)
    return changed


def heading(block: Block) -> str:
    """The functions, macros with parameters and types of a block, or assembly's macros; "" if it has only constants."""
    names = [_shown(tag) for tag in block.public if tag.callable or tag.kind not in CONSTANTS] or \
        [found[1] for _, text in block.declarations if (found := ASSEMBLY.match(text))]
    return ", ".join(dict.fromkeys(names))


def _shown(tag: Tag) -> str:
    """A name as headings have it: structures and functions may have the same one."""
    return f"{tag.kind} {tag.name}" if tag.kind in ("struct", "union", "enum") else tag.name + "()" * tag.callable


def _index(read: list[Header], links: Mapping[str, str]) -> str:
    lines = ["# Reference of the libraries", "",
             "Every function, macro and type that a program may use, with its parameters, results and errors. The pages are made "
             f"from the comments of [the headers](../../guest-os/include/README.md) by `{MAKE}`: change the header, not the "
             "page. `./run.sh reference NAME` prints what is here on a name. [udm](../udm.md), [crl](../crl.md) and the "
             "other pages of [docs](../README.md) explain the libraries; a reference does not.", "",
             "What of C and POSIX there is: [udm](../udm.md#c-library). Registers of the hardware: "
             "[machine](../machine.md).", "",
             "| header | for |", "| --- | --- |"]
    lines += [f"| [{header.name.removeprefix('lib/')}]({header.page}) | {HEADERS[header.name]} |" for header in read]
    lines += ["", "## By name", "", "Functions, macros with parameters, and types; constants are on the pages.", "",
              "| name | header | |", "| --- | --- | --- |"]
    rows = [(tag.name, header, block, tag) for header in read for block in header.blocks() for tag in block.public
            if tag.callable or tag.kind not in CONSTANTS]
    seen = set()
    for name, header, block, tag in sorted(rows, key=lambda row: (row[0].lower(), row[1].name, row[3].line)):
        shown = _shown(tag)
        if (shown, header.name) not in seen:
            seen.add((shown, header.name))
            lines.append(f"| [`{shown}`]({header.page}#{anchor(heading(block))}) | "
                         f"{header.name.removeprefix('lib/')} | {_first(block, links)} |")
    return "\n".join(lines) + "\n"


def anchor(title: str) -> str:
    """The name that a heading gets on the web."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _first(block: Block, links: Mapping[str, str]) -> str:
    """The first sentence of a block's comment."""
    text = " ".join(block.comment.partition("\n\n")[0].split())
    sentence = re.split(r"(?<=[a-z)0-9`\]])[.:](?= [A-Z]|$)", text)[0]
    return inline(sentence, links).replace("|", "\\|")


def _page(header: Header, links: Mapping[str, str]) -> str:
    name = header.name.removeprefix("lib/")
    source = os.path.relpath(FOLDER / header.name, DOCS)
    links = {key: page for key, page in links.items() if page != header.page}
    parts = [f"# {name}", f"    #include <{name}>",
             f"Made from [guest-os/include/{header.name}]({source}) by `{MAKE}`; [all headers](README.md).",
             markdown(header.comment, links)]
    for title, blocks in header.sections:
        shown = [part for block in blocks for part in _block(block, links)]
        if shown and title:
            parts.append(f"## {title}")
        parts += shown
    return "\n\n".join(parts) + "\n"


def _block(block: Block, links: Mapping[str, str]) -> list[str]:
    if block.tags and not block.public:
        return []
    title = heading(block)
    parts = [f"### {title}"] if title else []
    if code := "\n".join(filter(None, (_declared(block, line, text) for line, text in block.declarations))):
        parts.append(f"```c\n{code}\n```")
    if block.comment:
        parts.append(markdown(block.comment, links))
    if found := _uses(block):
        parts.append(found)
    return parts


def _declared(block: Block, line: int, text: str) -> str:
    """What a page shows of a declaration: no bodies, and nothing of what is the library's own."""
    here = [tag for tag in block.tags if line <= tag.line <= line + text.count("\n")]
    if not here and (found := ASSEMBLY.match(text)):
        return f"{found[1]} {found[2]}".partition("\n")[0].rstrip()
    if not any(tag.public for tag in here):
        return ""
    tag = next(tag for tag in here if tag.public)
    if tag.kind == "macro":
        return _macro(tag, text)
    if tag.callable and tag.kind != "typedef":
        head = HOW.sub("", text.partition("\n{")[0].partition(" {\n")[0]).strip().rstrip(";").strip()
        return "\n".join(part.rstrip() for part in head.splitlines()) + ";"
    return text


def _macro(tag: Tag, text: str) -> str:
    if not tag.callable:
        return text.partition(" \\\n")[0]
    return tag.name + "(" + ", ".join(tag.parameters) + ")"


def _uses(block: Block) -> str:
    """The line that names a file that uses each function."""
    by_file: dict[Path, list[str]] = {}
    called = [tag.name for tag in block.public if tag.callable]
    for name in dict.fromkeys(called):
        if found := uses.use(name):
            by_file.setdefault(found, []).append(name)
    shown = [f"[{path.relative_to(ROOT)}]({os.path.relpath(path, DOCS)})" for path in by_file]
    return f"In use: {', '.join(shown)}." if shown else ""

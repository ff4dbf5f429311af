"""Which headers a program may include, and what each declares: blocks of a comment and its declarations.

Universal Ctags says what a header declares: names, kinds, parameters. What it does not say is which comment belongs
to a declaration: the one that ends in the line before it, or in the line before the declarations above it that no
empty line separates. Declarations after an empty line belong to the comment before if it names them.

A name that ends in _ is the library's own. So are include guards.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import SetupError
from ..host import on_demand
from ..paths import ROOT

FOLDER = ROOT / "guest-os" / "include"

# What a program may include, in the order of the index: each with what it is for.
HEADERS = {
    "udm.h": "messages",
    "udm-thread.h": "threads, mutexes, conditions, waits for a handler",
    "udm-work.h": "work that handlers leave to a thread",
    "lib/udm-collective.h": "barrier, broadcast, reductions, quiescence",
    "lib/udm-transfer.h": "transfers of memory of any length",
    "lib/udm-measure.h": "measured sections",
    "lib/rq.h": "remote queues",
    "lib/crl.h": "CRL: shared regions of memory",
    "lib/crl-report.h": "what regions cost",
    "lib/shm.h": "shared memory",
    "lib/mbcf.h": "MBCF: commands on the memory of other tasks",
    "glaze-mbcf.h": "MBCF's numbers and structures",
    "lib/shrimp.h": "memory that is mapped over the network (`--ni shrimp`)",
    "lib/shrimp-buffers.h": "messages on such memory (`--ni shrimp`)",
    "lib/pram.h": "pages that two processes share (`--ni shrimp`)",
    "lib/nx.h": "typed messages of NX/2 (`--ni shrimp`)",
    "glaze-shrimp.h": "numbers and structures of such maps",
    "lib/mm.h": "messages of the M-Machine (`--ni m-machine`)",
    "glaze-mm.h": "numbers and structures of their segments",
    "mm-handler.h": "handlers of these messages",
    "glaze-calls.h": "system calls",
    "glaze.h": "the kernel's ABI: addresses, pages, numbers",
    "operations.h": "the network interface's operations",
    "note.h": "notes in a program's file",
    "stdio.h": "what is added to newlib's header",
    "sys/stat.h": "what is added to newlib's header",
    "sys/utime.h": "in place of newlib's header",
}
# Those for the kernel and for libraries, which no page describes.
OTHERS = {"image.h", "marks.h", "reset.h", "rows.h", "section.h", "sparcle.h", "view.h", "window.h", "sys/features.h"}

KINDS = ("function", "prototype", "macro", "struct", "union", "enum", "enumerator", "typedef", "variable", "externvar")
CONSTANTS = ("macro", "enumerator")
SECTION = re.compile(r"/\* -{4} (.*?) -+ \*/")
# Lines that are no declaration.
FRAME = re.compile(r'#\s*(?:if|ifn?def|else|elif|endif|include|include_next|undef)\b|extern "C" \{|\}$|asm \(|'
                   r"_Static_assert|[A-Z_]*CHECK_\(")


@dataclass(frozen=True)
class Tag:
    """What Ctags says of a name: its line, from 1; parameters without their types; whether it gives a value."""

    name: str
    kind: str
    line: int
    parameters: tuple[str, ...] = ()
    callable: bool = False
    value: bool = False

    @property
    def public(self) -> bool:
        return not self.name.endswith("_") and not self.name.startswith("_")


@dataclass
class Block:
    """A comment, and the declarations that it belongs to: each with its text and its line."""

    comment: str
    line: int
    declarations: list[tuple[int, str]] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)

    @property
    def public(self) -> list[Tag]:
        return [tag for tag in self.tags if tag.public]


@dataclass
class Header:
    """A header: the comment at its beginning, and its sections, each with a title and blocks."""

    name: str
    comment: str
    sections: list[tuple[str, list[Block]]]

    @property
    def page(self) -> str:
        return page_of(self.name)

    def blocks(self) -> Iterator[Block]:
        for _, blocks in self.sections:
            yield from blocks


def page_of(header: str) -> str:
    """The name of a header's page."""
    return header.removeprefix("lib/").removesuffix(".h").replace("/", "-") + ".md"


def headers() -> list[Header]:
    """All of HEADERS, read. SetupError without Ctags."""
    tags = _tags([FOLDER / name for name in HEADERS])
    return [read(name, (FOLDER / name).read_text(), tags[FOLDER / name]) for name in HEADERS]


def read(name: str, text: str, tags: list[Tag]) -> Header:
    """A header's sections and blocks."""
    sections: list[tuple[str, list[Block]]] = [("", [])]
    block: Block | None = None
    adjacent = False            # no empty line since the block's comment or last declaration
    head = ""
    for line, item in _items(text):
        if not item:
            adjacent = False
        elif found := SECTION.fullmatch(item):
            sections.append((found[1], []))
            block = None
        elif item.startswith("/*"):
            said = _comment(item)
            if not head:
                head = said
                continue
            block, adjacent = Block(said, line), True
            sections[-1][1].append(block)
        elif not FRAME.match(item):
            here = [tag for tag in tags if line <= tag.line <= line + item.count("\n")]
            if block is None or not (adjacent or _named(block, here)):
                block = Block("", line)
                sections[-1][1].append(block)
            block.declarations.append((line, item))
            block.tags += here
            adjacent = True
    return Header(name, head, sections)


def _named(block: Block, tags: list[Tag]) -> bool:
    """Whether the comment names what is declared, or nothing of it is public."""
    return all(re.search(rf"\b{re.escape(tag.name)}\b", block.comment) for tag in tags if tag.public)


def _items(text: str) -> Iterator[tuple[int, str]]:
    """Comments at the beginning of a line, declarations and empty lines, each with the number of its first line."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        first, item = at, lines[at]
        at += 1
        while at < len(lines) and not _ends(item):
            item += "\n" + lines[at]
            at += 1
        yield first + 1, item.rstrip()


def _ends(item: str) -> bool:
    """Whether a comment or declaration is complete."""
    if item.count("/*") != item.count("*/"):
        return False
    code = re.sub(r"/\*.*?\*/", "", item, flags=re.DOTALL).rstrip()
    if code.startswith("#") or not code:
        return not code.endswith("\\")
    if code == 'extern "C" {':
        return True
    return (code.count("{") == code.count("}") and code.count("(") == code.count(")") and code.endswith((";", "}", ".endm"))
            or code.lstrip().startswith(".") or code == "}")


def _comment(item: str) -> str:
    """A comment's text, without its stars."""
    first, *rest = item[2:-2].splitlines()
    text = "\n".join([first.strip(), *(re.sub(r"^ ?\*(?: |$)", "", line) for line in rest)]).strip("\n").rstrip()
    return re.sub(r"\n*SPDX-License-Identifier:.*$", "", text).rstrip()


def _tags(files: list[Path]) -> dict[Path, list[Tag]]:
    """What each file declares, in order of lines."""
    command = [on_demand.ensure(on_demand.CTAGS), "--output-format=json", "--fields=+neSt", "--kinds-C++=+px", "--language-force=C++",
               "-I", "UDM_INLINE=inline", "-f-", *map(str, files)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise SetupError(f"{command[0]} does not read the headers: {error}") from None
    found: dict[Path, list[Tag]] = {file: [] for file in files}
    for entry in map(json.loads, done.stdout.splitlines()):
        path = Path(entry["path"])
        guard = f"{path.stem}_H".upper().replace("-", "_").replace(".", "_")
        inner = entry.get("scopeKind") and entry["kind"] != "enumerator"
        if entry["kind"] in KINDS and not inner and not entry["name"].startswith("__anon") \
                and not entry["name"].endswith(guard):
            found[path].append(_tag(entry, path))
    return {path: sorted(set(tags), key=lambda tag: tag.line) for path, tags in found.items()}


def _tag(entry: dict[str, str], path: Path) -> Tag:
    kind, line = entry["kind"], int(entry["line"])
    called = kind in ("function", "prototype") or kind == "macro" and "signature" in entry
    given = entry.get("typeref", "")
    if kind == "macro":
        value = "({" in "\n".join(path.read_text().splitlines()[line - 1:line + 1])
    else:
        value = called and not re.search(r":(?:.* )?void$", given)
    return Tag(entry["name"], kind, line, _parameters(entry.get("signature", "")) if called else (), called, value)


def _parameters(signature: str) -> tuple[str, ...]:
    """The names in "(const void * from,void (* f)(int))"; "..." for further ones."""
    depth, parts = 0, [""]
    for letter in signature[1:-1]:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    names = []
    for part in parts:
        pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", part)
        last = re.search(r"(\w+|\.\.\.)\s*(?:\[.*\])?\s*$", part)
        if part.strip() not in ("", "void") and (pointer or last):
            names.append((pointer or last)[1])         # type: ignore[index]
    return tuple(names)

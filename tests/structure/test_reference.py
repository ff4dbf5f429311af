"""docs/reference is made from the headers, has each of their names, and their comments say what a caller must know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fugu.paths import ROOT
from fugu.reference import comments, headers, lookup, pages, uses
from fugu.reference.headers import FOLDER, HEADERS, OTHERS
from fugu.reference.markdown import markdown

USES = re.compile(r"^In use: .*\n\n?", re.MULTILINE)


@pytest.fixture(scope="module")
def read():
    return headers.headers()


def test_each_header_is_described_or_left_out():
    there = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.h")}
    assert there == {*HEADERS, *OTHERS} and not {*HEADERS} & OTHERS


def test_pages_are_those_of_the_headers():
    """All but the files that are named as examples: another test looks at these."""
    made = pages.made()
    assert {path.name for path in pages.DOCS.glob("*.md")} == set(made)
    wrong = [name for name, text in made.items() if USES.sub("", text) != USES.sub("", (pages.DOCS / name).read_text())]
    assert not wrong, f"{wrong}: {pages.MAKE}"


def test_named_examples_use_what_is_described():
    wrong, found = [], 0
    for page in pages.DOCS.glob("*.md"):
        for heading, files in re.findall(r"^### (.*?)\n(?:(?!^###).*\n)*?^In use: (.*)\.$", page.read_text(), re.MULTILINE):
            names = set(re.findall(r"\w+", heading))
            for file in re.findall(r"\]\(([^)]*)\)", files):
                found += 1
                if not names & set(re.findall(r"\w+", (page.parent / file).read_text())):
                    wrong.append(f"{page.name}: {heading}: {file}: {pages.MAKE}")
    assert not wrong and found > 150, "\n".join(wrong)


def test_comments_say_what_a_caller_must_know(read):
    """Each parameter, the result, the errors."""
    wrong = [line for header in read for line in comments.lacking(header)]
    assert not wrong, "\n".join(wrong)


def test_each_name_is_on_the_page_of_its_header(read):
    """As ctags knows them, whether or not they are in a block."""
    tags = headers._tags([FOLDER / name for name in HEADERS])
    wrong = [f"{header.name}: {tag.name}" for header in read for tag in tags[FOLDER / header.name]
             if tag.public and not re.search(rf"\b{tag.name}\b", (pages.DOCS / header.page).read_text())]
    assert not wrong and sum(map(len, tags.values())) > 700, "\n".join(wrong)


def test_each_function_and_type_has_an_entry(read):
    names = set(lookup.names())
    assert [tag.name for header in read for block in header.blocks() for tag in block.public if tag.name not in names] == []


@pytest.mark.parametrize(("name", "said"), [
    ("udm_inject", "#include <udm.h>\n\n    udm_inject(node, handler, ...)\n\nudm_inject(node, handler, word...): sends"),
    ("MBCF_BUSY", "    #define MBCF_BUSY       6       /*"), ("RQ_LAST", "    RQ_LAST = 65535,"),
    ("MM_STORES", "MM_STORES name, address, bytes"), ("crl_wait", "void crl_wait(enum crl_wait how);")])
def test_entries_of_a_name(name: str, said: str):
    assert said in "\n".join(lookup.entries(name))


def test_there_is_no_entry_of_what_is_not_there():
    assert lookup.entries("udm_arg_") == lookup.entries("UDM_OUT_") == []


# ---- the checks themselves --------------------------------------------------------

BAD = """/*
 * A library.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef BAD_H
#define BAD_H

int bare(void);

/* Does. Errors: none. */
void silent(int volume, void (*heard)(int loud));

/* Looks at `node`. Errors: none. */
static inline int result(int node)
{
    return node;
}

/* Looks at `node`, and returns it. */
int careless(int node);

#define LONELY 1

/* both(node) and other(node, more...) return `node`. Errors: none. */
#define both(node) ({ node; })

#define other(node, ...) ({ node; })

void own_(int one);

#endif
"""


def test_what_comments_lack_is_found(tmp_path: Path):
    path = tmp_path / "bad.h"
    path.write_text(BAD)
    header = headers.read("bad.h", BAD, headers._tags([path])[path])
    assert header.comment == "A library."
    assert [line.partition(": ")[2] for line in comments.lacking(header)] == [
        "bare: has no comment", "silent: says nothing of volume", "silent: says nothing of heard",
        "result: does not say what it returns", 'careless: has no "Errors:"', "LONELY: has no comment"]


def test_a_comment_as_markdown():
    text = ("Does a_thing() with *it and docs/udm.md (--ni shrimp), of other.h:\n\n  one    the first;\n         and more\n"
            "  two_b  the second\n\nand\n\n  - this\n  - that\n\nor\n\n    if (x) {\n\n    }\n\nErrors: none.")
    assert markdown(text, {"other.h": "other.md"}) == (
        "Does `a_thing()` with `*it` and [udm.md](../udm.md) (`--ni shrimp`), of [other.h](other.md):\n\n"
        "- `one`: the first; and more\n- `two_b`: the second\n\nand\n\n- this\n- that\n\nor\n\n```c\nif (x) {\n\n}\n```\n\n**Errors:** none.")


def test_the_shortest_file_is_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(uses, "ROOT", tmp_path)
    monkeypatch.setattr(uses, "PLACES", ("apps", "tests"))
    uses._files.cache_clear()
    for name, text in {"apps/a.c": "/* it() */\n", "tests/b.c": "it();\nmore();\n", "tests/c.c": "it();\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    try:
        assert uses.use("it") == tmp_path / "tests" / "c.c" and uses.use("none") is None
    finally:
        uses._files.cache_clear()


def test_folder():
    assert pages.DOCS == ROOT / "docs" / "reference"

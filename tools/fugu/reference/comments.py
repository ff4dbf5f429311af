"""What a comment has to say of what is declared below it, and what it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .headers import CONSTANTS, Block, Header, Tag

RETURNS = re.compile(r"\breturns?\b|->", re.IGNORECASE)
ERRORS = re.compile(r"\bErrors?:\s")


def lacking(header: Header) -> list[str]:
    """A line for each public name whose comment does not say enough."""
    return [f"{header.name}:{tag.line}: {tag.name}: {what}" for block in header.blocks() for tag in block.public
            for what in _lacks(block, tag)]


def _lacks(block: Block, tag: Tag) -> Iterator[str]:
    if not tag.callable:
        if not block.comment and not (tag.kind in CONSTANTS and _beside(block)):
            yield "has no comment"
        return
    if not block.comment:
        yield "has no comment"
        return
    for name in tag.parameters:
        if not re.search(r"\w\.\.\." if name == "..." else rf"\b{re.escape(name)}\b", block.comment):
            yield f"says nothing of {name}"
    if tag.value and not RETURNS.search(block.comment):
        yield "does not say what it returns"
    if not ERRORS.search(block.comment):
        yield "has no \"Errors:\""


def _beside(block: Block) -> bool:
    """Whether one of the block's constants has a comment behind it, which is about those below as well."""
    return any("/*" in text for _, text in block.declarations)

"""Links between pages lead to files that exist, and to headings that their pages have."""

from __future__ import annotations

import os
import re
from pathlib import Path

from fugu.paths import ROOT

PAGES = sorted({*ROOT.glob("*.md"), *(page for folder in ("apps", "docs", "guest-os", "hw", "tests", "tools")
                                      for page in (ROOT / folder).rglob("*.md"))})


def _prose(page: Path) -> str:
    return re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)


def _anchor(heading: str) -> str:
    """The name that a page's heading gets: its words, in small letters, without links and marks."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.replace("`", "").strip())
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


def _anchors(page: Path) -> set[str]:
    return {_anchor(heading) for heading in re.findall(r"^#+ (.*)$", _prose(page), re.MULTILINE)}


def _links():
    for page in PAGES:
        for link in re.findall(r"\]\(([^)\s]+)\)", _prose(page)):
            if "://" not in link and not link.startswith("mailto:"):
                yield page, link


def test_links_lead_somewhere():
    wrong = []
    for page, link in _links():
        name, _, anchor = link.partition("#")
        target = Path(os.path.normpath(page.parent / name)) if name else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in _anchors(target)):
            wrong.append(f"{page.relative_to(ROOT)}: {link}")
    assert not wrong, wrong


def test_links_are_found():
    """Guards against a search that finds nothing."""
    found = list(_links())
    assert len(found) > 500 and sum("#" in link for _, link in found) > 100


def test_anchors():
    assert _anchor("`fugu mbcf [NODE]`: tasks, [agents](a.md#b)") == "fugu-mbcf-node-tasks-agents"

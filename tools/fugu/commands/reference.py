"""`./run.sh reference`: what there is on a function, macro or type of the guest's libraries."""

from __future__ import annotations

from ..errors import UsageError
from ..suggest import did_you_mean

MAKE = "--make"


def main(words: list[str]) -> int:
    """Lists the headers, or prints the entries of names; or makes the pages anew. UsageError."""
    if words == [MAKE]:
        return _make()
    for word in words:
        if word.startswith("-"):
            raise UsageError(f"reference takes names or {MAKE}, not {word}.{did_you_mean(word, [MAKE])}"
                             if word != MAKE else f"{MAKE} takes no names.")
    from ..reference import lookup
    from ..reference.headers import HEADERS

    if not words:
        width = max(map(len, HEADERS))
        print("\n".join(f"{name.removeprefix('lib/'):<{width}}  {about.replace('`', '')}" for name, about in HEADERS.items()))
        print("docs/reference/README.md lists all names; ./run.sh reference NAME prints what there is on one.")
        return 0
    found = [(word, lookup.entries(word.removesuffix("()"))) for word in words]
    if missing := [word for word, entries in found if not entries]:
        raise UsageError(f"there is nothing on {missing[0]}.{did_you_mean(missing[0], lookup.names())}\n"
                         "docs/reference/README.md lists all names.")
    print("\n\n".join(entry for _, entries in found for entry in entries))
    return 0


def _make() -> int:
    from ..reference import pages

    changed = pages.write()
    print("\n".join(f"docs/reference/{name}" for name in changed) if changed else "no page has changed")
    return 0

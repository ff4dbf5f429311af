"""Did you mean: names that are close to what was typed."""

from __future__ import annotations

from collections.abc import Iterable


def nearest_first(word: str, names: Iterable[str]) -> list[str]:
    """All names, those most similar to `word` first."""
    from difflib import SequenceMatcher

    def distance(name: str) -> tuple[float, str]:
        ratio = SequenceMatcher(None, word.lower(), name.lower()).ratio()
        return (-ratio - (0.5 if name.startswith(word) else 0), name)
    return sorted(names, key=distance)


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """' Did you mean X?', or an empty text if no name is close."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(names), n=1, cutoff=0.6)
    return f" Did you mean {close[0]}?" if close else ""

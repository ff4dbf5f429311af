"""Options of a run from keyword arguments of a script or a test: nodes=4, cache=False, timeout="10M"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import UsageError
from ..suggest import did_you_mean
from .table import BY_KEY


def words(options: Mapping[str, Any]) -> Iterator[str]:
    """The words of run.sh's command line for these options. UsageError.

    An option's name has underscores for its hyphens. A switch is given by True, on and off by True and False; one that
    may be repeated takes a list.
    """
    for name, value in options.items():
        key = name.replace("_", "-")
        option = BY_KEY.get(key)
        if not option:
            raise UsageError(f"there is no option {name}.{did_you_mean(name, [key.replace('-', '_') for key in BY_KEY])}")
        if option.parse is None:
            if value:
                yield f"--{key}"
            continue
        for one in value if option.repeat and isinstance(value, (list, tuple)) else [value]:
            yield f"--{key}={'on' if one is True else 'off' if one is False else one}"

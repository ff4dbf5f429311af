"""`./run.sh paper`: the paper's tables and figures, which are modules of fugu.paper."""

from __future__ import annotations

from .. import paper
from ..paths import cache_dir
from ._measurements import Measurements

TABLES = Measurements(paper, "table or figure")


def main(words: list[str]) -> int:
    """Runs the named table or figure with its arguments. Without a name, makes the report of all of them.

    --update-docs writes what docs/ quotes into docs/.
    """
    if words == ["--update-docs"]:
        _prepare()
        return _update_docs()
    if not words or (words[0].startswith("-") and words[0] != "--list"):
        from ..paper.summary import command

        return command.main(words, _prepare)
    return TABLES.main(words, _prepare)


def _update_docs() -> int:
    """Measures all of our numbers in docs/, and writes those that have changed."""
    from ..paper import _docs
    from ..paper.runs import sessions, transcripts

    changed = [*_docs.update({name: _docs.measure(name) for name in _docs.NAMES}), *transcripts.update(), *sessions.update()]
    print("Written: " + ", ".join(changed) if changed else "Nothing has changed.")
    return 0


def _prepare() -> None:
    """Builds what the measurements run, makes rich importable, and lets a signal end the programs that run."""
    from ..build.everything import up_to_date
    from ..host import execute
    from ..host.python_tools import PythonTools

    execute.terminate_like_interrupt()
    up_to_date(("qemu", "guest", "tests"))
    PythonTools(cache_dir()).activate()

"""`./run.sh apps`: lists what can be run by name.

The description of an app comes from its README.md: from its first line, and
from the lines that begin with ./run.sh NAME, which show how it is used. The kinds
of network interface that it runs with come from the notes in its file.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from ..errors import UsageError
from ..run import kinds, programs
from ..suggest import did_you_mean

WIDTH = 80


def main(words: list[str]) -> int:
    """Lists apps and programs for the bare machine, or only the named ones."""
    names, bare = programs.apps(), bare_names()
    for word in words:
        if word not in names and word not in bare:
            known = [*names, *sorted(bare)]
            raise UsageError(f"there is no app {word}, and no program for the bare machine.{did_you_mean(word, known)}\n"
                             f"There are: {', '.join(names) or 'none yet'}.")
    if not words or set(words) & set(names):
        print("\n".join(_apps([word for word in words if word in names] or names)))
    for word in words:
        if word not in names:
            print(f"{word}, for the bare machine:\n{_comment(word)}")
    if not words:
        print("\n".join(_bare(sorted(bare))))
    return 0


def _comment(name: str) -> str:
    """The first comment of a program for the bare machine, which says what it does and lists its arguments."""
    for path in sorted(programs.BARE.rglob(f"{name}.[cS]")):
        if found := re.match(r"/\*\n((?: \*.*\n)*?) \*/", path.read_text(errors="replace")):
            text = found[1].partition(" * SPDX")[0]
            return re.sub(r"^ \* ?", "  ", text, flags=re.MULTILINE).rstrip()
    return f"  ./run.sh {name}"


def _apps(names: list[str]) -> list[str]:
    if not names:
        return ["There are no apps yet."]
    lines = textwrap.wrap("Apps, on the operating system; + runs several at once. --ni says with which kinds of network "
                          "interface each runs:", WIDTH)
    for name in names:
        title, usage = describe(name, programs.APPS / name / "README.md")
        width = max(map(len, names))
        lines += textwrap.wrap(f"  {name:<{width}}  {title}", WIDTH, subsequent_indent=" " * (width + 4))
        lines += [" " * (width + 4) + line for line in [_interface(name), *usage]]
    return lines


def _interface(name: str) -> str:
    """With which kinds of network interface the app runs, and why; or why its file does not say so."""
    file = programs.app_file(name)
    if not file.exists():
        return "--ni: not known before ./run.sh setup has built it"
    try:
        return kinds.described(file)
    except UsageError as error:     # the other apps are listed all the same
        wrong = str(error).partition("\n")[0].rstrip(".")
        return f"--ni: not known: {wrong}; ./run.sh clean removes it, and setup builds it again"


def describe(name: str, readme: Path) -> tuple[str, list[str]]:
    """One line that says what the app is, and the lines that show its usage."""
    try:
        text = readme.read_text(errors="replace")
    except OSError:
        text = ""
    said = [line.strip("# ") for line in text.splitlines() if line.strip("# ")]
    # The title is "# NAME: DESCRIPTION", or "# NAME" with the description in the next line.
    title = re.sub(rf"^{re.escape(name)}\b[\s:,-]*", "", said[0]) if said else ""
    usage = re.findall(rf"^[ \t]*(\./run\.sh (?:-[^#\n]*)?{re.escape(name)}\b.*?)[ \t]*$", text, re.MULTILINE)
    return title or (said[1] if len(said) > 1 else ""), usage or [f"./run.sh {name}"]


def bare_names() -> set[str]:
    """The names of all bare-machine programs, built or not, from the lines of meson.build."""
    meson = (programs.BARE / "meson.build").read_text(errors="replace")
    return set(re.findall(r"'(\w+)': ['\[]", meson))


def _bare(names: list[str]) -> list[str]:
    return ["", "Programs for the bare machine, which have it to themselves (tests/guest/README.md):",
            *textwrap.wrap(", ".join(names), WIDTH, initial_indent="  ", subsequent_indent="  ")]

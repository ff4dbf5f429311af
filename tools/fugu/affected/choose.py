"""The rules: which files of tests the changed files can affect, and why. When in doubt, a test runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from .programs import Programs
from .tests import TestFile

# The simulator and what all tests go through.
EVERYTHING = ("hw", "qemu-patches", "run.sh", "meson.build", "tests/conftest.py", "tests/pytest.ini", ".ci")
# No program under Glaze runs in these.
BARE = ("tests/guest", "tests/hw", "tests/unit", "tests/model", "tests/structure", "tests/fuzz")
KERNEL = ("guest-os/kernel", "guest-os/sched")
# Programs that a test compiles itself are linked from these; how the linker is called stands there, too.
LINKED = ("guest-os/include", "guest-os/lib", "guest-os/libos", "guest-os/link", "guest-os/anl")
CPLUSPLUS = "guest-os/cplusplus"                # the same for programs in C++ alone
COMPILES = re.compile(r"""["'](cc|anl)["']|\bcc\(""")
# These read the sources, and take seconds.
ALWAYS = "tests/structure"


@dataclass
class Choice:
    """Files of tests, each with its reasons; `everything`: the reason why all tests run, or nothing."""

    everything: str = ""
    reasons: dict[str, list[str]] = field(default_factory=dict)

    def add(self, why: str, tests: Iterable[str]) -> None:
        for test in tests:
            reasons = self.reasons.setdefault(test, [])
            if why not in reasons:
                reasons.append(why)


def below(path: str, *folders: str) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def choose(changed: Iterable[str], tests: list[TestFile], programs: Programs) -> Choice:
    """The tests for these changed paths."""
    choice = Choice()
    if not (paths := sorted(changed)):
        return choice
    for path in paths:
        if below(path, *EVERYTHING):
            choice.everything = f"{path}: all tests depend on it"
            return choice
        _choose(path, tests, programs, choice)
        if choice.everything:
            return choice
    choice.add("reads the sources", (test.path for test in tests if below(test.path, ALWAYS)))
    return choice


def _choose(path: str, tests: list[TestFile], programs: Programs, choice: Choice) -> None:
    def where(why: str, holds: Callable[[TestFile], object]) -> None:
        choice.add(f"{path}: {why}", (test.path for test in tests if holds(test)))
    name = PurePosixPath(path).name
    linked = programs.of([path])
    if below(path, *KERNEL) or any(below(program, *KERNEL) for program in linked):
        where("the kernel or its server", lambda test: not below(test.path, *BARE))
    for program in sorted(one for one in linked if not below(one, *KERNEL)):
        stem = PurePosixPath(program).stem
        where(f"in the program {stem}", lambda test, stem=stem: stem in test.words)
    if path.endswith("meson.build") or below(path, *LINKED):
        folder = str(PurePosixPath(path).parent)
        where("is in what cc links", lambda test: COMPILES.search(test.text))
        if path.endswith(("meson.build", ".ld", ".py", ".specs")) or "/names/" in path:
            if not below(path, "apps", "tests"):
                choice.everything = f"{path}: all programs are built by it"
                return
            stems = {PurePosixPath(one).stem for one in programs.linked if below(one, folder)}
            where("builds a program", lambda test: stems & test.words)
    if below(path, CPLUSPLUS):
        where("is in what cc links with C++", lambda test: below(test.path, "tests/cpp"))
    if below(path, "apps"):
        where("in apps/", lambda test: re.search(r"\bapps\b", test.text))
    elif below(path, "tools/gdb"):
        where("GDB loads it", lambda test: re.search(r"""\bgdb_session\b|["' ]debug["' ]""", test.text))
    elif below(path, "tools"):
        _launcher(path, where)
    elif below(path, "tests"):
        where("the test uses it", lambda test: path in test.used)
        if not path.endswith(".py") or not any(path in test.used for test in tests):
            folder = "/".join(path.split("/")[:2])
            where(f"in {folder}/", lambda test: below(test.path, folder))
    elif not below(path, "docs", "guest-os") and "/" in path:
        choice.everything = f"{path}: no rule says what it affects"
        return
    if below(path, "docs/course"):
        where("is in a lab", lambda test: below(test.path, "tests/course"))
    if path.endswith(".md"):
        where("a page that the test names", lambda test: name in test.words or re.search(r'"docs"|\bDOCS\b', test.text))
    where("the test names it", lambda test: name in test.words and name not in ("meson.build", "README.md"))


def _launcher(path: str, where: Callable[[str, Callable[[TestFile], object]], None]) -> None:
    """A module concerns who imports it; another file, such as a Snakefile, who imports a module of its folder."""
    if path.endswith(".py"):
        where("the test runs this module", lambda test: path in test.modules)
    else:
        folder = str(PurePosixPath(path).parent)
        where("lies beside modules that the test runs",
              lambda test: any(below(module, folder) for module in test.modules))


def lines(choice: Choice) -> Iterator[str]:
    """What the user reads: each reason, and the tests for which it is the first one."""
    if choice.everything:
        yield f"fugu: all tests: {choice.everything}"
        return
    first: dict[str, list[str]] = {}
    for test, reasons in choice.reasons.items():
        first.setdefault(reasons[0], []).append(test)
    for why, tests in first.items():
        yield f"fugu: {len(tests)} files of tests: {why}"
        yield from (f"    {test}" for test in sorted(tests))

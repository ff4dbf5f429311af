"""Commands that docs/ show: each is one that run.sh takes, and those of two pages run as the pages say."""

from __future__ import annotations

import re
import shlex

import pytest
from run_sh import run_sh

from fugu.cli.command_table import COMMANDS
from fugu.errors import FuguError
from fugu.paths import ROOT
from fugu.run import programs
from fugu.run.parse import parse

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "apps").rglob("*.md"))]
COMMAND = re.compile(r"^    (?:\$ )?\./run\.sh ((?:.*\\\n)*.*)$", re.MULTILINE)
# Words that stand for others, and files of the reader's own.
STANDS = re.compile(r"\[|\.\.\.|<|\||\$|\b[A-Z][A-Z_]+\b|\.(?:elf|snap|img|qcow2|mtx|txt|json|gz|sparc)\b|/")


def commands() -> list[tuple[str, str]]:
    """(page, words) of each command that names no file and nothing that stands for something else."""
    found = []
    for page in PAGES:
        for match in COMMAND.finditer(page.read_text()):
            words = re.sub(r"\s+#.*|\s{3,}.*", "", match[1].replace("\\\n", " "))
            if words and not STANDS.search(words):
                found.append((str(page.relative_to(ROOT)), words.strip()))
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("page, words", commands(), ids=lambda text: text.replace("/", "-")[:60])
def test_run_sh_takes_it(page, words):
    first, *rest = shlex.split(words)
    if first in COMMANDS:
        return                  # its own tests try its command line
    try:
        parse([first, *rest])
    except FuguError as error:
        pytest.fail(f"{page}: ./run.sh {words}: {error}")


def test_there_are_commands():
    assert len(commands()) > 70


def test_a_command_that_run_sh_does_not_take():
    with pytest.raises(FuguError):
        parse(["--nods", "4", "pingpong"])


def test_apps_of_the_commands_exist():
    """Those that each command names, at its beginning or after a +."""
    for page, words in commands():
        if shlex.split(words)[0] not in COMMANDS:
            for job in parse(shlex.split(words)).jobs:
                assert programs.is_app(job.program), (page, words)


def example(page: str, first: str) -> list[str]:
    """The block of commands of a page that begins with these words, without comments."""
    text = (ROOT / page).read_text()
    block = text[text.index(first):].partition("\n\n")[0]
    return [re.sub(r"\s+#.*", "", line).strip().removeprefix("./run.sh ") for line in block.splitlines()]


def test_snapshot_of_the_page(tmp_path):
    """The run goes on beyond the cycle that the page names, and what continues ends as it did."""
    save, load = example("docs/snapshots.md", "    ./run.sh --save half.snap")
    saved = run_sh(*save.split(), cwd=tmp_path)
    assert saved.returncode == 0 and "saved at cycle" in saved.stderr, saved.stderr
    loaded = run_sh(*load.split(), cwd=tmp_path)
    assert loaded.returncode == 0 and saved.stdout.endswith(loaded.stdout), loaded.stderr


def test_disk_of_the_page_on_paging(tmp_path):
    make, run = example("docs/paging.md", "    truncate -s")
    _, _, size, name = make.split()
    with open(tmp_path / name, "wb") as image:
        image.truncate(int(size.removesuffix("M")) << 20)
    done = run_sh(*run.replace("APP", "pingpong").split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_one_way_times_with_skew(machine):
    """Clocks of the nodes differ by up to a tenth of a slot: no time between two nodes is negative."""
    result = machine("pingpong", 5, nodes=4, skew=10, timeout="400M").check(0)
    for way in ("interrupt", "polling", "buffer"):
        numbers = re.search(rf"^{way} +\d+ +\d+ +(\d+) +(\d+) +(\d+) ", result.stdout, re.MULTILINE)
        assert 0 < int(numbers[1]) <= int(numbers[2]) <= int(numbers[3]) < 1_000_000, result.report()


@pytest.mark.parametrize("page", [path for path in PAGES if path.name != "paper.md"], ids=lambda path: path.stem)
def test_a_quantum_is_a_round(page):
    """A job's turn is a slot. The quantum, of 64 cycles, is the machine's; other pages do not need the word, but as a key
    of --stats-json."""
    text = page.read_text()
    assert "quanta" not in text
    if str(page.relative_to(ROOT / "docs") if page.is_relative_to(ROOT / "docs") else page.name) in (
            "machine.md", "speed.md", "processes.md", "figures.md"):
        return
    assert not re.search(r"(?<!--)\bquantum\b", text), page


def test_each_program_that_apps_lists_can_be_asked_for():
    """Those for the bare machine too: their first comment says what they do."""
    listed = run_sh("apps").stdout.partition("Programs for the bare machine")[2]
    names = re.findall(r"\w+", listed.partition(":\n")[2])
    assert len(names) > 40
    done = run_sh("apps", *names, "hello")
    assert done.returncode == 0, done.stderr
    assert all(f"{name}, for the bare machine:\n  " in done.stdout for name in names) and "./run.sh -n 2 hello" in done.stdout

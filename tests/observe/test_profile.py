"""./run.sh profile: every cycle is charged once, and the callers are the right ones."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter

import pytest
from observing import RUNS, digest, observed
from run_sh import run_sh

from fugu.paths import apps_dir

ROW = re.compile(r"^ *([\d,]+) +([\d.]+) %  (.{10}) (.{32})((?: +[\d.]+ %)*)$", re.MULTILINE)


def profiled(folder, *words):
    """Cycles by chain of names, and what was printed."""
    file = folder / "stacks"
    output = observed("profile", "--stacks", file, "--digest", "--stats-json", folder / "figures", *words)
    stacks = Counter[tuple[str, ...]]()
    for line in file.read_text().splitlines():
        chain, _, cycles = line.rpartition(" ")
        assert tuple(chain.split(";")) not in stacks, "a chain has one line"
        stacks[tuple(chain.split(";"))] = int(cycles)
    return stacks, output


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
def test_profile_changes_nothing_and_adds_up(words, tmp_path):
    """The cycles of all chains of a node are the node's cycles; the table's are those of the chains."""
    stacks, output = profiled(tmp_path, *words)
    plain = observed("--digest", *words)
    assert output.startswith(plain)
    nodes = {node["node"]: node["cycles"] for node in json.loads((tmp_path / "figures").read_text())["nodes"]}
    by_node = Counter[str]()
    for chain, cycles in stacks.items():
        by_node[chain[0]] += cycles
    assert by_node == {f"node {node}": cycles for node, cycles in nodes.items()}
    rows = ROW.findall(output.removeprefix(plain))
    assert rows[-1][3].strip() == "all" and int(rows[-1][0].replace(",", "")) == sum(nodes.values())
    assert sum(int(row[0].replace(",", "")) for row in rows[:-1]) == sum(nodes.values())
    for row in rows[:-1]:
        if "others" not in row[3]:      # which may have a function of another program with this name
            same = [other for other in rows if other[3] == row[3]]
            assert 0 < sum(int(other[0].replace(",", "")) for other in same) <= \
                sum(cycles for chain, cycles in stacks.items() if chain[-1][:32].strip() == row[3].strip())


def test_waits_are_those_of_the_figures(tmp_path):
    """Idle cycles, and those of each other kind of wait, are as many as --stats counts."""
    stacks, _ = profiled(tmp_path, *RUNS["pingpong"])
    waits = Counter[str]()
    for chain, cycles in stacks.items():
        if chain[-1].startswith("("):
            waits[chain[-1].strip("()")] += cycles
    counted = Counter[str]()
    for job in json.loads((tmp_path / "figures").read_text())["jobs"]:
        counted += Counter(job["cycles"]["waits"])
    assert waits == counted and waits["idle"] > 0


def test_callers_are_found_through_upcalls_and_traps(tmp_path):
    """A handler is above the code that its message has interrupted, the kernel above the code that has trapped."""
    stacks, _ = profiled(tmp_path, "-n", 2, "pingpong", 20)
    chains = list(stacks)

    def has(*part):
        return any(chain[at:at + len(part)] == part for chain in chains for at in range(len(chain)))

    # main() calls the measurements; crt0 calls main().
    assert has("start", "program_start", "main")
    # A message that interrupts: the stub and the handler, above what main() has called.
    assert any("message_stub" in chain and chain.index("main") < chain.index("message_stub") for chain in chains
               if "main" in chain)
    # The kernel, for a message and for a system call, in user code.
    for trap in ("[interrupt message]", "[ta call]"):
        assert any(trap in chain and chain.index("main") < chain.index(trap) for chain in chains if "main" in chain)
    # The kernel's start is that, until the first process runs.
    assert all(chain[2] == "[reset]" and len(chain) > 3 for chain in chains if "kernel_main" in chain)


def test_depths_are_those_of_the_calls(tmp_path):
    """A handler returns: no chain has one handler's stub twice without a trap between, and none grows with time."""
    stacks, _ = profiled(tmp_path, "-n", 2, "pingpong", 200)
    assert max(map(len, stacks)) < 25, max(stacks, key=len)


def test_same_profile_twice(tmp_path):
    assert profiled(tmp_path, *RUNS["stress"]) == profiled(tmp_path, *RUNS["stress"])


@pytest.mark.parametrize("words, status, said", [
    (("--dry-run", "null"), 2, "profile and --dry-run contradict each other"),
    (("--stacks", "nosuch/file", "null"), 121, "--stacks nosuch/file: there is no directory nosuch"),
    (("--join", "a:1", "--secret-file", "s", "--process", "1", "-n", "2", "--processes", "2", "null"), 2,
     "profile is for a machine on one host"),
])
def test_refused(words, status, said, tmp_path):
    (tmp_path / "s").write_text("0123456789abcdef0123456789abcdef")
    (tmp_path / "s").chmod(0o600)
    done = run_sh("profile", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (status, "")
    assert said in done.stderr


def test_digest_is_printed_once(tmp_path):
    assert digest(observed("profile", "--digest", "-n", 2, "null"))


def test_stacks_have_the_bytes_of_a_name(tmp_path):
    """Also of one that is not UTF-8."""
    program = os.fsencode(tmp_path) + b"/a\xff.elf"
    shutil.copy(apps_dir() / "hello.elf", program)
    assert run_sh("profile", "--stacks", tmp_path / "stacks", "-n", 1, os.fsdecode(program)).returncode == 0
    assert b"node 0;job 1 a\xff;" in (tmp_path / "stacks").read_bytes()

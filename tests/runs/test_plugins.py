"""A plugin of QEMU that sees each access to memory changes nothing in a run."""

import re
import subprocess
from pathlib import Path

import pytest
from cases import call, pick

PICKED = pick("ring", "dma", "cache", "doubles", "ramcode", "rewrite", "protect")
CASES = {name: call(name, case) for name, case in PICKED.items()} | {
    "two jobs": (("pingpong", 3, "+", "null", 20_000), {"nodes": 2})}


@pytest.fixture(scope="session")
def plugin(tmp_path_factory):
    """The path of the compiled plugin."""
    target = tmp_path_factory.mktemp("plugin") / "memory.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", target, Path(__file__).with_name("memory_plugin.c")],
                   check=True)
    return target


@pytest.mark.parametrize("case", CASES)
def test_plugin_changes_nothing(machine, plugin, case):
    words, options = CASES[case]
    usual = machine(*words, digest=True, **options).check(0)
    done = subprocess.run([*usual.command, "-plugin", plugin], capture_output=True, text=True, timeout=100,
                          stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (0, usual.stdout), done.stderr
    assert usual.digest in done.stdout + done.stderr
    seen = re.search(r"^accesses: (\d+)$", done.stderr, re.MULTILINE)
    assert seen and int(seen[1]) > 1000

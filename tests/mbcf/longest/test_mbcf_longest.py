"""The kernel serves network and clock within a bound beside the commands of MBCF that take it longest: longest.c."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from guest_programs import built, joined
from served import BOUND, check_served, longest

KINDS = re.findall(r'^    \{ "(\w+)", do_', (Path(__file__).parent / "longest.c").read_text(), re.MULTILINE)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("kind", KINDS)
def test_network_and_clock_are_served(tmp_path, kind, atomicity):
    """4,096 bytes to and from any address, or 16 commands in one packet, with little of all that in the cache."""
    worst, done = longest(tmp_path, "-n", 2, "--atomicity", atomicity, built("mbcf/mbcf-longest"), kind)
    assert done.returncode == 0 and re.search(r"^longest: \d+ commands$", done.stdout, re.MULTILINE), done.stdout
    assert worst.cycles <= BOUND, worst.text


def test_a_long_command_line(tmp_path):
    """The first task of a node makes the secret of all keys out of the whole command line."""
    check_served(tmp_path, "-n", 2, *joined([[built("mbcf/mbcf-reads")], ["hello", "x" * 3600]]))


@pytest.mark.parametrize("kind", ["fifo-long", "read-long"])
def test_commands_of_many_jobs(tmp_path, kind):
    """A chore looks at the replies and commands that wait of eight tasks, of which most can do nothing yet."""
    check_served(tmp_path, "-n", 3, *joined([[built("hostile/attack"), kind, 4_000_000]] * 8))


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_long_reads_without_a_frame(tmp_path, jobs):
    """No frame is free on node 1 for the parts of a READ that waits: they are loaded to a page that the node keeps for one
    READ at a time. Loaded at once, it would keep network and clock waiting for up to 22,814 cycles."""
    worst, done = longest(tmp_path, "-n", 3, "--ram", "1M", "--timeout", "60M",
                          *joined([[built("glaze/sched/hoard"), 1, 0, 16_000_000],
                                   *[[built("hostile/attack"), "read-long", 16_000_000]] * jobs]))
    assert done.returncode in (0, 102), done.stdout + done.stderr       # one may end for a page of its own
    assert worst.cycles <= BOUND, worst.text

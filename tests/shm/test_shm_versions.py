"""docs/shm.md, "Limits": the home of a written page keeps 4 bytes of it for each node (versions.c)."""

from __future__ import annotations

import re

from guest_programs import built

PAGES = 400
PAGE = 4096


def grown(machine, nodes):
    """Pages of 4 KiB by which the home has grown, without the shared pages."""
    result = machine(built("shm/shm-versions"), PAGES, nodes=nodes, timeout="1G").check(0)
    found = re.fullmatch(r"(\d+) pages\n", result.stdout)
    assert found, result.report()
    return int(found[1])


def test_four_bytes_a_page_and_node(machine):
    """What else a home keeps does not depend on the number of nodes."""
    few, many = grown(machine, 64), grown(machine, 256)
    assert few >= PAGES * 4 * 64 / PAGE
    assert (many - few) * PAGE == PAGES * 4 * (256 - 64), (few, many)

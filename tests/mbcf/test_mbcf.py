"""MBCF: docs/mbcf, case by case. README.md says which case checks which rule."""

from __future__ import annotations

import pytest
from guest_programs import built

CASES = built("mbcf/mbcf-cases")

# Checks of each case on two nodes.
CHECKS = {"words": 16, "options": 11, "sleep": 2, "section": 1, "combined": 19, "ended": 3, "lengths": 34, "reads": 34,
          "refusals": 23, "agents": 15, "errors": 25, "atomic": 2}


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("case", CHECKS)
def test_case(machine, case, atomicity):
    machine(CASES, case, nodes=2, timeout="200M", atomicity=atomicity).passed(CHECKS[case])


def test_all_nodes_add_to_one_word(machine):
    machine(CASES, "atomic", nodes=9, timeout="200M").passed(2)

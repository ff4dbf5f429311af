"""Sections of the library itself: what handlers do at the same time would damage its lists only in rare cycles."""

from __future__ import annotations

import pytest
from guest_programs import built

from fugu.abi import REGS
from fugu.api import Machine

UAC = REGS["NI_USER_BASE"] + REGS["U_UAC"]


@pytest.mark.parametrize("back_end", ["memory", "fetch"])
def test_library_is_in_a_section_where_it_ends_one(back_end):
    """rq_open() gets whether rq_close() has opened a section."""
    with Machine(built("rq/rq-rules"), back_end, nodes=2, history="1M") as machine:
        ended = 0
        for _ in range(60):
            node = machine.to_symbol("rq_open").node
            assert machine.value(UAC, node, 4, program="kernel") & REGS["UAC_INTERRUPT_DISABLE"], machine.place
            ended += machine.registers(node)["o0"] & 0xff
        assert ended > 20

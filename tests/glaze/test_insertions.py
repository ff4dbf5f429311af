"""Which insertions take the fast path (entry/insert.S): C would do the same, in several times as many cycles."""

from __future__ import annotations

import pytest
from guest_programs import built

from fugu.api import Ended, Machine


def calls(function):
    """How often the kernel comes to a function while the case inserts bodies of all lengths."""
    count = 0
    with Machine(built("glaze/contract"), "bodies", nodes=1, history="1M") as machine, pytest.raises(Ended):
        while True:
            machine.to_symbol(function, program="kernel")
            count += 1
    return count


def test_bodies_for_which_their_page_has_room_are_inserted_by_the_fast_path():
    """C gets those that need another page, and the first after each change of the mode."""
    bodies, slow = calls("insert_body"), calls("buffer_insert")
    assert bodies > 1000 and slow < 60, (bodies, slow)

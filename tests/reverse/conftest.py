"""Fixtures of machines that can go back."""

from __future__ import annotations

import pytest
from gdb_session import environment, session
from history_machine import RAM, Traveller, with_history

__all__ = ["environment", "session"]


@pytest.fixture
def traveller(debug):
    """traveller(program, *args, nodes=N) -> a Traveller of a new machine, before its first instruction.

    Its member `machine` is the process. `console` is another chardev for QEMU.
    """
    def make(program, *args, console=None, **options):
        given = {"ram": RAM} | with_history() | options
        if console:
            given["more"] = (*given["more"], "-chardev", console)
        machine, client = debug(program, *args, **given)
        found = Traveller(client, machine.nodes)
        found.machine = machine
        return found
    return make

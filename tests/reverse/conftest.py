"""Fixtures of machines that can go back."""

from __future__ import annotations

import pytest
from history_machine import RAM, Traveller, with_history


@pytest.fixture
def traveller(debug):
    """traveller(program, *args, nodes=N) -> a Traveller of a new machine, before its first instruction.

    Its member `machine` is the process.
    """
    def make(program, *args, **options):
        machine, client = debug(program, *args, **{"ram": RAM} | with_history() | options)
        found = Traveller(client, machine.nodes)
        found.machine = machine
        return found
    return make

"""Atomic operations in C: what each one does, and that none is lost against handlers: atomic.c."""

from __future__ import annotations

import pytest
from guest_programs import built


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_operations(machine, atomicity):
    machine(built("clib/atomic"), nodes=2, atomicity=atomicity).finished(2)


def test_operations_of_a_buffered_program(machine):
    machine(built("clib/atomic"), "+", "null", nodes=2, timeslice=20000).finished(2)

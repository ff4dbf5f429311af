"""C that the kernel's assembly calls with traps disabled stays within the windows that the caller has checked.

insert.S, quick_ways.S and second.S call these functions in the window below the trap's. A
function that they call must use no window: a save there could enter a user's
window, or trap, which ends the machine. A function may leave its window for another
one's, by a call with a restore behind it.
"""

from __future__ import annotations

import struct

import pytest

from fugu.image import elf
from fugu.paths import build_dir
from fugu.run.programs import find_kernel

SAVE, RESTORE, WRY, TICC = 0x3C, 0x3D, 0x30, 0x3A      # op3 of format 3 (SPARC V8 manual, appendix F)


class Kernel:
    """The compiled kernel, function by function."""

    def __init__(self):
        path = find_kernel(build_dir())
        self.elf = elf.read(path, path.read_bytes())
        self.functions = {symbol.name: symbol for symbol in self.elf.symbols if symbol.is_function}
        self.names = {symbol.address: symbol.name for symbol in self.functions.values()}

    def code(self, name):
        """The pairs (address, instruction) of a function."""
        symbol = self.functions[name]
        [segment] = [one for one in self.elf.segments
                     if one.address <= symbol.address < one.address + len(one.data)]
        start = symbol.address - segment.address
        words = struct.unpack_from(f">{symbol.size // 4}I", segment.data, start)
        return [(symbol.address + 4 * k, word) for k, word in enumerate(words)]

    def operations(self, name):
        """The op3 of the function's arithmetic and control instructions."""
        return [word >> 19 & 0x3F for _, word in self.code(name) if word >> 30 == 2]

    def _calls(self, name):
        """The pairs (function, whether the caller leaves its window for it) of a function's calls."""
        code = self.code(name)
        return {(self.names[address + 4 * (word & 0x3FFFFFFF) & 0xFFFFFFFF],
                 slot >> 30 == 2 and slot >> 19 & 0x3F == RESTORE)
                for (address, word), (_, slot) in zip(code, code[1:]) if word >> 30 == 1}

    def callees(self, name):
        """The functions that a function calls in its window."""
        return {callee for callee, leaves in self._calls(name) if not leaves}

    def successors(self, name):
        """The functions that a function leaves its window for."""
        return {callee for callee, leaves in self._calls(name) if leaves}

    def all_callees(self, name):
        """The functions that a function calls in its window, and those that they call."""
        found, left = set(), self.callees(name)
        while left:
            one = left.pop()
            found.add(one)
            left |= self.callees(one) - found
        return found


@pytest.fixture(scope="module")
def kernel():
    return Kernel()


CALLED = ["extend", "quick_packet", "quick_call", "quick_several", "pieces_quick"]


def test_some_call_others(kernel):
    """So the tests below have something to test."""
    assert kernel.callees("extend") and kernel.callees("quick_packet")


def test_its_successors_are_tested(kernel):
    assert set().union(*map(kernel.successors, CALLED)) == {"quick_several"}


@pytest.mark.parametrize("function", CALLED)
def test_it_has_at_most_one_window(kernel, function):
    assert kernel.operations(function).count(SAVE) <= 1


@pytest.mark.parametrize("function", CALLED)
def test_what_it_calls_has_no_window(kernel, function):
    for name in kernel.all_callees(function):
        assert SAVE not in kernel.operations(name), name


@pytest.mark.parametrize("function", CALLED)
def test_it_neither_traps_nor_changes_y(kernel, function):
    for name in {function, *kernel.all_callees(function)}:
        assert not {WRY, TICC} & set(kernel.operations(name)), name


def test_a_window_is_found(kernel):
    """buffer_insert() would do the same work, and has windows."""
    assert any(SAVE in kernel.operations(name) for name in kernel.callees("buffer_insert"))

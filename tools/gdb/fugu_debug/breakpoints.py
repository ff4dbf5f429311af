"""Breakpoints on a machine of several nodes, and of a kernel with a program.

GDB parses a condition once, for the node that is selected at that time, and cannot find the variables of a function
on other nodes with the result. So a condition that has names becomes $_here("CONDITION"), which is evaluated where a
node has stopped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

import gdb

from .base import attached
from .glaze import is_program

HERE = "$_here"
KINDS = (gdb.BP_BREAKPOINT, gdb.BP_HARDWARE_BREAKPOINT)


def hook() -> None:
    """Starts to look after the user's breakpoints."""
    Here()
    gdb.events.breakpoint_created.connect(leave_kernel_out)
    gdb.events.breakpoint_created.connect(evaluate_here)
    gdb.events.breakpoint_modified.connect(evaluate_here)


# ---- conditions ----------------------------------------------------------------

class Here(gdb.Function):
    """$_here("CONDITION"): the condition, evaluated on the node that has stopped, in its frame.

    False in a function that does not have the condition's variables."""

    def __init__(self) -> None:
        super().__init__(HERE.removeprefix("$"))

    def invoke(self, condition: gdb.Value) -> gdb.Value | bool:
        try:
            return gdb.parse_and_eval(condition.string())
        except gdb.error as error:
            # GDB itself turns the breakpoint off at such places, if it can tell when it sets the breakpoint.
            if re.fullmatch(r'No symbol ".*" in current context\.', str(error)):
                return False
            raise


def has_names(condition: str) -> bool:
    """Whether a condition has names of the program: variables, functions or types."""
    bare = re.sub(r'"(\\.|[^"\\])*"|' r"'(\\.|[^'\\])*'|\$\w*|\b\d\w*", " ", condition)
    return re.search(r"[^\W\d]", bare) is not None


def evaluate_here(breakpoint: gdb.Breakpoint) -> None:
    """Lets a breakpoint of the user's evaluate its condition on the node that has stopped."""
    condition = breakpoint.condition
    if breakpoint.number < 0 or breakpoint.type not in KINDS or not condition or len(attached()) < 2:
        return
    if HERE not in condition and has_names(condition):
        quoted = condition.replace("\\", r"\\").replace('"', r"\"")
        # GDB says at how many places the condition is valid now.
        gdb.execute(f'condition {breakpoint.number} {HERE}("{quoted}")', to_string=True)


# ---- functions that the kernel has as well ----------------------------------------

def leave_kernel_out(breakpoint: gdb.Breakpoint) -> None:
    """Turns the kernel's locations off if the user has named a function that the program has as well. Says so."""
    function = re.fullmatch(r"(?:-(?:qualified|function) +)*([\w.$]+)", breakpoint.location or "")
    if breakpoint.number < 0 or breakpoint.type not in KINDS or not function or function[1].isdecimal():
        return
    places = list(breakpoint.locations)
    kernels = [number for number, place in enumerate(places, 1) if not is_program(place.address or 0)]
    if not kernels or len(kernels) == len(places):
        return
    for number in kernels:
        places[number - 1].enabled = False
    names = " ".join(f"{breakpoint.number}.{part}" for part in ranges(kernels))
    one = len(kernels) == 1
    print(f"The kernel has {'a function' if one else 'functions'} {function[1]} as well, and the breakpoint is off "
          f'there: "enable {names}" turns it on.')


def ranges(numbers: list[int]) -> Iterator[str]:
    """The numbers, which ascend, as GDB's commands take them: 3 or 5-8."""
    for _, part in groupby(enumerate(numbers), lambda one: one[1] - one[0]):
        run = [number for _, number in part]
        yield str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}"

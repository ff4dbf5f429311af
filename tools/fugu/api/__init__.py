"""Machines in Python scripts: `from fugu.api import Machine, run`. docs/scripts.md is the guide, with examples.

    machine         a machine that a script stops, reads, and takes on or back
    whole           a whole run, and programs to run
    symbols         from names to addresses, and to the memory of programs
    pytest_plugin   fixtures of pytest, for the tests of one's own programs

All that goes wrong is a FuguError with a message for people: UsageError if the script asks for what makes no sense,
NotReached if the machine has ended, or runs on, and is not where it should go.
"""

from ..errors import FuguError, UsageError
from .machine import Ended, Machine, Message, NotReached, Place
from .symbols import NotThere
from .whole import Result, compile_program, run

__all__ = ["Ended", "FuguError", "Machine", "Message", "NotReached", "NotThere", "Place", "Result", "UsageError",
           "compile_program", "run"]

"""The part of ./run.sh debug that runs in GDB: start-up, and commands for the machine.

You can also load it into a GDB that you have started on the program's ELF file:
    source tools/gdb/fugu.py
    fugu connect localhost:1234 0-7
"""

from __future__ import annotations

import sys
from pathlib import Path

import gdb

# The launcher's package comes first: this file has the same name.
sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]

import fugu_debug.stepping  # noqa: E402
from fugu_debug import (  # noqa: E402
    breakpoints,
    contexts,
    flight,
    frames,
    history,
    ni,
    nodes,
    origins,
    processes,
    programs,
    start,
    stepping,
    threads,
    updates,
    watches,
)
from fugu_debug.libraries import mbcf, queues, shm  # noqa: E402


class Fugu(gdb.Command):
    """Commands for a FUGU machine.

    fugu nodes                  all nodes: state, pc, function, local time
    fugu ni [NODE]              a node's network interface, registers by name
    fugu flight [NODE]          messages on their way, and in input queues
    fugu connect TARGET NODES [APP.elf...]
                                attaches to a machine started with QEMU's -gdb

    fugu when                   the place in the run, and how far one can go back
    fugu goto CYCLE [NODE]      goes there, back or on
    fugu origin                 goes back to where the message that the node
                                reads was launched
    fugu origin [EXPRESSION]    --ni shrimp: to the store or the command that has
                                sent the last update of a variable
    fugu who-wrote EXPRESSION   goes back to the last store to a variable

    With SHRIMP's network interface (--ni shrimp):

    fugu maps [NODE]            which pages are mapped to which pages of others
    fugu fifos [NODE]           the packets in the FIFOs
    fugu engine [NODE]          what the engine for deliberate update does

    With the M-Machine's (--ni m-machine):

    fugu contexts [NODE]        the main context and the message slots

    If Glaze runs:

    fugu processes [NODE]       a node's processes: state, mode, memory
    fugu buffer [NODE [JOB]]    the messages in a process's buffer
    fugu threads [NODE]         threads and handlers of the current process
    fugu queues [NODE [QUEUE]]  remote queues of the current process
    fugu mbcf [NODE]            tasks of MBCF, and what waits for them
    fugu shm                    processes that share memory, and their locks
    fugu page EXPRESSION        what each node has of a shared variable
    fugu program [NAME]         whose symbols GDB has, if there are several
                                programs
    $_copy(X)                   the node's copy of a shared variable
    $_job()                     the job that the selected node runs, for
                                conditions of breakpoints

    Without NODE, the node of the selected thread counts; for flight, all
    nodes. The commands only read, except those that go elsewhere in the run:
    nothing in the machine changes."""

    def __init__(self) -> None:
        super().__init__("fugu", gdb.COMMAND_USER, gdb.COMPLETE_COMMAND, prefix=True)


start.flush_lines()
for command in (Fugu, nodes.Nodes, ni.NI, flight.Flight, processes.Processes, processes.Buffer, threads.Threads,
                queues.Queues, mbcf.Mbcf, shm.Shm, shm.PageCommand, shm.Copy, programs.ProgramCommand, start.Connect,
                start.Kill, history.When, history.Goto, origins.Origin, history.WhoWrote, updates.Maps,
                updates.Fifos, updates.Engine, contexts.Contexts):
    command()
frames.Interruptions()
history.step_one_thread()
breakpoints.hook()
watches.hook()
for name in ("run", "start", "starti"):      # GDB would end the machine first
    start.Start(name)
stepping.hook()
gdb.events.stop.connect(start.stopped)
gdb.events.stop.connect(history.stopped)
gdb.events.stop.connect(stepping.stopped)
gdb.events.before_prompt.connect(stepping.before_prompt)
if hasattr(gdb.events, "gdb_exiting"):      # GDB 12 has it
    gdb.events.gdb_exiting.connect(start.exiting)

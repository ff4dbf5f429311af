"""The tables and figures of the report, in their order, each with what a reader must know to follow it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from .. import (
    crl,
    figure7,
    figure8,
    figure9,
    figure10,
    mbcf,
    mm,
    policies,
    protection,
    rq,
    schedules,
    shm,
    shrimp,
    speedup,
    switch,
    table4,
    table5,
    table6,
)
from .._table import Result
from ..queues import solve, strided, transpose
from ..runs import skewed
from ..runs.extent import Extent
from ..runs.sweep import Job
from . import pictures
from .drawing import Picture

@dataclass(frozen=True)
class Part:
    """A table or figure."""

    name: str                   # as ./run.sh paper knows it
    heading: str
    about: str                  # what is measured, and how to read it
    measure: Callable[[Extent], Result]                     # SetupError
    jobs: Callable[[Extent], Iterable[Job]] = lambda extent: ()     # the runs of whole programs that it needs
    source: str = "paper"       # where the numbers beside ours come from; empty if there are none
    needs_all: bool = False     # its claims are about the largest or least of all rows, which some rows do not show
    picture: Callable[[Any], Picture] | None = None         # what the page draws of the result; None: nothing


PARTS = (
    Part("table4", "Table 4: what a message costs",
         "Cycles to send a null message and to receive it, instruction by instruction. “Kernel” is a message from "
         "kernel to kernel, without protection. “Hard” is the machine whose network interface protects users from "
         "each other; “soft” is one whose kernel does so in software, as the paper's own simulator did for its "
         "section 5.",
         lambda extent: table4.measure(), picture=pictures.message),
    Part("table5", "Table 5: what a buffered message costs",
         "If a message arrives while its receiver is not scheduled or cannot take it, the kernel moves it into the "
         "receiver's virtual memory, and the receiver takes it from there. This is the second case of two-case "
         "delivery. It should be rare, and it must not be slow.",
         lambda extent: table5.measure()),
    Part("switch", "A process switch",
         "Cycles from the end of a job's slot to the next instruction of the job whose slot begins. The paper has no "
         "such table.",
         lambda extent: switch.measure(), source=""),
    Part("table6", "Table 6: the programs",
         "Five programs on eight nodes, each alone on the machine. Barrier and enum send messages themselves; "
         "barnes, water and lu share regions of memory through CRL, a library. T_betw is the mean time between two "
         "messages of a node, T_hand the time that a node spends on each one it receives.",
         lambda extent: table6.measure(extent=extent), table6.jobs),
    Part("protection", "What protection costs programs",
         "A message to a user costs more cycles than one from kernel to kernel, which nobody is protected from. Divided by "
         "the time between two messages, this is the share of a program's run time that protection costs: the paper's "
         "conclusion.",
         lambda extent: protection.measure(extent), protection.jobs, picture=pictures.protected),
    Part("figure7", "Figure 7: how many messages are buffered",
         "Each program runs beside another job, “null”, which only spins. The gang scheduler gives both of them "
         "slots of 500,000 cycles on all nodes. With skew, the nodes' clocks differ by up to that share of a slot, "
         "so that slots no longer coincide, and messages arrive at nodes where the other job is running.",
         lambda extent: figure7.measure(extent=extent), skewed.jobs, picture=pictures.figure7),
    Part("figure8", "Figure 8: what bad schedules cost",
         "The same runs. Elapsed time is the clock on the wall; charged time is what the program used: its own "
         "slots, and the insertions into its buffer at any time. The claims are judged by elapsed time.",
         lambda extent: figure8.measure(extent=extent), skewed.jobs, picture=pictures.figure8),
    Part("figure9", "Figure 9: where buffering begins",
         "The program synth-N sends requests in groups of N and waits for the replies after each group. Four nodes, "
         "with a skew of 1 %. T_betw is the mean interval between two requests: the sender's own computing time, time "
         "since the last request, or elapsed time from one time at which a request is due to the next. The paper does not "
         "say which one it means.",
         lambda extent: figure9.measure(extent), figure9.jobs, picture=pictures.figure9),
    Part("figure10", "Figure 10: why the buffered path has to be fast",
         "Synth again, with a fixed interval. Cycles are added to each insertion into the buffer; the axis shows the "
         "cost of the whole buffered path.",
         lambda extent: figure10.measure(extent), figure10.jobs, picture=pictures.figure10),
    Part("crl", "CRL: operations on shared regions",
         "Cycles of an operation, the mean over all pairs of nodes, for regions of 16 to 1024 bytes. The numbers "
         "beside ours were published for CRL on Alewife, a machine with the same processor.",
         lambda extent: crl.measure(extent), crl.jobs, source="published"),
    Part("rq", "Remote queues: what an item costs",
         "Remote Queues (Brewer et al., SPAA 1995) keep messages in named queues until the program takes them. Cycles "
         "to send an item and to receive it by polling or by interrupt, beside those of Alewife, a machine with the "
         "same processor.",
         lambda extent: rq.measure(), picture=pictures.queues),
    Part("rq-solve", "Remote queues: sparse triangular solve",
         "A message for each entry of a sparse matrix, received by interrupts, by polling, and by polling with an "
         "inlined handler. Speed-up over one node that needs no messages.",
         lambda extent: solve.measure(extent), solve.jobs, source="", needs_all=True, picture=pictures.solves),
    Part("rq-transpose", "Remote queues: transpose",
         "All nodes exchange blocks, built of small messages. Each way has the optimizations of the one before it; "
         "the paper's gains are those of a CM-5.",
         lambda extent: transpose.measure(extent), transpose.jobs, picture=pictures.transposes),
    Part("rq-strided", "Remote queues: strided transfers",
         "Blocks that lie apart in memory, by messages of up to eight words and by DMA. The paper has no numbers.",
         lambda extent: strided.measure(extent), strided.jobs, source="", picture=pictures.strides),
    Part("mbcf", "MBCF: commands on the memory of other tasks",
         "MBCF (Matsumoto and Hiraki, ICS 1998) lets a program name memory of a task on another node; the kernel there "
         "does the command. Cycles one way, beside UDM messages that do the same work. The paper's times are those of "
         "another processor and network, so the claims compare ratios.",
         lambda extent: mbcf.measure(extent), mbcf.jobs, source="", picture=pictures.commands),
    Part("shm", "Shared memory: costs and speed-ups",
         "A library shares pages among the nodes for programs that were written for shared memory. Cycles of faults, "
         "releases, locks and barriers on eight nodes, and how much faster two programs are on eight nodes than on "
         "one. The numbers beside ours are aims of this project.",
         lambda extent: shm.measure(extent), shm.jobs, source="aim", picture=pictures.shared),
    Part("shrimp", "SHRIMP: updates of memory that is mapped over the network",
         "With SHRIMP's network interface (Blumrich et al., ISCA 1994), what a program stores to its memory appears in that of "
         "a process on another node. Instructions of the paper's message-passing primitives, executed step by step; how "
         "long an update takes, and how many fit through the network: on the default machine, and on one whose network and "
         "bus have the pace of the paper's hardware.",
         lambda extent: shrimp.measure(extent), shrimp.jobs),
    Part("mm", "M-Machine: five message interfaces, by ways of dispatch",
         "The paper on the M-Machine's interface (Lee et al., IEEE Computer 1998) compares interfaces that are mapped to registers "
         "or to memory, and that buffer or stream messages, by dispatch to a thread, polling and interrupts. Here all of them are "
         "measured on the same processor: latency, and occupancy of the processors, in four benchmarks.",
         lambda extent: mm.measure(extent), mm.jobs, picture=pictures.dispatches),
    Part("policies", "SHRIMP: mapped pages that stay in memory, and that go out",
         "Where memory is scarce, pages with mappings may stay (the paper's policy of pinned pages) or go to backing store after "
         "their mappings have been shot down. Cycles of programs that use their mapped pages often or rarely, beside other "
         "memory. The paper on SHRIMP has no numbers.",
         lambda extent: policies.measure(extent), policies.jobs, source=""),
    Part("schedules", "Two jobs, with and without gang scheduling",
         "How long programs of SHRIMP's interface and of UDM take beside null and beside themselves, by the skew between the "
         "nodes' slots. An update for a process that does not run goes to its memory; UDM buffers such messages. The paper on "
         "SHRIMP has no numbers.",
         lambda extent: schedules.measure(extent), schedules.jobs, source="", picture=pictures.schedules),
    Part("speedup", "Speed-up",
         "The programs of table 6 on 1 to 64 nodes, with soft atomicity. The paper has no such table.",
         lambda extent: speedup.measure(extent=extent), speedup.jobs, source="",
         picture=pictures.speedups),
)


"""The table of the options of a run: names, ranges, defaults, help.

The parser, the help, QEMU's command line and the keywords of the tests'
`machine()` are derived from this table. The machine has its own defaults; the
table repeats them for the help and for checks. QEMU gets only the options
that the user sets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import abi
from . import types

NODES_MAX, PROCESSES_MAX = abi.REGS["NODES_MAX"], abi.LINK["PROCESSES_MAX"]
CMDLINE_MAX = abi.REGS["PARAM_CMDLINE_MAX"]         # bytes
LATENCY_MAX = abi.MESH["CYCLES_MAX"]
QUEUE_MIN, QUEUE_MAX = abi.REGS["MSG_WORDS"], abi.OPTIONS["WORDS_MAX"]
UINT32_MAX = (1 << 32) - 1
LOOPBACK = "127.0.0.1"
AUTO = "auto"                   # for --processes: the launcher chooses
DEFAULT_PORT = 3848             # FUGU on the keys of a telephone
KINDS = ("fugu", "m-machine", "none", "shrimp")         # of network interface: hw/ni/KIND
MESSAGES = ("fugu",)            # those with the message part of the FUGU paper
QUEUES = ("fugu", "m-machine")  # those whose queues have an option
NETWORK = ("fugu", "shrimp", "m-machine")       # those that use the first network
DMA = ("fugu", "shrimp")        # those with DMA
UPDATES = ("shrimp",)           # those with the message part of the SHRIMP paper
SLOTS = ("m-machine",)          # those with message slots


@dataclass(frozen=True)
class Option:
    """One option of a run.

    `parse` is None for a flag. `prop` is the machine property that gets the
    value unchanged, `kernel` the parameter of Glaze that does. `default` is a
    value as `parse` returns it. `kinds` are the kinds of network interface that
    have it.
    """

    group: str
    names: tuple[str, ...]
    metavar: str
    help: str
    parse: Callable[[str], Any] | None = None
    default: Any = None
    prop: str | None = None
    repeat: bool = False
    kernel: str | None = None
    kinds: tuple[str, ...] = KINDS

    @property
    def key(self) -> str:
        """The name without dashes: the key of the option in parsed options."""
        return self.names[-1].lstrip("-")

    @property
    def saved(self) -> bool:
        """Whether a snapshot decides the option: a guest can notice it (hw/snapshot/parameters.c)."""
        if self.prop is None:
            return self.key == "mesh"
        return self.group in (MACHINE, MESH, INTERFACE, CACHE) or self.key == "terminals"


_cycles = types.cycles_within(0, LATENCY_MAX)
_latency = types.cycles_within(1, LATENCY_MAX)

MACHINE, MESH, INTERFACE, CACHE = "Machine", "Mesh (in cycles)", "Network interface", "Cache"
GLAZE, RUN, OBSERVE = "Operating system", "Run", "Observing (docs/observing.md)"
PROCESSES, OTHER = "Several processes", "Other"

OPTIONS: tuple[Option, ...] = (
    Option(MACHINE, ("-n", "--nodes"), "NODES", f"number of nodes, 1 to {NODES_MAX}",
           types.integer(1, NODES_MAX, "nodes"), 8, "nodes"),
    Option(MACHINE, ("--quantum",), "CYCLES",
           "length of a round; at most the smallest latency of each network in use",
           types.cycles_within(1, LATENCY_MAX), 64, "quantum"),
    Option(MACHINE, ("--ram",), "SIZE", "memory of each node",
           types.size(abi.OPTIONS["NODE_RAM_MIN"], abi.REGS["RAM_MAX"], abi.GLAZE["PAGE"]), 8 << 20, "node-ram"),
    Option(MACHINE, ("--disk",), "NODE=FILE", "gives a node a disk: an image, raw or qcow2 (repeatable)",
           types.disk, repeat=True),
    Option(MACHINE, ("--input",), "[NAME=]FILE", "a file that apps can open by its name, or as NAME "
           "(repeatable)", types.named_file, repeat=True),

    Option(MACHINE, ("--output-max",), "SIZE", "bytes that the files which apps write may have on a node",
           types.size(0, abi.OPTIONS["OUTPUT_MAX"]), 16 << 20, "output-max"),

    Option(MESH, ("--mesh",), "WxH", "shape of the mesh (default: as square as possible)",
           types.mesh),
    Option(MESH, ("--mesh-base",), "CYCLES", "latency of every message", _latency, 64, "mesh-base", kinds=NETWORK),
    Option(MESH, ("--mesh-hop",), "CYCLES", "additional latency for each hop", _cycles, 2, "mesh-hop", kinds=NETWORK),
    Option(MESH, ("--mesh-word",), "CYCLES", "additional latency for each word", _latency, 4, "mesh-word",
           kinds=NETWORK),
    Option(MESH, ("--second-base",), "CYCLES", "the same for the second network",
           _latency, 256, "second-base"),
    Option(MESH, ("--second-hop",), "CYCLES", "", _cycles, 2, "second-hop"),
    Option(MESH, ("--second-word",), "CYCLES", "", _latency, 32, "second-word"),

    Option(INTERFACE, ("--ni",), "|".join(KINDS),
           "kind of network interface; none: without messages for users; shrimp: memory that is mapped over the network; "
           "m-machine: messages in registers",
           types.one_of(*KINDS), "fugu", "network-interface"),
    Option(INTERFACE, ("--input-queue",), "WORDS", "length of the input queue",
           types.integer(QUEUE_MIN, QUEUE_MAX, "words"), 128, "input-queue", kinds=QUEUES),
    Option(INTERFACE, ("--source-space",), "WORDS", "words a node may have in the network",
           types.integer(QUEUE_MIN, QUEUE_MAX, "words"), 64, "source-space", kinds=QUEUES),
    Option(INTERFACE, ("--dma-word",), "CYCLES", "time of DMA for each word", _cycles, 1, "dma-word", kinds=DMA),
    Option(INTERFACE, ("--packet-max",), "BYTES", "most data in a packet, a multiple of 8",
           types.size(abi.OPTIONS["PACKET_MIN"], abi.OPTIONS["PACKET_MAX"], 8), 256, "packet-max", kinds=UPDATES),
    Option(INTERFACE, ("--incoming-word",), "CYCLES", "time for each word of data from the Incoming FIFO to memory", _cycles, 1,
           "incoming-word", kinds=UPDATES),
    Option(INTERFACE, ("--write-through",), "CYCLES", "that a store to a page which is mapped out takes more than one that hits "
           "the cache", _cycles, 0, "write-through", kinds=UPDATES),
    Option(INTERFACE, ("--pin-cycles",), "CYCLES", "that a load or store of a word of a message takes more, because the word "
           "crosses the processor's pins", _cycles, 0, "pin-cycles", kinds=SLOTS),
    Option(INTERFACE, ("--atomicity",), "hard|soft",
           "whether the interface provides the mechanisms of atomicity, or software",
           types.one_of("hard", "soft"), "hard", "atomicity", kinds=MESSAGES),

    Option(CACHE, ("--cache",), "on|off", "model the cache", types.on_off, True, "cache"),
    Option(CACHE, ("--cache-size",), "SIZE", "a power of two, 4K to 1M",
           types.size(abi.OPTIONS["CACHE_SIZE_MIN"], abi.OPTIONS["CACHE_SIZE_MAX"], power=True), 64 << 10,
           "cache-size"),
    Option(CACHE, ("--cache-miss",), "CYCLES", "cost of a miss", _cycles, 10, "cache-miss"),

    Option(GLAZE, ("--timeslice",), "CYCLES", "length of a job's turn on a node, if there are several jobs",
           types.cycles_within(abi.GLAZE["SLOT_LEAST"], UINT32_MAX), 500_000, kernel="timeslice"),
    Option(GLAZE, ("--scheduler",), "FILE", "an app of your own that decides on the jobs' turns (docs/scheduler.md); "
           "none: the kernel does", types.word),
    Option(GLAZE, ("--skew",), "PERCENT", "of the timeslice: spread the nodes' clocks, and so their slots, evenly over "
           "so much time", types.integer(0, abi.SKEW["SKEW_MAX"], "percent"), 0, kernel="skew"),
    Option(GLAZE, ("--seed",), "NUMBER", "decides which node gets which part of the skew",
           types.integer(0, UINT32_MAX), 0, kernel="seed"),
    Option(GLAZE, ("--shm-order",), "keep|drop", "whether a process that reads shared memory without a lock finds what was "
           "written before what it reads (docs/shm.md, the order of writes)", types.ordinal("keep", "drop", first=1),
           kernel="shm-order", kinds=MESSAGES),
    Option(GLAZE, ("--shm-visits",), "off|on", "whether shared memory shows words that were written without a release "
           "(docs/shm.md, busy flags; default: on)", types.ordinal("off", "on", first=0), kernel="shm-visits", kinds=MESSAGES),
    Option(GLAZE, ("--shrimp-paging",), "pin|shoot-down", "whether pages that are mapped over the network stay in memory, or go "
           "out after their mappings to and from other nodes have been shot down (docs/shrimp.md, paging; default: pin)",
           types.ordinal("pin", "shoot-down", first=0), kernel="shrimp-paging", kinds=UPDATES),
    Option(GLAZE, ("--buffer-latency",), "CYCLES", "that it takes more to put a message into a buffer, for experiments",
           types.cycles_within(0, abi.LATENCY["LATENCY_MAX"]), 0, kernel="buffer-latency", kinds=MESSAGES),
    Option(GLAZE, ("--atomicity-timeout",), "CYCLES",
           "how long a program may delay a message",
           types.cycles_within(1, UINT32_MAX), 10_000, kernel="timeout", kinds=MESSAGES),
    Option(GLAZE, ("--low-water",), "PERCENT",
           "of a node's frames: if less is free, the job that uses most is suspended; 0: never",
           types.integer(0, 100, "percent"), 12, kernel="low-water"),
    Option(GLAZE, ("--high-water",), "PERCENT", "of a node's frames: once this much is free, the job continues",
           types.integer(0, 100, "percent"), 25, kernel="high-water"),

    Option(RUN, ("--timeout",), "CYCLES", "end the run after this time (10M, 2G, 1_000_000)",
           types.cycles, None, "timeout"),
    Option(RUN, ("--digest",), "", "print a digest of everything that happened", None, False, "digest"),
    Option(RUN, ("--check",), "mmu|order|races", "mmu: end the run where the program or the kernel has not flushed the MMU, as "
           "it has to; order: run twice, with the order of writes to shared memory and without it, and compare output and "
           "files (docs/shm.md); races: say which words handlers and threads use without an order (docs/races.md)",
           types.one_of("mmu", "order", "races"), None, "check"),
    Option(RUN, ("--output",), "DIR", "when the run has ended, write the files of apps there: node 0's as DIR/NAME, "
           "node K's as DIR/nodeK/NAME", types.word),
    Option(RUN, ("--raw",), "", "pass on a program's bytes as they are, also where lines of several nodes then mix; "
           "always so with one node", None, False, "raw"),
    Option(RUN, ("--terminals",), "SUM", "which standard files programs find to be terminals: input 1, output 2, "
           "error 4 (default: those that are)", types.integer(0, abi.REGS["TERMINAL_ALL"]), None, "terminals"),
    Option(RUN, ("--label",), "", "label console lines with node, job and cycle", None, False, "label"),
    Option(RUN, ("--trace",), "PATTERN", "trace these events, such as 'fugu_ni_*'; ./run.sh trace lists them (repeatable)",
           types.word, repeat=True),
    Option(RUN, ("--trace-file",), "FILE", "write the trace there, not to stderr; process I of several writes FILE.I",
           types.word),

    Option(OBSERVE, ("--stats",), "", "print what the run has done: messages, handlers, cycles, links"),
    Option(OBSERVE, ("--stats-json",), "FILE", "write the same there, as JSON", types.word),
    Option(OBSERVE, ("--picture",), "FILE.svg", "draw the mesh there, with the load of each link, jobs and buffers", types.word),
    Option(OBSERVE, ("--timeline",), "FILE", "write the events of all nodes there: a page for a browser if FILE ends "
           "with .html, else for Perfetto, compressed if it ends with .gz", types.word),
    Option(OBSERVE, ("--timeline-kinds",), "KIND,...", "only these: runs, messages, sections, modes, counters",
           types.words),
    Option(OBSERVE, ("--timeline-nodes",), "NODES", "only those of these nodes, such as 0,5,60-63", types.nodes),
    Option(OBSERVE, ("--timeline-cycles",), "FIRST-LAST", "only those in these cycles, such as 10M-12M",
           types.cycles_range),

    Option(PROCESSES, ("--processes",), "P|auto", f"split the nodes over P processes, up to {PROCESSES_MAX}; auto: over as "
           "many as make this run faster (docs/processes.md)",
           types.or_word(AUTO, types.integer(1, PROCESSES_MAX, "processes")), AUTO),
    Option(PROCESSES, ("--transport",), "shm|unix|tcp",
           "how they are connected: by shared memory, or by sockets",
           types.one_of("shm", "unix", "tcp"), "shm"),
    Option(PROCESSES, ("--link-timeout",), "SECONDS",
           "how long to wait until all have connected (default 10; 60 with --hosts and --join)",
           types.seconds(0.1, abi.OPTIONS["LINK_TIMEOUT_MAX"] / 1000)),
    Option(PROCESSES, ("--hosts",), "NAME[:P],...",
           "how many run on which host, this host first; prints the commands for the others. slurm, mpi: the tasks of "
           "srun or mpirun", types.hosts),
    Option(PROCESSES, ("--listen",), "HOST[:PORT]",
           f"with --hosts: where to listen for the others (default {LOOPBACK}:{DEFAULT_PORT}, which they reach only "
           "through a tunnel)", types.listen),
    Option(PROCESSES, ("--meet",), "DIR", "with --hosts slurm or mpi: a folder that all hosts share (default: meet in the "
           "cache)", types.word),
    Option(PROCESSES, ("--join",), "HOST:PORT", "take part in a run that --hosts has started there",
           types.address),
    Option(PROCESSES, ("--process",), "I[-J]", "with --join: the processes that run here", types.processes),
    Option(PROCESSES, ("--secret-file",), "FILE", "a secret that all hosts share; --hosts and --join need it",
           types.word),

    Option(RUN, ("--save",), "FILE@CYCLE", "save the machine at that cycle, and continue (repeatable)",
           types.save, repeat=True),
    Option(RUN, ("--load",), "FILE",
           "continue a saved machine: program, arguments and machine come from FILE", types.word),

    Option(OTHER, ("--qemu-arg",), "ARG", "another argument for QEMU, passed unchanged (repeatable)",
           types.word, repeat=True),
    Option(OTHER, ("--dry-run",), "", "print QEMU's command line; start and build nothing"),
)

BY_NAME = {name: option for option in OPTIONS for name in option.names}
BY_KEY = {option.key: option for option in OPTIONS}

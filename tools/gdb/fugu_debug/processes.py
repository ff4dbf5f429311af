"""fugu processes and fugu buffer: a node's processes, and the messages in a process's buffer."""

from __future__ import annotations

from collections.abc import Iterator

import gdb
from fugu.abi import GLAZE, PROCESS, REGS

from .base import KERNEL_PAGE, Page, bits, field, local_time, numbers, selected_node, selection_kept, table
from .glaze import CAUSES, PAGE, Kernel, Process, kernel_of, record_words

PAGE_RECORDS_END = PAGE // PROCESS["RECORD_SIZE"] * PROCESS["RECORD_SIZE"]
UAC = ("INTERRUPT_DISABLE", "TIMER_FORCE", "DISPOSE_PENDING", "ATOMICITY_EXTEND")


def buffered(process: Process) -> Iterator[int]:
    """The virtual addresses of the records in a process's buffer, oldest first."""
    at, tail = int(process.info["head"]), int(process.value["tail"])
    if not GLAZE["BUFFER"] <= at < GLAZE["BUFFER_END"]:
        return
    # If the node has stopped inside the kernel, head and tail may not agree. The bound ends the loop.
    pages = int(process.value["buffer_pages"]) + int(process.value["buffer_pages_out"])
    for _ in range((pages + 1) * (PAGE // PROCESS["RECORD_SIZE"])):
        if at == tail:
            return
        yield at
        at += PROCESS["RECORD_SIZE"]
        if at % PAGE == PAGE_RECORDS_END and at != tail:
            at += PAGE - PAGE_RECORDS_END
            if at == GLAZE["BUFFER_END"]:
                at = GLAZE["BUFFER"]


class Processes(gdb.Command):
    """The processes of a node: fugu processes [NODE].

    The star marks the current process, whose address space is on. The columns
    show what the kernel has recorded; UAC of the current process comes from
    the network interface. `times buffered` is how often a process has entered
    buffered mode, and why. `hold` is the number of atomic sections that its
    threads have left open."""

    def __init__(self) -> None:
        super().__init__("fugu processes", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        node = (numbers(argument, "fugu processes [NODE]", 1) or [selected_node()])[0]
        with selection_kept():
            kernel = kernel_of(node)
            print(f"Processes of node {node}, at cycle {local_time()}")
            if not kernel.processes:
                print("  none yet: the kernel has not made them")
                return
            rows = [("", "job", "program", "state", "mode", "messages", "pages", "out", "UAC", "hold",
                     "times buffered")]
            rows += [self.row(kernel, process) for process in kernel.processes.values()]
        print("\n".join("  " + line for line in table(rows, (1, 5, 6, 7, 9))))

    @staticmethod
    def row(kernel: Kernel, process: Process) -> tuple[str, ...]:
        """The row of a process."""
        current = process is kernel.current
        uac = Page(KERNEL_PAGE)["K_UAC"] if current else int(process.value["ni"]["uac"])
        counts = {CAUSES[k]: int(process.info["causes"][k]) for k in CAUSES}
        entries = int(process.info["entries"])
        why = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
        ended = process.state == "ended"
        return ("*" if current else "", str(process.gid), process.program.name,
                process.state + (", suspended" if process.value["suspended"] else ""),
                process.mode, str(sum(1 for _ in buffered(process))),
                str(int(process.value["pages"])), str(int(process.value["pages_out"])),
                "" if ended else bits(uac, "UAC_", *UAC), str(int(process.info["hold"])),
                str(entries) + (f": {why}" if why else ""))


class Buffer(gdb.Command):
    """The messages in the buffer of a process, oldest first: fugu buffer [NODE [JOB]].

    Without JOB, the process that is current on the node counts. A row has the
    sender, handler, arguments, bytes of the body, and the virtual address of
    the record. `out` means that the record is in backing store."""

    def __init__(self) -> None:
        super().__init__("fugu buffer", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        given = numbers(argument, "fugu buffer [NODE [JOB]]", 2)
        node = given[0] if given else selected_node()
        with selection_kept():
            kernel = kernel_of(node)
            process = self.process(kernel, node, given[1:])
            rows = [("", "from", "handler", "arguments", "body", "record")]
            rows += [self.row(process, k, at) for k, at in enumerate(buffered(process))]
            print(f"{kernel.title(process)} on node {node}, {process.mode} mode, at cycle {local_time()}: "
                  f"{len(rows) - 1} message{'' if len(rows) == 2 else 's'} in its buffer")
        if len(rows) > 1:
            print("\n".join("  " + line for line in table(rows, (0, 1, 4))))

    @staticmethod
    def process(kernel: Kernel, node: int, given: list[int]) -> Process:
        """The process that the user asks for. gdb.GdbError if there is none."""
        if not given:
            if not kernel.current:
                raise gdb.GdbError(f"No process is current on node {node}: name a job, fugu buffer {node} JOB.")
            return kernel.current
        if given[0] not in kernel.processes:
            raise gdb.GdbError(f"Node {node} has no process of a job {given[0]}: see fugu processes.")
        return kernel.processes[given[0]]

    @staticmethod
    def row(process: Process, number: int, at: int) -> tuple[str, ...]:
        """The row of a message."""
        data = process.read(at, REGS["REC_SIZE"])
        if data is None:
            return (str(number), "", "", "", "", f"0x{at:08x} out")
        words = record_words(data)
        body = int.from_bytes(data[REGS["REC_BODY"]:REGS["REC_BODY"] + 4], "big")
        handler = words[1] if len(words) > 1 else 0
        return (str(number), str(field(words[0], "HDR_NODE")) if words else "",
                process.program.symbol(handler) or f"0x{handler:08x}", " ".join(f"0x{word:x}" for word in words[2:]),
                str(body) if body else "", f"0x{at:08x}")

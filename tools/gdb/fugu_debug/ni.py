"""fugu ni: the registers of a network interface by name. Also describes messages in words."""

from __future__ import annotations

import gdb
from fugu.abi import REGS

from .base import (
    CONTROL,
    KERNEL_PAGE,
    PARAMETERS,
    USER_PAGE,
    Page,
    bits,
    field,
    local_time,
    numbers,
    select,
    selected_node,
    selection_kept,
)
from .programs import handler_symbol


# The commands that show the message parts of other kinds, and what interrupts there.
SEE = {REGS["NETIF_SHRIMP"]: "fugu maps, fugu fifos and fugu engine", REGS["NETIF_M_MACHINE"]: "fugu contexts"}
CAUSES = {REGS["NETIF_SHRIMP"]: ("ARRIVAL", "DROPPED", "OUTGOING", "ROOM"), REGS["NETIF_M_MACHINE"]: ("MESSAGE", "FAULT")}


class NI(gdb.Command):
    """A node's network interface, registers by name: fugu ni [NODE].

    Without NODE, the node of the selected thread counts. docs/machine.md
    explains the registers. Reading them changes nothing."""

    def __init__(self) -> None:
        super().__init__("fugu ni", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        node = (numbers(argument, "fugu ni [NODE]", 1) or [selected_node()])[0]
        with selection_kept():
            select(node)
            user, kernel = Page(USER_PAGE), Page(KERNEL_PAGE)
            print(f"Network interface of node {node}, at cycle {local_time()}")
            kind = Page(CONTROL)["CONTROL_NETIF"]
            has = kind == REGS["NETIF_FUGU"]
            lines = [*self.common(user, kernel, kind), *([*self.output(user, kernel), *self.input(kernel)] if has else []),
                     *([f"message part: see {SEE[kind]}"] if kind in SEE else []),
                     *self.second(kernel)]
            print("\n".join("  " + line for line in lines))

    @staticmethod
    def common(user: Page, kernel: Page, kind: int) -> list[str]:
        """The registers that do not belong to a message. `kind`: of network interface."""
        has = kind == REGS["NETIF_FUGU"]
        flags = bits(kernel["K_UAC"], "UAC_", "INTERRUPT_DISABLE", "TIMER_FORCE", "DISPOSE_PENDING",
                     "ATOMICITY_EXTEND")
        causes = CAUSES.get(kind, ("MESSAGE", "MISMATCH"))
        pending = bits(kernel["K_PENDING"], "PEND_", *causes, "TIMEOUT", "SECOND")
        soft = Page(PARAMETERS)["PARAM_ATOMICITY"] == REGS["ATOMICITY_SOFT"]
        divert = f", divert-mode {'on' if kernel['K_DIVERT'] else 'off'}" if has else ""
        return [f"GID {kernel['K_GID']}{divert}",
                f"UAC: {flags}{', of no effect: atomicity is left to software' if soft else ''}",
                f"interrupts asked for: {pending}",
                *([] if soft else [f"atomicity-timeout {kernel['K_TIMEOUT']}, timer {kernel['K_TIMER']}"]),
                *([f"message-available {user.word(REGS['U_RECORD'] + REGS['REC_AVAILABLE'])}"] if has else [])]

    @staticmethod
    def output(user: Page, kernel: Page) -> list[str]:
        """The descriptors, and the space available."""
        lines = [f"space-available {user['U_SPACE']}"]
        for whose, page, start, length in (("user's", kernel, "K_USER_OUT", kernel["K_USER_LEN"]),
                                           ("kernel's", kernel, "K_OUT", kernel["K_DESC_LEN"])):
            words = [page.word(REGS[start] + 4 * k) for k in range(length)]
            lines.append(f"{whose} descriptor: " + (message(words, "to", kernel["K_GID"]) if words else "empty"))
        return lines

    @staticmethod
    def input(kernel: Page) -> list[str]:
        """The head of the input queue."""
        base = REGS["K_HEAD"]
        if not kernel.word(base + REGS["HEAD_PRESENT"]):
            return ["input queue: empty"]
        words = head_words(kernel, base)
        whose = "kernel message" if kernel.word(base + REGS["HEAD_KERNEL"]) else "message"
        body = kernel.word(base + REGS["HEAD_BODY"])
        return [f"head of the input queue: {whose} {message(words, 'from')}" + (f", body {body} bytes" if body else "")]

    @staticmethod
    def second(kernel: Page) -> list[str]:
        """The second network."""
        base = REGS["K_SECOND_HEAD"]
        head = message(head_words(kernel, base), "from") if kernel.word(base + REGS["HEAD_PRESENT"]) else "none"
        return [f"second network: space {kernel['K_SECOND_SPACE']}, head: {head}"]


def head_words(page: Page, base: int) -> list[int]:
    """The words of a head record."""
    return [page.word(base + REGS["HEAD_WORDS"] + 4 * k) for k in range(page.word(base + REGS["HEAD_LENGTH"]))]


def message(words: list[int], which: str, sender: int | None = None) -> str:
    """A message in words: its receiver or sender, handler and arguments.

    A descriptor has no GID yet: for a descriptor, `sender` is the GID of the sender."""
    gid = field(words[0], "HDR_GID") if sender is None else sender
    text = f"{which} node {field(words[0], 'HDR_NODE')}, GID {field(words[0], 'HDR_GID')}"
    if len(words) > 1:
        name = handler_symbol(words[0], gid, words[1])
        text += f", handler 0x{words[1]:08x}" + (f" <{name}>" if name else "")
    return text + "".join(f"{', arguments' if k == 0 else ''} 0x{word:x}" for k, word in enumerate(words[2:]))

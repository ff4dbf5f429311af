"""Names of traps, waits, causes and links, from the C headers that have their numbers."""

from __future__ import annotations

from functools import cache

from ..abi import GLAZE, MESH, REGS, SEEN, SPARCLE, WAITS


def _words(name: str) -> str:
    return name.lower().replace("_", "-")


@cache
def traps() -> dict[int, str]:
    """What the kernel works for, by trap type."""
    found = {value: _words(name) for name, value in SPARCLE.group("TT_").items() if name != "SOFTWARE"}
    found |= {value: _words(name) for name, value in REGS.group("TT_").items()}
    found |= {REGS.call("TT_IRQ", level): f"interrupt {_words(name)}" for name, level in REGS.group("IRQ_").items()}
    return found | {SPARCLE["TT_SOFTWARE"] + number: f"ta {_words(name)}"
                    for name, number in GLAZE.group("TRAP_").items()}


def trap(number: int) -> str:
    """The name of a trap type."""
    return traps().get(number, f"trap 0x{number:02x}")


@cache
def waits() -> list[str]:
    """Why an instruction waits, by number."""
    return ["idle" if name == "INTERRUPT" else f"waits for {_words(name)}" for name in WAITS.group("WAIT_")]


@cache
def causes() -> list[str]:
    """Why a process enters buffered mode, by number."""
    numbers = {value: _words(name) for name, value in GLAZE.group("IN_").items() if name != "CAUSES"}
    return [numbers[number] for number in range(GLAZE["IN_CAUSES"])]


@cache
def links() -> list[str]:
    """The links of a router, by number: those between routers, and those from and to the node's interface."""
    numbers = {value: name.lower() for name, value in MESH.group("").items() if value < MESH["LINKS"]}
    return [numbers[number] for number in range(MESH["LINKS"])]


@cache
def marks() -> dict[str, int]:
    """The numbers of marks by their names in MARK (guest-os/include/marks.h)."""
    return {name.lower(): number for name, number in SEEN.group("MARK_").items() if name != "OPERANDS"}


def networks() -> list[str]:
    """The networks, by number."""
    return ["main", "second", "urgent"]

"""Decodes the instructions that a trusted handler may have: a part of SPARC V7, SEND and AWAIT.

Everything else is refused, also encodings whose unused fields are not 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...abi import REGS

HEAD, BODY = 6, 7                       # MsgHead and MsgBody: %g6 and %g7
LOCALS = 16                             # %l0
BODY_MAX = REGS["MM_BODY_MAX"]          # words of a SEND's body, from %l0 on
SENDS = {REGS.call("OPC_SEND", ack): ack for ack in range(REGS["MM_ACKS"])}

REGISTERS = [f"%{bank}{number}" for bank in "goli" for number in range(8)]
REGISTERS[14], REGISTERS[30] = "%sp", "%fp"

CONDITIONS = ["n", "e", "le", "l", "leu", "cs", "neg", "vs", "a", "ne", "g", "ge", "gu", "cc", "pos", "vc"]

# By op3.
ARITHMETIC = {0x00: "add", 0x01: "and", 0x02: "or", 0x03: "xor", 0x04: "sub", 0x05: "andn", 0x06: "orn", 0x07: "xnor",
              0x08: "addx", 0x0c: "subx",
              0x10: "addcc", 0x11: "andcc", 0x12: "orcc", 0x13: "xorcc", 0x14: "subcc", 0x15: "andncc", 0x16: "orncc",
              0x17: "xnorcc", 0x18: "addxcc", 0x1c: "subxcc", 0x24: "mulscc",
              0x25: "sll", 0x26: "srl", 0x27: "sra"}
SHIFTS = ("sll", "srl", "sra")
WITH_CARRY = ("addx", "subx", "addxcc", "subxcc", "mulscc")     # they read the condition codes
LOADS = {0x00: ("ld", 4), 0x01: ("ldub", 1), 0x02: ("lduh", 2), 0x03: ("ldd", 8), 0x09: ("ldsb", 1), 0x0a: ("ldsh", 2)}
STORES = {0x04: ("st", 4), 0x05: ("stb", 1), 0x06: ("sth", 2), 0x07: ("std", 8)}
ATOMS = {0x0d: ("ldstub", 1), 0x0f: ("swap", 4)}

# What each kind of instruction may be, of those that are refused by their own names.
CALLS, TRAPS, WINDOWS = "a handler may not call", "a handler may not trap", "a handler has no register windows"
JUMPS = "a handler jumps to %g6, and nowhere else"
OTHER = "this is no instruction of a handler"


class NotAllowed(Exception):
    """A word is no instruction of a handler: `text` shows it, the message says why."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(why)
        self.text = text


@dataclass(frozen=True)
class Instruction:
    """An instruction that a handler may have."""

    kind: str                   # sethi, arithmetic, rdy, wry, load, store, atom, branch, jump, send, await
    name: str                   # mnemonic, without operands
    text: str
    rd: int = 0
    rs1: int = 0
    rs2: int | None = None      # None: `constant` is the second operand
    constant: int = 0           # signed; of sethi: the value; of a branch: the target
    size: int = 0               # bytes of memory
    condition: int = 0          # of a branch
    annuls: bool = False
    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()

    @property
    def transfers(self) -> bool:
        """Whether it has a delay slot."""
        return self.kind in ("branch", "jump")

    @property
    def reads_codes(self) -> bool:
        """Whether its effect depends on the condition codes."""
        return self.name in WITH_CARRY or (self.kind == "branch" and self.condition % 8 != 0)


def decode(word: int, address: int) -> Instruction:
    """The instruction that is at an address. NotAllowed."""
    op = word >> 30
    if op == 0:
        return _format2(word, address)
    if op == 1:
        raise NotAllowed(f"call 0x{(address + 4 * word) & 0xffffffff:x}", CALLS)
    return _memory(word) if op == 3 else _format3(word)


def is_nop(word: int) -> bool:
    """Whether the word is a nop: `sethi 0, %g0`."""
    return word >> 22 == 4 and not word & 0x3fffff


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _unknown(word: int, why: str = OTHER) -> NotAllowed:
    return NotAllowed(f".word 0x{word:08x}", why)


# ---- SETHI and branches --------------------------------------------------------

def _format2(word: int, address: int) -> Instruction:
    rd, op2 = word >> 25 & 31, word >> 22 & 7
    if op2 == 4:
        value = (word & 0x3fffff) << 10
        text = "nop" if is_nop(word) else f"sethi %hi(0x{value:x}), {REGISTERS[rd]}"
        return Instruction("sethi", "sethi", text, rd, constant=value, writes=frozenset({rd}))
    if op2 != 2:
        raise _unknown(word)
    condition, annuls = rd & 15, bool(rd >> 4)
    target = (address + 4 * _signed(word, 22)) & 0xffffffff
    name = "b" + CONDITIONS[condition] + (",a" if annuls else "")
    return Instruction("branch", name, f"{name} 0x{target:x}", constant=target, condition=condition, annuls=annuls)


# ---- arithmetic ----------------------------------------------------------------

def _operand(word: int, bits: int = 13) -> tuple[int | None, int]:
    """(rs2, 0), or (None, constant). NotAllowed if bits that have no meaning are set."""
    if word >> 13 & 1:
        if bits == 5 and word >> 5 & 0xff:
            raise _unknown(word)
        return None, word & 31 if bits == 5 else _signed(word, 13)
    if word >> 5 & 0xff:
        raise _unknown(word)
    return word & 31, 0


def _second(rs2: int | None, constant: int) -> str:
    return str(constant) if rs2 is None else REGISTERS[rs2]


def _format3(word: int) -> Instruction:
    rd, op3, rs1 = word >> 25 & 31, word >> 19 & 63, word >> 14 & 31
    if op3 == 0x36:
        return _operation(word)
    if op3 == 0x28:
        if word & 0x7ffff:
            raise _unknown(word)
        return Instruction("rdy", "rd", f"rd %y, {REGISTERS[rd]}", rd, writes=frozenset({rd}))
    if op3 not in ARITHMETIC and op3 not in (0x30, 0x38, 0x3a, 0x3c, 0x3d):
        raise _unknown(word)
    name = ARITHMETIC.get(op3, "")
    rs2, constant = _operand(word, 5 if name in SHIFTS else 13)
    operands = f"{REGISTERS[rs1]}, {_second(rs2, constant)}"
    reads = frozenset({rs1} if rs2 is None else {rs1, rs2})
    if op3 == 0x30:
        if rd:                          # another ASR
            raise _unknown(word)
        return Instruction("wry", "wr", f"wr {operands}, %y", 0, rs1, rs2, constant, reads=reads)
    if op3 == 0x38:
        return _jump(rd, rs1, rs2, constant)
    if op3 == 0x3a:
        raise NotAllowed(f"t{CONDITIONS[rd & 15]} {operands}", TRAPS)
    if op3 in (0x3c, 0x3d):
        raise NotAllowed(f"{'save' if op3 == 0x3c else 'restore'} {operands}, {REGISTERS[rd]}", WINDOWS)
    return Instruction("arithmetic", name, f"{name} {operands}, {REGISTERS[rd]}", rd, rs1, rs2, constant,
                       reads=reads, writes=frozenset({rd}))


def _jump(rd: int, rs1: int, rs2: int | None, constant: int) -> Instruction:
    """`jmp %g6` is the only one."""
    place = _place(rs1, rs2, constant)
    if rd or place != REGISTERS[HEAD]:
        raise NotAllowed(f"jmpl {place}, {REGISTERS[rd]}" if rd else f"jmp {place}", JUMPS)
    return Instruction("jump", "jmp", "jmp %g6", 0, HEAD)


def _operation(word: int) -> Instruction:
    """SEND and AWAIT, which are operations of the network interface."""
    length, opc, rs1, rs2 = word >> 25 & 31, word >> 5 & 0x1ff, word >> 14 & 31, word & 31
    if opc in SENDS:
        text = f"send {length & 15}, {REGISTERS[rs1]}, {REGISTERS[rs2]}, {SENDS[opc]}"
        if length & 16:
            raise NotAllowed(text + " of the FPU", "a handler has no FPU")
        if length > BODY_MAX:
            raise NotAllowed(text, f"a body has {BODY_MAX} words at most")
        reads = {rs1, rs2} | set(range(LOCALS, LOCALS + length))
        return Instruction("send", "send", text, 0, rs1, rs2, reads=frozenset(reads))
    if opc == REGS["OPC_AWAIT"] and not rs2:
        return Instruction("await", "await", f"await {REGISTERS[rs1]} | {length}", 0, rs1, None, length,
                           reads=frozenset({rs1}))
    raise _unknown(word)


# ---- memory --------------------------------------------------------------------

def _place(rs1: int, rs2: int | None, constant: int) -> str:
    if rs2 is None and constant:
        return f"{REGISTERS[rs1]} {'-' if constant < 0 else '+'} {abs(constant)}"
    return f"{REGISTERS[rs1]} + {REGISTERS[rs2]}" if rs2 else REGISTERS[rs1]


def _memory(word: int) -> Instruction:
    rd, op3, rs1 = word >> 25 & 31, word >> 19 & 63, word >> 14 & 31
    for kind, table in (("load", LOADS), ("store", STORES), ("atom", ATOMS)):
        if op3 in table:
            break
    else:
        raise _unknown(word)
    name, size = table[op3]
    rs2, constant = _operand(word)
    place, data = f"[{_place(rs1, rs2, constant)}]", {rd}
    if size == 8:
        if rd & 1:
            raise _unknown(word)
        data = {rd, rd + 1}
    text = f"{name} {REGISTERS[rd]}, {place}" if kind == "store" else f"{name} {place}, {REGISTERS[rd]}"
    reads, writes = {rs1} | (set() if rs2 is None else {rs2}), set()
    if kind == "store" or name == "swap":
        reads |= data
    if kind != "store":
        writes = data
    return Instruction(kind, name, text, rd, rs1, rs2, constant, size, reads=frozenset(reads), writes=frozenset(writes))

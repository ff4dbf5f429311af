"""Handlers that break one rule each, by name: what they do, and the line that refuses them.

A line's @N is the address of byte N of the handler.
"""

from __future__ import annotations

BODY = "mov %g7, %l0\n"
NEXT = "jmp %g6\nnop\n"
EXTENT = 8              # bytes, of all of them

# What is refused: the code, and where it is refused, by the byte and the instruction's text, and why.
Case = tuple[str, int, str, str]


def between(code: str, at: int, text: str, why: str) -> Case:
    """A case whose code takes DestAddr first, and ends as it should."""
    return BODY + code + "\n" + NEXT, 4 + at, text, why


def instruction(code: str, text: str, why: str) -> Case:
    return between(code, 0, text, f"instructions: {why}")


def other(word: int) -> Case:
    """A word that is no instruction of a handler."""
    return instruction(f".word 0x{word:08x}", f".word 0x{word:08x}", "this is no instruction of a handler")


JUMPS = "instructions: a handler jumps to %g6, and nowhere else"
INSTRUCTIONS = {
    "call": instruction("call main", "call 0xMAIN", "a handler may not call"),
    "ta": instruction("ta 3", "ta %g0, 3", "a handler may not trap"),
    "save": instruction("save %sp, -96, %sp", "save %sp, -96, %sp", "a handler has no register windows"),
    "restore": instruction("restore", "restore %g0, %g0, %g0", "a handler has no register windows"),
    "jmp_register": between("mov %g7, %g1\njmp %g1\nnop", 4, "jmp %g1", JUMPS),
    "jmp_link": instruction("jmpl %g6, %o7\nnop", "jmpl %g6, %o7", JUMPS[14:]),
    "jmp_offset": instruction("jmp %g6 + 8\nnop", "jmp %g6 + 8", JUMPS[14:]),
    "jmp_sum": instruction("jmp %g6 + %g7\nnop", "jmp %g6 + %g7", JUMPS[14:]),
    "send_floats": instruction(".word 0xa5b1c0a1", "send 2, %g7, %g1, 0 of the FPU", "a handler has no FPU"),
    "send_long": instruction(".word 0x97b1c0b1", "send 11, %g7, %l1, 0", "a body has 10 words at most"),
    "unimp": other(0),
    "fbranch": other(0x01800002),
    "rdpsr": other(0xa1480000),
    "rdasr": other(0xa1444000),                     # rd %asr17, %l0
    "wrasr": other(0xa7800000),                     # wr %g0, %asr19
    "wrpsr": other(0x81880000),
    "flush": other(0x81d82000),
    "umul": other(0xa0542003),                      # V8
    "taddcc": other(0xa1042003),
    "ldf": other(0xc1042000),
    "fadds": other(0x81a00821),
    "lda": other(0xe0840140),
    "ldd_odd": other(0xe21c2000),
    "std_odd": other(0xe23c2000),
    "swapa": other(0xe0fc0140),
    "cas": other(0xe1e40011),                       # V9
    "launch": other(0x85b00020),
    "endatom": other(0x83b00080),
    "put": other(0x81b400e0),
    "get": other(0xa1b00100),
    "spare_add": other(0xa0040031),                 # fields that have no meaning, but are not 0
    "spare_ld": other(0xe0040031),
    "spare_sll": other(0xa12c2025),
    "spare_await": other(0x83b000c1),
}
WRITES, HEADS = "words: it writes a register that is the message queue", "words: it reads %g6, which only jmp %g6 may"
WORDS = {
    "both": between("add %g6, %g7, %l1", 0, "add %g6, %g7, %l1", HEADS),
    "head": between("mov %g6, %l1", 0, "or %g0, %g6, %l1", HEADS),
    "head_address": between("ld [%g6], %l1", 0, "ld [%g6], %l1", HEADS),
    "head_std": between("std %g6, [%l0]", 0, "std %g6, [%l0]", HEADS),
    "to_body": between("mov 1, %g7", 0, "or %g0, 1, %g7", WRITES),
    "to_head": between("sethi %hi(0x400), %g6", 0, "sethi %hi(0x400), %g6", WRITES),
    "body_to_body": between("add %g7, 1, %g7", 0, "add %g7, 1, %g7", WRITES),
    "ld_to_body": between("ld [%l0], %g7", 0, "ld [%l0], %g7", WRITES),
    "ldd_to_both": between("ldd [%l0], %g6", 0, "ldd [%l0], %g6", WRITES),
    "swap_body": between("swap [%l0], %g7", 0, "swap [%l0], %g7", WRITES),
    "y_to_body": between("wr %g0, %y\nrd %y, %g7", 4, "rd %y, %g7", WRITES),
    "head_in_slot": between("ba 1f\nmov %g6, %l1\n1:", 4, "or %g0, %g6, %l1", HEADS),
}

ENDS = {
    "falls_off": (BODY + "nop\n", 4, "nop", "end: the handler goes on beyond its last instruction"),
    "empty_path": (BODY + "tst %l0\nbe 1f\nnop\n" + NEXT + "1:\nnop\n", 24, "nop",
                   "end: the handler goes on beyond its last instruction"),
    "untaken": (BODY + "tst %l0\n1: bne 1b\nsubcc %l0, 0, %l0\n", 12, "subcc %l0, 0, %l0",
                "end: the handler goes on beyond its last instruction"),
    "no_slot": (BODY + "ba .\n", 4, "ba 0x@4", "end: the handler goes on beyond its last instruction"),
    "no_nop": (BODY + "jmp %g6\nmov 1, %l1\n", 4, "jmp %g6", "end: behind it stands no nop"),
    "nop_of_another": (BODY + "jmp %g6\n", 4, "jmp %g6", "end: behind it stands no nop"),
}

SLOT = "delay slots: it stands in the delay slot of a branch"
TO_SLOT = "delay slots: it goes to the delay slot of another branch"
SLOTS = {
    "branch_in_slot": between("ba 1f\nba 1f\n1:", 4, "ba 0x@12", SLOT),
    "jmp_in_slot": between("ba 1f\njmp %g6\n1:", 4, "jmp %g6", SLOT),
    "to_slot": between("tst %l0\nbe 1f\nnop\nba 2f\n1: nop\n2:", 4, "be 0x@20", TO_SLOT),
    "to_own_slot": between("ba 1f\n1: nop", 0, "ba 0x@8", TO_SLOT),
    "to_last_nop": (BODY + "tst %l0\nbe 1f\nnop\njmp %g6\n1: nop\n" + NEXT, 8, "be 0x@20", TO_SLOT),
}

LEAVES = "branches: it leaves the handler"
BRANCHES = {
    "to_program": between("ba main\nnop", 0, "ba 0xMAIN", LEAVES),
    "to_another": between("ba inside_of_another\nnop", 0, "ba 0xINSIDE", LEAVES),
    "before_entry": between("tst %l0\nbe . - 12\nnop", 4, "be 0x@-4", LEAVES),
    "behind_end": (BODY + "tst %l0\nbe 1f\nnop\n" + NEXT + "1:\n", 8, "be 0x@24", LEAVES),
    "never_taken": between("bn main\nnop", 0, "bn 0xMAIN", LEAVES),
}


def left(register: str) -> str:
    return f"left registers: it reads {register} of the handler before"


CODES = "left registers: no instruction before it sets the condition codes"
REGISTERS = {
    "left_data": between("st %l1, [%l0]", 0, "st %l1, [%l0]", left("%l1")),
    "left_pair": between("mov 1, %l2\nstd %l2, [%l0]", 4, "std %l2, [%l0]", left("%l3")),
    "left_address": between("ld [%i3], %l1", 0, "ld [%i3], %l1", left("%i3")),
    "left_store_address": between("st %g0, [%l0 + %o2]", 0, "st %g0, [%l0 + %o2]", left("%o2")),
    "left_operand": between("add %l0, %fp, %l1", 0, "add %l0, %fp, %l1", left("%fp")),
    "left_swap": between("swap [%l0], %g1", 0, "swap [%l0], %g1", left("%g1")),
    "left_dest": between("mov 1, %g1\n.word 0x81b080a1", 4, "send 0, %g2, %g1, 0", left("%g2")),
    "left_body": between("mov 1, %g1\nmov 1, %l1\n.word 0x87b1c0a1", 8, "send 3, %g7, %g1, 0", left("%l2")),
    "left_await": between(".word 0x81b080c0", 0, "await %g2 | 0", left("%g2")),
    "left_way": between("tst %l0\nbe 1f\nnop\nmov 1, %l1\n1: st %l1, [%l0]", 16, "st %l1, [%l0]", left("%l1")),
    "left_annulled": between("tst %l0\nbe,a 1f\nmov 1, %l1\n1: st %l1, [%l0]", 12, "st %l1, [%l0]", left("%l1")),
    "left_skipped": between("ba,a 1f\nmov 1, %l1\n1: st %l1, [%l0]", 8, "st %l1, [%l0]", left("%l1")),
    "left_codes": between("bne 1f\nnop\n1:", 0, "bne 0x@12", CODES),
    "left_carry": between("addx %l0, 1, %l1", 0, "addx %l0, 1, %l1", CODES),
    "left_codes_step": between("wr %g0, %y\nmulscc %l0, 1, %l1", 4, "mulscc %l0, 1, %l1", CODES),
    "left_y": between("rd %y, %l1", 0, "rd %y, %l1", left("%y")),
    "left_y_way": between("tst %l0\nbe 1f\nnop\nwr %g0, %y\n1: rd %y, %l1", 16, "rd %y, %l1", left("%y")),
    "left_y_step": between("tst %l0\nmulscc %l0, 1, %l1", 4, "mulscc %l0, 1, %l1", left("%y")),
}


def dest(first: int, last: int) -> str:
    return f"stores: it writes DestAddr + {first} to {last}, and its extent is {EXTENT} bytes"


UNBOUND = "stores: nothing bounds its address"
STORES = {
    "behind": between("st %g0, [%l0 + 8]", 0, "st %g0, [%l0 + 8]", dest(8, 11)),
    "across": between("sth %g0, [%l0 + 7]", 0, "sth %g0, [%l0 + 7]", dest(7, 8)),
    "std_behind": between("mov 0, %l2\nmov 0, %l3\nstd %l2, [%l0 + 4]", 8, "std %l2, [%l0 + 4]", dest(4, 11)),
    "before": between("stb %g0, [%l0 - 1]", 0, "stb %g0, [%l0 - 1]", dest(-1, -1)),
    "ldstub_behind": between("ldstub [%l0 + 8], %l1", 0, "ldstub [%l0 + 8], %l1", dest(8, 8)),
    "swap_behind": between("mov 1, %l1\nswap [%l0 + 5], %l1", 4, "swap [%l0 + 5], %l1", dest(5, 8)),
    "slot_behind": between("ba 1f\nst %g0, [%l0 + 8]\n1:", 4, "st %g0, [%l0 + 8]", dest(8, 11)),
    "moved": between("add %l0, 4, %l1\nst %g0, [%l1 + 4]", 4, "st %g0, [%l1 + 4]", dest(8, 11)),
    "index": between("mov %g7, %l1\nst %g0, [%l0 + %l1]", 4, "st %g0, [%l0 + %l1]", UNBOUND),
    "masked": between("and %g7, 8, %l1\nst %g0, [%l0 + %l1]", 4, "st %g0, [%l0 + %l1]", dest(0, 11)),
    "shifted": between("and %g7, 1, %l1\nsll %l1, 3, %l1\nst %g0, [%l0 + %l1]", 8, "st %g0, [%l0 + %l1]", dest(0, 11)),
    "byte": between("ldub [%l0], %l1\nstb %g0, [%l0 + %l1]", 4, "stb %g0, [%l0 + %l1]", dest(0, 255)),
    "signed_byte": between(
        "ldsb [%l0], %l1\nand %l1, 7, %l2\nsub %l0, %l2, %l2\nstb %g0, [%l2]",
        12, "stb %g0, [%l2]", dest(-7, 0)),
    "compared": between("mov %g7, %l1\ncmp %l1, 8\nbgu 1f\nnop\nstb %g0, [%l0 + %l1]\n1:", 16, "stb %g0, [%l0 + %l1]",
                        dest(0, 8)),
    "signed_bound": between(
        "mov %g7, %l1\ncmp %l1, 8\nbge 1f\nnop\nstb %g0, [%l0 + %l1]\n1:",
        16, "stb %g0, [%l0 + %l1]",
                            dest(-(1 << 31), 7)),
    "forgotten_bound": between("mov %g7, %l1\ncmp %l1, 8\nld [%l0], %l1\nbgeu 1f\nnop\nstb %g0, [%l0 + %l1]\n1:", 20,
                               "stb %g0, [%l0 + %l1]", UNBOUND),
    "word_as_address": between("st %g0, [%g7]", 0, "st %g0, [%g7]", UNBOUND),
    "loaded_address": between("ld [%l0], %l1\nst %g0, [%l1]", 4, "st %g0, [%l1]", UNBOUND),
    "negated": between("sub %g0, %l0, %l1\nst %g0, [%l0 + %l1]", 4, "st %g0, [%l0 + %l1]", UNBOUND),
    "twice": between("add %l0, %l0, %l1\nst %g0, [%l1]", 4, "st %g0, [%l1]", UNBOUND),
    "rounded": between("and %l0, -8, %l1\nst %g0, [%l1]", 4, "st %g0, [%l1]", UNBOUND),
    "either": between(
        "tst %l0\nbe 1f\nmov %l0, %l1\nsethi %hi(ring), %l1\n1: st %g0, [%l1]",
        16, "st %g0, [%l1]", UNBOUND),
    "maybe_dest": ("clr %l1\nld [%l1], %l1\ntst %l1\nbe 1f\nnop\nmov %g7, %l2\n1: mov %g7, %l0\nst %g0, [%l0]\n" + NEXT,
                   28, "st %g0, [%l0]", UNBOUND),
    "listed_first": between("sethi %hi(ring), %l1\nor %l1, %lo(ring), %l1\nst %g0, [%l1 - 4]", 8, "st %g0, [%l1 - 4]",
                            "stores: it writes 0xRING-4 to 0xRING-1, which is not listed"),
    "listed_last": between("sethi %hi(ring), %l1\nor %l1, %lo(ring), %l1\nst %g0, [%l1 + 6]", 8, "st %g0, [%l1 + 6]",
                           "stores: it writes 0xRING+6 to 0xRING+9, which is not listed"),
    "number": between(
        "st %g0, [%g0 + 64]",
        0, "st %g0, [%g0 + 64]", "stores: it writes 0x40 to 0x43, which is not listed"),
    "last_address": between("st %g0, [%g0 - 2]", 0, "st %g0, [%g0 - 2]",
                            "stores: it writes 0xfffffffe to 0x1, which is not listed"),
    "wrapped": between("xnor %g0, %g0, %l1\nadd %l0, %l1, %l1\nst %g0, [%l1 + 9]", 8, "st %g0, [%l1 + 9]", dest(8, 11)),
    "wrapped_before": between("xnor %g0, %g0, %l1\nadd %l0, %l1, %l1\nst %g0, [%l1]", 8, "st %g0, [%l1]",
                              dest(-1, 2)),
    "loop_behind": between(
        "mov 9, %l1\n1: stb %g7, [%l0]\nsubcc %l1, 1, %l1\nbne 1b\nadd %l0, 1, %l0",
        4, "stb %g7, [%l0]",
                           dest(8, 8)),
}

FOREVER = "loops: nothing that is known decides how often it goes back"
LOOPS = {
    "forever": between("ba .\nnop", 0, "ba 0x@4", FOREVER),
    "spin": between("1: ldstub [%l0], %l1\ntst %l1\nbne 1b\nnop", 8, "bne 0x@4", FOREVER),
    "words": between("mov %g7, %l1\n1: subcc %l1, 1, %l1\nbne 1b\nnop", 8, "bne 0x@8", FOREVER),
    "flag": between("1: ld [%l0], %l1\ncmp %l1, 8\nbgu 1b\nnop", 8, "bgu 0x@4", FOREVER),
    "set_anew": between("1: mov 3, %l1\nsubcc %l1, 1, %l1\nbne 1b\nnop", 8, "bne 0x@4", FOREVER),
}

LONG = "path: a path to it has more than 1,000 instructions"
PATHS = {
    "long": between(".rept 998\nnop\n.endr", 3992, "jmp %g6", LONG),
    "long_loop": between("mov 500, %l1\n1: subcc %l1, 1, %l1\nbne 1b\nnop", 8, "bne 0x@8", LONG),
    "steps_over": between("mov 3, %l1\n1: subcc %l1, 2, %l1\nbne 1b\nnop", 8, "bne 0x@8", LONG),
    "wide": between("mov 64, %l1\n1: ldub [%l0], %l2\ntst %l2\nbe 2f\nsubcc %l1, 1, %l1\nbne 1b\nnop\n2:\n"
                    ".rept 200\nnop\n.endr", 424, "nop", "path: all paths have more than 4,000 instructions together"),
}

CASES: dict[str, Case] = INSTRUCTIONS | WORDS | ENDS | SLOTS | BRANCHES | REGISTERS | STORES | LOOPS | PATHS


def source(names: list[str]) -> str:
    """The assembly of these cases, between two handlers that are certified."""
    parts = ['#include "mm-handler.h"\n', "MM_HANDLER one, 0\njmp %g6\nnop\nMM_HANDLER_END one\n"]
    parts.append("MM_HANDLER another, 0\nmov %g7, %l0\ninside_of_another: jmp %g6\nnop\nMM_HANDLER_END another\n")
    for name in names:
        parts.append(f"MM_HANDLER {name}, {EXTENT}\n{CASES[name][0]}MM_HANDLER_END {name}\nMM_STORES {name}, ring, 8\n")
    parts.append(".section .data\n.balign 8\nlast: .skip 8\nring: .skip 16\n")
    return "\n".join(parts)

"""Handlers of the usual kinds are certified, with what is known of them."""

from __future__ import annotations

import pytest

from fugu.abi import HANDLERS
from fugu.errors import UsageError
from fugu.image.elf import contents
from fugu.image.elf import read as read_elf
from fugu.image.handlers.certify import Certified, certify, trusted
from fugu.image.handlers.walk import PATH_MAX

# Instructions of the longest path, words that are read, how often branches backward are taken at most, whether it
# writes from DestAddr on.
KNOWN = {
    "null": (2, (0, 0), [], False),
    "word": (4, (2, 2), [], True),
    "reply": (5, (2, 2), [], False),
    "fetch_add": (9, (3, 3), [], True),
    "locked_add": (2 + 8 * 6 - 3 + 9, (1, 3), [7], True),       # to the branch of the last try, then the addition
    "swapped": (7, (3, 3), [], True),
    "block": (13, (11, 11), [], True),
    "looped": (2 + 10 * 4 + 2, (11, 11), [9], True),
    "pointed": (2 + 10 * 5 + 2, (11, 11), [9], True),
    "counted": (7 + 9 * 4 + 2, (2, 11), [8], True),
    "barrier": (10, (1, 1), [], True),
    "queue": (11, (3, 3), [], True),
    "own_queue": (11, (2, 2), [], False),
    "spawn": (13, (9, 9), [], True),
    "sums": (26, (3, 3), [], True),
}


def test_usual_handlers(stock):
    data = contents(stock)
    handlers = trusted(stock, data)
    assert [one.name for one in handlers] == list(KNOWN)
    elf = read_elf(stock, data)
    for one in handlers:
        found = one.found
        assert (found.path, found.words, list(found.loops.values()), found.writes) == KNOWN[one.name], one.name
        assert one.code.entry == elf.symbol(one.name)
    assert [elf.symbol(f"mm_handler_{name}") >> HANDLERS["LOG"] for name in KNOWN] == list(range(len(KNOWN)))
    ring = elf.symbol("own_ring")
    assert {one.name: one.code.listed for one in handlers if one.code.listed} == {"own_queue": ((ring, ring + 68),)}


def handler(code, extent=16, more=""):
    begin, end = f'#include "mm-handler.h"\nMM_HANDLER h, {extent}\nmov %g7, %l0', "jmp %g6\nnop\nMM_HANDLER_END h"
    return f"{begin}\n{code}\n{end}\n{more}\n"


def verdict(assembled, *arguments):
    path = assembled(handler(*arguments))
    found, = certify(path, contents(path))
    return found.found if isinstance(found, Certified) else found.rpartition(", 0x")[2].partition(" ")[2]


# What bounds a number of 0 to 15, or one more: the code leaves it in %l1.
BOUNDED = {
    "masked": ("and %g7, 15, %l1", "and %g7, 16, %l1"),
    "masked from the left": ("mov 15, %l2\nand %l2, %g7, %l1", "mov 16, %l2\nand %l2, %g7, %l1"),
    "shifted right": ("srl %g7, 28, %l1", "srl %g7, 27, %l1"),
    "shifted left": ("and %g7, 3, %l1\nsll %l1, 2, %l1", "and %g7, 4, %l1\nsll %l1, 2, %l1"),
    "shifted with sign": ("and %g7, 31, %l1\nsra %l1, 1, %l1", "and %g7, 32, %l1\nsra %l1, 1, %l1"),
    "shifted left by 33": ("mov 33, %l2\nmov 7, %l1\nsll %l1, %l2, %l1", "mov 33, %l2\nmov 8, %l1\nsll %l1, %l2, %l1"),
    "shifted right by 33": (
        "mov 33, %l2\nmov 31, %l1\nsrl %l1, %l2, %l1",
        "mov 33, %l2\nmov 32, %l1\nsrl %l1, %l2, %l1"),
    "below 0, shifted with sign": (
        "mov -8, %l1\nsra %l1, 1, %l1\nadd %l1, 19, %l1",
        "mov -8, %l1\nsra %l1, 1, %l1\nadd %l1, 20, %l1"),
    "a byte with sign": ("ldsb [%l0], %l1\ncmp %l1, 15\nbgu 9f\nnop", "ldsb [%l0], %l1\ncmp %l1, 15\nbg 9f\nnop"),
    "half a word with sign": ("ldsh [%l0], %l1\ncmp %l1, 15\nbgu 9f\nnop", "ldsh [%l0], %l1\ncmp %l1, 15\nbg 9f\nnop"),
    "the second of two words": (
        "mov 1, %l1\nldd [%l0], %l2",
        "mov 1, %l3\nldd [%l0], %l2\nmov %l3, %l1"),
    "a comparison on both ways": (
        "mov %g7, %l1\ntst %l0\nbe 1f\ncmp %l1, 15\ncmp %l1, 15\n1: bgu 9f\nnop",
        "mov %g7, %l1\ntst %l0\nbe 1f\ncmp %l1, 15\ncmp %l1, 16\n1: bgu 9f\nnop"),
    "a sum's carry": (
        "mov 15, %l1\nand %g7, 15, %l2\naddcc %l2, -1, %g0\nbcc 9f\nnop",
        "mov 16, %l1\nand %g7, 15, %l2\naddcc %l2, -1, %g0\nbcc 9f\nnop"),
    "the carry of a sum with carry": (
        "mov 15, %l1\nand %g7, 15, %l2\ntst %l0\naddxcc %l2, -1, %g0\nbcc 9f\nnop",
        "mov 16, %l1\nand %g7, 15, %l2\ntst %l0\naddxcc %l2, -1, %g0\nbcc 9f\nnop"),
    "a step of multiplication": (
        "mov 15, %l1\nwr %g0, %y\ncmp %g0, 0\nmulscc %l0, 1, %l2\nbe 9f\nnop",
        "mov 16, %l1\nwr %g0, %y\ncmp %g0, 0\nmulscc %l0, 1, %l2\nbe 9f\nnop"),
    "beside a comparison of DestAddr": (
        "mov 15, %l1\ncmp %l0, 15\nbleu 9f\nnop",
        "mov 16, %l1\ncmp %l0, 15\nbleu 9f\nnop"),
    "beside a comparison of two unknown numbers": (
        "and %g7, 15, %l1\nand %g7, 7, %l2\ncmp %l1, %l2\nbe 9f\nnop",
        "and %g7, 16, %l1\nand %g7, 7, %l2\ncmp %l1, %l2\nbe 9f\nnop"),
    "DestAddr, shifted": ("sra %g0, 8, %l1", "sra %l0, 8, %l1"),
    "or of two numbers": (
        "and %g7, 8, %l1\nand %g7, 7, %l2\nor %l1, %l2, %l1",
        "and %g7, 8, %l1\nand %g7, 7, %l2\nor %l1, %l2, %l1\ninc %l1"),
    "beyond the last address": ("xnor %g0, %g0, %l1\nadd %l1, 16, %l1", "xnor %g0, %g0, %l1\nadd %l1, 17, %l1"),
    "cleared bits": ("and %g7, 15, %l1\nandn %l1, 3, %l1", "and %g7, 16, %l1\nandn %l1, 3, %l1"),
    "or": ("and %g7, 11, %l1\nor %l1, 4, %l1", "and %g7, 11, %l1\nor %l1, 16, %l1"),
    "xor": ("and %g7, 15, %l1\nxor %l1, 3, %l1", "and %g7, 15, %l1\nxor %l1, 16, %l1"),
    "added": ("and %g7, 7, %l1\nadd %l1, 8, %l1", "and %g7, 7, %l1\nadd %l1, 9, %l1"),
    "with a carry": ("tst %l0\nand %g7, 7, %l1\naddx %l1, 7, %l1", "tst %l0\nand %g7, 7, %l1\naddx %l1, 8, %l1"),
    "subtracted": (
        "and %g7, 7, %l2\nmov 15, %l1\nsub %l1, %l2, %l1",
        "and %g7, 7, %l2\nmov 16, %l1\nsub %l1, %l2, %l1"),
    "with a borrow": ("tst %l0\nand %g7, 7, %l1\nadd %l1, 1, %l1\nsubx %l1, 0, %l1",
                      "tst %l0\nand %g7, 7, %l1\nsubx %l1, 0, %l1"),
    "between pointers": ("and %g7, 15, %l2\nadd %l0, %l2, %l1\nsub %l1, %l0, %l1",
                         "and %g7, 16, %l2\nadd %l0, %l2, %l1\nsub %l1, %l0, %l1"),
    "joined the other way": (
        "tst %l0\nbe 1f\nmov 0, %l1\nmov 15, %l1\n1:",
        "tst %l0\nbe 1f\nmov 0, %l1\nmov 16, %l1\n1:"),
    "joined: the lower end": (
        "mov 15, %l1\ntst %l0\nbe 1f\nmov 0, %l2\nmov 1, %l2\n1: sub %l1, %l2, %l1",
        "mov -1, %l1\ntst %l0\nbe 1f\nmov 0, %l2\nmov 1, %l2\n1: add %l1, %l2, %l1"),
    "joined: the lower end, the other way": (
        "mov 15, %l1\ntst %l0\nbe 1f\nmov 1, %l2\nmov 0, %l2\n1: sub %l1, %l2, %l1",
        "mov -1, %l1\ntst %l0\nbe 1f\nmov 1, %l2\nmov 0, %l2\n1: add %l1, %l2, %l1"),
    "joined": ("tst %l0\nbe 1f\nmov 15, %l1\nmov 0, %l1\n1:", "tst %l0\nbe 1f\nmov 16, %l1\nmov 0, %l1\n1:"),
    "bgu": ("mov %g7, %l1\ncmp %l1, 15\nbgu 9f\nnop", "mov %g7, %l1\ncmp %l1, 16\nbgu 9f\nnop"),
    "bleu": (
        "mov %g7, %l1\ncmp %l1, 15\nbleu 1f\nnop\nmov 0, %l1\n1:",
        "mov %g7, %l1\ncmp %l1, 16\nbleu 1f\nnop\nmov 0, %l1\n1:"),
    "bgu, from below 0": (
        "and %g7, 7, %l1\nsub %l1, 1, %l1\ncmp %l1, 3\nbgu 9f\nnop\nadd %l1, 12, %l1",
        "and %g7, 7, %l1\nsub %l1, 1, %l1\ncmp %l1, 3\nbgu 9f\nnop\nadd %l1, 13, %l1"),
    "bgeu": ("mov %g7, %l1\ncmp %l1, 16\nbgeu 9f\nnop", "mov %g7, %l1\ncmp %l1, 17\nbgeu 9f\nnop"),
    "blu": (
        "mov %g7, %l1\ncmp %l1, 16\nblu 1f\nnop\nmov 0, %l1\n1:",
        "mov %g7, %l1\ncmp %l1, 17\nblu 1f\nnop\nmov 0, %l1\n1:"),
    "be": ("mov %g7, %l1\ncmp %l1, 15\nbne 9f\nnop", "mov %g7, %l1\ncmp %l1, 16\nbne 9f\nnop"),
    "bne at an end": ("and %g7, 31, %l1\nsrl %l1, 1, %l1\ncmp %l1, 15\nbne 9f\nnop",
                      "and %g7, 31, %l1\ncmp %l1, 15\nbe 9f\nnop"),
    "signed, both sides": (
        "mov %g7, %l1\ncmp %l1, 15\nbg 9f\nnop\ntst %l1\nbl 9f\nnop",
        "mov %g7, %l1\ncmp %l1, 15\nbg 9f\nnop"),
    "bneg": (
        "mov %g7, %l1\ncmp %l1, 15\nbg 9f\nnop\ntst %l1\nbneg 9f\nnop",
        "mov %g7, %l1\ncmp %l1, 16\nbg 9f\nnop\ntst %l1\nbneg 9f\nnop"),
    "bpos": ("mov %g7, %l1\ncmp %l1, 16\nbge 9f\ntst %l1\nbpos 1f\nnop\nmov 0, %l1\n1:",
             "mov %g7, %l1\ncmp %l1, 17\nbge 9f\ntst %l1\nbpos 1f\nnop\nmov 0, %l1\n1:"),
    "difference": ("mov %g7, %l2\nsubcc %l2, 1, %l1\ncmp %l2, 16\nbgu 9f\nnop\ntst %l2\nbe 9f\nsub %l2, 1, %l1",
                   "mov %g7, %l2\ncmp %l2, 17\nbgu 9f\nnop\ntst %l2\nbe 9f\nsub %l2, 1, %l1"),
    "result of a comparison": ("mov %g7, %l2\nsubcc %l2, 4, %l1\nblu 9f\nnop\ncmp %l1, 15\nbgu 9f\nnop",
                               "mov %g7, %l2\nsubcc %l2, 4, %l1\nblu 9f\nnop\ncmp %l1, 16\nbgu 9f\nnop"),
    "a byte": ("ldub [%l0], %l1\nsrl %l1, 4, %l1", "ldub [%l0], %l1\nsrl %l1, 3, %l1"),
    "half a word": ("lduh [%l0], %l1\nsrl %l1, 12, %l1", "lduh [%l0], %l1\nsrl %l1, 11, %l1"),
    "of the lock": ("ldstub [%l0], %l1\nsrl %l1, 4, %l1", "ldstub [%l0], %l1\nsrl %l1, 3, %l1"),
    "sum that is 0": ("ldub [%l0], %l2\naddcc %l2, -15, %l1\nbne 9f\nadd %l1, 15, %l1",
                      "ldub [%l0], %l2\naddcc %l2, -15, %l1\nbne 9f\nadd %l1, 16, %l1"),
    "never": (
        "mov 1, %l1\ncmp %l1, 1\nbe 1f\nnop\nmov 99, %l1\n1:",
        "mov 1, %l1\ncmp %l1, 2\nbe 1f\nnop\nmov 99, %l1\n1:"),
    "in the annulled slot": (
        "mov 1, %l1\ncmp %l1, 2\nbe,a 1f\nmov 99, %l1\n1:",
        "mov 1, %l1\ncmp %l1, 2\nbe 1f\nmov 99, %l1\n1:"),
    "always, annulled": ("mov 1, %l1\nba,a 1f\nmov 99, %l1\n1:", "mov 1, %l1\nba 1f\nmov 99, %l1\n1:"),
    "never, annulled": ("mov 1, %l1\nbn,a 1f\nmov 99, %l1\n1:", "mov 1, %l1\nbn 1f\nmov 99, %l1\n1:"),
}


@pytest.mark.parametrize("way", BOUNDED)
def test_a_store_by_a_bounded_number(way, assembled):
    within, beyond = (f"{code}\nstb %g0, [%l0 + %l1]\n9:" for code in BOUNDED[way])
    assert verdict(assembled, within).path
    said = verdict(assembled, beyond)
    assert isinstance(said, str) and said.startswith("stb %g0, [%l0 + %l1]: stores: ")


ROUNDS = (PATH_MAX - 4) // 3
# Loops of ten rounds: the code, and how often the branch backward is taken.
LOOPS = {
    "down to 0": ("mov 10, %l1\n1: subcc %l1, 1, %l1\nbne 1b\nnop", 9),
    "down by bg": ("mov 10, %l1\n1: subcc %l1, 1, %l1\nbg 1b\nnop", 9),
    "down by bpos": ("mov 9, %l1\n1: subcc %l1, 1, %l1\nbpos 1b\nnop", 9),
    "down by tst": ("mov 10, %l1\n1: sub %l1, 1, %l1\ntst %l1\nbne 1b\nnop", 9),
    "up by bl": ("mov 0, %l1\n1: add %l1, 1, %l1\ncmp %l1, 10\nbl 1b\nnop", 9),
    "up by blu": ("clr %l1\n1: add %l1, 4, %l1\ncmp %l1, 40\nblu 1b\nnop", 9),
    "up to 0": ("mov -10, %l1\n1: inccc %l1\nbne 1b\nnop", 9),
    "at the head": ("mov 10, %l1\n1: subcc %l1, 1, %l1\nbneg 2f\nnop\nba 1b\nnop\n2:", 10),
    "as many as a number says": ("and %g7, 15, %l1\ninc %l1\n1: subcc %l1, 1, %l1\nbne 1b\nnop", 15),
    "by a pointer": (
        "add %l0, 10, %l1\nmov %l0, %l2\n1: stb %g7, [%l2]\nadd %l2, 1, %l2\ncmp %l2, %l1\nbne 1b\nnop",
        9),
    "in a loop": (
        "mov 3, %l1\n1: mov 4, %l2\n2: subcc %l2, 1, %l2\nbne 2b\nnop\nsubcc %l1, 1, %l1\nbne 1b\nnop",
        9 + 2),
    "with two ways": (
        "mov 10, %l1\n1: ldub [%l0], %l2\ntst %l2\nbe 2f\nnop\nstb %g0, [%l0]\n2: subcc %l1, 1, %l1\nbne 1b\nnop",
        9),
    "left early": ("mov 10, %l1\n1: ldub [%l0], %l2\ntst %l2\nbe 2f\nnop\nsubcc %l1, 1, %l1\nbne 1b\nnop\n2:", 9),
    "of the longest path": (f"mov {ROUNDS}, %l1\n1: subcc %l1, 1, %l1\nbne 1b\nnop", ROUNDS - 1),
}


@pytest.mark.parametrize("way", LOOPS)
def test_a_loop_that_a_counter_ends(way, assembled):
    code, times = LOOPS[way]
    assert sum(verdict(assembled, code).loops.values()) == times


def test_the_longest_path(assembled):
    assert verdict(assembled, f".rept {PATH_MAX - 3}\nnop\n.endr").path == PATH_MAX


def test_the_longest_of_two_paths(assembled):
    """Whichever of them stands first."""
    long, short = "nop\nnop\nnop", "nop"
    for first, second in ((long, short), (short, long)):
        assert verdict(assembled, f"tst %l0\nbe 1f\nnop\n{first}\njmp %g6\nnop\n1: {second}").path == 4 + 3 + 2


def test_listed_memory_to_its_ends(assembled):
    data = "MM_STORES h, ring + 4, 4\nMM_STORES h, ring + 12, 2\n.data\n.balign 8\nring: .skip 16\n"
    code = "sethi %hi(ring), %l1\nor %l1, %lo(ring), %l1\nst %g0, [%l1 + {}]"
    assert verdict(assembled, code.format(4), 0, data).path
    for at in (3, 5, 8, 12):
        assert "which is not listed" in verdict(assembled, code.format(at), 0, data)


def test_words_before_destaddr_are_counted(assembled):
    found = verdict(assembled, "tst %l0\nbe 1f\nnop\nadd %g7, %g7, %l1\n1:")
    assert found.words == (1, 2)


def test_a_program_without_handlers(assembled):
    path = assembled("nop\n")
    assert certify(path, contents(path)) == []
    with pytest.raises(UsageError, match="not an ELF file for 32-bit SPARC"):
        certify("x", b"\x7fELF")

"""Which instructions of a program access memory, and which wait for a word, for code that is known; lines of its own code."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from fugu.errors import SetupError
from fugu.image import elf
from fugu.observe.races import accesses, places
from fugu.observe.races.accesses import Access
from fugu.paths import ROOT

START = 0x10000000
G2, G3, SP, O0, O1, L0, L1, FP, I0 = 2, 3, 14, 8, 9, 16, 17, 30, 24
NOP, RETL, RET = 0x01000000, 0x81C3E008, 0x81C7E008
BE, BA = 1, 8
LD, LDUB, LDD, ST, LDSTUB, SWAP = 0x00, 0x01, 0x03, 0x04, 0x0D, 0x0F
ADD, ADDX, ADDCC, SUBCC, SUBXCC, SAVE, RESTORE = 0x00, 0x08, 0x10, 0x14, 0x1C, 0x3C, 0x3D


def memory(op3, rd, rs1, offset=0, rs2=None):
    return 3 << 30 | rd << 25 | op3 << 19 | rs1 << 14 | (1 << 13 | offset & 0x1fff if rs2 is None else rs2)


def ld(rd, rs1, offset=0):
    return memory(LD, rd, rs1, offset)


def st(rd, rs1, offset=0):
    return memory(ST, rd, rs1, offset)


def alu(op3, rd, rs1, constant=0, rs2=None):
    return 2 << 30 | rd << 25 | op3 << 19 | rs1 << 14 | (1 << 13 | constant & 0x1fff if rs2 is None else rs2)


def cmp(rs1, constant=0):
    return alu(SUBCC, 0, rs1, constant)


def branch(words, cond=BE, annul=0):
    """A branch so many instructions away."""
    return annul << 29 | cond << 25 | 2 << 22 | words & 0x3fffff


def call(words):
    return 1 << 30 | words & 0x3fffffff


def sethi(rd):
    return rd << 25 | 4 << 22 | 1


def program(*code, start=START, flags=elf.CAN_READ | elf.CAN_EXECUTE, more=b""):
    data = struct.pack(f">{len(code)}I", *code) + more
    return elf.Elf(Path("my.elf"), start, [elf.Segment(start, start, data, len(data), flags)], [])


def waits(*code):
    """The numbers of the instructions that wait."""
    return {(address - START) // 4 for address in accesses.waits(program(*code), lambda address: True)}


# ---- accesses --------------------------------------------------------------------------

@pytest.mark.parametrize("op3, size, loads, stores", [
    (0x00, 4, 1, 0), (0x01, 1, 1, 0), (0x02, 2, 1, 0), (0x03, 8, 1, 0), (0x04, 4, 0, 1), (0x05, 1, 0, 1), (0x06, 2, 0, 1),
    (0x07, 8, 0, 1), (0x09, 1, 1, 0), (0x0a, 2, 1, 0), (0x0d, 1, 1, 1), (0x0f, 4, 1, 1), (0x20, 4, 1, 0), (0x23, 8, 1, 0),
    (0x24, 4, 0, 1), (0x27, 8, 0, 1)])
def test_what_an_instruction_accesses(op3, size, loads, stores):
    one = program(NOP, memory(op3, G2, O0, -4), memory(op3, G2, O0, rs2=O1))
    assert list(accesses.of(one)) == [Access(START + 4, O0, 0, -4, size, bool(loads), bool(stores)),
                                      Access(START + 8, O0, O1, 0, size, bool(loads), bool(stores))]


@pytest.mark.parametrize("offset", [0, 4, 4095, -4096, -1])
def test_offsets_of_accesses(offset):
    assert [one.offset for one in accesses.of(program(ld(G2, O0, offset)))] == [offset]


@pytest.mark.parametrize("register", [0, 6, SP, FP])
def test_what_is_a_threads_own(register):
    """Stacks, the message and the interface, by either register; %g0 as the second register is none."""
    assert not list(accesses.of(program(ld(G2, register, 8))))
    assert len(list(accesses.of(program(memory(LD, G2, O0, rs2=register))))) == (register == 0)
    assert len(list(accesses.of(program(ld(register, O0))))) == 1


@pytest.mark.parametrize("op3", [0x08, 0x0b, 0x10, 0x21, 0x31])
def test_other_instructions(op3):
    assert not list(accesses.of(program(memory(op3, G2, O0), alu(LD, G2, O0), NOP)))


def test_code_is_in_segments_that_can_be_executed():
    """A rest of less than an instruction is none."""
    assert not list(accesses.of(program(ld(G2, O0), flags=elf.CAN_READ)))
    assert len(list(accesses.of(program(ld(G2, O0), more=b"abc")))) == 1
    assert not list(accesses.of(None)) and accesses.waits(None, bool) == set()


# ---- loops that wait ---------------------------------------------------------------------

SPIN = (ld(G2, O0), cmp(G2), branch(-2), NOP)


def test_a_loop_that_waits():
    assert waits(*SPIN) == {0}
    assert accesses.waits(program(*SPIN), lambda address: address != START) == set()      # of a library


@pytest.mark.parametrize("op3", [0x00, 0x01, 0x02, 0x03, 0x09, 0x0a])
def test_loads_that_can_wait(op3):
    assert waits(memory(op3, G2, O0), *SPIN[1:]) == {0}


@pytest.mark.parametrize("op3", [LDSTUB, SWAP, 0x20, ST])
def test_accesses_that_do_not_wait(op3):
    assert waits(memory(op3, G2, O0), *SPIN[1:]) == set()


@pytest.mark.parametrize("code, found", [
    # The load is in the delay slot, annulled or not; the branch leaves the loop, and another one closes it.
    ((ld(G2, O0), cmp(G2), branch(-1, BE, 1), ld(G2, O0), NOP), {3}),
    ((ld(G2, O0), cmp(G2), branch(-1), ld(G2, O0), NOP), {3}),
    ((ld(G2, O0), cmp(G2), branch(3), NOP, branch(-4, BA), NOP, NOP), {0}),
    ((ld(G2, O0), cmp(G2), branch(3), NOP, branch(-4, BA, 1), NOP, NOP), {0}),
    # There is no way back.
    ((ld(G2, O0), cmp(G2), branch(2), NOP, NOP), set()),
    ((ld(G2, O0), cmp(G2), branch(-1), NOP), set()),
    ((ld(G2, O0), cmp(G2), RETL, NOP, branch(-4), NOP), set()),
    ((ld(G2, O0), cmp(G2), branch(0, BA), NOP), set()),
    # The branch is always taken, or another word decides.
    ((ld(G2, O0), cmp(G3), branch(-2), NOP), set()),
    ((ld(G2, O0), cmp(G2), cmp(G3), branch(-3), NOP), set()),
    ((ld(G2, O0), alu(ADD, G2, G2, 1), branch(-2), NOP), set()),
    # The word is copied, calculated with, or lost.
    ((ld(G2, O0), alu(ADD, G3, G2), cmp(G3), branch(-3), NOP), {0}),
    ((ld(G2, O0), alu(ADD, G3, O1, rs2=G2), cmp(G3), branch(-3), NOP), {0}),
    ((ld(G2, O0), alu(ADD, G2, O1), cmp(G2), branch(-3), NOP), set()),
    ((ld(G2, O0), sethi(G2), cmp(G2), branch(-3), NOP), set()),
    ((ld(G2, O0), ld(G2, O1), cmp(G2), branch(-3), NOP), {1}),
    ((ld(G2, O0), alu(ADD, 0, G2), cmp(0), branch(-3), NOP), set()),
    # The second word of a pair.
    ((memory(LDD, G2, O0), cmp(G3), branch(-2), NOP), {0}),
    # By the carry.
    ((ld(G2, O0), alu(SUBCC, 0, 0, rs2=G2), alu(ADDX, G3, 0), cmp(G3), branch(-4), NOP), {0}),
    ((ld(G2, O0), alu(SUBCC, 0, 0, rs2=G2), alu(ADD, G3, 0), cmp(G3), branch(-4), NOP), set()),
    ((ld(G2, O0), cmp(G2), alu(SUBXCC, 0, 0), branch(-3), NOP), {0}),
    # On the stack meanwhile; over it a word that does not depend on it.
    ((ld(G2, O0), st(G2, FP, -4), ld(G3, FP, -4), cmp(G3), branch(-4), NOP), {0}),
    ((ld(G2, O0), st(G2, FP, -4), ld(G3, FP, -8), cmp(G3), branch(-4), NOP), set()),
    ((ld(G2, O0), st(G2, FP, -4), ld(G3, SP, -4), cmp(G3), branch(-4), NOP), set()),
    ((ld(G2, O0), st(G2, FP, -4), st(O1, FP, -4), ld(G3, FP, -4), cmp(G3), branch(-5), NOP), set()),
    ((ld(G2, O0), st(G2, O1, -4), ld(G3, O1, -4), cmp(G3), branch(-4), NOP), {2}),
    # The address moves on, by itself or along a list.
    ((ld(G2, O0), cmp(G2), branch(-2), alu(ADD, O0, O0, 4)), set()),
    ((ld(G2, O0), alu(ADD, O0, O0, 4), cmp(G2), branch(-3), NOP), set()),
    ((ld(O0, O0), cmp(O0), branch(-2), NOP), set()),
    ((ld(L0, L1), ld(G2, L0), cmp(G2), branch(-3), NOP), {1}),
    ((sethi(L0), ld(G2, L0), cmp(G2), branch(-3), NOP), {1}),
    ((sethi(L0), alu(ADD, L0, L0, 4), ld(G2, L0), cmp(G2), branch(-4), NOP), {2}),
    # It moves on only on one of two ways.
    ((ld(G2, O0), cmp(G2), branch(5), NOP, alu(ADD, O0, O0, 4), branch(-5, BA), NOP, branch(-7, BA), NOP), {0}),
    # A comparison sets no register: %g0 does not depend on what it compares.
    ((ld(G2, O0), cmp(G2), alu(ADD, G3, 0, 1), cmp(G3), branch(-4), NOP), set())])
def test_loops(code, found):
    assert waits(*code) == found


@pytest.mark.parametrize("between, found", [(58, {0}), (59, set())])
def test_a_branch_is_near_the_load(between, found):
    """Within so many instructions."""
    assert waits(ld(G2, O0), *[NOP] * between, cmp(G2), branch(-2 - between), NOP) == found


# ---- functions that callers call again ------------------------------------------------------

def called(*function, after=(cmp(O0), branch(-3), NOP), calls=1):
    """A program with a function of 4 instructions, and calls of it; each goes round while its result is 0."""
    code = [*function, *[NOP] * (4 - len(function))]
    for _ in range(calls):
        code += [call(-len(code)), NOP, *after]
    return waits(*code, RETL, NOP)


@pytest.mark.parametrize("function, found", [
    ((RETL, ld(O0, O0)), set()),             # its result is in the delay slot of the return, so nothing follows it
    ((ld(O0, O0), RETL, NOP), {0}), ((ld(G2, O0), RETL, alu(ADD, O0, G2)), {0}), ((ld(G2, O0), RETL, alu(ADD, O1, G2)), set()),
    ((ld(G2, O0), RETL, alu(ADD, O0, 0, 1)), set()), ((ld(G2, O0), RETL, NOP), set()), ((ld(G2, O0), alu(SUBCC, 0, 0, rs2=G2), RETL, alu(ADDX, O0, 0)), {0}),
    ((ld(G2, O0), alu(SUBCC, 0, 0, rs2=G2), RETL, alu(ADD, O0, 0)), set()),
    ((ld(I0, L0), RET, alu(RESTORE, 0, 0)), {0}), ((ld(G2, L0), RET, alu(RESTORE, O0, G2)), {0}),
    ((ld(O0, L0), RET, alu(RESTORE, 0, 0)), set())])
def test_a_result_for_which_callers_wait(function, found):
    assert called(*function) == found


def test_each_caller_has_to_wait():
    function = (ld(O0, O0), RETL, NOP)
    assert called(*function, calls=2) == {0}
    assert called(*function, after=(NOP,)) == set()
    assert called(*function, after=(cmp(O1), branch(-3), NOP)) == set()
    assert called(*function, after=(cmp(O0), branch(3), NOP, NOP)) == set()
    code = [*function, NOP, call(-4), NOP, cmp(O0), branch(-3), NOP, call(-9), NOP, RETL, NOP]
    assert waits(*code) == set()
    assert waits(*function, NOP, RETL, NOP) == set()         # nothing calls it


def test_a_function_ends_where_the_next_one_begins():
    """Only the function that is called again waits."""
    code = [NOP, RETL, NOP, ld(O0, O0), RETL, NOP, call(-6), NOP, cmp(O0), branch(-3), NOP, call(-8), NOP, RETL, NOP]
    assert waits(*code) == set()
    code[6], code[11] = call(-3), call(-11)
    assert waits(*code) == {3}


@pytest.mark.parametrize("slot, back", [(NOP, True), (alu(ADD, 15, O1), False), (alu(RESTORE, 0, 0), False), (alu(ADD, O1, 15), True)])
def test_calls_that_do_not_come_back(slot, back):
    """The instruction behind a call that changes the return address, or the window."""
    code = program(call(4), slot, cmp(O0), branch(-3), NOP)
    [found] = list(accesses._codes(code))
    assert found._branch(START) == ((START + 8, False) if back else (None, False))


@pytest.mark.parametrize("word, found", [
    (branch(5), (START + 20, True)), (branch(-1), (START - 4, True)), (branch(5, BA), (START + 20, False)), (RETL, (None, False)),
    (alu(0x38, 15, G2), (START + 8, False)), (alu(0x38, 0, G2), (None, False)), (sethi(G2), None), (alu(ADD, 1, 1), None), (ld(G2, O0), None),
    (BE << 25 | 6 << 22 | 3, (START + 12, True)), (BE << 25 | 7 << 22 | 3, (START + 12, True))])
def test_where_branches_go(word, found):
    [code] = list(accesses._codes(program(word, NOP, NOP)))
    assert code._branch(START) == found


@pytest.mark.parametrize("words, first, second", [
    ((branch(5), NOP), [4], [20, 8]), ((branch(5, BA), NOP), [4], [20]), ((branch(5, BE, 1), NOP), [4, 8], [20]),
    ((branch(5, BA, 1), NOP), [20], [8]), ((RETL, NOP), [4], []), ((NOP, NOP), [4], [8])])
def test_what_follows_a_branch_and_its_slot(words, first, second):
    [code] = list(accesses._codes(program(NOP, *words, NOP)))
    assert [[one - START - 4 for one in code._next(START + at)] for at in (4, 8)] == [first, second]


def test_words_outside_of_the_code():
    [code] = list(accesses._codes(program(NOP, RETL)))
    assert [code.word(START + at) for at in (-4, 0, 4, 8)] == [0, NOP, RETL, 0]


# ---- places ------------------------------------------------------------------------------------

def rows(*lines):
    return list(places.ranges(lines))


def test_lines_of_a_programs_own_code():
    assert rows("", "CU: a.c:", "File name  Line number  Starting address  View  Stmt", "a.c  3  0x100  x", "a.c  4  0x108  x",
                "a.c  4  0x108  1  x", "a.c  -  0x110", "", "CU: dir/b.c:", "dir/b.c  9  0x200  x", "dir/b.c  -  0x204") == [
        (0x100, 0x108, "a.c:3"), (0x108, 0x110, "a.c:4"), (0x200, 0x204, "b.c:9")]


def test_lines_of_libraries():
    """A unit of theirs has no lines of its own; a header of theirs counts as the line that leads to it."""
    folder = f"{ROOT / 'guest-os'}/"
    assert rows(f"CU: {folder}libos/x.c:", "x.c  3  0x100  x", "x.c  -  0x108") == []
    assert rows("CU: a.c:", "a.c  3  0x100  x", f"{folder}include/udm.h:", "udm.h  70  0x108  x", "a.c:", "a.c  5  0x110  x",
                "a.c  -  0x118") == [(0x100, 0x108, "a.c:3"), (0x108, 0x110, "a.c:3"), (0x110, 0x118, "a.c:5")]
    assert rows("CU: guest-os/a.c:", "a.c  3  0x100  x", "a.c  -  0x104") == [(0x100, 0x104, "a.c:3")]


@pytest.mark.parametrize("address, place", [(0xff, ""), (0x100, "a.c:3"), (0x107, "a.c:3"), (0x108, ""), (0x10f, ""), (0x110, "a.c:4"),
                                            (0x113, "a.c:4"), (0x114, "")])
def test_the_place_of_an_address(address, place):
    found = places.Places([(0x110, 0x114, "a.c:4"), (0x100, 0x108, "a.c:3")])
    assert found.of(address) == place and places.Places([]).of(address) == ""


def test_what_objdump_says(tmp_path):
    """Its words name the file as a path, and no variable of the user's changes what it says."""
    objdump = tmp_path / "objdump"
    objdump.write_text('#!/bin/sh\n[ "$LC_ALL" = C ] && [ "$1 $2 $3" = "-w --dwarf=decodedline /-my.elf" ] || exit 1\n'
                       'echo "CU: a.c:"; echo "a.c  3  0x100  x"; echo "a.c  -  0x108"\n')
    objdump.chmod(0o755)
    assert places.read(Path("/-my.elf"), objdump).of(0x104) == "a.c:3"
    assert places.read(Path("/other.elf"), objdump).starts == []
    with pytest.raises(SetupError, match="objdump does not work: "):
        places.read(Path("/-my.elf"), tmp_path / "none")

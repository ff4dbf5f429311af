"""fugu maps, fugu fifos, fugu engine: SHRIMP's network interface."""

from __future__ import annotations

import re

import pytest
from test_debug_glaze import program, table

PROGRAM = program("mapping")
SHRIMP = ("-n", 2, "--ni", "shrimp")
PAGE = 4096
OVERHEAD = 3                    # words of a packet
WIDTH = 80                      # columns of a row at most


def at(number):
    """Commands that lead to the number-th call of stop_here() on node 0."""
    return ["break stop_here thread 1.1", *["continue"] * number]


# ---- tables --------------------------------------------------------------------------

def rows(output, title):
    """The rows of a table without its head."""
    return table(output, title)[0][1:]


def test_maps_are_those_of_both_ends(session):
    """The rows of node 0 lead to the rows of node 1, at the offsets that the program has asked for."""
    done = session([*at(1), "fugu maps", "fugu maps 1", "print/x (int)&out", "print/x (int)&in"], *SHRIMP, PROGRAM)
    out, into = (int(found, 16) for found in re.findall(r"^\$\d = (0x\w+)$", done.stdout, re.MULTILINE))
    sends = rows(done.stdout, r"Mapped out of node 0, at cycle \d+")
    assert "Mapped in to node 0: none" in done.stdout
    assert re.search(r"^Mapped out of node 1, at cycle \d+: none$", done.stdout, re.MULTILINE)
    takes = rows(done.stdout, "Mapped in to node 1")
    pages = {int(row[0], 16): row for row in takes}
    words = {row[-2]: int(row[0], 16) for row in takes}
    assert set(words) == {"in", "in+4096"}
    assert {row[2]: (row[1], row[3], *row[5:]) for row in sends} == {
        "single": ("000-7ff", "1", "1", "mapping", f"0x{out:08x}", "out"),
        "blocked": ("800-fff", "1", "1", "mapping", f"0x{out + 2048:08x}", "out+2048"),
        "deliberate": ("000-fff", "1", "1", "mapping", f"0x{out + PAGE:08x}", "out+4096")}
    own = {row[2]: row[0] for row in sends}
    assert own["single"] == own["blocked"] != own["deliberate"] and int(own["single"], 16) % PAGE == 0
    there = {row[2]: int(row[4], 16) for row in sends}
    assert there == {"single": words["in"], "blocked": words["in"] + 2048, "deliberate": words["in+4096"]}
    armed = pages[words["in"]]
    assert armed[1:] == ["armed", "1", "mapping", f"0x{into:08x}", "in", "0:1"]
    assert pages[words["in+4096"]][1:] == ["1", "mapping", f"0x{into + PAGE:08x}", "in+4096", "0:1"]


def test_fifo_has_the_packets_that_have_not_left(session):
    """Eight stores every 4 or 14 cycles; a packet of four words leaves every 16 cycles."""
    done = session([*at(1), "fugu fifos", "fugu flight"], *SHRIMP, PROGRAM).stdout
    said = re.search(r"^Outgoing: (\d+) of 1024 words, interrupts above 768\n  8 packets so far, credited up to 0; "
                     r"(\d+) of 256 credits$", done, re.MULTILINE)
    packets, _ = table(done, re.escape(said[0].splitlines()[1]))
    assert packets[0] == ["to", "address", "bytes", "mode", "issued", "job", "its", "address", "variable"]
    waiting = packets[1:]
    assert 0 < len(waiting) < 8 and int(said[1]) == 4 * len(waiting)
    assert int(said[2]) == 256 - 4 * (8 - len(waiting))
    first = 8 - len(waiting)
    assert [(row[0], *row[2:4], row[5], row[-1]) for row in waiting] == [
        ("1", "4", "single", "1", f"out+{4 * k}") for k in range(first, 8)]
    addresses, sources, times = ([int(row[k], 0) for row in waiting] for k in (1, 6, 4))
    assert [address - addresses[0] for address in addresses] == [4 * k for k in range(len(waiting))]
    assert [address % PAGE for address in sources] == [4 * k for k in range(first, 8)]
    assert all(later - time in (4, 14) for time, later in zip(times, times[1:], strict=False))
    flight = rows(done, r"8 messages on the way, at cycle \d+ of node 0")
    assert [row[2:5] for row in flight if row[-2:] == ["Outgoing", "FIFO"]] == [
        ["update", f"0x{address:08x}", "4"] for address in addresses]


def test_open_packet_closes_after_the_last_store(session):
    """No store comes for 32 cycles. The program stands some cycles after the last one."""
    done = session([*at(2), "fugu fifos", "continue", "fugu fifos"], *SHRIMP, PROGRAM).stdout
    now, size, start, to, there, closes = re.search(
        r"FIFOs of node 0, at cycle (\d+)\nOutgoing: 0 .*\n.*\nOpen packet: (\d+) bytes from (0x\w+) on, to node (\d), (0x\w+)\n"
        r"  closes at cycle (\d+)", done).groups()
    assert (int(size), int(to)) == (32, 1) and int(start, 16) % PAGE == int(there, 16) % PAGE == 2048
    assert 0 < int(closes) - int(now) < 32
    assert done.count("Open packet") == 1


def test_engine_reads_a_packet_in_64_cycles(session):
    done = session([*at(3), "fugu engine", "fugu fifos", "delete", "tbreak shrimp_fence thread 1.1", "continue",
                    "fugu engine"], *SHRIMP, PROGRAM).stdout
    said = re.search(r"Engine of node 0, at cycle (\d+): busy\n"
                     r"  command: 1024 words from (0x\w+) \(1 mapping, 0x\w+, out\+4096\)\n"
                     r"  asked by: job 1, at cycle (\d+)\n"
                     r"  sent: 0 bytes; left: 4096 bytes from (0x\w+), to node 1, (0x\w+)\n"
                     r"  next packet: is read until cycle (\d+)\n", done)
    now, source, asked, next_word, there, until = (int(found, 0) for found in said.groups())
    assert source == next_word and until - asked == 64 and asked <= now < until
    assert source % PAGE == there % PAGE == 0
    assert re.search(r"Engine of node 0, at cycle \d+: free\n", done)


def test_a_wrong_packet_is_seen_before_it_is_dropped(session):
    """The receiver's bus is slow, so that packets are in its FIFO. A test's hook damages two of them."""
    damage = "monitor qom-set /machine/node[0]/ni damage"
    done = session(["tbreak single", "continue", f"{damage} crc", "tbreak deliberate", "continue",
                    f"{damage} coordinates", "tbreak stop_here thread 1.1", "continue", "fugu fifos 1", "continue",
                    "fugu fifos 1"], *SHRIMP, "--incoming-word", 2000, PROGRAM).stdout
    first, second = done.split("FIFOs of node 1")[1:]
    said = re.search(r"^Incoming: (\d+) of 1024 words; (\d) packets have left it, (\d) dropped", first, re.MULTILINE)
    waiting = [line.split() for line in first.splitlines() if re.match(" +0 0x", line)]
    assert int(said[1]) == sum(OVERHEAD + int(row[2]) // 4 for row in waiting) and int(said[2]) + len(waiting) == 9
    wrong = [(row[5], row[3]) for row in waiting if row[5] in ("place", "CRC")]
    assert ("place", "blocked") in wrong and int(said[3]) + sum(cause == "CRC" for cause, _ in wrong) == 1
    assert max(len(line) for line in first.splitlines() if re.match(" +0 0x", line)) <= WIDTH
    assert re.search(r"2 dropped: 1 coordinates, 1 CRC, 0 page", second), second


def test_two_jobs(session):
    """Each page belongs to the job that has mapped it, and the engine works for the one that has asked."""
    said = session([*at(3), "fugu maps", "fugu maps 1", "fugu engine", *["continue"] * 3, "fugu maps", "fugu maps 1",
                    "fugu engine"], *SHRIMP, PROGRAM, "+", PROGRAM).stdout
    for job in ("1", "2"):          # the other one may have mapped as well
        sends, said = table(said, r"Mapped out of node 0, at cycle \d+")
        assert [row[2] for row in sends[1:] if row[5] == job] == ["single", "blocked", "deliberate"], said
        assert {row[5] for row in sends[1:]} <= {"1", "2"}
        takes, said = table(said, "Mapped in to node 1")
        assert sorted((row[-2], row[-1]) for row in takes[1:] if row[-5] == job) == [("in", f"0:{job}"), ("in+4096", f"0:{job}")]
        assert re.search(r"asked by: job (\d), at cycle", said)[1] == job


def test_bare_machine(session):
    """Without a kernel, pages have no owner; addresses are variables' own."""
    done = session(["tbreak begin_phase if phase == 2 && node == 0", "continue", "fugu maps", "fugu engine"],
                   *SHRIMP, "automatic").stdout
    sends = table(done, r"Mapped out of node 0, at cycle \d+")[0]
    assert sends[0] == ["page", "bytes", "mode", "to", "node", "address", "variable"]
    assert {row[-1]: (row[1], row[2], row[3]) for row in sends[1:]} == {
        "out": ("000-fff", "single", "1"), "both": ("000-fff", "single", "1"), "asked": ("000-fff", "deliberate", "1")}
    takes = table(done, "Mapped in to node 0")[0]
    assert takes[0] == ["page", "interrupts", "variable"] and {row[-1] for row in takes[1:]} == {"in", "both"}


@pytest.mark.parametrize("command", ["maps", "fifos", "engine"])
def test_other_machines_say_so(session, command):
    said = session([f"fugu {command}", f"fugu {command} x", f"fugu {command} 7"], "-n", 2, program("loops")).stdout
    assert f"fugu {command} is for machines with SHRIMP's network interface (--ni shrimp)." in said.splitlines()
    assert f"Usage: fugu {command} [NODE]" in said and "GDB is not attached to node 7." in said
